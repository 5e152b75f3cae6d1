// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/scene/lane_data.h"
#include "ui/deck/scene/plot_data.h"

#include <algorithm>
#include <cmath>

namespace rankdeck::ui {
namespace {

double medianOf(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

struct RankMean {
    int rank;
    double mean;
};

// The mean of a few samples of each rank in a range of steps; ranks with too few are left out.
std::vector<RankMean> meansOf(const Run &run, int attempt, double from, double to)
{
    constexpr int looks = 8;
    std::vector<RankMean> means;
    for (const int rank : run.ranks()) {
        const Series *series = run.series(rank, attempt);
        if (!series) continue;
        double sum = 0;
        int found = 0;
        for (int i = 0; i < looks; ++i) {
            const auto at = static_cast<std::int64_t>(from + (to - from) * i / (looks - 1));
            const auto sample = series->at(at);
            if (!sample || static_cast<double>(sample->step) < from || !std::isfinite(sample->loss)) continue;
            sum += sample->loss;
            ++found;
        }
        if (found > looks / 2) means.push_back({rank, sum / found});
    }
    return means;
}

std::vector<Outlier> outsideIn(const std::vector<RankMean> &means)
{
    std::vector<Outlier> outside;
    if (means.size() < 4) return outside;
    std::vector<double> values;
    for (const RankMean &mean : means) values.push_back(mean.mean);
    const double median = medianOf(values);
    for (double &value : values) value = std::abs(value - median);
    // The factor 1.4826 makes it a standard deviation for normally distributed values. The minimum is for ranks that
    // agree to the last digit.
    const double mad = std::max(1.4826 * medianOf(values), std::abs(median) * 1e-3);
    if (!(mad > 0)) return outside;
    for (const RankMean &mean : means)
        if (std::abs(mean.mean - median) > 4 * mad) outside.push_back({mean.rank, (mean.mean - median) / mad});
    return outside;
}

}  // namespace

std::vector<Outlier> outliersOf(const Run &run)
{
    const auto last = run.lastPosition();
    const int attempt = run.currentAttempt();
    if (!last || attempt < 0) return {};
    constexpr double stretch = 64;
    const double end = static_cast<double>(*last);
    const auto before = outsideIn(meansOf(run, attempt, end - 2 * stretch, end - stretch));
    auto now = outsideIn(meansOf(run, attempt, end - stretch, end));
    std::erase_if(now, [&](const Outlier &one) {
        return std::none_of(before.begin(), before.end(), [&](const Outlier &old) { return old.rank == one.rank; });
    });
    std::sort(now.begin(), now.end(),
              [](const Outlier &a, const Outlier &b) { return std::abs(a.mads) > std::abs(b.mads); });
    return now;
}

std::optional<Reading> readAt(const Run &run, double step, int rank, double tolerance)
{
    Reading reading;
    reading.step = static_cast<std::int64_t>(std::floor(step));
    reading.attempt = attemptAt(run.attempts(), static_cast<double>(reading.step));
    if (reading.attempt < 0) return {};
    std::vector<double> values;
    for (const int one : run.ranks()) {
        const Series *series = run.series(one, reading.attempt);
        const auto sample = series ? series->at(reading.step) : std::nullopt;
        if (!sample || static_cast<double>(reading.step - sample->step) > tolerance) continue;
        const double loss = sample->loss;
        if (one == rank) reading.ofRank = loss;
        if (!std::isfinite(loss)) {
            ++reading.nonFinite;
            continue;
        }
        if (values.empty() || loss < reading.least) reading.least = loss, reading.leastRank = one;
        if (values.empty() || loss > reading.most) reading.most = loss, reading.mostRank = one;
        values.push_back(loss);
    }
    if (values.empty() && reading.nonFinite == 0) return {};
    reading.ranks = static_cast<int>(values.size());
    if (!values.empty()) reading.median = medianOf(values);
    reading.time = run.timeAt(reading.step, reading.attempt);
    return reading;
}

std::optional<LogPlace> lineUnder(const Run &run, double step, double loss, double tolerance, int prefer, double reach)
{
    const int attempt = attemptAt(run.attempts(), step);
    if (attempt < 0) return {};
    std::optional<LogPlace> best;
    double nearest = 0;
    for (const int rank : run.ranks()) {
        const Series *series = run.series(rank, attempt);
        const auto sample = series ? series->at(static_cast<std::int64_t>(std::floor(step + 0.5))) : std::nullopt;
        if (!sample || step - static_cast<double>(sample->step) > tolerance) continue;
        double distance = std::isfinite(sample->loss) ? std::abs(sample->loss - loss) : std::abs(loss);
        if (rank == prefer && distance <= reach) distance = -1;
        if (best && distance >= nearest) continue;
        nearest = distance;
        best = LogPlace{rank, sample->offset, SampleNumbers::of(*sample, series->shift(), run.stepsPerEpoch())};
    }
    return best;
}

}  // namespace rankdeck::ui
