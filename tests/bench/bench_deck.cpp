// SPDX-License-Identifier: GPL-3.0-or-later
// Zooming, panning and scrolling the deck of 1,024 ranks and 200 sets. One iteration is one frame, from the gesture to
// the last pixel of a window of 1920 × 1080.
#include "tests/ui/deck/deck_scenes.h"
#include "ui/deck/deck.h"
#include "ui/deck/lanes/lane_view.h"

#include <QApplication>
#include <QScrollBar>

#include <benchmark/benchmark.h>

namespace {

using namespace rankdeck::ui;

struct Scene {
    Scene()
    {
        deck.resize(1920, 1080);
        deck.show();
        frame();
    }
    void frame()
    {
        QApplication::processEvents();
        deck.grab(QRect(0, 0, 1, 1));  // processes the pending layout
        const QPixmap picture = deck.grab();
        benchmark::DoNotOptimize(picture.cacheKey());
    }
    std::unique_ptr<FixedFeed> feed = deckscenes::many(1024, 200);
    Deck deck{*feed};
    LaneView *lanes = deck.findChild<LaneView *>();
};

void still(benchmark::State &state)
{
    Scene scene;
    for (auto _ : state) scene.frame();
}

void zoomInAndOut(benchmark::State &state)
{
    Scene scene;
    int count = 0;
    for (auto _ : state) {
        scene.deck.zoom(count++ / 30 % 2 == 0 ? 1.15 : 1 / 1.15);
        scene.frame();
    }
}

void scrollLanes(benchmark::State &state)
{
    Scene scene;
    QScrollBar *bar = scene.lanes->verticalScrollBar();
    int at = 0;
    for (auto _ : state) {
        at = (at + 37) % (bar->maximum() + 1);
        bar->setValue(at);
        scene.frame();
    }
}

void newSnapshot(benchmark::State &state)
{
    Scene scene;
    const rankdeck::Snapshot base = *scene.feed->snapshot();
    std::int64_t by = 0;
    for (auto _ : state) {
        state.PauseTiming();  // making the snapshot is the engine's work
        rankdeck::Snapshot next = deckscenes::advanced(base, ++by);
        state.ResumeTiming();
        scene.feed->set(std::move(next));
        scene.frame();
    }
}

BENCHMARK(still)->Unit(benchmark::kMillisecond);
BENCHMARK(zoomInAndOut)->Unit(benchmark::kMillisecond);
BENCHMARK(scrollLanes)->Unit(benchmark::kMillisecond);
BENCHMARK(newSnapshot)->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
