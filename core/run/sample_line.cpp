// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/sample_line.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace rankdeck {

namespace {

constexpr std::size_t longestLine = std::size_t(64) * 1024;

bool joins(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

struct Numbers {
    bool loss = false, step = false;
};

// Finds only complete numbers: not the 5 of "rank5", not the 12 of "1.12".
Numbers numbersOf(std::string_view line, const SampleNumbers &wanted)
{
    Numbers found;
    const char *begin = line.data(), *end = begin + line.size();
    for (const char *at = begin; at < end;) {
        if (at > begin && joins(at[-1])) {
            ++at;
            continue;
        }
        double number = 0;
        const auto [after, problem] = std::from_chars(at, end, number);
        const bool whole = problem == std::errc{} && (after == end || !(joins(*after) && *after != '.'));
        if (!whole) {
            ++at;
            continue;
        }
        const auto loss = static_cast<float>(number);
        found.loss = found.loss || loss == wanted.loss || (std::isnan(loss) && std::isnan(wanted.loss));
        const bool integer = std::abs(number) < 1e15 && std::trunc(number) == number;
        found.step = found.step || (integer && std::count(wanted.steps.begin(), wanted.steps.end(),
                                                          static_cast<std::int64_t>(number)) > 0);
        at = after;
    }
    return found;
}

}  // namespace

SampleNumbers SampleNumbers::of(const PlacedSample &near, std::int64_t shift, std::int64_t stepsPerEpoch)
{
    SampleNumbers numbers{near.loss, {near.step, near.step - shift}};
    if (stepsPerEpoch > 0) {
        for (const std::int64_t step : {near.step, near.step - shift})
            if (step > 0) numbers.steps.push_back((step - 1) % stepsPerEpoch + 1);
    }
    return numbers;
}

bool SampleLineSearch::addLine(std::string_view line, std::uint64_t at)
{
    const Numbers numbers = numbersOf(line, m_wanted);
    if (!numbers.loss) return false;
    if (numbers.step) m_exact = at;
    if (m_losses++ == 0) m_byLoss = at;
    return numbers.step;
}

bool SampleLineSearch::add(std::string_view bytes)
{
    if (m_exact) return true;
    m_rest += bytes;
    std::size_t from = 0;
    for (std::size_t end = m_rest.find('\n'); end != std::string::npos; end = m_rest.find('\n', from)) {
        if (addLine(std::string_view(m_rest).substr(from, end - from), m_lineAt + from)) return true;
        from = end + 1;
    }
    if (from == 0 && m_rest.size() > longestLine) from = m_rest.size();  // no loss line is as long as that
    m_rest.erase(0, from);
    m_lineAt += from;
    return false;
}

std::optional<std::uint64_t> SampleLineSearch::found() const
{
    if (m_exact) return m_exact;
    return m_losses == 1 ? m_byLoss : std::nullopt;
}

}  // namespace rankdeck
