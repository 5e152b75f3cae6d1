// SPDX-License-Identifier: GPL-3.0-or-later
// The whole job below the deck: its bracket shows the range of the axis, and the mouse moves both.
#include "tests/ui/deck/deck_fixture.h"
#include "tests/ui/scenes.h"

#include <QApplication>
#include <QMouseEvent>

namespace rankdeck::ui::history_bar_test {
namespace {

class HistoryBarTest : public DeckTest {
protected:
    HistoryBarTest()
    {
        auto scene = std::make_unique<FixedFeed>();
        scenes::train(scene->run());
        scene->set(scenes::died());
        open(std::move(scene));
    }
    void drag(QPoint from, QPoint to)
    {
        QTest::mousePress(history, Qt::LeftButton, {}, from);
        QMouseEvent move(QEvent::MouseMove, to, history->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(history, &move);
        QTest::mouseRelease(history, Qt::LeftButton, {}, to);
    }
    [[nodiscard]] int middle() const { return history->rect().center().y(); }
};

TEST_F(HistoryBarTest, BracketOfTheWholeJobIsWiderThanTheBracketOfItsEnd)
{
    deck->followNewest();
    const QRect end = history->bracket();
    deck->showWholeJob();
    const QRect whole = history->bracket();
    EXPECT_GT(whole.width(), end.width());
    EXPECT_LE(whole.left(), end.left());
    EXPECT_LE(history->column(38'200), history->column(40'000));
    EXPECT_LT(history->column(40'000), history->column(41'037));
}

TEST_F(HistoryBarTest, ClickCentresTheBracketAtThatStep)
{
    QTest::mouseClick(history, Qt::LeftButton, {}, {history->column(39'400), middle()});
    EXPECT_NEAR(history->bracket().center().x(), history->column(39'400), 3);
    const QRect before = history->bracket();
    ASSERT_GT(before.width(), 60);
    QTest::mouseClick(history, Qt::LeftButton, {}, {before.center().x() + 20, middle()});
    EXPECT_NEAR(history->bracket().center().x(), before.center().x() + 20, 3);
}

TEST_F(HistoryBarTest, DragMovesTheBracketAtAnyWidth)
{
    for (const double factor : {1.0, 12.0}) {
        deck->followNewest();
        deck->zoom(factor);
        QTest::mouseClick(history, Qt::LeftButton, {}, {history->column(39'400), middle()});
        const QRect before = history->bracket();
        drag({before.center().x(), middle()}, {before.center().x() + 90, middle()});
        EXPECT_NEAR(history->bracket().center().x(), before.center().x() + 90, 3) << factor;
        EXPECT_NEAR(history->bracket().width(), before.width(), 2) << factor << ": moved, not stretched";
    }
}

TEST_F(HistoryBarTest, DraggedEdgeNeverPassesTheOtherEdge)
{
    QTest::mouseClick(history, Qt::LeftButton, {}, {history->column(39'000), middle()});
    const QRect before = history->bracket();
    drag({before.right(), middle()}, {before.left() - 100, middle()});
    EXPECT_GT(history->bracket().width(), 0);
    EXPECT_NEAR(history->bracket().left(), before.left(), 3);
}

TEST_F(HistoryBarTest, OtherMouseButtonsMoveNothing)
{
    const QRect before = history->bracket();
    QTest::mouseClick(history, Qt::RightButton, {}, {history->column(39'000), middle()});
    EXPECT_EQ(history->bracket(), before);
}

}  // namespace
}  // namespace rankdeck::ui::history_bar_test
