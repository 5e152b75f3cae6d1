// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/shown.h"
#include "ui/kit/finding_row.h"
#include "ui/kit/label.h"
#include "ui/kit/segments.h"
#include "ui/kit/table.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTextDocument>
#include <QTimer>
#include <QtTest/QTest>

#include <gtest/gtest.h>

namespace rankdeck::ui::kit_test {
namespace {

TEST(Label, IsPlainTextUnlessRichTextSettersAreUsed)
{
    Label label(QStringLiteral("<b>x</b>"));
    EXPECT_EQ(label.textFormat(), Qt::PlainText);
    label.setBoldAndText(QStringLiteral("<img src=a>"), QStringLiteral("<i>rest</i>"));
    QTextDocument shown;
    shown.setHtml(label.text());
    EXPECT_EQ(shown.toPlainText(), QStringLiteral("<img src=a> <i>rest</i>"));
    EXPECT_EQ(label.accessibleName(), QStringLiteral("<img src=a> <i>rest</i>")) << "read aloud without markup";
}

TEST(Label, SteadyTextNeverGetsNarrowerUntilItIsEmpty)
{
    Label label;
    label.setSteadyText(QStringLiteral("1,000,000"));
    const int wide = label.minimumWidth();
    label.setSteadyText(QStringLiteral("1"));
    EXPECT_EQ(label.minimumWidth(), wide);
    label.setSteadyText({});
    EXPECT_EQ(label.minimumWidth(), 0);
}

class TableTest : public testing::Test {
protected:
    TableTest()
    {
        for (int row = 0; row < 3; ++row) {
            QList<QStandardItem *> items;
            for (int column = 0; column < 3; ++column)
                items << new QStandardItem(column == 1 ? QString() : QStringLiteral("%1.%2").arg(row).arg(column));
            m_model.appendRow(items);
        }
        m_table.setModel(&m_model);
    }
    QStandardItemModel m_model;
    Table m_table{QStringLiteral("Rows")};
};

TEST_F(TableTest, CopyPutsSelectedRowsInOrderWithTabs)
{
    m_table.selectionModel()->select(m_model.index(2, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    m_table.selectionModel()->select(m_model.index(0, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QTest::keyClick(&m_table, Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(QGuiApplication::clipboard()->text(), QStringLiteral("0.0\t0.2\n2.0\t2.2"));
}

TEST_F(TableTest, CopiedCellsContainNoLineBreaksTabsOrControlCodes)
{
    m_model.item(0, 0)->setText(QStringLiteral("a\nrm -rf x\tb\x1b[31m\u202ec \u4e2d\U0001f600"));
    m_table.selectRow(0);
    EXPECT_EQ(m_table.selectedText(), QStringLiteral("a rm -rf x b [31m c \u4e2d\U0001f600\t0.2"));
}

TEST_F(TableTest, CopyKeepsEmptyCells)
{
    m_model.item(1, 0)->setText({});
    m_table.selectRow(1);
    EXPECT_EQ(m_table.selectedText(), QStringLiteral("\t1.2")) << "or what is pasted stands in another column";
    m_table.setColumnHidden(2, true);
    EXPECT_EQ(m_table.selectedText(), QString()) << "nobody sees that column";
}

TEST_F(TableTest, EmptySelectionCopiesNothing)
{
    QGuiApplication::clipboard()->setText(QStringLiteral("of before"));
    m_table.clearSelection();
    EXPECT_EQ(m_table.selectedText(), QString());
    m_model.clear();
    EXPECT_EQ(m_table.selectedText(), QString());
}

TEST_F(TableTest, GrowsWithItsRowsUpToALimit)
{
    m_table.setGrowsTo(5);
    const int three = m_table.sizeHint().height();
    m_model.appendRow(new QStandardItem);
    const int four = m_table.sizeHint().height();
    EXPECT_EQ(four - three, m_table.verticalHeader()->defaultSectionSize());
    for (int i = 0; i < 9; ++i) m_model.appendRow(new QStandardItem);
    EXPECT_EQ(m_table.sizeHint().height() - four, m_table.verticalHeader()->defaultSectionSize());
}

TEST_F(TableTest, IsReadOnly)
{
    m_table.show();
    m_table.setCurrentIndex(m_model.index(0, 0));
    const QPoint cell = m_table.visualRect(m_model.index(0, 0)).center();
    QTest::mouseDClick(m_table.viewport(), Qt::LeftButton, {}, cell);
    QTest::keyClick(&m_table, Qt::Key_F2);
    QTest::keyClick(&m_table, Qt::Key_X);
    EXPECT_EQ(m_table.viewport()->findChild<QWidget *>(), nullptr) << "no editor opens";
    EXPECT_EQ(m_model.item(0, 0)->text(), QStringLiteral("0.0"));
}

// The menu runs its own event loop, so a timer chooses its entry.
TEST_F(TableTest, RowMenuCopiesTheCellTheRowOrTheTable)
{
    m_table.resize(300, 120);
    m_table.show();
    QAction own(QStringLiteral("Show it"));
    m_table.addAction(&own);
    QStringList offered;
    const auto choose = [&](const char *words) {
        QTimer::singleShot(0, &m_table, [&offered, words] {
            auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
            ASSERT_NE(menu, nullptr);
            offered.clear();
            QAction *wanted = nullptr;
            for (QAction *action : menu->actions()) {
                const QString text = action->text().remove(QLatin1Char('&'));
                if (!text.isEmpty()) offered << text;
                if (text == QLatin1String(words)) wanted = action;
            }
            if (wanted != nullptr) wanted->trigger();
            menu->close();
        });
        const QPoint at = m_table.visualRect(m_model.index(1, 2)).center();
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, m_table.viewport()->mapToGlobal(at));
        QApplication::sendEvent(m_table.viewport(), &event);
        return QGuiApplication::clipboard()->text();
    };
    EXPECT_EQ(choose("Copy the cell"), QStringLiteral("1.2"));
    EXPECT_EQ(offered.front(), QStringLiteral("Show it"));
    EXPECT_EQ(choose("Copy the row"), QStringLiteral("1.0\t1.2"));
    EXPECT_EQ(choose("Copy the whole table"), QStringLiteral("0.0\t0.2\n1.0\t1.2\n2.0\t2.2"));
}

TEST_F(TableTest, ShowsAReasonIfThereAreNoRows)
{
    m_table.resize(300, 120);
    m_table.show();
    const QImage full = m_table.viewport()->grab().toImage();
    m_table.setEmptyText(QStringLiteral("Nothing has happened yet."));
    EXPECT_EQ(m_table.viewport()->grab().toImage(), full) << "only while there is none";
    m_model.removeRows(0, 3);
    const QImage said = m_table.viewport()->grab().toImage();
    m_table.setEmptyText({});
    EXPECT_NE(m_table.viewport()->grab().toImage(), said);
}

TEST(FindingRow, ShowsTheFindingAndRequestsItsFixOnce)
{
    Finding finding;
    finding.result = Finding::Result::refuse;
    finding.code = "flag_still_set";
    finding.text = "The flag is 1 on ascend-01. <b>Expected 0.</b>";
    FindingRow row(finding, QStringLiteral("Set to 0"));
    row.show();
    const QSignalSpy pressed(&row, &FindingRow::pressed);
    auto *button = row.findChild<QPushButton *>();
    ASSERT_NE(button, nullptr);
    EXPECT_EQ(button->text(), QStringLiteral("Set to 0"));
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(pressed.count(), 1);
    FindingRow without(finding, {});
    const auto *none = without.findChild<QPushButton *>();
    EXPECT_TRUE(none == nullptr || none->isHidden());
}

// Regression: a list of twelve leftover processes and their resources pushed the plan out of a small window.
TEST(FindingRow, LongListIsFoldedAndTheFixStaysVisible)
{
    Finding finding;
    finding.result = Finding::Result::refuse;
    finding.code = "survivors";
    finding.text = "expected no process of the old attempt, found ";
    for (int rank = 0; rank < 12; ++rank)
        finding.text += (rank == 0 ? "" : "; ") + ("rank " + std::to_string(rank)) + ", pid 4711 (python3) on node a";
    finding.fix = "stop the run first (exit)";
    FindingRow row(finding, QStringLiteral("End them first"));
    row.show();
    EXPECT_TRUE(says(row, QStringLiteral("rank 1, pid 4711")));
    EXPECT_FALSE(says(row, QStringLiteral("rank 11")));
    EXPECT_TRUE(says(row, QStringLiteral("Stop the run first")));
    buttonOf(row, QStringLiteral("All of it"))->click();
    EXPECT_TRUE(says(row, QStringLiteral("rank 11, pid 4711")));
    EXPECT_TRUE(says(row, QStringLiteral("Stop the run first")));
    buttonOf(row, QStringLiteral("Less"))->click();
    EXPECT_FALSE(says(row, QStringLiteral("rank 11")));
}

TEST(Segments, RankIsHalfFilledWhileItSavesAndFullWhenTheSaveIsProven)
{
    Segments bar;
    std::vector<RankExit> ranks(3);
    ranks[1].confirmed = ranks[2].confirmed = true;
    ranks[2].savedVerdict = Verdict::valid;
    bar.setRanks(ranks);
    bar.resize(300, 14);
    const QImage shot = bar.grab().toImage();
    const Theme &theme = Theme::of(nullptr);
    EXPECT_NE(shot.pixelColor(50, 12), theme.color(Theme::Role::writing));
    EXPECT_EQ(shot.pixelColor(150, 11), theme.color(Theme::Role::writing));
    EXPECT_NE(shot.pixelColor(150, 3), theme.color(Theme::Role::complete));
    EXPECT_EQ(shot.pixelColor(250, 3), theme.color(Theme::Role::complete));
    EXPECT_EQ(shot.pixelColor(250, 11), theme.color(Theme::Role::complete));
    bar.setRanks({});
    EXPECT_TRUE(bar.isHidden());
}

}  // namespace
}  // namespace rankdeck::ui::kit_test
