// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/scene/plot_data.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rankdeck::ui {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// The x at which the value of a column is drawn: the middle of the column, or the step of a single-step column.
double centreOf(const ColumnGrid &grid, int column)
{
    return grid.width() <= 1 ? grid.border(column) : grid.border(column) + grid.width() / 2;
}

// At most one column per pixel. There are eight widths per octave, so that columns rarely change while the range grows
// with the run.
ColumnGrid gridOf(const PlotQuery &query)
{
    const double wanted = std::max(query.to - query.from, 1e-9) / std::max(query.pixels, 1);
    const double width = wanted <= 1 ? 1 : std::exp2(std::ceil(std::log2(wanted) * 8) / 8);
    // One more column at each end, so that lines reach the edge.
    const auto first = static_cast<std::int64_t>(std::floor(query.from / width)) - 1;
    const auto beyond = static_cast<std::int64_t>(std::ceil(query.to / width)) + 1;
    return ColumnGrid::aligned(first, width, static_cast<int>(beyond - first));
}

// Samples come every few steps, so a gap is a break in the line only if it is much wider than usual.
class GapRule {
public:
    template <class Filled>
    GapRule(int columns, Filled filled)
    {
        std::vector<int> gaps;
        int before = -1;
        for (int i = 0; i < columns; ++i) {
            if (!filled(i)) continue;
            if (before >= 0) gaps.push_back(i - before);
            before = i;
        }
        if (gaps.empty()) return;
        const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
        std::nth_element(gaps.begin(), middle, gaps.end());
        m_widest = std::max(8, *middle * 8);
    }
    [[nodiscard]] bool breaks(int before, int now) const { return before >= 0 && now - before > m_widest; }

private:
    int m_widest = 8;
};

void put(Curve &curve, double x, double y)
{
    curve.x.push_back(x);
    curve.y.push_back(y);
}

class Smoother  // exponential smoothing without a bias towards the first value
{
public:
    explicit Smoother(double factor) : m_factor(std::clamp(factor, 0.0, 0.95)) {}
    void restart() { m_sum = m_weight = 0; }
    double next(double value)
    {
        m_sum = m_sum * m_factor + value * (1 - m_factor);
        m_weight = m_weight * m_factor + (1 - m_factor);
        return m_sum / m_weight;
    }

private:
    double m_factor, m_sum = 0, m_weight = 0;
};

bool seamBetween(const std::vector<double> &seams, double before, double now)
{
    return std::any_of(seams.begin(), seams.end(), [&](double seam) { return before <= seam && seam < now; });
}

void fillEnvelope(PlotData &data, const std::vector<EnvelopeColumn> &columns, const ColumnGrid &grid,
                  const PlotQuery &query)
{
    const GapRule gaps(grid.count(), [&](int i) { return columns[std::size_t(i)].ranks > 0; });
    Smoother smoother(query.smoothing);
    int before = -1;
    double lastX = query.from;
    for (int i = 0; i < static_cast<int>(columns.size()); ++i) {
        const EnvelopeColumn &column = columns[static_cast<std::size_t>(i)];
        const double x = centreOf(grid, i);
        if (column.nonFinite > 0) data.nonFinite.push_back({x, column.firstNonFiniteRank, column.nonFinite});
        if (column.ranks == 0) continue;
        const bool broken = gaps.breaks(before, i);
        if (broken)
            for (Curve *curve : {&data.low, &data.high, &data.innerLow, &data.innerHigh, &data.median})
                put(*curve, (lastX + x) / 2, nothing);
        if (broken || seamBetween(query.seams, lastX, x)) smoother.restart();
        put(data.low, x, column.min);
        put(data.high, x, column.max);
        if (query.inner) {
            put(data.innerLow, x, column.low);
            put(data.innerHigh, x, column.high);
        }
        put(data.median, x, smoother.next(column.median));
        if (x >= query.from && x <= query.to) {
            data.least = std::min(data.least, double(column.min));
            data.most = std::max(data.most, double(column.max));
            data.lastMedian = data.median.y.back();
        }
        before = i;
        lastX = x;
    }
}

