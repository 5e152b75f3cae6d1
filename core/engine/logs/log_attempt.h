// SPDX-License-Identifier: GPL-3.0-or-later
// Attempt to which the lines of a log belong. A log file may be replaced by a new one with the same name. After
// rotation the same process writes the new file; otherwise another process writes it, in a new attempt. Pure; never
// fails: lines that name no process count as those of another process.
#pragma once

#include "core/base/known.h"
#include "core/parse/log_parser.h"

#include <cstdint>
#include <optional>

namespace rankdeck {

class LogAttempt {
public:
    // Restores what the history recorded. last: its newest loss, if that is from this attempt.
    void restore(int attempt, int pid, const std::optional<Sample> &last);
    void restoreExitLine(std::uint64_t offset, int lossesSince);

    // The log was replaced by a new file (or was emptied). The next lines show whether the same process writes it.
    void beginAnew(bool emptied);
    // Whether the process that wrote the old file also writes the new one: after rotation the pid is the same and the
    // steps go on. No process loads a checkpoint in the middle of a run, or continues after its exit line. Unknown if
    // the file was emptied and the lines do not name their process. Both rotation (logrotate's copytruncate) and the
    // next launch (the shell's >) can empty it.
    [[nodiscard]] Known continues(const Parsed &parsed, std::optional<int> pid) const;
    void settle(int attempt);                                 // the following lines belong to this attempt
    void take(const Parsed &parsed, std::optional<int> pid);  // must be called in file order

    [[nodiscard]] int index() const { return m_index; }  // attempt; -1: not known yet
    [[nodiscard]] bool isSettled() const { return m_index >= 0 && !m_anew; }
    [[nodiscard]] int pid() const { return m_pid; }  // 0: unknown

private:
    void takeExitLine(const Parsed &parsed);

    int m_index = -1;
    bool m_anew = false, m_emptied = false;
    int m_pid = 0;
    std::optional<Sample> m_last = {};             // newest sample of this attempt
    std::optional<std::uint64_t> m_exitLine = {};  // the line in which its process reports that it stops
    int m_sinceExitLine = 0;                       // number of losses since then
};

}  // namespace rankdeck
