// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/launch/command_script.h"

#include "core/base/text.h"
#include "core/framework/frameworks.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr std::size_t mostWords = 4096;

// Splits text as a shell does, and removes the quotes. A command separator (; & |) is a separate word.
std::vector<std::string> shellWords(std::string_view text)
{
    std::vector<std::string> words;
    std::string word;
    const auto end = [&] {
        if (!word.empty() && words.size() < mostWords) words.push_back(std::move(word));
        word.clear();
    };
    for (const char c : text) {
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            end();
        } else if (c == ';' || c == '&' || c == '|') {
            end();
            word = c;
            end();
        } else if (c != '"' && c != '\'') {
            word += c;
        }
    }
    end();
    return words;
}

bool isPython(const std::string &word) { return baseName(word).starts_with("python"); }
bool isOption(const std::string &word) { return word.starts_with("-"); }
bool isScript(const std::string &word) { return word.ends_with(".py") && !isOption(word) && !contains(word, "="); }
bool isWrapper(const std::string &word) { return word.ends_with(".sh") && !isOption(word) && !contains(word, "="); }

// The script that a shell is started with, whatever its name. Empty: there is none, or a command line (-c) follows.
std::string givenToShell(const std::vector<std::string> &words, std::size_t at)
{
    for (++at; at < words.size() && isOption(words[at]); ++at)
        if (words[at].ends_with("c")) return {};
    return at < words.size() && !contains(words[at], "{") ? words[at] : std::string();
}

// The script that an interpreter is started with, after the interpreter's own flags; also -m and a module. Empty:
// another module, or -c.
std::string givenTo(const std::vector<std::string> &words, std::size_t at)
{
    for (++at; at < words.size(); ++at) {
        if (words[at] == "-m")
            return at + 1 < words.size() && !words[at + 1].starts_with("torch.")
                       ? replaceAll(words[at + 1], ".", "/") + ".py"
                       : std::string();
        if (words[at] == "-X" || words[at] == "-W")
            ++at;
        else if (!isOption(words[at]))
            return isScript(words[at]) ? words[at] : std::string();
    }
    return {};
}

// The part after the variables of "${ROOT_PATH}/../train.py": "../train.py". A variable alone gives nothing.
std::string withoutVariables(std::string word)
{
    while (word.starts_with("$")) {
        const bool braced = word.starts_with("${"), called = word.starts_with("$(");
        const std::size_t end = braced || called ? word.find(braced ? '}' : ')') : word.find('/');
        if (end == std::string::npos) return {};
        word.erase(0, end + (braced || called ? 1 : 0));
        while (word.starts_with("/")) word.erase(0, 1);
    }
    return contains(word, "$") ? std::string() : word;
}

void addOnce(std::vector<std::string> &list, const std::string &word)
{
    if (!word.empty() && list.size() < 16 && std::find(list.begin(), list.end(), word) == list.end())
        list.push_back(word);
}

bool usesArguments(std::string_view line)
{
    for (const std::string_view word : {"$@", "$*", "${@", "${*", "$1", "$2", "$3", "${1", "${2", "${3"})
        if (contains(line, word)) return true;
    return false;
}

}  // namespace

bool isShell(const std::string &word)
{
    const std::string name = baseName(word);
    return name == "sh" || name == "bash" || name == "dash" || name == "zsh" || name == "ksh";
}

std::vector<std::string> wordsOfCommand(const std::vector<std::string> &command)
{
    std::vector<std::string> words;
    for (std::size_t i = 0; i < command.size(); ++i) {
        const bool line =
            i > 0 && command[i - 1].starts_with("-") && command[i - 1].ends_with("c") && contains(command[i], " ");
        if (!line) {
            words.push_back(command[i]);
            continue;
        }
        for (std::string &word : shellWords(command[i])) words.push_back(std::move(word));
    }
    return words;
}

CommandScript scriptOfCommand(const std::vector<std::string> &command)
{
    const std::vector<std::string> words = wordsOfCommand(command);
    CommandScript found;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string &word = words[i];
        if (word == "cd" && i + 1 < words.size()) addOnce(found.places, words[++i]);
        if (!found.script.empty()) continue;
        if (found.wrapper.empty() && isShell(word) && !givenToShell(words, i).empty()) {
            found.wrapper = givenToShell(words, i);
        } else if (found.wrapper.empty() && isWrapper(word)) {
            found.wrapper = word;
        } else if (!found.wrapper.empty() && word.starts_with("/")) {
            addOnce(found.places, word);
        } else if (isPython(word) && found.wrapper.empty()) {
            found.script = givenTo(words, i);
            found.direct = !found.script.empty() && found.places.empty();
        } else if (isScript(word) && (i == 0 || !words[i - 1].starts_with("--"))) {
            found.script = word;
            found.direct = i < 2 && found.places.empty() && found.wrapper.empty();
        }
    }
    const bool told = !found.script.empty() || !found.wrapper.empty() || words.empty();
    if (!told && contains(words.front(), "/") && !contains(words.front(), "{") && !isPython(words.front()))
        found.program = words.front();
    return found;
}

WrapperText readWrapper(std::string_view text)
{
    WrapperText found;
    std::vector<std::string> loose;  // scripts that are named, but perhaps not started
    found.startsRanks = contains(text, "for ") && contains(text, "RANK_ID=") && contains(text, "&\n");
    for (const std::string &line : split(replaceAll(std::string(text), "\\\n", " "), '\n')) {
        const std::vector<std::string> words = shellWords(line);
        if (words.empty() || words.front().starts_with("#")) continue;
        found.handsOn = found.handsOn || usesArguments(line);
        const bool sources = words.front() == "source" || words.front() == ".";
        bool starts = false;
        for (const std::string &word : words) {
            if (word.starts_with("#")) break;
            const bool launcher = launcherNamed(baseName(word)) != nullptr || launcherOfModule(word) != nullptr;
            found.startsRanks = found.startsRanks || launcher;
            starts = starts || launcher || isPython(word);
            found.startsItself = found.startsItself || starts || word == "$@" || word == "${@}";
            if (isScript(word)) addOnce(starts ? found.scripts : loose, withoutVariables(word));
            if (isWrapper(word) && !sources) addOnce(found.wrappers, withoutVariables(word));
        }
    }
    if (found.scripts.empty()) found.scripts = loose;
    return found;
}

std::vector<std::string> placesOfScript(const std::string &path, const std::vector<std::string> &directories)
{
    if (path.starts_with("/")) return {path};
    std::vector<std::string> places;
    const std::string plain = path.starts_with("./") ? path.substr(2) : path;
    for (const std::string &directory : directories) addOnce(places, joinPath(directory, plain));
    // A script may change its directory first: into a rank directory beside the script, from where "../train.py" is
    // found.
    std::string inner = plain;
    while (inner.starts_with("../")) inner.erase(0, 3);
    for (const std::string &directory : directories) {
        if (inner != plain) addOnce(places, joinPath(directory, inner));
        if (inner == plain && !contains(inner, "/")) addOnce(places, joinPath(directory, "../" + inner));
    }
    return places;
}

}  // namespace rankdeck
