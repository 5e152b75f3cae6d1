// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/flag/config_named.h"

#include "core/base/text.h"
#include "core/recover/edit/python_edit.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

namespace rankdeck {

namespace {

std::string lower(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return result;
}

bool isSwitchName(const std::string &option)
{
    const std::string name = lower(option);
    static constexpr std::array<std::string_view, 4> words{"graceful", "exit_config", "reset_json", "reset_config"};
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return name.find(word) != std::string::npos; });
}

// The path for this rank; nullopt: the template has an unknown placeholder.
std::optional<std::string> meant(const ProcessInfo &process, int rank, const std::string &text)
{
    const std::string path = replaceAll(text, "{rank}", std::to_string(rank));
    if (path.empty() || path.find_first_of("{}$%*") != std::string::npos) return {};
    if (path.front() != '/' && process.cwd.empty()) return {};
    return plainPath(process.cwd, path);
}

void fromArguments(const ProcessInfo &process, int rank, std::vector<NamedConfig> &into)
{
    for (std::size_t i = 0; i < process.argv.size(); ++i) {
        const std::string &word = process.argv[i];
        if (!word.starts_with("--") || !isSwitchName(word.substr(0, word.find('=')))) continue;
        const std::size_t equals = word.find('=');
        std::string value;
        if (equals != std::string::npos)
            value = word.substr(equals + 1);
        else if (i + 1 < process.argv.size())
            value = process.argv[i + 1];
        if (!value.ends_with(".json")) continue;
        if (auto path = meant(process, rank, value))
            into.push_back({.by = NamedConfig::By::argument,
                            .path = std::move(*path),
                            .where = word.substr(0, equals) + " of its command line"});
    }
}

// The quoted or bare word after `config_file =` or `config_file:`; empty if a variable or nothing follows.
std::string literalAfter(std::string_view text)
{
    const auto blank = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    if (text.empty() || (text.front() != '=' && text.front() != ':')) return {};
    const bool yaml = text.front() == ':';
    text.remove_prefix(1);
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    if (text.empty()) return {};
    const char quote = text.front();
    if (quote == '"' || quote == '\'') {
        text.remove_prefix(1);
        const std::size_t end = text.find_first_of(std::string{quote, '\n'});
        return end == std::string_view::npos || text[end] == '\n' ? std::string() : std::string(text.substr(0, end));
    }
    if (!yaml) return {};
    return std::string(text.substr(0, text.find_first_of(" \t\r\n,#}")));
}

void fromSources(const ProcessInfo &process, const ProcDetails &look, int rank, std::vector<NamedConfig> &into)
{
    static constexpr std::string_view key = "config_file";
    for (const auto &[source, text] : look.texts) {
        if (text.find("OnRequestExit") == std::string::npos) continue;
        for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1)) {
            const std::string literal = literalAfter(std::string_view(text).substr(at + key.size()));
            if (!literal.ends_with(".json")) continue;
            if (auto path = meant(process, rank, literal))
                into.push_back({.by = NamedConfig::By::source,
                                .path = std::move(*path),
                                .where = std::string(key) + " in " + baseName(source)});
        }
    }
}

// The text of the call that begins there, up to its closing bracket.
std::string_view callAt(std::string_view text, std::size_t at)
{
    int open = 0;
    for (std::size_t i = at; i < text.size(); ++i) {
        if (text[i] == '(') ++open;
        if (text[i] == ')' && --open == 0) return text.substr(at, i + 1 - at);
    }
    return text.substr(at);
}

}  // namespace

std::optional<ExitCallback> exitCallbackOf(std::string_view script)
{
    const std::string text = squeezedPython(script);
    const std::size_t at = text.find("OnRequestExit(");
    if (at == std::string::npos) return {};
    const std::string_view call = callAt(text, at);
    const auto says = [call](std::string_view argument) { return call.find(argument) != std::string_view::npos; };
    ExitCallback found{.savesCheckpoint = !says("save_ckpt=False"), .savesMindir = !says("save_mindir=False")};
    static constexpr std::string_view name = "file_name";
    if (const std::size_t named = call.find(name); named != std::string_view::npos)
        found.fileName = literalAfter(call.substr(named + name.size()));
    else if (says("**"))
        found.fileName.clear();
    return found;
}

std::string plainPath(const std::string &directory, const std::string &path)
{
    const std::filesystem::path whole = path.starts_with('/') ? path : joinPath(directory, path);
    return whole.lexically_normal().string();
}

std::vector<NamedConfig> namedConfigs(const ProcessInfo &process, const ProcDetails &look, int rank,
                                      const std::string &configured)
{
    std::vector<NamedConfig> named;
    for (const std::string &path : look.openJson)
        if (baseName(path) == baseName(configured))
            named.push_back({.by = NamedConfig::By::open, .path = path, .where = "its open files"});
    fromArguments(process, rank, named);
    fromSources(process, look, rank, named);
    return named;
}

}  // namespace rankdeck
