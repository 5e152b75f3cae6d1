// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/end_signals.h"

#include <QSocketNotifier>

#include <array>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace rankdeck {

namespace {

std::array<int, 2> ends{-1, -1};

void noteEnd(int)
{
    const char byte = 0;
    [[maybe_unused]] const auto written = ::write(ends[1], &byte, 1);
}

}  // namespace

EndSignals::EndSignals(std::function<void()> ended) : m_ended(std::move(ended))
{
    if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) return;
    auto *notifier = new QSocketNotifier(ends[0], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this] {
        std::array<char, 16> bytes{};
        while (::read(ends[0], bytes.data(), bytes.size()) > 0) {}
        m_ended();
    });
    struct sigaction action {};
    action.sa_handler = noteEnd;
    action.sa_flags = SA_RESTART;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaction(signal, &action, nullptr);
}

EndSignals::~EndSignals()
{
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) std::signal(signal, SIG_DFL);
    for (int &end : ends) {
        if (end >= 0) ::close(end);
        end = -1;
    }
}

}  // namespace rankdeck