void fillDiscarded(PlotData &data, const std::vector<EnvelopeColumn> &columns, const ColumnGrid &grid,
                   const PlotQuery &query)
{
    const GapRule gaps(grid.count(), [&](int i) { return columns[std::size_t(i)].ranks > 0; });
    Smoother smoother(query.smoothing);
    int before = -1;
    for (int i = 0; i < static_cast<int>(columns.size()); ++i) {
        const EnvelopeColumn &column = columns[static_cast<std::size_t>(i)];
        const double x = centreOf(grid, i);
        if (column.nonFinite > 0) data.nonFinite.push_back({x, column.firstNonFiniteRank, column.nonFinite});
        if (column.ranks == 0) continue;
        if (gaps.breaks(before, i)) {
            smoother.restart();
            for (Curve *curve : {&data.discardedLow, &data.discardedHigh, &data.discardedMedian})
                put(*curve, x, nothing);
        }
        put(data.discardedLow, x, column.min);
        put(data.discardedHigh, x, column.max);
        put(data.discardedMedian, x, smoother.next(column.median));
        data.discardedLeast = std::min(data.discardedLeast, double(column.min));
        data.discardedMost = std::max(data.discardedMost, double(column.max));
        before = i;
    }
}

RankCurve rankCurve(const Run &run, int rank, const ColumnGrid &grid, const PlotQuery &query, PlotData &data)
{
    RankCurve line{rank};
    Smoother smoother(query.smoothing);
    double lastX = query.from;
    const auto columns = run.line(rank, grid);
    const GapRule gaps(grid.count(), [&](int i) { return columns[std::size_t(i)].count > 0; });
    int before = -1;
    for (int i = 0; i < static_cast<int>(columns.size()); ++i) {
        const Column &column = columns[static_cast<std::size_t>(i)];
        if (column.count == 0) continue;
        const double x = centreOf(grid, i);
        if (gaps.breaks(before, i)) {
            put(line.curve, x, nothing);
            smoother.restart();
        }
        if (query.smoothing > 0) {
            // The band keeps the extremes; the line shows the trend of the rank.
            if (seamBetween(query.seams, lastX, x)) smoother.restart();
            put(line.curve, x, smoother.next((double(column.first) + column.last) / 2));
        }
        // The extreme that is nearer to the first value of the column is drawn first.
        const bool lowFirst = column.first - column.min <= column.max - column.first;
        if (!(query.smoothing > 0)) {
            put(line.curve, x, lowFirst ? column.min : column.max);
            if (column.max > column.min) put(line.curve, x, lowFirst ? column.max : column.min);
        }
        if (x >= query.from && x <= query.to) {
            line.last = query.smoothing > 0 ? line.curve.y.back() : column.last;
            data.least = std::min(data.least, double(column.min));
            data.most = std::max(data.most, double(column.max));
        }
        before = i;
        lastX = x;
    }
    return line;
}

}  // namespace

std::optional<double> PlotData::medianAt(double step) const
{
    const auto near = std::lower_bound(median.x.begin(), median.x.end(), step);
    if (near == median.x.end()) return lastMedian;
    const double value = median.y[static_cast<std::size_t>(near - median.x.begin())];
    return std::isnan(value) ? std::nullopt : std::optional<double>(value);
}

PlotData queryPlot(const Run &run, const PlotQuery &query, PlotCache &cache)
{
    constexpr double huge = std::numeric_limits<double>::max();
    PlotData data;
    data.least = data.discardedLeast = huge;
    data.most = data.discardedMost = -huge;
    const ColumnGrid grid = gridOf(query);
    const auto columns = [&](EnvelopeCache &loss, bool discarded) {
        return query.metric ? run.envelope(grid, *query.metric, discarded) : loss.of(run, grid);
    };
    fillEnvelope(data, columns(cache.kept, false), grid, query);
    const auto attempts = run.attempts();
    const bool discards = std::any_of(attempts.begin(), attempts.end(),
                                      [](const AttemptInfo &attempt) { return attempt.discardedAfter.has_value(); });
    if (discards) fillDiscarded(data, columns(cache.discarded, true), grid, query);
    for (const int rank : query.ranks) data.ranks.push_back(rankCurve(run, rank, grid, query, data));
    std::sort(data.nonFinite.begin(), data.nonFinite.end(),
              [](const NonFiniteMark &a, const NonFiniteMark &b) { return a.step < b.step; });
    return data;
}

}  // namespace rankdeck::ui
