// SPDX-License-Identifier: GPL-3.0-or-later
// A live view of lines on the alternate screen of the terminal at stdout. On exit, and while Ctrl-Z suspends the
// program, the earlier screen contents, the cursor and the keyboard settings are restored. One at a time, on one
// thread. Never fails.
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

    void draw(const std::vector<std::string> &lines);  // must fit the size of the terminal
    bool endTyped();                                   // true if q was typed
    void holdIfAsked();                                // after Ctrl-Z: releases the terminal until resumed

private:
    void enter();
    void leave();

    termios m_before = {};
    bool m_quiet = false;  // keyboard input is not echoed
    std::string m_drawn = {};
};

// True if stdout is a terminal that is large enough and can be redrawn in place.
bool isLiveTerminal();

}  // namespace rankdeck::ctl
