// SPDX-License-Identifier: GPL-3.0-or-later
// To which attempt the lines of a log belong. Under one name a log may begin anew: rotated, it goes on with the same process;
// else another process writes it, of a new attempt. Pure; it never fails: who says nothing goes on as another.
#pragma once

#include "core/base/known.h"
#include "core/parse/log_parser.h"

#include <cstdint>
#include <optional>

namespace rankdeck {

class LogAttempt {
public:
    // As the history knows it. last: its newest loss, if it is of this attempt.
    void restore(int attempt, int pid, const std::optional<Sample> &last);
    void restoreFarewell(std::uint64_t offset, int lossesSince);

    // Another file lies under the name (or the same one, emptied); whether of the same process the next lines tell.
    void beginAnew(bool emptied);
    // Whether the process that wrote the old file writes this one: rotation keeps the pid, and the steps go up. Nobody
    // loads a checkpoint in the middle of a run, nor after a word of farewell. Unknown: rotation empties a file as the next
    // launch does (logrotate's copytruncate, the shell's >), and the lines do not name their process.
    [[nodiscard]] Known continues(const Parsed &parsed, std::optional<int> pid) const;
    void settle(int attempt);                                 // what comes from now on is of that one
    void take(const Parsed &parsed, std::optional<int> pid);  // in the order of the file

    [[nodiscard]] int index() const { return m_index; }  // -1: nothing placed yet
    [[nodiscard]] bool isSettled() const { return m_index >= 0 && !m_anew; }
    [[nodiscard]] int pid() const { return m_pid; }  // 0: not said

private:
    void takeFarewell(const Parsed &parsed);

    int m_index = -1;
    bool m_anew = false, m_emptied = false;
    int m_pid = 0;
    std::optional<Sample> m_last = {};             // of this attempt
    std::optional<std::uint64_t> m_farewell = {};  // where its process has said that it stops
    int m_sinceFarewell = 0;                       // losses
};

}  // namespace rankdeck
