// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/lines/framework_lines.h"
#include "core/parse/lines/scanner.h"

#include <climits>

namespace rankdeck {

namespace {

void skipEscapes(Scanner &scanner)
{
    scanner.skipAnyOf("\b ");
    while (scanner.take("\x1b[")) {
        scanner.skipAnyOf("0123456789;");
        scanner.take("m");
        scanner.skipAnyOf("\b ");
    }
}

// "127ms/step", "2s/step", "500us/step" → ms
std::optional<double> kerasStepMs(std::string_view update)
{
    const std::size_t end = update.find("s/step");
    if (end == std::string_view::npos) return std::nullopt;
    std::size_t unit = end;
    while (unit > 0 && (update[unit - 1] == 'm' || update[unit - 1] == 'u')) --unit;
    std::size_t begin = unit;
    while (begin > 0 && ((update[begin - 1] >= '0' && update[begin - 1] <= '9') || update[begin - 1] == '.')) --begin;
    Scanner scanner(update.substr(begin));
    double value = 0;
    if (!scanner.takeNumber(value)) return std::nullopt;
    if (scanner.peek() == 'u') return value / 1000;
    return scanner.peek() == 'm' ? value : value * 1000;
}

Match parseKerasUpdate(std::string_view update, const KerasEpoch &epoch, Sample &sample)
{
    Scanner scanner(update);
    std::int64_t step = 0;
    std::int64_t total = 0;
    skipEscapes(scanner);
    if (!scanner.takeInteger(step) || !scanner.take("/")) return Match::no;
    scanner.skipBlanks();
    if (!scanner.takeInteger(total)) return Match::no;
    sample.stepMs = kerasStepMs(scanner.rest());
    if (!scanner.seek(" - loss: ")) return Match::no;
    if (!scanner.takeNumber(sample.loss)) return Match::broken;
    if (epoch.number == 0) return Match::broken;  // its "Epoch N/M" line was not seen: the loss has no place
    sample.epoch = epoch.number;
    sample.step = step;
    if (total > 0 && total <= INT32_MAX) sample.stepsPerEpoch = static_cast<std::int32_t>(total);
    sample.total = wholeRun(epoch.total, total);
    sample.learningRate = numberAfter(scanner.rest(), " - learning_rate: ");
    if (!sample.learningRate) sample.learningRate = numberAfter(scanner.rest(), " - lr: ");
    return Match::yes;
}

}  // namespace

KerasEpoch parseKerasEpoch(std::string_view line)
{
    Scanner scanner(line);
    KerasEpoch epoch;
    if (!scanner.take("Epoch ") || !scanner.takeInteger(epoch.number) || !scanner.take("/") ||
        !scanner.takeInteger(epoch.total) || !scanner.atEnd())
        return {};
    return epoch;
}

Match parseKeras(std::string_view line, const KerasEpoch &epoch, std::vector<Sample> &samples)
{
    Match result = Match::no;
    while (!line.empty()) {
        const std::size_t end = line.find('\r');
        Sample sample;
        switch (parseKerasUpdate(line.substr(0, end), epoch, sample)) {
        case Match::yes:
            samples.push_back(sample);
            result = Match::yes;
            break;
        case Match::broken:
            if (result == Match::no) result = Match::broken;
            break;
        case Match::no: break;
        }
        line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
    }
    return result;
}

Match parseEstimator(std::string_view line, Sample &sample)
{
    Scanner scanner(line);
    std::int64_t step = 0;
    if (line.substr(0, 7) != "loss = " && !scanner.seek(":loss = ") && !scanner.seek("] loss = ")) return Match::no;
    scanner.take("loss = ");
    if (!scanner.takeNumber(sample.loss)) return Match::broken;
    if (!scanner.take(", step = ") || !scanner.takeInteger(step)) return Match::no;
    sample.globalStep = step;
    return Match::yes;
}

}  // namespace rankdeck
