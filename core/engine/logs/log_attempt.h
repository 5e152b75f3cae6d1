// SPDX-License-Identifier: GPL-3.0-or-later
// Attempt to which the lines of a log belong. A log of one name may start again: after rotation the same process
// continues; otherwise another process writes it, of a new attempt. Pure; never fails: lines without a process count as
// another's.
#pragma once

#include "core/base/known.h"
#include "core/parse/log_parser.h"

#include <cstdint>
#include <optional>

namespace rankdeck {

class LogAttempt {
public:
    // As the history has it. last: its newest loss, if it is from this attempt.
    void restore(int attempt, int pid, const std::optional<Sample> &last);
    void restoreExitLine(std::uint64_t offset, int lossesSince);

    // Another file has the name (or the same file was emptied); the next lines show whether the same process writes it.
    void beginAnew(bool emptied);
    // Whether the process that wrote the old file also writes this one: rotation keeps the pid, and the steps go up. No
    // process loads a checkpoint in the middle of a run, or after its exit line. Unknown if the file was emptied and
    // the lines do not name their process. Both rotation and the next launch can empty it (logrotate's copytruncate,
    // the shell's >).
    [[nodiscard]] Known continues(const Parsed &parsed, std::optional<int> pid) const;
    void settle(int attempt);                                 // the following lines are of this attempt
    void take(const Parsed &parsed, std::optional<int> pid);  // in the order of the file

    [[nodiscard]] int index() const { return m_index; }  // -1: nothing placed yet
    [[nodiscard]] bool isSettled() const { return m_index >= 0 && !m_anew; }
    [[nodiscard]] int pid() const { return m_pid; }  // 0: unknown

private:
    void takeExitLine(const Parsed &parsed);

    int m_index = -1;
    bool m_anew = false, m_emptied = false;
    int m_pid = 0;
    std::optional<Sample> m_last = {};             // of this attempt
    std::optional<std::uint64_t> m_exitLine = {};  // the line in which its process reports that it stops
    int m_sinceExitLine = 0;                       // losses
};

}  // namespace rankdeck
