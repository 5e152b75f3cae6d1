// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/log_panel.h"

#include "tests/ui/scenes.h"
#include "tests/ui/settle.h"
#include "ui/dialogs/log_reading_dialog.h"
#include "ui/kit/table.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QtTest/QTest>

#include <gtest/gtest.h>

#include <algorithm>

namespace rankdeck::ui::log_panel_test {
namespace {

class LogPanelTest : public testing::Test {
protected:
    LogPanelTest()
    {
        m_feed.set(scenes::healthy());
        for (int rank = 0; rank < 8; ++rank) m_feed.logs[rank] = scenes::workerLog(rank);
        m_panel = std::make_unique<LogPanel>(m_feed);
        m_panel->resize(1000, 240);
        m_panel->show();
        settle();
    }
    QString chosenLine() const
    {
        const auto *table = m_panel->findChild<Table *>();
        const QModelIndexList rows = table->selectionModel()->selectedRows();
        return rows.isEmpty() ? QString() : rows.front().siblingAtColumn(1).data().toString();
    }
    bool says(const QString &text) const
    {
        const QList<QLabel *> labels = m_panel->findChildren<QLabel *>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](const QLabel *label) { return label->text().contains(text); });
    }

    FixedFeed m_feed;
    std::unique_ptr<LogPanel> m_panel;
};

TEST_F(LogPanelTest, SampleOpensItsLogLineDespiteAnApproximateOffset)
{
    const std::string log = scenes::workerLog(3);
    for (const int step : {1, 105, 279, 400}) {
        const std::size_t line = log.find("step: " + std::to_string(step) + ", loss is ");
        const float loss = std::stof(log.substr(log.find("loss is ", line) + 8));
        m_panel->showSample(3, 0, {loss, {step}});
        settle();
        EXPECT_TRUE(chosenLine().contains(QStringLiteral("step: %1,").arg(step))) << chosenLine().toStdString();
    }
}

TEST_F(LogPanelTest, AmbiguousLineIsNotMarked)
{
    m_panel->showSample(3, 0, {0.125f, {7}});
    settle();
    EXPECT_TRUE(chosenLine().isEmpty()) << chosenLine().toStdString();
    EXPECT_TRUE(says(QStringLiteral("Exact log line unknown")));
}

TEST_F(LogPanelTest, SelectedRankIsShownOnlyWhileTheEndIsFollowed)
{
    m_panel->showSelectedRank(5);
    EXPECT_EQ(m_panel->rank(), 5);
    m_panel->showLine(2, 0);
    m_panel->showSelectedRank(5);
    EXPECT_EQ(m_panel->rank(), 2) << "someone reads a line";
    m_panel->showSelectedRank(-1);
    EXPECT_EQ(m_panel->rank(), 2);
}

TEST_F(LogPanelTest, RankCanBeSelectedByMouse)
{
    auto *ranks = m_panel->findChild<QComboBox *>();
    ASSERT_NE(ranks, nullptr);
    ASSERT_EQ(ranks->count(), 8);
    ranks->setCurrentIndex(6);
    Q_EMIT ranks->activated(6);
    EXPECT_EQ(m_panel->rank(), 6);
    EXPECT_TRUE(says(QStringLiteral("worker_6.log")));
}

TEST_F(LogPanelTest, FindReportsMissingText)
{
    auto *find = m_panel->findChild<QLineEdit *>();
    m_panel->find();
    find->setText(QStringLiteral("step: 17,"));
    m_panel->findNext();
    EXPECT_TRUE(chosenLine().contains(QStringLiteral("step: 17,")));
    find->setText(QStringLiteral("no such text"));
    m_panel->findNext();
    EXPECT_TRUE(says(QStringLiteral("\"no such text\" is not in the")));
}

TEST_F(LogPanelTest, ReportsALogThatCannotBeRead)
{
    m_feed.logs.erase(4);
    m_panel->showRank(4);
    settle();
    EXPECT_TRUE(says(QStringLiteral("no log of this rank")));
}

TEST_F(LogPanelTest, ReplacedLogIsReadFromItsBeginning)
{
    m_panel->showRank(1);
    const auto *table = m_panel->findChild<Table *>();
    ASSERT_TRUE(becomes([&] { return table->model()->rowCount() == 400; }));
    m_feed.logInode = 8;
    m_feed.logs[1] = "epoch: 1 step: 1, loss is 9.0\n";
    EXPECT_TRUE(becomes([&] { return table->model()->rowCount() == 1; }));
}

TEST_F(LogPanelTest, ShowsHowTheLogIsRead)
{
    for (QPushButton *button : m_panel->corner()->findChildren<QPushButton *>())
        if (button->text().startsWith(QLatin1String("How"))) button->click();
    settle();
    const QList<LogReadingDialog *> dialogs = m_panel->window()->findChildren<LogReadingDialog *>();
    ASSERT_EQ(dialogs.size(), 1);
    const QString lines = dialogs.front()->findChild<QPlainTextEdit *>()->toPlainText();
    EXPECT_TRUE(lines.contains(QLatin1String("loss "))) << lines.left(500).toStdString();
    EXPECT_TRUE(lines.contains(QLatin1String("step "))) << lines.left(500).toStdString();
    const QList<QLabel *> labels = dialogs.front()->findChildren<QLabel *>();
    EXPECT_TRUE(std::any_of(labels.begin(), labels.end(), [](const QLabel *label) {
        return label->text().contains(QLatin1String("lines are read"));
    }));
}

TEST_F(LogPanelTest, LogReadingDialogShowsTextWithoutMarkup)
{
    m_feed.logs[2] = "<b>step</b> 1 loss 2.5\n<b>step</b> 2 loss 2.4\n<img src=x> 7\n";
    LogReadingDialog dialog(m_feed, 2);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    settle();
    EXPECT_TRUE(dialog.findChild<QPlainTextEdit *>()->toPlainText().contains(QLatin1String("<b>step</b> 2 loss 2.4")));
}

}  // namespace
}  // namespace rankdeck::ui::log_panel_test
