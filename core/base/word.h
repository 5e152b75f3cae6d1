// SPDX-License-Identifier: GPL-3.0-or-later
// A value of a closed list: a code, a phase or an outcome, with its name in the JSON. The list is one constexpr array
// of rows with a member `word`; a literal that is missing in it does not compile. The default value is the first row.
// Cheap to copy and to compare; never fails at run time. Text from outside is converted with `from`, which returns
// nullopt for unknown text.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <iterator>
#include <optional>
#include <string_view>

namespace rankdeck {

struct PlainWord {  // a row that has only its name
    const char *word;
};

template <const auto &Rows>
class Word {
public:
    constexpr Word() = default;
    consteval Word(const char *word) : m_row(static_cast<std::uint8_t>(indexOf(word)))
    {
        static_assert(std::size(Rows) < 256);
        if (indexOf(word) == std::size(Rows)) throw "expected a code of the list";  // at compile time: an error
    }
    static constexpr std::optional<Word> from(std::string_view word)
    {
        const std::size_t row = indexOf(word);
        if (row == std::size(Rows)) return {};
        Word known;
        known.m_row = static_cast<std::uint8_t>(row);
        return known;
    }

    [[nodiscard]] constexpr const char *word() const { return row().word; }
    [[nodiscard]] constexpr const auto &row() const { return Rows[m_row]; }
    [[nodiscard]] constexpr bool empty() const { return *word() == '\0'; }
    constexpr auto operator<=>(const Word &) const = default;  // NOLINT(modernize-use-nullptr): of clang-tidy 14
    friend std::ostream &operator<<(std::ostream &out, Word word) { return out << word.word(); }

private:
    static constexpr std::size_t indexOf(std::string_view word)
    {
        for (std::size_t i = 0; i < std::size(Rows); ++i)
            if (word == Rows[i].word) return i;
        return std::size(Rows);
    }
    std::uint8_t m_row = 0;
};

}  // namespace rankdeck
