// SPDX-License-Identifier: GPL-3.0-or-later
// Stack traces of all ranks, read from /proc of the nodes and the ends of the logs. Ranks are grouped by what they do,
// so that a hanging rank stands out from the ranks that wait for it. Only reads. Unreadable parts are shown as unknown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct RankStack {
    int rank = -1;
    std::string node = {};
    int pid = 0;
    char state = '?';                       // R S D T Z as in /proc
    std::string wchan = {};                 // kernel function in which it waits; empty: none, or not readable
    std::optional<long> syscall = {};       // its number on that machine
    std::optional<double> cpu = {};         // share of one CPU during the reading
    std::optional<std::int64_t> step = {};  // position
    std::string lastLine = {};              // last line of its log, printable
    std::string problem = {};               // reason if unknown
};

inline constexpr const char *unknownStack = "is unknown";  // state of a group

struct StackGroup {
    std::vector<int> ranks = {};             // ascending
    std::string state = {};                  // "computes", "sleeps", "waits for its disk", "is stopped", unknownStack
    std::string where = {};                  // "futex_wait_queue, syscall 202"; empty: unknown
    std::vector<std::string> evidence = {};  // a line per rank
};

struct StackReport {
    std::vector<StackGroup> groups = {};  // the smallest group first, because it stands out most
    std::vector<int> suspects = {};
};

}  // namespace rankdeck
