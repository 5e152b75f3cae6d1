// SPDX-License-Identifier: GPL-3.0-or-later
// What the loss plot draws for one range of steps, queried from the run: at most one point per pixel column for the
// envelope, two for a line as it is; minimum and maximum are always in the band, and so is every NaN. Pure; call under the run's
// lock. Columns lie on a fixed grid, so that the picture does not shimmer as the window moves.
#pragma once

#include "core/run/envelope_cache.h"
#include "core/run/run.h"
#include "core/run/sample_line.h"

#include <optional>
#include <vector>

namespace rankdeck::ui {

struct Curve {
    std::vector<double> x, y;  // y NaN: the line is broken here
    [[nodiscard]] bool empty() const { return x.empty(); }
};

struct RankCurve {
    int rank = 0;
    Curve curve = {};
    double last = 0;  // its last value in sight
};

struct NonFiniteMark {
    double step = 0;
    int rank = -1;  // the first
    std::uint32_t count = 0;
};

struct PlotQuery {
    double from = 0, to = 100;
    int pixels = 100;
    double smoothing = 0;               // of median and lines, 0…0.95; the band stays raw
    bool inner = false;                 // the middle 80 % too
    std::vector<int> ranks = {};        // drawn as lines
    std::vector<double> seams = {};     // smoothing starts anew there
    std::optional<Metric> metric = {};  // empty: the loss
};

struct PlotData {
    Curve low, high, innerLow, innerHigh, median;
    Curve discardedLow, discardedHigh, discardedMedian;
    std::vector<RankCurve> ranks = {};
    std::vector<NonFiniteMark> nonFinite = {};
    double least = 0, most = 0;  // of what counts; least > most: nothing in sight
    double discardedLeast = 0, discardedMost = 0;
    std::optional<double> lastMedian = {};
    [[nodiscard]] std::optional<double> medianAt(double step) const;  // of the column there
};
// What one plot keeps from look to look, so that following costs what is new.
struct PlotCache {
    EnvelopeCache kept, discarded{true};
};
[[nodiscard]] PlotData queryPlot(const Run &run, const PlotQuery &query, PlotCache &cache);

struct Outlier {
    int rank = 0;
    double mads = 0;  // distance from the median; negative: below
};
// Ranks that stay more than 4 MAD from the median in both halves of the last stretch, farthest first. None with fewer
// than 4 ranks: there is no crowd to be outside of.
[[nodiscard]] std::vector<Outlier> outliersOf(const Run &run);

struct Reading {  // what is under the cursor
    std::int64_t step = 0;
    int attempt = -1;
    std::optional<WallTime> time = {};
    int ranks = 0;  // with a finite value
    double median = 0, least = 0, most = 0;
    int leastRank = -1, mostRank = -1;
    std::optional<double> ofRank = {};
    int nonFinite = 0;
};
[[nodiscard]] std::optional<Reading> readAt(const Run &run, double step, int rank, double tolerance);

// offset: of a line at most 256 samples before; which line it is, the numbers tell.
struct LogPlace {
    int rank = -1;
    std::uint64_t offset = 0;
    SampleNumbers numbers = {};
};
// The line that the point nearest to (step, loss) came from; a preferred rank wins when it is within reach of the loss.
[[nodiscard]] std::optional<LogPlace> lineUnder(const Run &run, double step, double loss, double tolerance, int prefer,
                                                double reach);

}  // namespace rankdeck::ui
