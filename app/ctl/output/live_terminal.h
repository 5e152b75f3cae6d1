// SPDX-License-Identifier: GPL-3.0-or-later
// A picture of lines on the terminal that stdout is, drawn over itself in the terminal's other screen: what stood there
// before stands there again at the end, with the cursor and the keyboard as they were, also while Ctrl-Z holds the
// program. One at a time, on one thread. Never fails.
#pragma once

#include <string>
#include <termios.h>
#include <vector>

namespace rankdeck::ctl {

class LiveTerminal {
public:
    LiveTerminal();
    ~LiveTerminal();
    LiveTerminal(const LiveTerminal &) = delete;
    LiveTerminal &operator=(const LiveTerminal &) = delete;

    void draw(const std::vector<std::string> &lines);  // no longer and no more than the terminal has
    bool endTyped();                                   // q was
    void holdIfAsked();                                // after Ctrl-Z: gives the terminal back until the shell goes on

private:
    void enter();
    void leave();

    termios m_before = {};
    bool m_quiet = false;  // the keyboard's letters are not shown
    std::string m_drawn = {};
};

// stdout is a terminal that can be drawn over, and has room.
bool isLiveTerminal();

}  // namespace rankdeck::ctl
