// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/text/job_text.h"

#include "core/base/text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <variant>

namespace rankdeck {

namespace {

using nlohmann::ordered_json;
using Step = std::variant<std::string, std::size_t>;

std::vector<Step> stepsOf(std::string_view path)
{
    std::vector<Step> steps;
    while (!path.empty()) {
        if (path.front() == '[') {
            const std::size_t end = std::min(path.find(']'), path.size());
            steps.emplace_back(static_cast<std::size_t>(decimal(path.substr(1, end - 1)).value_or(0)));
            path.remove_prefix(std::min(end + 1, path.size()));
        } else {
            const std::size_t end = std::min(path.find_first_of(".["), path.size());
            steps.emplace_back(std::string(path.substr(0, end)));
            path.remove_prefix(end);
        }
        if (!path.empty() && path.front() == '.') path.remove_prefix(1);
    }
    return steps;
}

// The members of an object, or the elements of an array without their keys, each with its beginning and end.
struct Children {
    std::vector<JsonMember> all = {};
    std::size_t open = 0, close = 0;
};

Result<Children> childrenOf(std::string_view text, bool array)
{
    if (!array) {
        auto object = locateMembers(text);
        if (!object) return object.error();
        return Children{.all = std::move(object->members), .open = object->open, .close = object->close};
    }
    const auto elements = locateElements(text);
    if (!elements) return elements.error();
    Children children{.open = text.find('['), .close = text.rfind(']')};
    for (const JsonSpan &span : *elements)
        children.all.push_back({.key = {}, .keySpan = {span.begin, span.begin}, .value = span});
    return children;
}

const JsonMember *childAt(const Children &children, const Step &step)
{
    if (const auto *index = std::get_if<std::size_t>(&step))
        return *index < children.all.size() ? &children.all[*index] : nullptr;
    const auto last = std::find_if(children.all.rbegin(), children.all.rend(),
                                   [&](const JsonMember &one) { return one.key == std::get<std::string>(step); });
    return last == children.all.rend() ? nullptr : &*last;
}

using Steps = std::vector<Step>::const_iterator;

std::string nested(Steps step, Steps end, std::string_view json)
{
    if (step == end) return std::string(json);
    const std::string inner = nested(step + 1, end, json);
    if (std::holds_alternative<std::size_t>(*step)) return "[" + inner + "]";
    return "{" + ordered_json(std::get<std::string>(*step)).dump() + ": " + inner + "}";
}

std::string spliced(std::string_view text, JsonSpan span, std::string_view by)
{
    return std::string(text.substr(0, span.begin)) + std::string(by) + std::string(text.substr(span.end));
}

// The blanks before the last child, if it is on a separate line.
std::string separatorAfter(std::string_view text, const JsonMember &last)
{
    const std::size_t line = text.substr(0, last.keySpan.begin).rfind('\n');
    if (line == std::string_view::npos) return ", ";
    const std::string_view before = text.substr(line, last.keySpan.begin - line);
    return before.find_first_not_of(" \t\n") == std::string_view::npos ? "," + std::string(before) : ", ";
}

Result<std::string> setIn(std::string_view text, Steps step, Steps end, std::string_view json)
{
    if (step == end) return std::string(json);
    const bool array = std::holds_alternative<std::size_t>(*step);
    const auto children = childrenOf(text, array);
    if (!children) return children.error();
    if (const JsonMember *child = childAt(*children, *step)) {
        auto changed = setIn(child->value.of(text), step + 1, end, json);
        if (!changed) return changed;
        return spliced(text, child->value, *changed);
    }
    const std::string inner = nested(step + 1, end, json);
    const std::string member = array ? inner : ordered_json(std::get<std::string>(*step)).dump() + ": " + inner;
    if (children->all.empty()) return spliced(text, {children->open + 1, children->close}, member);
    const std::size_t behind = children->all.back().value.end;
    return spliced(text, {behind, behind}, separatorAfter(text, children->all.back()) + member);
}

// nullopt: the removal leaves nothing.
Result<std::optional<std::string>> removeIn(std::string_view text, Steps step, Steps end)
{
    if (step == end) return std::optional<std::string>();
    const auto children = childrenOf(text, std::holds_alternative<std::size_t>(*step));
    if (!children) return children.error();
    const JsonMember *child = childAt(*children, *step);
    if (child == nullptr) return std::optional(std::string(text));
    auto left = removeIn(child->value.of(text), step + 1, end);
    if (!left) return left;
    if (left.value()) return std::optional(spliced(text, child->value, **left));
    if (children->all.size() == 1) return std::optional<std::string>();
    const bool first = child == &children->all.front();
    const JsonSpan gone = first ? JsonSpan{child->keySpan.begin, children->all[1].keySpan.begin}
                                : JsonSpan{(child - 1)->value.end, child->value.end};
    return std::optional(spliced(text, gone, {}));
}

Error wrongField(const Message &expected, std::string_view found)
{
    return fail(ErrorKind::invalid, message("expected %1, found \"%2\"", expected, printable(found)));
}

// Splits a line as a shell does, without any expansion.
Result<std::vector<std::string>> wordsOf(std::string_view line)
{
    std::vector<std::string> words;
    bool inWord = false;
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (quote == 0 && blank) {
            inWord = false;
            continue;
        }
        const bool escapes = c == '\\' && quote != '\'' && i + 1 < line.size();
        if (escapes && line[i + 1] == '\n') {  // a line that continues
            ++i;
            continue;
        }
        if (!inWord) words.emplace_back();
        inWord = true;
        if (escapes && (quote == 0 || line[i + 1] == '"' || line[i + 1] == '\\'))
            words.back() += line[++i];
        else if (quote == 0 && (c == '\'' || c == '"'))
            quote = c;
        else if (c == quote)
            quote = 0;
        else
            words.back() += c;
    }
    if (quote != 0) return wrongField(message("a closing %1", std::string(1, quote)), line);
    return words;
}

std::string asWord(const std::string &word)
{
    const bool plain = !word.empty() && word.find_first_of(" \t\r\n'\"\\") == std::string::npos;
    return plain ? word : "'" + replaceAll(word, "'", "'\\''") + "'";
}

std::string joined(const std::vector<std::string> &words)
{
    std::string line;
    for (const std::string &word : words) line += (line.empty() ? "" : " ") + asWord(word);
    return line;
}

std::optional<std::string> wordsField(const ordered_json &value)
{
    std::vector<std::string> words;
    if (!value.is_array()) return {};
    for (const auto &one : value) {
        if (!one.is_string()) return {};
        words.push_back(one.get<std::string>());
    }
    return joined(words);
}

std::optional<std::string> mapField(const ordered_json &value)
{
    std::vector<std::string> words;
    if (!value.is_object()) return {};
    for (const auto &[name, one] : value.items()) {
        if (!one.is_string()) return {};
        words.push_back(name + "=" + one.get<std::string>());
    }
    return joined(words);
}

std::optional<std::string> ranksField(const ordered_json &value)
{
    std::vector<int> ranks;
    if (!value.is_array()) return {};
    for (const auto &one : value) {
        if (!one.is_number_unsigned() || one.get<std::uint64_t>() > 1000000) return {};
        ranks.push_back(one.get<int>());
    }
    if (!std::is_sorted(ranks.begin(), ranks.end())) return {};
    return rankList(ranks);
}

Result<std::string> ranksJson(std::string_view field)
{
    const std::string expected = "ranks such as 0-3, 5";
    ordered_json ranks = ordered_json::array();
    for (const std::string &part : split(replaceAll(replaceAll(std::string(field), "–", "-"), " ", ","), ',')) {
        if (part.empty()) continue;
        const std::size_t dash = std::min(part.find('-'), part.size());
        const auto from = decimal(std::string_view(part).substr(0, dash));
        const auto to = dash == part.size() ? from : decimal(std::string_view(part).substr(dash + 1));
        if (!from || !to || *to < *from || *to > 1000000) return wrongField(expected, field);
        for (auto rank = *from; rank <= *to; ++rank) ranks.push_back(rank);
    }
    if (ranks.empty()) return wrongField(expected, field);
    return ranks.dump();
}

Result<std::string> wordsJson(std::string_view field, bool map)
{
    const auto words = wordsOf(field);
    if (!words) return words.error();
    if (!map) return ordered_json(*words).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
    ordered_json object = ordered_json::object();
    for (const std::string &word : *words) {
        const std::size_t equals = word.find('=');
        if (equals == 0 || equals == std::string::npos) return wrongField("NAME=VALUE", word);
        object[word.substr(0, equals)] = word.substr(equals + 1);
    }
    return object.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace

std::optional<JsonSpan> valueAt(std::string_view text, std::string_view path)
{
    JsonSpan span{0, text.size()};
    for (const Step &step : stepsOf(path)) {
        const auto children = childrenOf(span.of(text), std::holds_alternative<std::size_t>(step));
        const JsonMember *child = children ? childAt(*children, step) : nullptr;
        if (child == nullptr) return {};
        span = {span.begin + child->value.begin, span.begin + child->value.end};
    }
    return span;
}

std::size_t elementsAt(std::string_view text, std::string_view path)
{
    const auto span = valueAt(text, path);
    const auto elements = span ? childrenOf(span->of(text), true) : Result<Children>(Children{});
    return elements ? elements->all.size() : 0;
}

Result<std::string> withValue(std::string_view text, std::string_view path, std::string_view json)
{
    const auto steps = stepsOf(path);
    return setIn(text, steps.begin(), steps.end(), json);
}

Result<std::string> withoutValue(std::string_view text, std::string_view path)
{
    const auto steps = stepsOf(path);
    auto left = removeIn(text, steps.begin(), steps.end());
    if (!left) return left.error();
    return left.value() ? **left : std::string("{}");
}

std::string fieldOf(JobValue kind, std::string_view json)
{
    const ordered_json value = ordered_json::parse(json, nullptr, false);
    if (value.is_discarded()) return std::string(json);
    std::optional<std::string> field;
    switch (kind) {
    case JobValue::text:
    case JobValue::choice:
        if (value.is_string()) field = value.get<std::string>();
        break;
    case JobValue::words: field = wordsField(value); break;
    case JobValue::map: field = mapField(value); break;
    case JobValue::ranks: field = ranksField(value); break;
    case JobValue::number:
    case JobValue::boolean:
    case JobValue::other: break;
    }
    return field ? *field : value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

Result<std::string> jsonOfField(JobValue kind, std::string_view field)
{
    switch (kind) {
    case JobValue::text:
    case JobValue::choice:
        return ordered_json(std::string(field)).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
    case JobValue::words:
    case JobValue::map: return wordsJson(field, kind == JobValue::map);
    case JobValue::ranks: return ranksJson(field);
    case JobValue::number:
        if (!decimal(field)) return wrongField(message("a whole number"), field);
        break;
    case JobValue::boolean:
        if (field != "true" && field != "false") return wrongField(message("true or false"), field);
        break;
    case JobValue::other:
        if (!ordered_json::accept(field)) return wrongField("JSON", field);
        break;
    }
    // "007" is a number for a person, but not in JSON
    return ordered_json::accept(field) ? std::string(field) : std::to_string(decimal(field).value_or(0));
}

}  // namespace rankdeck
