// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/lines/scanner.h"

#include <cmath>
#include <fast_float/fast_float.h>

namespace rankdeck {

bool Scanner::takeNumber(double &value)
{
    const char *begin = m_rest.data();
    const char *const end = begin + m_rest.size();
    if (begin != end && *begin == '+') ++begin;
    // Also parses nan, inf and infinity in any case. 1e999 and 1e-999, which a program with wider floats may print,
    // become inf and 0.
    const fast_float::from_chars_result result = fast_float::from_chars(begin, end, value);
    if (result.ec != std::errc{} && result.ec != std::errc::result_out_of_range) return false;
    m_rest.remove_prefix(static_cast<std::size_t>(result.ptr - m_rest.data()));
    return true;
}

bool Scanner::takeLoss(double &value)
{
    if (takeNumber(value)) return true;
    const std::string_view before = m_rest;
    skipAnyOf("([ ");
    bool ok = false;
    if (take("Tensor(") || take("Parameter (")) {
        ok = seek("value=");
        skipAnyOf("[ ");
        ok = ok && takeNumber(value);
        if (ok) m_rest = {};
    } else if (take("tensor(")) {
        skipAnyOf("[ ");
        ok = takeNumber(value);
        if (ok) m_rest = {};
    } else {
        ok = takeNumber(value);
        if (ok) skipAnyOf(")] ");
    }
    if (!ok) m_rest = before;
    return ok;
}

bool endsNumber(char next)
{
    const bool letter = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') || next == '_';
    return !letter && next != '%' && next != '.' && !(next >= '0' && next <= '9');
}

std::int64_t wholeRun(std::int64_t epochs, std::int64_t stepsPerEpoch)
{
    constexpr std::int64_t most = std::int64_t{1} << 31;
    return epochs > 0 && stepsPerEpoch > 0 && epochs < most && stepsPerEpoch < most ? epochs * stepsPerEpoch : 0;
}

std::optional<double> numberAfter(std::string_view line, std::string_view key)
{
    Scanner scanner(line);
    if (!scanner.seek(key)) return std::nullopt;
    scanner.skipAnyOf(" [(");
    double value = 0;
    if (!scanner.takeNumber(value)) return std::nullopt;
    return value;
}

}  // namespace rankdeck
