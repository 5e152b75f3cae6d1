// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of MindSpore's own monitors and logger, in the formats of 1.3 to 2.10 (_loss_monitor.py, _time_monitor.py,
// log.py, log_adapter.cc). Pure.
#pragma once

#include "core/parse/lines/sample.h"

#include <optional>
#include <string_view>

namespace rankdeck {

enum class Match { no, yes, broken };  // broken: begins like such a line, but its content is invalid

// Parses "epoch: 1 step: 2, loss is 2.3". With a comma after the epoch, the line is from a hand-written loop that
// counts from 0: both numbers are converted to count from 1.
Match parseLossMonitor(std::string_view line, Sample &sample);

// Parses "Train epoch time: 597.455 ms, per step time: 59.746 ms", up to 1.7 without "Train". Lines of an evaluation do
// not match.
bool parseTimeMonitor(std::string_view line, double &stepMs, std::int64_t &stepsPerEpoch);

enum class LogLevel { debug, info, warning, error, critical };
struct HeaderLine {
    LogLevel level = LogLevel::info;
    int pid = 0;
    std::string_view time = {};    // "2026-11-21-09:05:38.250.00", in the time zone of its node
    std::string_view source = {};  // file:line
    std::string_view message = {};
};
// Seconds of a header's time, whatever its zone: only differences within one log are meaningful. nullopt: not such a
// time.
std::optional<double> secondsOfHeader(std::string_view time);
// Parses "[WARNING] ME(pid:tid,proc):time [file:line] message" and the C++ form, "… [file:line] Func] message".
std::optional<HeaderLine> parseHeader(std::string_view line);

// Ranks that hold the same parameters, as MindSpore ("Set TFT replica with dp: [0, 4]") or MindIO ("rank:4, report
// group list: [0, 4]") prints them. Empty: the text has none.
std::vector<std::vector<int>> replicaGroupsIn(std::string_view text);

// Kind of a UCE, HCCE, TTP or TFT message of the training process or of MindIO.
std::optional<EventKind> faultToleranceKind(std::string_view text);

}  // namespace rankdeck
