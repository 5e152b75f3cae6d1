// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/lines/mindspore_lines.h"

#include "core/parse/lines/scanner.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <climits>
#include <cmath>
#include <utility>

namespace rankdeck {

Match parseLossMonitor(std::string_view line, Sample &sample)
{
    Scanner scanner(line);
    std::int64_t epoch = 0;
    std::int64_t step = 0;
    if (!scanner.take("epoch: ") || !scanner.takeInteger(epoch)) return Match::no;
    const bool fromZero = scanner.take(",");
    if (!scanner.take(" step: ") || !scanner.takeInteger(step) || !scanner.take(", loss is ")) return Match::no;
    if (!scanner.takeLoss(sample.loss)) return Match::broken;
    if (!scanner.atEnd() && scanner.peek() != ' ' && scanner.peek() != ',' && scanner.peek() != '\t')
        return Match::broken;
    sample.epoch = epoch + (fromZero ? 1 : 0);
    sample.step = step + (fromZero ? 1 : 0);
    return Match::yes;
}

bool parseTimeMonitor(std::string_view line, double &stepMs, std::int64_t &stepsPerEpoch)
{
    Scanner scanner(line);
    scanner.take(" ");
    scanner.take("Train ");
    double epochMs = 0;
    if (!scanner.take("epoch time: ") || !scanner.takeNumber(epochMs)) return false;
    if (!scanner.take(" ms, per step time: ") || !scanner.takeNumber(stepMs) || !scanner.take(" ms")) return false;
    if (!std::isfinite(stepMs) || !std::isfinite(epochMs) || stepMs <= 0 || epochMs <= 0) return false;
    // Both times are rounded to a microsecond. Their quotient gives the number of steps only if that error is less than
    // half a step.
    const double steps = epochMs / stepMs;
    const double uncertainty = steps * 0.0005 / stepMs;
    stepsPerEpoch = steps < 1e9 && uncertainty < 0.4 ? std::llround(steps) : 0;
    return true;
}

std::optional<double> secondsOfHeader(std::string_view time)
{
    Scanner scanner(time);
    std::array<std::int64_t, 6> at{};  // year, month, day, hour, minute, second
    constexpr std::array<std::string_view, 6> before{"", "-", "-", "-", ":", ":"};
    for (std::size_t i = 0; i < at.size(); ++i)
        if (!scanner.take(before[i]) || !scanner.takeInteger(at[i])) return std::nullopt;
    std::int64_t thousandths = 0;
    if (scanner.take(".") && !scanner.takeInteger(thousandths)) return std::nullopt;
    const std::chrono::year_month_day day{std::chrono::year(static_cast<int>(at[0])),
                                          std::chrono::month(static_cast<unsigned>(at[1])),
                                          std::chrono::day(static_cast<unsigned>(at[2]))};
    if (at[0] > 9999 || std::any_of(at.begin(), at.end(), [](std::int64_t part) { return part < 0; }))
        return std::nullopt;
    if (!day.ok() || at[3] > 23 || at[4] > 59 || at[5] > 60 || thousandths > 999) return std::nullopt;
    const auto days = std::chrono::sys_days(day).time_since_epoch().count();
    return static_cast<double>(((days * 24 + at[3]) * 60 + at[4]) * 60 + at[5]) +
           static_cast<double>(thousandths) / 1000;
}

std::optional<HeaderLine> parseHeader(std::string_view line)
{
    static constexpr std::array<std::pair<std::string_view, LogLevel>, 5> levels{{{"[WARNING] ", LogLevel::warning},
                                                                                  {"[ERROR] ", LogLevel::error},
                                                                                  {"[INFO] ", LogLevel::info},
                                                                                  {"[CRITICAL] ", LogLevel::critical},
                                                                                  {"[DEBUG] ", LogLevel::debug}}};
    HeaderLine header;
    Scanner scanner(line);
    bool known = false;
    for (const auto &[name, level] : levels) {
        if (!scanner.take(name)) continue;
        header.level = level;
        known = true;
        break;
    }
    if (!known) return std::nullopt;
    while ((scanner.peek() >= 'A' && scanner.peek() <= 'Z') || scanner.peek() == '_')
        scanner.take(scanner.rest().substr(0, 1));
    std::int64_t pid = 0;
    if (!scanner.take("(") || !scanner.takeInteger(pid) || pid > INT_MAX) return std::nullopt;
    header.pid = static_cast<int>(pid);
    const bool fromCpp = scanner.peek() == ',';
    if (!scanner.seek("):")) return std::nullopt;
    const std::string_view time = scanner.rest();
    if (!scanner.seek(" [")) return std::nullopt;
    header.time = time.substr(0, time.size() - scanner.rest().size() - 2);
    const std::string_view source = scanner.rest();
    if (!scanner.seek("] ")) return std::nullopt;
    header.source = source.substr(0, source.size() - scanner.rest().size() - 2);
    if (fromCpp) scanner.seek("] ");
    header.message = scanner.rest();
    return header;
}

std::optional<EventKind> faultToleranceKind(std::string_view text)
{
    // The first match decides: a UCE message about a TTP save is a TTP event.
    static constexpr std::array<std::pair<std::string_view, EventKind>, 22> marks{{
        {"uce wrapper caught repair finish", EventKind::repaired},
        {"uce wrapper repair complete", EventKind::repaired},
        {"Resume training after TREError", EventKind::repaired},
        {"uce not enable", EventKind::ttp},
        {"mindio ttp", EventKind::ttp},
        {"MindIO TTP", EventKind::ttp},
        {"UCEError", EventKind::uce},
        {"uce wrapper", EventKind::uce},
        {"HCCEError", EventKind::hcce},
        {"ForceStopError", EventKind::ttp},
        {"ARF FINISH", EventKind::ttp},
        {"TREError", EventKind::ttp},
        {"Set TFT replica", EventKind::ttp},
        {"_save_checkpoint_on_failure", EventKind::ttp},
        {"_rename_save_result", EventKind::ttp},
        {"report group list", EventKind::ttp},
        {"SuspectRemoteError", EventKind::ttp},
        {"Mindx enabled, process controlled by mindx", EventKind::ttp},
        {"Start rename.", EventKind::ttp},
        {"finish rename", EventKind::ttp},
        {"do not support dump!", EventKind::ttp},
        {"has no complete data", EventKind::ttp},
    }};
    for (const auto &[mark, kind] : marks)
        if (text.find(mark) != std::string_view::npos) return kind;
    return std::nullopt;
}

std::vector<std::vector<int>> replicaGroupsIn(std::string_view text)
{
    std::size_t at = text.find("report group list");
    if (at == std::string_view::npos) at = text.find("Set TFT replica with dp");
    if (at == std::string_view::npos) return {};
    std::vector<std::vector<int>> groups;
    for (at = text.find('[', at); at != std::string_view::npos; at = text.find('[', at + 1)) {
        std::vector<int> group;
        Scanner scanner(text.substr(at + 1));
        std::int64_t rank = 0;
        while (scanner.takeInteger(rank) && rank >= 0 && rank <= 1000000) {
            group.push_back(static_cast<int>(rank));
            scanner.skipAnyOf(", ");
        }
        if (!group.empty() && scanner.peek() == ']') groups.push_back(std::move(group));
    }
    return groups;
}

}  // namespace rankdeck
