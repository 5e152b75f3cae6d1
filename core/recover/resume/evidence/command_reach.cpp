// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/evidence/command_reach.h"

#include "core/base/text.h"
#include "core/framework/frameworks.h"
#include "core/job/path_template.h"
#include "core/recover/launch/command_script.h"

#include <algorithm>
#include <cctype>

namespace rankdeck {

namespace {

using Arguments = std::vector<std::string>;

bool uses(const std::string &word, const Arguments &names)
{
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string &name) { return usesPlaceholder(word, name); });
}

bool isLine(const Arguments &command, std::size_t at)
{
    return at > 1 && isShell(command[at - 2]) && command[at - 1].starts_with("-") && command[at - 1].ends_with("c");
}

bool usesArguments(const std::string &line)
{
    for (std::size_t at = line.find('$'); at != std::string::npos; at = line.find('$', at + 1)) {
        const std::size_t next = line.find_first_not_of('{', at + 1);
        if (next != std::string::npos &&
            (std::isdigit(static_cast<unsigned char>(line[next])) || line[next] == '@' || line[next] == '*'))
            return true;
    }
    return false;
}

bool isAssignment(const std::string &word)
{
    const std::size_t equal = word.find('=');
    if (equal == std::string::npos || equal == 0 || std::isdigit(static_cast<unsigned char>(word[0]))) return false;
    return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equal),
                       [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

bool startsTraining(const std::string &word)
{
    return word.ends_with(".py") || word.ends_with(".sh") || baseName(word).starts_with("python") || isShell(word) ||
           launcherNamed(baseName(word)) || launcherOfModule(word);
}

// Splits a shell line into its commands, each as a list of arguments. Assignments and "export" count as arguments.
std::vector<Arguments> commandsOf(const std::string &line)
{
    std::vector<Arguments> commands(1);
    for (std::string &word : wordsOfCommand({"sh", "-c", line + " "})) {
        if (word == ";" || word == "&" || word == "|")
            commands.emplace_back();
        else
            commands.back().push_back(std::move(word));
    }
    commands.front().erase(commands.front().begin(), commands.front().begin() + 2);  // sh -c
    std::erase_if(commands, [](const Arguments &one) { return one.empty(); });
    return commands;
}

bool mentions(const Arguments &words, const std::string &variable)
{
    return std::any_of(words.begin(), words.end(), [&](const std::string &word) {
        return contains(word, "$" + variable) || contains(word, "${" + variable);
    });
}

// Index of the program in a command: assignments, "env" and "export" may come before it.
std::size_t programOf(const Arguments &words)
{
    std::size_t at = 0;
    while (at < words.size() && (isAssignment(words[at]) || words[at] == "env" || words[at] == "export")) ++at;
    return at;
}

// The option to which the argument at index `at` belongs: "--resume" for its value, or for "--resume={checkpoint}"
// itself.
std::string optionAt(const Arguments &words, std::size_t at)
{
    if (words[at].starts_with("-")) return words[at].substr(0, words[at].find('='));
    const bool isValue = at > 0 && words[at - 1].starts_with("-") && !contains(words[at - 1], "=");
    return isValue ? words[at - 1] : std::string();
}

CommandReach reached(const Arguments &words, std::size_t program, std::size_t at)
{
    const bool known = std::any_of(words.begin(), words.end(),
                                   [](const std::string &word) { return !isAssignment(word) && startsTraining(word); });
    return {.isNamed = true, .option = optionAt(words, at), .opaque = known ? std::string() : words[program]};
}

// true: the checkpoint reaches the program that trains.
bool readLine(CommandReach &reach, const std::string &line, const Arguments &names)
{
    const std::vector<Arguments> commands = commandsOf(line);
    const auto trains = [](const Arguments &words) {
        const std::string &program = words.front();
        return program != "source" && program != "." && std::any_of(words.begin(), words.end(), startsTraining);
    };
    const bool anyTrains = std::any_of(commands.begin(), commands.end(), trains);
    for (std::size_t i = 0; i < commands.size(); ++i) {
        const bool last = anyTrains ? trains(commands[i]) : i + 1 == commands.size();
        const std::size_t program = programOf(commands[i]);
        for (std::size_t word = 0; word < commands[i].size(); ++word) {
            if (!uses(commands[i][word], names)) continue;
            reach.isNamed = true;
            const std::string variable = word < program ? commands[i][word].substr(0, commands[i][word].find('=')) : "";
            const bool handedOn =
                !variable.empty() && std::any_of(commands.begin(), commands.end(),
                                                 [&](const Arguments &one) { return mentions(one, variable); });
            if (handedOn || (variable.empty() && last)) {
                reach = handedOn ? CommandReach{.isNamed = true} : reached(commands[i], program, word);
                return true;
            }
            if (!variable.empty())
                reach.variable = variable;
            else
                reach.problem = message("it is passed to %1, which does not train", printable(commands[i][program]));
        }
    }
    return false;
}

}  // namespace

CommandReach reachOf(const Arguments &command, const Arguments &names)
{
    CommandReach reach;
    bool behindLine = false, lineUses = true;
    const std::size_t program = programOf(command);
    for (std::size_t i = 0; i < command.size(); ++i) {
        if (isLine(command, i)) {
            if (readLine(reach, command[i], names)) return reach;
            behindLine = true;
            lineUses = usesArguments(command[i]);
            continue;
        }
        if (!uses(command[i], names)) continue;
        reach.isNamed = true;
        if (i < program)
            reach.variable = command[i].substr(0, command[i].find('='));
        else if (behindLine && !lineUses)
            reach.problem = message("it is an argument of the -c line, which uses no arguments (no \"$@\")");
        else
            return reached(command, program, i);
    }
    return reach;
}

std::vector<CommandOption> optionsOf(const Arguments &command)
{
    std::vector<CommandOption> options;
    const Arguments words = wordsOfCommand(command);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string &word = words[i];
        const std::size_t dashes = word.find_first_not_of('-'), equal = word.find('=');
        if (dashes == std::string::npos) continue;
        const std::string name =
            replaceAll(word.substr(dashes, equal == std::string::npos ? equal : equal - dashes), "-", "_");
        if (equal != std::string::npos)
            options.push_back({.name = name, .value = word.substr(equal + 1)});
        else if (dashes > 0 && i + 1 < words.size() && !words[i + 1].starts_with("-"))
            options.push_back({.name = name, .value = words[++i]});
        else
            options.push_back(dashes > 0 ? CommandOption{.name = name} : CommandOption{.value = word});
    }
    return options;
}

}  // namespace rankdeck
