// SPDX-License-Identifier: GPL-3.0-or-later
// The series of one rank with ten million samples, and the envelope over many ranks.
#include "core/run/run.h"

#include <benchmark/benchmark.h>

#include <memory>
#include <random>

namespace {

using namespace rankdeck;

constexpr std::int64_t tenMillion = 10'000'000;

const Series &tenMillionSamples()
{
    static const std::unique_ptr<const Series> series = [] {
        auto made = std::make_unique<Series>();
        std::mt19937 random(1);
        for (std::int64_t step = 1; step <= tenMillion; ++step)
            made->append(
                {step, 2.0f + static_cast<float>(random() % 1000) / 1000, static_cast<std::uint64_t>(step) * 45});
        return made;
    }();
    return *series;
}

void append(benchmark::State &state)
{
    Series series;
    std::int64_t step = 0;
    for (auto _ : state) {
        ++step;
        series.append({step, static_cast<float>(step % 977), static_cast<std::uint64_t>(step)});
    }
    state.SetItemsProcessed(state.iterations());
    state.counters["bytes/sample"] = static_cast<double>(series.bytes()) / static_cast<double>(series.size());
}
BENCHMARK(append)->Iterations(tenMillion);

void queryAll(benchmark::State &state)
{
    const Series &series = tenMillionSamples();
    for (auto _ : state) benchmark::DoNotOptimize(series.query(0, tenMillion + 1, 1920));
    state.counters["bytes/sample"] = static_cast<double>(series.bytes()) / static_cast<double>(series.size());
}
BENCHMARK(queryAll)->Unit(benchmark::kMillisecond);

void queryWindow(benchmark::State &state)  // a random window that covers this share of the series
{
    const Series &series = tenMillionSamples();
    std::mt19937 random(2);
    const double width = tenMillion / static_cast<double>(state.range(0));
    for (auto _ : state) {
        const double from =
            static_cast<double>(random() % static_cast<unsigned>(tenMillion - static_cast<std::int64_t>(width) + 1));
        benchmark::DoNotOptimize(series.query(from, from + width, 1920));
    }
}
BENCHMARK(queryWindow)->Arg(10)->Arg(1000)->Arg(100000)->Unit(benchmark::kMillisecond);

constexpr std::int64_t stepsOfARank = 10'000;  // 1,024 ranks: ten million samples

Sample sampleOf(int rank, std::int64_t step)
{
    Sample sample;
    sample.globalStep = step;
    sample.loss = static_cast<double>((step * 7 + rank) % 1000);
    return sample;
}

std::unique_ptr<Run> runOf(int ranks)
{
    auto run = std::make_unique<Run>(1875);
    run->beginAttempt({});
    std::vector<Sample> samples;
    for (int rank = 0; rank < ranks; ++rank) {
        samples.clear();
        for (std::int64_t step = 0; step < stepsOfARank; ++step) samples.push_back(sampleOf(rank, step));
        run->add(rank, 0, samples, WallTime{});
    }
    return run;
}

void envelopeFirst(benchmark::State &state)  // no envelope of the ranks is cached yet
{
    for (auto _ : state) {
        state.PauseTiming();
        const std::unique_ptr<Run> run = runOf(static_cast<int>(state.range(0)));
        state.ResumeTiming();
        benchmark::DoNotOptimize(run->envelope(ColumnGrid::between(0, stepsOfARank, 1920)));
    }
}
BENCHMARK(envelopeFirst)->Arg(8)->Arg(64)->Arg(1024)->Iterations(3)->Unit(benchmark::kMillisecond);

void envelope(benchmark::State &state)  // a different zoom each time, after the first queries
{
    const std::unique_ptr<Run> run = runOf(static_cast<int>(state.range(0)));
    for (int look = 0; look < 20; ++look)
        benchmark::DoNotOptimize(run->envelope(ColumnGrid::between(0, stepsOfARank, 1920)));
    std::int64_t zoom = 0;
    for (auto _ : state) {
        const auto from = static_cast<double>(37 * (++zoom % 100));
        benchmark::DoNotOptimize(run->envelope(ColumnGrid::between(from, stepsOfARank - 2 * from, 1920)));
    }
}
BENCHMARK(envelope)->Arg(8)->Arg(64)->Arg(1024)->Unit(benchmark::kMillisecond);

void envelopeFollowing(benchmark::State &state)  // after a new line of every rank
{
    const std::unique_ptr<Run> run = runOf(static_cast<int>(state.range(0)));
    for (int look = 0; look < 20; ++look)
        benchmark::DoNotOptimize(run->envelope(ColumnGrid::between(0, stepsOfARank, 1920)));
    std::int64_t step = stepsOfARank;
    for (auto _ : state) {
        state.PauseTiming();
        for (int rank = 0; rank < state.range(0); ++rank) run->add(rank, 0, {sampleOf(rank, step)}, WallTime{});
        state.ResumeTiming();
        ++step;
        benchmark::DoNotOptimize(run->envelope(ColumnGrid::between(0, static_cast<double>(step), 1920)));
    }
}
BENCHMARK(envelopeFollowing)->Arg(8)->Arg(64)->Arg(1024)->Iterations(30)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
