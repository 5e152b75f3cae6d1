// SPDX-License-Identifier: GPL-3.0-or-later
// What every rank does at this moment, read from /proc of its node and the end of its log, and grouped by what they do:
// who hangs differs from those who wait for it. Reads only. What cannot be read is said as not known.
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
    std::optional<double> cpu = {};         // share of one CPU while it was looked at
    std::optional<std::int64_t> step = {};  // position
    std::string lastLine = {};              // of its log, printable
    std::string problem = {};               // why nothing is known
};

struct StackGroup {
    std::vector<int> ranks = {};             // ascending
    std::string state = {};                  // "computes", "sleeps", "waits for its disk", "is stopped", "is not known"
    std::string where = {};                  // "futex_wait_queue, syscall 202"; empty: nothing tells it
    std::vector<std::string> evidence = {};  // a line per rank
};

struct StackReport {
    std::vector<StackGroup> groups = {};  // the smallest first: it differs most
    std::vector<int> suspects = {};
};

}  // namespace rankdeck
