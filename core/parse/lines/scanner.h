// SPDX-License-Identifier: GPL-3.0-or-later
// Cursor over the bytes of one line. Each take() either succeeds and advances, or fails and does not move. Never
// allocates, never reads beyond the line. Numbers are accepted as Python prints them: nan, inf, -Infinity; integers of
// at most 18 digits.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rankdeck {

inline constexpr std::size_t eventText = 2000;  // bytes of a line that an event keeps
// Bytes of a line that are searched for patterns and launcher messages.
inline constexpr std::size_t longestLine = 64u << 10;

class Scanner {
public:
    explicit Scanner(std::string_view text) : m_rest(text) {}

    [[nodiscard]] std::string_view rest() const { return m_rest; }
    [[nodiscard]] bool atEnd() const { return m_rest.empty(); }
    [[nodiscard]] char peek() const { return m_rest.empty() ? '\0' : m_rest.front(); }

    bool take(std::string_view literal)
    {
        if (m_rest.substr(0, literal.size()) != literal) return false;
        m_rest.remove_prefix(literal.size());
        return true;
    }
    void skipBlanks()
    {
        while (!m_rest.empty() && (m_rest.front() == ' ' || m_rest.front() == '\t')) m_rest.remove_prefix(1);
    }
    void skipAnyOf(std::string_view characters)
    {
        while (!m_rest.empty() && characters.find(m_rest.front()) != std::string_view::npos) m_rest.remove_prefix(1);
    }
    // Moves to the position after the next occurrence of the literal.
    bool seek(std::string_view literal)
    {
        const std::size_t at = m_rest.find(literal);
        if (at == std::string_view::npos) return false;
        m_rest.remove_prefix(at + literal.size());
        return true;
    }
    bool takeInteger(std::int64_t &value)  // no sign
    {
        std::size_t length = 0;
        std::uint64_t sum = 0;  // room for 19 digits, so that a number with too many is noticed before it is used
        while (length < m_rest.size() && length < 19 && m_rest[length] >= '0' && m_rest[length] <= '9')
            sum = sum * 10 + std::uint64_t(m_rest[length++] - '0');
        if (length == 0 || length > 18) return false;
        value = std::int64_t(sum);
        m_rest.remove_prefix(length);
        return true;
    }
    bool takeNumber(double &value);
    // A number, also inside a printed tensor: "[2.3]", "Tensor(shape=[], dtype=Float32, value= 2.3)", "tensor(2.3, …)".
    bool takeLoss(double &value);

private:
    std::string_view m_rest;
};

// True if a number that is followed by this byte is complete: "2.5e" and "2.5%" are not.
bool endsNumber(char next);
// The number after a key, such as "lr: " or "'grad_norm': "; brackets around it are skipped.
std::optional<double> numberAfter(std::string_view line, std::string_view key);
// Number of epochs times steps per epoch; 0 if one is unknown, or if the product is not a valid number of steps.
std::int64_t wholeRun(std::int64_t epochs, std::int64_t stepsPerEpoch);

}  // namespace rankdeck
