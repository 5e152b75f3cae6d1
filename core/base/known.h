// SPDX-License-Identifier: GPL-3.0-or-later
// An answer that may be missing: yes, no, or unknown. Unknown is not no. There is no conversion to bool and no default:
// code that needs a yes or a no states which of the three it means. Nothing here fails.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

namespace rankdeck {

class Known {
public:
    static const Known yes, no, unknown;

    constexpr Known() = default;  // unknown
    template <class Bool, std::enable_if_t<std::is_same_v<Bool, bool>, int> = 0>
    constexpr Known(Bool answer) : m_answer(answer ? Answer::yes : Answer::no)
    {}
    constexpr Known(std::nullopt_t) {}

    [[nodiscard]] constexpr bool isYes() const { return m_answer == Answer::yes; }
    [[nodiscard]] constexpr bool isNo() const { return m_answer == Answer::no; }
    [[nodiscard]] constexpr bool isUnknown() const { return m_answer == Answer::unknown; }
    [[nodiscard]] constexpr bool mayBe() const { return m_answer != Answer::no; }  // yes or unknown
    constexpr void reset() { m_answer = Answer::unknown; }

    constexpr bool operator==(const Known &) const = default;
    constexpr auto operator<=>(const Known &) const = default;

private:
    enum class Answer : std::uint8_t { no, yes, unknown };
    Answer m_answer = Answer::unknown;
};

inline constexpr Known Known::yes{true};
inline constexpr Known Known::no{false};
inline constexpr Known Known::unknown{};

}  // namespace rankdeck
