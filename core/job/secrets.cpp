// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/secrets.h"

#include "core/base/text.h"
#include "core/framework/frameworks.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr std::size_t shortest = 4;  // shorter values occur everywhere, and are not secrets
constexpr std::string_view head = "<", tail = " is hidden>";

bool nameCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Begin and end of the next hidden value; npos: none.
std::pair<std::size_t, std::size_t> nextHidden(std::string_view text, std::size_t from)
{
    for (std::size_t at = text.find(tail, from); at != std::string_view::npos; at = text.find(tail, at + 1)) {
        std::size_t begin = at;
        while (begin > from && nameCharacter(text[begin - 1])) --begin;
        if (begin > from && begin < at && text[begin - 1] == head.front()) return {begin - 1, at + tail.size()};
    }
    return {std::string_view::npos, 0};
}

}  // namespace

bool soundsSecret(const std::string &name)
{
    std::string upper = name;
    std::transform(upper.begin(), upper.end(), upper.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    for (const char *word : {"SECRET", "PASSW", "TOKEN", "CREDENTIAL", "API_KEY", "APIKEY", "ACCESS_KEY", "PRIVATE"})
        if (upper.find(word) != std::string::npos) return true;
    return upper.ends_with("_KEY") || upper.ends_with("_PWD");
}

bool mayBeSecret(const std::string &name, const std::string &value)
{
    if (value.size() < shortest) return false;
    if (soundsSecret(name)) return true;
    constexpr std::size_t shortestUnnamed = 8;  // "train" is in every plan
    return value.size() >= shortestUnnamed && !value.starts_with("/") && !isKnownVariable(name);
}

std::string hiddenText(const std::string &name)
{
    std::string text(head);
    for (const char c : name) text += nameCharacter(c) ? c : '_';
    return text + std::string(tail);
}

Job withoutSecrets(Job job)
{
    const auto isSecret = [](const auto &variable) { return mayBeSecret(variable.first, variable.second); };
    std::erase_if(job.launch.env, isSecret);
    for (NodeSpec &node : job.nodes) std::erase_if(node.env, isSecret);
    return job;
}

void Secrets::add(const std::map<std::string, std::string> &environment, Which which)
{
    for (const auto &[name, value] : environment) {
        if (!mayBeSecret(name, value) || (which == Which::byName && !soundsSecret(name))) continue;
        if (QuotedValue text(value); text.size() >= shortest) m_values.push_back({name, std::move(text)});
    }
    std::stable_sort(m_values.begin(), m_values.end(),
                     [](const Value &a, const Value &b) { return a.text.size() > b.text.size(); });
}

std::string Secrets::hide(std::string text) const
{
    for (const Value &value : m_values) {
        const std::string hidden = hiddenText(value.name);
        for (auto place = value.text.findIn(text); place.begin != std::string::npos;
             place = value.text.findIn(text, place.begin + hidden.size()))
            text.replace(place.begin, place.end - place.begin, hidden);
    }
    return text;
}

std::vector<std::string> Secrets::namesIn(const std::string &text) const
{
    std::vector<std::string> names;
    for (const Value &value : m_values)
        if (value.text.findIn(text).begin != std::string::npos &&
            std::find(names.begin(), names.end(), value.name) == names.end())
            names.push_back(value.name);
    return names;
}

bool Secrets::matches(std::string_view bytes, std::string_view hidden)
{
    std::size_t from = 0;
    auto [begin, end] = nextHidden(hidden, 0);
    if (begin == std::string_view::npos) return bytes == hidden;
    if (!bytes.starts_with(hidden.substr(0, begin))) return false;
    std::size_t at = begin;
    for (from = end;; from = end) {
        std::tie(begin, end) = nextHidden(hidden, from);
        if (begin == std::string_view::npos) break;
        const std::string_view piece = hidden.substr(from, begin - from);
        const std::size_t found = bytes.find(piece, at);
        if (found == std::string_view::npos) return false;
        at = found + piece.size();
    }
    const std::string_view last = hidden.substr(from);
    return bytes.size() >= at + last.size() && bytes.ends_with(last);
}

}  // namespace rankdeck
