// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/output/live_terminal.h"

#include "app/ctl/output/columns.h"

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <unistd.h>

namespace rankdeck::ctl {
namespace {

volatile std::sig_atomic_t holdAsked = 0;

void holdWhenAsked()
{
    struct sigaction action {};
    action.sa_handler = [](int) { holdAsked = 1; };
    sigaction(SIGTSTP, &action, nullptr);
}

}  // namespace

bool isLiveTerminal()
{
    const char *const kind = std::getenv("TERM");
    const TerminalSize size = terminalSize();
    return size.rows > 2 && size.columns > 9 && kind != nullptr && *kind != '\0' && std::string_view(kind) != "dumb";
}

LiveTerminal::LiveTerminal()
{
    holdWhenAsked();
    enter();
}

LiveTerminal::~LiveTerminal()
{
    leave();
    std::signal(SIGTSTP, SIG_DFL);
}

void LiveTerminal::enter()
{
    // A background process ("watch &") would be stopped if it changed the terminal settings.
    m_quiet = tcgetpgrp(STDIN_FILENO) == getpgrp() && tcgetattr(STDIN_FILENO, &m_before) == 0;
    if (m_quiet) {
        termios quiet = m_before;
        quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON);
        quiet.c_cc[VMIN] = 0;
        quiet.c_cc[VTIME] = 0;
        m_quiet = tcsetattr(STDIN_FILENO, TCSANOW, &quiet) == 0;
    }
    std::cout << "\x1b[?1049h\x1b[?25l" << std::flush;
    m_drawn.clear();
}

void LiveTerminal::leave()
{
    std::cout << "\x1b[?25h\x1b[?1049l" << std::flush;
    if (m_quiet) tcsetattr(STDIN_FILENO, TCSAFLUSH, &m_before);
}

void LiveTerminal::draw(const std::vector<std::string> &lines)
{
    std::string picture = "\x1b[H";
    for (std::size_t i = 0; i < lines.size(); ++i) picture += (i > 0 ? "\r\n" : "") + lines[i] + "\x1b[K";
    picture += "\x1b[J";
    if (picture == m_drawn) return;
    std::cout << picture << std::flush;
    m_drawn = std::move(picture);
}

bool LiveTerminal::endTyped()
{
    char typed = 0;
    while (m_quiet && read(STDIN_FILENO, &typed, 1) == 1)
        if (typed == 'q') return true;
    return false;
}

void LiveTerminal::holdIfAsked()
{
    if (holdAsked == 0) return;
    holdAsked = 0;
    leave();
    std::signal(SIGTSTP, SIG_DFL);
    raise(SIGTSTP);  // execution continues here when the shell resumes the program
    holdWhenAsked();
    enter();
}

}  // namespace rankdeck::ctl
