// SPDX-License-Identifier: GPL-3.0-or-later
// What is being waited for, on one line of the terminal that stderr is, with its seconds: from the second second on, and
// gone at the end. Where stderr is no terminal nothing is written. One at a time; any thread may say. Never fails.
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

// To stderr, on a line of its own beside a progress line.
void messageLine(const std::string &text);

}  // namespace rankdeck::ctl
