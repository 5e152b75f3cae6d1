// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/events_panel.h"

#include "tests/ui/scenes.h"
#include "tests/ui/settle.h"
#include "ui/kit/table.h"
#include "ui/panels/events_model.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QtTest/QTest>

#include <gtest/gtest.h>

namespace rankdeck::ui::events_panel_test {
namespace {

class EventsPanelTest : public testing::Test {
protected:
    EventsPanelTest()
    {
        const Snapshot told = scenes::died();
        for (Event event : told.view.recentEvents) m_feed.run().add(std::move(event));
        m_feed.set(told);
        m_panel = std::make_unique<EventsPanel>(m_feed);
        m_panel->resize(1000, 200);
        m_panel->show();
        m_table = m_panel->findChild<Table *>();
    }
    int rows() const { return m_table->model()->rowCount(); }
    QString cell(int row, int column) const { return m_table->model()->index(row, column).data().toString(); }
    QComboBox *box(const QString &name) const
    {
        for (auto *one : m_panel->findChildren<QComboBox *>())
            if (one->accessibleName() == name) return one;
        return nullptr;
    }

    FixedFeed m_feed;
    std::unique_ptr<EventsPanel> m_panel;
    Table *m_table = nullptr;
};

TEST_F(EventsPanelTest, FiltersByRankSeverityAndText)
{
    const int all = rows();
    ASSERT_GE(all, 3);
    box(QStringLiteral("Events of rank"))->setCurrentIndex(3);  // rank 2
    const int ofRank = rows();
    EXPECT_LT(ofRank, all);
    EXPECT_GT(ofRank, 0);
    box(QStringLiteral("Events of rank"))->setCurrentIndex(0);
    box(QStringLiteral("Which events"))->setCurrentIndex(2);
    EXPECT_LT(rows(), all);
    box(QStringLiteral("Which events"))->setCurrentIndex(0);
    m_panel->findChild<QLineEdit *>()->setText(QStringLiteral("UCE error"));
    ASSERT_EQ(rows(), 1);
    EXPECT_TRUE(cell(0, 4).contains(QLatin1String("507053")));
}

TEST_F(EventsPanelTest, SelectingAnEventSelectsItsRankAndOpensItsLogLine)
{
    const QSignalSpy chosen(m_panel.get(), &Panel::rankChosen), asked(m_panel.get(), &Panel::logRequested);
    int died = -1;
    for (int row = 0; row < rows(); ++row)
        if (cell(row, 4).contains(QLatin1String("507053"))) died = row;
    ASSERT_GE(died, 0);
    m_table->setCurrentIndex(m_table->model()->index(died, 4));
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_EQ(chosen[0][0].toInt(), 5);
    QTest::keyClick(m_table, Qt::Key_Return);
    ASSERT_EQ(asked.count(), 1);
    EXPECT_EQ(asked[0][0].toInt(), 5);
    EXPECT_EQ(asked[0][1].toULongLong(), scenes::workerLog(5).find("[ERROR]"));
}

TEST_F(EventsPanelTest, EventWithoutARankSelectsNoRank)
{
    const QSignalSpy chosen(m_panel.get(), &Panel::rankChosen);
    for (int row = 0; row < rows(); ++row)
        if (cell(row, 4).contains(QLatin1String("VALID"))) m_table->setCurrentIndex(m_table->model()->index(row, 4));
    EXPECT_EQ(chosen.count(), 0);
}

TEST_F(EventsPanelTest, NewEventsDoNotScrollTheVisibleRows)
{
    for (int i = 0; i < 60; ++i) {
        Event event;
        event.id = 100u + static_cast<unsigned>(i);
        event.kind = EventKind::error;
        event.rank = i % 8;
        event.text = "error " + std::to_string(i);
        m_feed.run().add(std::move(event));
    }
    m_feed.set(scenes::died());
    m_table->setCurrentIndex({});
    settle();  // until the table knows its height
    m_table->scrollTo(m_table->model()->index(30, 4), QAbstractItemView::PositionAtTop);
    const QString top = m_table->indexAt(QPoint(400, 2)).data().toString();
    Event late;
    late.id = 500;
    late.kind = EventKind::error;
    late.rank = 1;
    late.text = "late";
    m_feed.run().add(std::move(late));
    m_feed.set(scenes::died());
    EXPECT_EQ(m_table->indexAt(QPoint(400, 2)).data().toString(), top);
}

TEST_F(EventsPanelTest, TooltipShowsTextOfANodeWithoutMarkup)
{
    Event event;
    event.id = 900;
    event.kind = EventKind::error;
    event.rank = 2;
    event.text = "<img src=http://evil/x.png><b>bold</b>";
    m_feed.run().add(std::move(event));
    m_feed.set(scenes::died());
    const QString tip = m_table->model()->index(0, 4).data(Qt::ToolTipRole).toString();
    EXPECT_TRUE(tip.contains(QLatin1String("&lt;img src=http://evil/x.png&gt;"))) << tip.toStdString();
    EXPECT_FALSE(tip.contains(QLatin1String("<img")));
}

TEST_F(EventsPanelTest, SameMessageOfSeveralRanksIsOneRow)
{
    const int before = rows();
    const auto say = [&](std::uint64_t id, int rank, const std::string &text, int secondsLater) {
        Event event;
        event.id = id;
        event.kind = EventKind::error;
        event.rank = rank;
        event.text = text;
        event.time = scenes::now() + std::chrono::seconds(secondsLater);
        m_feed.run().add(std::move(event));
        m_feed.set(scenes::died());
    };
    for (int rank = 0; rank < 8; ++rank)
        say(100u + static_cast<unsigned>(rank), rank, "OSError: No space left on device", rank);
    ASSERT_EQ(rows(), before + 1);
    EXPECT_EQ(cell(0, 3), QString::fromUtf8("0–7"));
    say(120, 3, "another error", 8);
    EXPECT_EQ(rows(), before + 2);
    say(121, 4, "OSError: No space left on device", 100);
    EXPECT_EQ(rows(), before + 3) << "minutes later it is another failure";
    box(QStringLiteral("Events of rank"))->setCurrentIndex(1 + 6);
    EXPECT_EQ(cell(0, 3), QString::fromUtf8("0–7")) << "the row belongs to each of its ranks";
}

TEST_F(EventsPanelTest, LogColumnIsHiddenInANarrowPanel)
{
    EXPECT_FALSE(m_table->isColumnHidden(EventsModel::log));
    m_panel->resize(790, 200);  // at 1366, next to the resume pane
    settle();
    EXPECT_TRUE(m_table->isColumnHidden(EventsModel::log));
    EXPECT_GE(m_table->columnWidth(EventsModel::text), m_table->fontMetrics().horizontalAdvance(QStringLiteral(
                                                           "Step 300: VALID, 8 of 8 files complete, same step")));
    m_panel->resize(1366, 200);
    settle();
    EXPECT_FALSE(m_table->isColumnHidden(EventsModel::log));
}

}  // namespace
}  // namespace rankdeck::ui::events_panel_test
