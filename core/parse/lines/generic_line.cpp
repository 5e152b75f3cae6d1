// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/lines/framework_lines.h"
#include "core/parse/lines/scanner.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>

namespace rankdeck {

namespace {

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

bool same(std::string_view word, std::string_view lower)
{
    return word.size() == lower.size() && std::equal(word.begin(), word.end(), lower.begin(),
                                                     [](char a, char b) { return (a | 0x20) == b || a == b; });
}

template <std::size_t N>
bool oneOf(std::string_view word, const std::array<std::string_view, N> &words)
{
    return std::any_of(words.begin(), words.end(), [&](std::string_view candidate) { return same(word, candidate); });
}

constexpr std::array<std::string_view, 6> stepWords{"step", "steps", "iter", "iters", "iteration", "batch"};
// What stands before "loss" when it is not the loss of a training step.
constexpr std::array<std::string_view, 10> otherLosses{"val",  "valid", "validation", "eval",  "evaluation",
                                                       "test", "dev",   "best",       "final", "packet"};

constexpr std::array<std::string_view, 5> throughputWords{"throughput", "samples_per_second", "samples_per_sec",
                                                          "tokens_per_second", "tokens_per_sec"};

struct Found {
    std::optional<double> loss, epoch, learningRate, gradNorm, lossScale, throughput;
    std::optional<std::int64_t> step, global;
    std::int64_t total = 0, epochs = 0;
    bool broken = false;         // an epoch or step that cannot be one
    bool epochHasPoint = false;  // "1.0": it counts fractions of epochs, also where one is whole
};

// Whether the number right after a key is written with a decimal point.
bool hasPoint(std::string_view after)
{
    const std::size_t digits = after.find_first_of("0123456789");
    const std::size_t end = digits == std::string_view::npos ? digits : after.find_first_not_of("0123456789", digits);
    return end != std::string_view::npos && after[end] == '.' && end + 1 < after.size() && digit(after[end + 1]);
}

// A number right after a key; "Step [100/600]", "step=3", "loss is 2.5", "Loss 7.0e-01 (1.07e+00)".
bool numberAt(std::string_view after, double &value, std::int64_t &total)
{
    Scanner scanner(after);
    scanner.skipAnyOf(" \t:=[(#");
    if (scanner.take("is ")) scanner.skipBlanks();
    if (!scanner.takeLoss(value)) return false;
    if (!scanner.atEnd() && !endsNumber(scanner.peek())) return false;
    scanner.skipBlanks();
    total = 0;
    if (scanner.take("/")) {
        scanner.skipBlanks();
        scanner.takeInteger(total);
    }
    return true;
}

void take(std::string_view word, std::string_view before, std::string_view after, Found &found)
{
    double value = 0;
    std::int64_t total = 0;
    const bool global = same(word, "global_step") || (same(word, "step") && same(before, "global"));
    const bool step = oneOf(word, stepWords);
    if (same(word, "loss")) {
        if (!found.loss && !oneOf(before, otherLosses) && numberAt(after, value, total)) found.loss = value;
    } else if (global || step) {
        std::optional<std::int64_t> &place = global ? found.global : found.step;
        if (place || !numberAt(after, value, total)) return;
        if (!(value >= 0 && value < 1e15) || value != std::floor(value)) {
            found.broken = true;
            return;
        }
        place = static_cast<std::int64_t>(value);
        if (!global) found.total = total;
    } else if (same(word, "epoch")) {
        if (found.epoch || !numberAt(after, value, total)) return;
        found.broken = found.broken || !(value >= 0 && value < 1e9);
        found.epoch = value;
        found.epochHasPoint = hasPoint(after);
        found.epochs = total;
    } else if (same(word, "lr") || same(word, "learning_rate")) {
        if (!found.learningRate && numberAt(after, value, total)) found.learningRate = value;
    } else if (same(word, "grad_norm")) {
        if (!found.gradNorm && numberAt(after, value, total)) found.gradNorm = value;
    } else if (same(word, "loss_scale")) {
        if (!found.lossScale && numberAt(after, value, total)) found.lossScale = value;
    } else if (oneOf(word, throughputWords)) {
        if (!found.throughput && numberAt(after, value, total)) found.throughput = value;
    }
}

}  // namespace

Match parseGeneric(std::string_view line, Sample &sample)
{
    Found found;
    std::string_view before;
    for (std::size_t at = 0; at < line.size();) {
        if (!letter(line[at])) {
            // 3step or 0xloss is no word
            const bool number = digit(line[at]);
            if (number) before = {};
            ++at;
            if (number)
                while (at < line.size() && (letter(line[at]) || digit(line[at]))) ++at;
            continue;
        }
        std::size_t end = at;
        while (end < line.size() && (letter(line[end]) || digit(line[end]))) ++end;
        const std::string_view word = line.substr(at, end - at);
        take(word, before, line.substr(end), found);
        before = word;
        at = end;
    }
    if (!found.loss || (!found.step && !found.global && !found.broken)) return Match::no;
    if (found.broken) return Match::broken;
    sample.loss = *found.loss;
    sample.learningRate = found.learningRate;
    sample.gradNorm = found.gradNorm;
    sample.lossScale = found.lossScale;
    sample.throughput = found.throughput;
    sample.globalStep = found.global;
    const bool wholeEpoch = found.epoch && !found.epochHasPoint && *found.epoch == std::floor(*found.epoch);
    if (wholeEpoch && found.step) {
        sample.epoch = static_cast<std::int64_t>(*found.epoch);
        sample.step = found.step;
        if (found.total > 0 && found.total <= INT32_MAX) sample.stepsPerEpoch = static_cast<std::int32_t>(found.total);
        sample.total = wholeRun(found.epochs, found.total);
    } else {
        if (found.epoch) sample.fractionalEpoch = found.epoch;
        if (!sample.globalStep) {
            sample.globalStep = found.step;
            sample.total = found.total;
        }
    }
    return Match::yes;
}

}  // namespace rankdeck
