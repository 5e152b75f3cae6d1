// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/custom_pattern.h"

#include "core/base/text.h"
#include "core/parse/lines/scanner.h"

#include <re2/re2.h>

#include <algorithm>

namespace rankdeck {

namespace {

constexpr int maxGroups = 32;

std::string listed(const std::vector<std::string> &names)
{
    std::string text;
    for (const std::string &name : names) text += (text.empty() ? "(?P<" : ", (?P<") + name + ">…)";
    return text;
}

// nullopt: the group is in the match, but is not a valid number.
bool toInteger(std::string_view text, std::optional<std::int64_t> &value)
{
    if (text.empty()) return true;
    Scanner scanner(text);
    std::int64_t number = 0;
    scanner.skipBlanks();
    if (!scanner.takeInteger(number)) return false;
    scanner.skipBlanks();
    if (!scanner.atEnd()) return false;
    value = number;
    return true;
}

bool toNumber(std::string_view text, std::optional<double> &value)
{
    if (text.empty()) return true;
    Scanner scanner(text);
    double number = 0;
    scanner.skipBlanks();
    if (!scanner.takeLoss(number)) return false;
    value = number;
    return true;
}

}  // namespace

CustomPattern::CustomPattern(std::unique_ptr<re2::RE2> pattern)
    : m_pattern(std::move(pattern)), m_groups(m_pattern->NamedCapturingGroups())
{}
CustomPattern::CustomPattern(CustomPattern &&) noexcept = default;
CustomPattern &CustomPattern::operator=(CustomPattern &&) noexcept = default;
CustomPattern::~CustomPattern() = default;

Result<CustomPattern> CustomPattern::make(const std::string &key, const std::string &pattern,
                                          const std::vector<std::string> &needed,
                                          const std::vector<std::string> &allowed)
{
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(4 << 20);
    auto compiled = std::make_unique<re2::RE2>(pattern, options);
    if (!compiled->ok())
        return fail(ErrorKind::invalid, message("%1: expected a regular expression in RE2 syntax, found %2 in \"%3\". "
                                                "Correct the pattern in the job file.",
                                                key, compiled->error(), printable(pattern)));
    if (compiled->NumberOfCapturingGroups() >= maxGroups)
        return fail(ErrorKind::invalid,
                    message("%1: expected fewer than %2 groups, found %3. Use (?:…) for groups that have no name.", key,
                            maxGroups, compiled->NumberOfCapturingGroups()));
    const auto &groups = compiled->NamedCapturingGroups();
    const auto has = [&](const std::string &name) { return groups.count(name) > 0; };
    if (!std::all_of(needed.begin(), needed.end(), has))
        return fail(
            ErrorKind::invalid,
            message("%1: expected the group %2, found no group with that name in \"%3\". Add it to the pattern.", key,
                    listed(needed), printable(pattern)));
    if (!allowed.empty() && std::none_of(allowed.begin(), allowed.end(), has))
        return fail(ErrorKind::invalid, message("%1: expected at least one of the groups %2, found none in \"%3\". "
                                                "Name the groups that Rankdeck needs in the pattern.",
                                                key, listed(allowed), printable(pattern)));
    return CustomPattern(std::move(compiled));
}

bool CustomPattern::match(std::string_view line, std::vector<std::string_view> &groups) const
{
    if (line.size() > longestLine) return false;
    re2::StringPiece found[maxGroups + 1];
    const int count = m_pattern->NumberOfCapturingGroups() + 1;
    if (!m_pattern->Match(re2::StringPiece(line.data(), line.size()), 0, line.size(), re2::RE2::UNANCHORED, found,
                          count))
        return false;
    groups.clear();
    for (int i = 0; i < count; ++i)
        groups.emplace_back(found[i].data() == nullptr ? "" : found[i].data(), found[i].size());
    return true;
}

std::string_view CustomPattern::group(const std::vector<std::string_view> &groups, const char *name) const
{
    const auto at = m_groups.find(name);
    return at == m_groups.end() ? std::string_view() : groups[static_cast<std::size_t>(at->second)];
}

Match CustomPattern::sample(std::string_view line, Sample &sample) const
{
    std::vector<std::string_view> groups;
    if (!match(line, groups)) return Match::no;
    std::optional<double> loss;
    const bool ok =
        toNumber(group(groups, "loss"), loss) && loss && toInteger(group(groups, "epoch"), sample.epoch) &&
        toInteger(group(groups, "step"), sample.step) && toInteger(group(groups, "global_step"), sample.globalStep) &&
        toNumber(group(groups, "lr"), sample.learningRate) && toNumber(group(groups, "step_time_ms"), sample.stepMs);
    if (!ok) return Match::broken;
    sample.loss = *loss;
    return Match::yes;
}

Match CustomPattern::resume(std::string_view line, LogEvent &event) const
{
    std::vector<std::string_view> groups;
    if (!match(line, groups)) return Match::no;
    if (!toInteger(group(groups, "epoch"), event.epoch) || !toInteger(group(groups, "step"), event.step) ||
        !toInteger(group(groups, "global_step"), event.globalStep))
        return Match::broken;
    event.kind = EventKind::resumed;
    event.path = validUtf8(group(groups, "path").substr(0, 4096));
    return Match::yes;
}

}  // namespace rankdeck
