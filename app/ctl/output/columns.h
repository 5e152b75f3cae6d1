// SPDX-License-Identifier: GPL-3.0-or-later
// Text in columns of a terminal: UTF-8 counts by its characters, those of East Asia by two. Never fails.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace rankdeck::ctl {

std::string left(const std::string &text, std::size_t width);   // as it is when it is wider
std::string right(const std::string &text, std::size_t width);  // likewise
std::size_t columnsOf(const std::string &text);
std::string cut(const std::string &text, std::size_t columns);  // with an ellipsis where something is missing
// At its blanks into lines that fit, the second and all others indented; what has no room in so many is cut.
std::vector<std::string> wrapped(const std::string &text, std::size_t columns, std::size_t indent, std::size_t most);
// At its blanks into lines that fit, where the columns are known (not 0): what goes on stands below the words that have names
// before them. Nothing is lost: a word that is longer than a line stays whole.
std::vector<std::string> fitted(const std::string &line, std::size_t columns);
// To stdout, line by line: as it is into a pipe or file; on a terminal no line is broken in the middle of a word. Loud: red,
// where colours are wanted.
void printToFit(const std::string &text, bool loud = false);
std::string loudly(const std::string &text);
// Of the terminal that stdout is; 0 where the output goes elsewhere.
struct TerminalSize {
    std::size_t columns = 0, rows = 0;
};
TerminalSize terminalSize();
TerminalSize sizeOfTerminal(int descriptor);  // of another one; 0 where it is none
bool colourWanted();                          // on a terminal that has colours, unless NO_COLOR says no

}  // namespace rankdeck::ctl
