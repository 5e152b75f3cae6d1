// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/lines/framework_lines.h"
#include "core/parse/lines/scanner.h"

#include <algorithm>
#include <climits>
#include <cmath>

namespace rankdeck {

namespace {

// The value of a key in a Python dict that was printed. The quote before the key keeps eval_loss and train_loss out.
std::optional<double> dictValue(std::string_view line, std::string_view key)
{
    Scanner scanner(line);
    double value = 0;
    if (!scanner.seek(key)) return std::nullopt;
    scanner.skipAnyOf(" '");  // newer versions print the numbers as text
    if (!scanner.takeNumber(value)) return std::nullopt;
    return value;
}

}  // namespace

Match parseImageNet(std::string_view line, Sample &sample)
{
    Scanner scanner(line);
    std::int64_t epoch = 0;
    std::int64_t index = 0;
    std::int64_t total = 0;
    if (!scanner.take("Epoch: [") || !scanner.takeInteger(epoch) || !scanner.take("][")) return Match::no;
    scanner.skipBlanks();
    if (!scanner.takeInteger(index) || !scanner.take("/") || !scanner.takeInteger(total) || !scanner.take("]"))
        return Match::broken;
    if (!scanner.seek("\tLoss ") && !scanner.seek(" Loss ")) return Match::no;
    scanner.skipBlanks();
    if (!scanner.takeNumber(sample.loss)) return Match::broken;
    if (const auto seconds = numberAfter(line, "\tTime ")) sample.stepMs = *seconds * 1000;
    sample.epoch = epoch + 1;
    sample.step = index + 1;
    if (total > 0 && total <= INT32_MAX) sample.stepsPerEpoch = static_cast<std::int32_t>(total);
    return Match::yes;
}

Match parseTrainerDict(std::string_view line, Sample &sample, std::int64_t stepsPerEpoch)
{
    if (line.substr(0, 2) != "{'" || line.find("'loss':") == std::string_view::npos) return Match::no;
    const std::optional<double> loss = dictValue(line, "'loss':");
    const std::optional<double> epoch = dictValue(line, "'epoch':");
    if (!loss) return Match::broken;
    sample.loss = *loss;
    sample.gradNorm = dictValue(line, "'grad_norm':");
    sample.learningRate = dictValue(line, "'learning_rate':");
    if (const std::optional<double> step = dictValue(line, "'step':"); step && *step >= 0 && *step < 1e15)
        sample.globalStep = std::llround(*step);
    if (!epoch || !std::isfinite(*epoch) || *epoch < 0 || *epoch > 1e9)
        return sample.globalStep ? Match::yes : Match::broken;
    sample.fractionalEpoch = *epoch;
    if (stepsPerEpoch > 0 && stepsPerEpoch <= INT32_MAX) {
        sample.stepsPerEpoch = static_cast<std::int32_t>(stepsPerEpoch);
        if (!sample.globalStep) sample.globalStep = std::llround(*epoch * static_cast<double>(stepsPerEpoch));
    }
    return Match::yes;
}

Match parseMegatron(std::string_view line, Sample &sample)
{
    Scanner scanner(line);
    std::int64_t iteration = 0;
    std::int64_t total = 0;
    if (!scanner.seek(" iteration ")) return Match::no;
    scanner.skipBlanks();
    if (!scanner.takeInteger(iteration)) return Match::no;
    scanner.skipBlanks();
    if (!scanner.take("/")) return Match::no;
    scanner.skipBlanks();
    if (scanner.takeInteger(total)) sample.total = total;
    if (scanner.rest().find('|') == std::string_view::npos) return Match::no;
    std::optional<double> loss = numberAfter(scanner.rest(), "| lm loss: ");
    if (!loss) loss = numberAfter(scanner.rest(), "| loss: ");
    if (!loss) return Match::broken;
    sample.loss = *loss;
    sample.globalStep = iteration;
    sample.lossScale = numberAfter(scanner.rest(), "| loss scale: ");
    sample.gradNorm = numberAfter(scanner.rest(), "| grad norm: ");
    sample.learningRate = numberAfter(scanner.rest(), "| learning rate: ");
    sample.throughput = numberAfter(scanner.rest(), "throughput per GPU (TFLOP/s/GPU): ");
    sample.stepMs = numberAfter(scanner.rest(), "elapsed time per iteration (ms): ");
    return Match::yes;
}

}  // namespace rankdeck
