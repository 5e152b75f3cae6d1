// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/edit/yaml_edit.h"

#include "core/base/text.h"
#include "core/recover/edit/yaml_root.h"

#include <algorithm>
#include <cctype>

namespace rankdeck {

namespace {

// Words that YAML 1.1 readers (PyYAML, which MindFormers uses) read as something other than text.
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

// Keeps the file's quotes and its case of true and false.
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

// Final check: reads the new text and compares it with the old one. Only the given settings may differ.
bool onlyChanges(const YamlRoot &before, const YamlRoot &after, const std::vector<ConfigSetting> &settings)
{
    const auto lowered = [](std::string text) {
        for (char &c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        return text;
    };
    const auto at = [](const YamlRoot &root, const std::string &name) {
        return std::find_if(root.keys.begin(), root.keys.end(), [&](const YamlKey &key) { return key.name == name; });
    };
    std::size_t added = 0;
    for (const ConfigSetting &setting : settings) {
        const auto key = at(after, setting.key);
        if (key == after.keys.end() || !key->obstacle.empty()) return false;
        const bool same = setting.literal ? lowered(key->value) == lowered(setting.value) : key->value == setting.value;
        if (!same) return false;
        added += at(before, setting.key) == before.keys.end() ? 1 : 0;
    }
    return after.keys.size() == before.keys.size() + added &&
           std::all_of(before.keys.begin(), before.keys.end(), [&](const YamlKey &key) {
               const bool set = std::any_of(settings.begin(), settings.end(),
                                            [&](const ConfigSetting &one) { return one.key == key.name; });
               const auto now = at(after, key.name);
               return set || (now != after.keys.end() && now->value == key.value && now->obstacle == key.obstacle);
           });
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
            return fail(ErrorKind::invalid, message("expected a value for %1 on one line and in UTF-8, found %2",
                                                    printable(setting.key), printable(setting.value)));
        const auto key = std::find_if(root->keys.begin(), root->keys.end(),
                                      [&](const YamlKey &one) { return one.name == setting.key; });
        if (key == root->keys.end()) {
            added += setting.key + ": " + written(setting, {}) + lineEnd;
            continue;
        }
        const std::string_view before = text.substr(key->valueBegin, key->valueEnd - key->valueBegin);
        if (!key->obstacle.empty())
            return fail(ErrorKind::invalid, message("line %1: expected a value on the line of %2, found %3",
                                                    key->line + 1, printable(key->name), key->obstacle));
        changes.push_back({.begin = key->valueBegin,
                           .end = key->valueEnd,
                           .bytes = (before.empty() ? " " : "") + written(setting, before)});
    }
    std::sort(changes.begin(), changes.end(), [](const Change &a, const Change &b) { return a.begin > b.begin; });
    std::string out(document);
    for (const Change &change : changes) out.replace(change.begin, change.end - change.begin, change.bytes);
    if (!added.empty() && !out.empty() && out.back() != '\n') out += lineEnd;
    out += added;
    out += others;
    const auto now = yamlRoot(out);
    if (!now || !onlyChanges(*root, *now, settings))
        return fail(ErrorKind::invalid,
                    message("expected a file in which these keys can be set without changing others"));
    return out;
}

}  // namespace rankdeck
