// SPDX-License-Identifier: GPL-3.0-or-later
// The deck over a made-up feed, offscreen, with its parts and the positions of the drawn items.
#pragma once

#include "tests/ui/deck/deck_scenes.h"
#include "tests/ui/settle.h"
#include "ui/deck/deck.h"
#include "ui/deck/deck_strips.h"
#include "ui/deck/history_bar.h"
#include "ui/deck/lanes/lane_view.h"
#include "ui/deck/lanes/verdict_header.h"
#include "ui/deck/plot/loss_plot.h"
#include "ui/style/theme.h"

#include <QtTest/QTest>

#include <gtest/gtest.h>

namespace rankdeck::ui {

class DeckTest : public testing::Test {
protected:
    void open(std::unique_ptr<FixedFeed> scene, QSize size = {1366, 491})
    {
        feed = std::move(scene);
        deck = std::make_unique<Deck>(*feed);
        deck->resize(size);
        deck->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(deck.get(), neverMs));
        plot = deck->findChild<LossPlot *>();
        lanes = deck->findChild<LaneView *>();
        verdicts = deck->findChild<VerdictHeader *>();
        history = deck->findChild<HistoryBar *>();
        readout = deck->findChild<ReadoutLine *>();
        ASSERT_TRUE(plot && lanes && verdicts && history && readout);
        settle();
    }
    void key(Qt::Key which, Qt::KeyboardModifiers with = Qt::NoModifier) { QTest::keyClick(lanes, which, with); }
    [[nodiscard]] QImage picture() const { return deck->grab().toImage(); }
    // The x of the 2-px line in the colour of a complete set in a row of pixels; -1: none or several.
    [[nodiscard]] int lineAt(const QImage &image, int y) const
    {
        const QRgb wanted = Theme::color(Theme::Role::complete, false).rgb();
        std::vector<int> found;
        for (int x = gutterWidth(); x < image.width(); ++x)
            if (image.pixel(x, y) == wanted) found.push_back(x);
        return found.size() == 2 && found[1] == found[0] + 1 ? found[1] : -1;
    }
    [[nodiscard]] int pixelOfStep(double step) const
    {
        const QRect box = plot->axisBox();
        return qRound(box.left() + (step - from()) / (to() - from()) * box.width());
    }
    [[nodiscard]] double from() const { return firstTick().first; }
    [[nodiscard]] double to() const { return firstTick().second; }

    std::unique_ptr<FixedFeed> feed;
    std::unique_ptr<Deck> deck;
    LossPlot *plot = nullptr;
    LaneView *lanes = nullptr;
    VerdictHeader *verdicts = nullptr;
    HistoryBar *history = nullptr;
    ReadoutLine *readout = nullptr;

private:
    // The visible range, computed from two sets whose pixels are in the columns of the table.
    [[nodiscard]] std::pair<double, double> firstTick() const
    {
        const LaneData data = lanesOf(feed->snapshot());
        const QRect box = plot->axisBox();
        const auto centre = [&](int column) {
            const int right = verdicts->sectionPosition(column) + verdicts->sectionSize(column);
            return gutterWidth() + right;
        };
        // Edges are halfway between neighbouring columns.
        const int last = static_cast<int>(data.columns.size()) - 2;
        const auto middle = [&](int column) {
            return double(data.columns[std::size_t(column)].position + data.columns[std::size_t(column) + 1].position) /
                   2;
        };
        const double perPixel = (middle(last) - middle(last - 6)) / (centre(last) - centre(last - 6));
        const double start = middle(last) - (centre(last) - box.left()) * perPixel;
        return {start, start + perPixel * box.width()};
    }
};

}  // namespace rankdeck::ui
