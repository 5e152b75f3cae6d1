// SPDX-License-Identifier: GPL-3.0-or-later
// Finds a value in a text, however often it was quoted or escaped on its way there: by a shell, JSON, Python or YAML.
// Quotes, backslashes and control characters are not compared, and \uXXXX is the character that it names. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rankdeck {

class QuotedValue {
public:
    explicit QuotedValue(std::string_view value);
    // How many characters are compared: a value with only a few would match in many places.
    [[nodiscard]] std::size_t size() const { return m_letters.size(); }
    struct Place {
        std::size_t begin = std::string_view::npos, end = std::string_view::npos;  // npos: it is not there
    };
    [[nodiscard]] Place findIn(std::string_view text, std::size_t from = 0) const;

private:
    [[nodiscard]] std::size_t endAt(std::string_view text, std::size_t begin) const;
    std::string m_letters;
};

}  // namespace rankdeck
