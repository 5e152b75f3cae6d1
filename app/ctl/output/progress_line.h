// SPDX-License-Identifier: GPL-3.0-or-later
// A progress line on the terminal at stderr: what the program waits for, and for how many seconds. It appears after one
// second and is erased at the end. Nothing is written if stderr is not a terminal. One at a time; any thread may call
// say(). Never fails.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace rankdeck::ctl {

class ProgressLine {
public:
    explicit ProgressLine(std::string what);
    ~ProgressLine();
    ProgressLine(const ProgressLine &) = delete;
    ProgressLine &operator=(const ProgressLine &) = delete;
    void say(std::string what);

private:
    void tick();

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::string m_what;
    bool m_ended = false;
    std::thread m_thread = {};
};

// Writes a line to stderr; erases a progress line first.
void messageLine(const std::string &text);

}  // namespace rankdeck::ctl
