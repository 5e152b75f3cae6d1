// SPDX-License-Identifier: GPL-3.0-or-later
// Values of log lines other than the loss, as curves over the same steps. Units are those of Sample; a step's time is
// in seconds. Nothing fails.
#pragma once

#include "core/parse/lines/sample.h"

#include <array>
#include <optional>

namespace rankdeck {

enum class Metric { learningRate, gradNorm, lossScale, stepTime, throughput };

struct MetricRow {
    Metric metric;
    const char *name;  // name of its table in the history
};
constexpr std::array<MetricRow, 5> metricRows{{{Metric::learningRate, "learning_rate"},
                                               {Metric::gradNorm, "grad_norm"},
                                               {Metric::lossScale, "loss_scale"},
                                               {Metric::stepTime, "step_seconds"},
                                               {Metric::throughput, "throughput"}}};

[[nodiscard]] inline std::optional<double> metricOf(const Sample &sample, Metric metric)
{
    switch (metric) {
    case Metric::learningRate: return sample.learningRate;
    case Metric::gradNorm: return sample.gradNorm;
    case Metric::lossScale: return sample.lossScale;
    case Metric::stepTime: return sample.stepMs ? std::optional<double>(*sample.stepMs / 1000) : std::nullopt;
    case Metric::throughput: return sample.throughput;
    }
    return std::nullopt;
}

}  // namespace rankdeck
