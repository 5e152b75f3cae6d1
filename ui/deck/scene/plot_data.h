// SPDX-License-Identifier: GPL-3.0-or-later
// Data of the loss plot for a range of steps, queried from the run. The envelope has at most one point per pixel
// column, an unsmoothed line two. The band contains the minimum and maximum; all NaN are marked. Columns are on a fixed
// grid, so that curves do not flicker when the range moves. Pure; call it under the run's lock.
#pragma once

#include "core/run/envelope_cache.h"
#include "core/run/run.h"
#include "core/run/sample_line.h"

#include <optional>
#include <vector>

namespace rankdeck::ui {

struct Curve {
    std::vector<double> x, y;  // y NaN: a break in the line
    [[nodiscard]] bool empty() const { return x.empty(); }
};

struct RankCurve {
    int rank = 0;
    Curve curve = {};
    double last = 0;  // the last visible value
};

struct NonFiniteMark {
    double step = 0;
    int rank = -1;  // the first rank with NaN; -1: unknown
    std::uint32_t count = 0;
};

struct PlotQuery {
    double from = 0, to = 100;
    int pixels = 100;
    double smoothing = 0;               // for median and lines, 0…0.95; the band stays raw
    bool inner = false;                 // also query the middle 80 %
    std::vector<int> ranks = {};        // ranks drawn as lines
    std::vector<double> seams = {};     // smoothing restarts there
    std::optional<Metric> metric = {};  // empty: the loss
};

struct PlotData {
    Curve low, high, innerLow, innerHigh, median;
    Curve discardedLow, discardedHigh, discardedMedian;
    std::vector<RankCurve> ranks = {};
    std::vector<NonFiniteMark> nonFinite = {};
    double least = 0, most = 0;  // range of the current curves; least > most: nothing visible
    double discardedLeast = 0, discardedMost = 0;
    std::optional<double> lastMedian = {};
    [[nodiscard]] std::optional<double> medianAt(double step) const;  // of the column at this step
};
// Data that a plot keeps between queries, so that only new samples cost time.
struct PlotCache {
    EnvelopeCache kept, discarded{true};
};
[[nodiscard]] PlotData queryPlot(const Run &run, const PlotQuery &query, PlotCache &cache);

struct Outlier {
    int rank = 0;
    double mads = 0;  // distance from the median, in MADs; negative: below
};
// Ranks that stay more than 4 MAD from the median in both halves of the last 128 steps, farthest first. Empty with
// fewer than 4 ranks: too few to define an outlier.
[[nodiscard]] std::vector<Outlier> outliersOf(const Run &run);

struct Reading {  // values under the cursor
    std::int64_t step = 0;
    int attempt = -1;
    std::optional<WallTime> time = {};
    int ranks = 0;  // number of ranks with a finite value
    double median = 0, least = 0, most = 0;
    int leastRank = -1, mostRank = -1;
    std::optional<double> ofRank = {};
    int nonFinite = 0;
};
[[nodiscard]] std::optional<Reading> readAt(const Run &run, double step, int rank, double tolerance);

// Approximate position of a sample in a log: the line is at most 256 samples after offset, and numbers identify it.
struct LogPlace {
    int rank = -1;
    std::uint64_t offset = 0;
    SampleNumbers numbers = {};
};
// The log line of the point nearest to (step, loss). A preferred rank wins if it is within reach of the loss.
[[nodiscard]] std::optional<LogPlace> lineUnder(const Run &run, double step, double loss, double tolerance, int prefer,
                                                double reach);

}  // namespace rankdeck::ui
