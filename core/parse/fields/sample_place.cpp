// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/fields/training_reader.h"

#include "core/parse/fields/label_text.h"
#include "core/parse/lines/scanner.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>

// The place of an observation in the run, and the other measures of its line.
namespace rankdeck {

namespace {

double milliseconds(const Field &field)
{
    const std::string plain = plainLabel(field.label);
    const auto says = [&](std::string_view unit) {
        return field.unit == unit || field.unit.substr(0, unit.size() + 1) == std::string(unit) + "/" ||
               (" " + plain + " ").find(" " + std::string(unit) + " ") != std::string::npos;
    };
    if (field.label.empty() && field.unit.ends_with("/s")) return field.value > 0 ? 1000 / field.value : 0;
    if (says("ms")) return field.value;
    if (says("us")) return field.value / 1000;
    return field.value * 1000;
}

bool startsWithData(std::string_view label)
{
    return label.starts_with("data") || label.starts_with("Data") || label.starts_with("DATA");
}

}  // namespace

std::uint64_t TrainingReader::shape() const
{
    std::uint64_t hash = 1469598103934665603u;
    for (const Field &field : m_line.fields)
        for (const char c : field.label) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return hash;
}

// "time" alone may be the time since the start. It is the time of a step if it has an average, or if the loading time
// is in the same line.
bool TrainingReader::isStepTime(std::size_t index) const
{
    const Field &field = m_line.fields[index];
    if (m_meanings[index].priority < 3 || field.unit == "ms") return true;
    if (index + 1 < m_line.fields.size() && m_line.fields[index + 1].repeats) return true;
    return std::any_of(m_line.fields.begin(), m_line.fields.end(),
                       [](const Field &other) { return startsWithData(other.label); });
}

void TrainingReader::addMeasures(Sample &sample) const
{
    std::array<int, 5> best{INT_MAX, INT_MAX, INT_MAX, INT_MAX, INT_MAX};
    const auto take = [&best](std::size_t slot, int priority) {
        return priority < best[slot] ? (best[slot] = priority, true) : false;
    };
    for (std::size_t i = 0; i < m_line.fields.size(); ++i) {
        const Field &field = m_line.fields[i];
        const auto [role, priority, global, certain] = m_meanings[i];
        if (field.repeats) continue;
        if (role == FieldRole::learningRate && take(0, priority)) sample.learningRate = field.value;
        if (role == FieldRole::gradNorm && take(1, priority)) sample.gradNorm = field.value;
        if (role == FieldRole::lossScale && take(2, priority)) sample.lossScale = field.value;
        if (role == FieldRole::stepTime && isStepTime(i) && take(3, priority)) sample.stepMs = milliseconds(field);
        if (role == FieldRole::throughput && take(4, priority)) sample.throughput = field.value;
    }
}

// True if the step counts within its epoch. A counter that continues beyond the end of an epoch counts the whole run.
bool TrainingReader::countsEpochSteps(const Line &line)
{
    if (!line.epoch || line.epoch->fraction || line.step->global) return false;
    if (m_lastLabel != line.step->label) {
        m_lastLabel.assign(line.step->label);
        m_counts = Counts::unknown;
        m_lastEpoch.reset();
    }
    if (m_lastEpoch && m_lastStep && line.epoch->value > *m_lastEpoch) {
        m_counts = line.step->value > *m_lastStep ? Counts::run : Counts::epoch;
    } else if (m_lastEpoch && m_lastStep && line.epoch->value == *m_lastEpoch && line.step->value < *m_lastStep &&
               m_counts == Counts::unknown) {
        m_counts = Counts::epoch;
    }
    m_lastEpoch = line.epoch->value;
    if (m_counts != Counts::unknown) return m_counts == Counts::epoch;
    return !line.step->beforeEpoch && (line.epoch->printed || !line.step->named);
}

void TrainingReader::place(const Line &line, Sample &sample)
{
    if (line.step) {
        const bool inEpoch = countsEpochSteps(line);
        m_lastStep = line.step->value;
        const std::int64_t of = line.step->of;
        if (inEpoch) {
            sample.epoch = line.epoch->value + (m_epochsFromZero || line.step->fromZero ? 1 : 0);
            sample.step = line.step->value + (line.step->fromZero ? 1 : 0);
            if (of > 0 && of <= INT32_MAX) sample.stepsPerEpoch = static_cast<std::int32_t>(of);
            sample.total = wholeRun(line.epoch->of > 0 ? line.epoch->of : m_epochs, of);
        } else {
            sample.globalStep = line.step->value;
            sample.total = of > 0 ? of : m_total >= line.step->value ? m_total : 0;
            if (line.epoch && line.epoch->fraction) {
                sample.fractionalEpoch = line.epoch->fraction;
                if (!line.step->printed) placeByFraction(line, sample);
            }
        }
        return;
    }
    if (!line.epoch->fraction) {
        sample.epoch = line.epoch->value + (m_epochsFromZero ? 1 : 0);
        return;
    }
    placeByFraction(line, sample);
}

// For Hugging Face without a bar: the step follows from the numbers of epochs and steps of the whole run, which its
// header shows.
void TrainingReader::placeByFraction(const Line &line, Sample &sample) const
{
    const double epoch = *line.epoch->fraction;
    sample.fractionalEpoch = epoch;
    sample.total = sample.total > 0 ? sample.total : m_total;
    if (m_epochs <= 0 || m_total % m_epochs != 0 || m_total / m_epochs > INT32_MAX || m_total == 0) return;
    const std::int64_t steps = m_total / m_epochs;
    const double step = epoch * static_cast<double>(steps);
    // If the run is limited by max_steps, the two numbers do not give the length of an epoch. Then this epoch is not at
    // a whole step.
    if (std::fabs(step - std::round(step)) > std::max(0.02, 0.0051 * static_cast<double>(steps))) {
        sample.total = 0;
        return;
    }
    sample.stepsPerEpoch = static_cast<std::int32_t>(steps);
    // A bar is not redrawn at each step, and an epoch is printed with two digits. If epochs are long, the bar is more
    // exact.
    const double rounded = 0.0051 * static_cast<double>(steps);
    const bool barIsNearer =
        sample.globalStep && rounded > 2 && std::fabs(static_cast<double>(*sample.globalStep) - step) <= rounded;
    if (!barIsNearer) sample.globalStep = std::llround(step);
}

}  // namespace rankdeck
