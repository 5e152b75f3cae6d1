// SPDX-License-Identifier: GPL-3.0-or-later
// Splits a line of a file into the pieces that a terminal would have shown. Redrawn progress bars are separated by
// carriage returns. Text that a program prints while a bar is open follows the bar on the same line. Pure; linear.
#pragma once

#include <optional>
#include <string_view>

namespace rankdeck {

class Pieces {
public:
    explicit Pieces(std::string_view line) : m_rest(line) {}
    // The next piece that is not blank; nullopt: there is none.
    std::optional<std::string_view> next();
    // True if a line has more than one piece, or may have.
    static bool divides(std::string_view line);

private:
    std::string_view m_rest;
};

// For text that begins with a bar such as " 20%|##   | 60/300 [01:00<04:00,  1.00it/s]": the end of the bar; nullopt:
// there is none.
std::optional<std::size_t> endOfBar(std::string_view text);

// The text after a glog prefix such as "I0101 10:00:00.123456  1234 solver.cpp:239] ", with time and thread; otherwise
// the whole piece.
std::string_view withoutGlog(std::string_view piece);

}  // namespace rankdeck
