// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/edit/yaml_edit.h"

#include "core/base/text.h"
#include "core/recover/edit/yaml_lines.h"

#include <algorithm>
#include <cctype>

namespace rankdeck {

namespace {

// Words that YAML 1.1 readers (PyYAML, which MindFormers uses) take for something else than text.
bool readsAsSomethingElse(const std::string &value)
{
    std::string lower;
    for (const char c : value) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const char *word : {"true", "false", "yes", "no", "on", "off", "null", "~", ""})
        if (lower == word) return true;
    return lower.find_first_not_of("0123456789.+-_e:xaf") == std::string::npos;
}

bool plainSafe(const std::string &value)
{
    if (readsAsSomethingElse(value)) return false;
    const std::string first = "-?:,[]{}#&*!|>'\"%@` ";
    if (first.find(value.front()) != std::string::npos || value.back() == ' ' || value.back() == ':') return false;
    return value.find(": ") == std::string::npos && value.find(" #") == std::string::npos;
}

std::string singleQuoted(const std::string &value) { return "'" + replaceAll(value, "'", "''") + "'"; }

std::string doubleQuoted(const std::string &value)
{
    std::string out = "\"";
    for (const char c : value) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

// In the quotes and the case that the file had.
std::string written(const ConfigSetting &setting, std::string_view before)
{
    std::string value = setting.value;
    if (setting.literal) {
        const bool word = value == "true" || value == "false";
        const bool lower = before == "true" || before == "false";
        if (word && !lower) value.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(value.front())));
        return value;
    }
    if (before.starts_with('"')) return doubleQuoted(value);
    if (before.starts_with('\'') || !plainSafe(value)) return singleQuoted(value);
    return value;
}

Error cannotChange(const YamlKey &key, const std::string &found)
{
    return fail(ErrorKind::invalid, "line " + std::to_string(key.line + 1) + ": expected a value on the line of " +
                                        printable(key.name) + ", found " + found);
}

Status checkValue(const YamlKey &key, std::string_view value)
{
    if (key.nested) return cannotChange(key, "more lines below it");
    if (value.empty()) return Done{};
    switch (value.front()) {
    case '{':
    case '[': return cannotChange(key, "a flow mapping or sequence");
    case '&': return cannotChange(key, "an anchor, which other places may refer to");
    case '*': return cannotChange(key, "an alias of another place");
    case '!': return cannotChange(key, "a tag");
    case '|':
    case '>': return cannotChange(key, "a block of text");
    default: return Done{};
    }
}

bool holdsControl(const std::string &value)
{
    return std::any_of(value.begin(), value.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

}  // namespace

Result<std::string> editYaml(std::string_view text, const std::vector<ConfigSetting> &settings)
{
    const auto root = yamlRoot(text);
    if (!root) return root.error();
    const std::string_view document = text.substr(0, root->end), others = text.substr(root->end);
    struct Change {
        std::size_t begin, end;
        std::string bytes;
    };
    std::vector<Change> changes;
    std::string added;
    const std::string lineEnd = text.find("\r\n") != std::string_view::npos ? "\r\n" : "\n";
    for (const ConfigSetting &setting : settings) {
        if (holdsControl(setting.value) || validUtf8(setting.value) != setting.value)
            return fail(ErrorKind::invalid, "expected a value for " + printable(setting.key) +
                                                " on one line and in UTF-8, found " + printable(setting.value));
        const auto key = std::find_if(root->keys.begin(), root->keys.end(),
                                      [&](const YamlKey &one) { return one.name == setting.key; });
        if (key == root->keys.end()) {
            if (document.starts_with(setting.key + ":") ||
                document.find("\n" + setting.key + ":") != std::string_view::npos)
                return fail(ErrorKind::invalid, "expected " + printable(setting.key) +
                                                    " as a key of the file, found it inside another value");
            added += setting.key + ": " + written(setting, {}) + lineEnd;
            continue;
        }
        const std::string_view before = text.substr(key->valueBegin, key->valueEnd - key->valueBegin);
        if (const Status fit = checkValue(*key, before); !fit) return fit.error();
        changes.push_back({.begin = key->valueBegin,
                           .end = key->valueEnd,
                           .bytes = (before.empty() ? " " : "") + written(setting, before)});
    }
    std::sort(changes.begin(), changes.end(), [](const Change &a, const Change &b) { return a.begin > b.begin; });
    std::string out(document);
    for (const Change &change : changes) out.replace(change.begin, change.end - change.begin, change.bytes);
    if (!added.empty() && !out.empty() && out.back() != '\n') out += lineEnd;
    return out + added + std::string(others);
}

}  // namespace rankdeck
