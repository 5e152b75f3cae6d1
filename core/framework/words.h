// SPDX-License-Identifier: GPL-3.0-or-later
// A short list of words in constant data. Too many of them do not compile. Pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace rankdeck {

class Words {
public:
    constexpr Words() = default;
    consteval Words(std::initializer_list<std::string_view> words)  // NOLINT(google-explicit-constructor): for tables
    {
        for (const std::string_view word : words) m_words[m_count++] = word;
    }
    [[nodiscard]] constexpr const std::string_view *begin() const { return m_words; }
    [[nodiscard]] constexpr const std::string_view *end() const { return m_words + m_count; }
    [[nodiscard]] constexpr bool empty() const { return m_count == 0; }
    [[nodiscard]] constexpr bool contains(std::string_view word) const
    {
        return std::find(begin(), end(), word) != end();
    }

private:
    std::string_view m_words[16];
    std::size_t m_count = 0;
};

}  // namespace rankdeck
