// SPDX-License-Identifier: GPL-3.0-or-later
// A line of a file as a terminal would have shown it, piece by piece. Redrawn progress bars are separated by carriage returns. Text
// that a program prints while a bar is open follows the bar on the same line. Pure; linear.
#pragma once

#include <optional>
#include <string_view>

namespace rankdeck {

class Pieces {
public:
    explicit Pieces(std::string_view line) : m_rest(line) {}
    // The next piece that is not blank; nullopt: there is none.
    std::optional<std::string_view> next();
    // Whether a line has more than one piece, or may have.
    static bool divides(std::string_view line);

private:
    std::string_view m_rest;
};

// " 20%|##   | 60/300 [01:00<04:00,  1.00it/s]": where such a bar ends in the text; nullopt: there is none.
std::optional<std::size_t> endOfBar(std::string_view text);

// Behind "I0101 10:00:00.123456  1234 solver.cpp:239] ", which has a time and a thread; otherwise the whole piece.
std::string_view withoutGlog(std::string_view piece);

}  // namespace rankdeck
