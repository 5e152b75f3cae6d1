// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/output/progress_line.h"

#include "app/ctl/output/columns.h"
#include "core/base/clock.h"
#include "core/base/text.h"

#include <chrono>
#include <iostream>
#include <unistd.h>
#include <utility>

namespace rankdeck::ctl {
namespace {

std::mutex stderrMutex;
bool lineStands = false;

void wipe()
{
    if (std::exchange(lineStands, false)) std::cerr << "\r\x1b[K" << std::flush;
}

void showLine(const std::string &text)
{
    const std::lock_guard lock(stderrMutex);
    const std::size_t columns = sizeOfTerminal(STDERR_FILENO).columns;
    std::cerr << "\r\x1b[K" << cut(text, columns > 1 ? columns - 1 : 79) << std::flush;
    lineStands = true;
}

}  // namespace

ProgressLine::ProgressLine(std::string what) : m_what(std::move(what))
{
    if (isatty(STDERR_FILENO) != 0) m_thread = std::thread([this] { tick(); });
}

ProgressLine::~ProgressLine()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ended = true;
    }
    m_changed.notify_all();
    if (m_thread.joinable()) m_thread.join();
    const std::lock_guard lock(stderrMutex);
    wipe();
}

void ProgressLine::say(std::string what)
{
    const std::lock_guard lock(m_mutex);
    m_what = std::move(what);
}

void ProgressLine::tick()
{
    std::unique_lock lock(m_mutex);
    for (int seconds = 1; !m_changed.wait_for(lock, std::chrono::seconds(1), [this] { return m_ended; }); ++seconds)
        showLine(printable(m_what) + "  " + (seconds < 60 ? std::to_string(seconds) + " s" : durationText(seconds)));
}

void messageLine(const std::string &text)
{
    const std::lock_guard lock(stderrMutex);
    wipe();
    std::cerr << text << std::endl;
}

}  // namespace rankdeck::ctl
