// SPDX-License-Identifier: GPL-3.0-or-later
// Text in terminal columns: the width of UTF-8 text, padding, cutting and wrapping. East Asian characters are two
// columns wide. Never fails.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace rankdeck::ctl {

std::string left(const std::string &text, std::size_t width);   // unchanged if the text is wider
std::string right(const std::string &text, std::size_t width);  // unchanged if the text is wider
std::size_t columnsOf(const std::string &text);
std::string cut(const std::string &text, std::size_t columns);  // ends with an ellipsis if text was cut off
// Wraps at blanks; all lines but the first are indented. Text beyond the last of these lines (most) is cut.
std::vector<std::string> wrapped(const std::string &text, std::size_t columns, std::size_t indent, std::size_t most);
// Wraps at blanks if the number of columns is known (not 0). Continuation lines are indented to the text after the name
// column. Nothing is lost: text without blanks stays on one line.
std::vector<std::string> fitted(const std::string &line, std::size_t columns);
// Writes to stdout, line by line. A pipe or file gets the text unchanged; on a terminal, lines break only at blanks.
// Loud: red, if colours are wanted.
void printToFit(const std::string &text, bool loud = false);
std::string loudly(const std::string &text);
// Size of the terminal at stdout; 0 if the output goes to a file or pipe.
struct TerminalSize {
    std::size_t columns = 0, rows = 0;
};
TerminalSize terminalSize();
TerminalSize sizeOfTerminal(int descriptor);  // 0 if the descriptor is not a terminal
bool colourWanted();                          // stdout is a terminal with colours, and NO_COLOR is not set

}  // namespace rankdeck::ctl
