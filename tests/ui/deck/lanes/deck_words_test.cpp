// SPDX-License-Identifier: GPL-3.0-or-later
// Texts at the edges of the deck and in its empty parts, and the way back after the view was moved.
#include "tests/ui/deck/deck_fixture.h"
#include "tests/ui/scenes.h"
#include "tests/ui/settle.h"
#include "ui/deck/lanes/lane_model.h"

namespace rankdeck::ui::deck_words_test {
namespace {

TEST_F(DeckTest, DoubleClickOnTheLossZoomsInAndBackAfterAnyMove)
{
    open(deckscenes::trouble());
    const auto doubleClick = [&] {
        QTest::mouseDClick(plot->canvas(), Qt::LeftButton, {}, plot->axisBox().center());
        settle();
    };
    const QRect before = history->bracket();
    doubleClick();
    EXPECT_LT(history->bracket().width(), before.width() / 2);
    doubleClick();
    EXPECT_EQ(history->bracket(), before);
    deck->zoom(3);
    QTest::mouseClick(history, Qt::LeftButton, {}, {history->column(39'400), history->rect().center().y()});
    EXPECT_NE(history->bracket(), before);
    doubleClick();
    EXPECT_EQ(history->bracket(), before) << "zoomed and moved: back at what is followed";
}

TEST_F(DeckTest, UnknownPartsAreNotShownAsAbsent)
{
    auto nothing = std::make_unique<FixedFeed>();
    nothing->set(scenes::empty());
    open(std::move(nothing));
    EXPECT_EQ(plot->emptyText(), QStringLiteral("No node has answered yet: losses are unknown."));
    EXPECT_EQ(lanes->emptyText(), QStringLiteral("No node has answered yet: checkpoints are unknown."));
    Snapshot heard = scenes::empty();
    heard.view.nodes[0].state = NodeState::live;
    feed->set(heard);
    EXPECT_TRUE(becomes([&] { return lanes->emptyText() == QLatin1String("Checkpoints are being read."); }));
    heard.view.checkpoints.settled = true;
    feed->set(heard);
    EXPECT_TRUE(becomes([&] { return lanes->emptyText() == QLatin1String("No checkpoint yet."); }));
}

TEST_F(DeckTest, TextAtTheEndOfALaneIsNotCutByAScrollBar)
{
    for (const int height : {700, 491, 340, 300}) {
        open(deckscenes::trouble(), {1366, height});
        const LaneData data = lanesOf(feed->snapshot());
        const QFontMetrics small(Theme::of(nullptr).font(Theme::Font::small));
        const int left = plot->axisBox().right() + 1 - gutterWidth() + 8;
        for (const LaneRow &row : data.rows)
            EXPECT_LE(left + small.horizontalAdvance(laneNote(row, data)), lanes->viewport()->width())
                << height << ": " << laneNote(row, data).toStdString();
    }
}

}  // namespace
}  // namespace rankdeck::ui::deck_words_test
