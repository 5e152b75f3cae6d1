// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/shell/completion.h"

#include "core/base/text.h"

#include <CLI/CLI.hpp>

namespace rankdeck::ctl {

namespace {

enum class Value { none, file, job, directory, host, set, word };

struct CompletedOption {
    std::string name;  // option name, with its dashes
    std::string help;
    Value value = Value::none;
    std::vector<std::string> words = {};  // allowed values
};
struct CompletedCommand {
    std::string name;
    std::string help;
    std::vector<CompletedOption> options = {};
    Value positional = Value::none;
};

Value valueOf(const CLI::Option &option)
{
    if (option.get_expected_max() == 0) return Value::none;
    const std::string type = option.get_type_name();
    if (option.check_lname("job") || option.get_single_name() == "JOB") return Value::job;
    if (type == "ID" || type == "SET") return Value::set;
    if (type.find("HOST:") != std::string::npos || type.find("FILE") != std::string::npos) return Value::file;
    if (type.find("DIR") != std::string::npos) return Value::directory;
    return type.find("HOST") != std::string::npos ? Value::host : Value::word;
}

// The allowed values, parsed from the type name of the option: "{term,kill}".
std::vector<std::string> wordsOf(const CLI::Option &option)
{
    const std::string type = option.get_type_name();
    const std::size_t open = type.find('{'), close = type.find('}');
    if (open == std::string::npos || close == std::string::npos) return {};
    return split(std::string_view(type).substr(open + 1, close - open - 1), ',');
}

CompletedCommand commandOf(const CLI::App &app)
{
    CompletedCommand command{app.get_name(), app.get_description()};
    for (const CLI::Option *option : app.get_options()) {
        if (option->get_positional()) command.positional = valueOf(*option);
        for (const std::string &name : option->get_lnames())
            command.options.push_back({"--" + name, option->get_description(), valueOf(*option), wordsOf(*option)});
        for (const std::string &name : option->get_snames())
            command.options.push_back({"-" + name, option->get_description(), valueOf(*option), wordsOf(*option)});
    }
    return command;
}

std::vector<CompletedCommand> commandsOf(const CLI::App &app)
{
    std::vector<CompletedCommand> commands;
    for (const CLI::App *sub : app.get_subcommands([](const CLI::App *one) { return !one->get_group().empty(); }))
        commands.push_back(commandOf(*sub));
    return commands;
}

std::string joined(const std::vector<std::string> &words)
{
    std::string text;
    for (const std::string &word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string namesOf(const std::vector<CompletedOption> &options)
{
    std::vector<std::string> names;
    for (const CompletedOption &option : options) names.push_back(option.name);
    return joined(names);
}

// A shell pattern of the options that take such a value, over all commands: "--job|--ssh-config".
std::string takers(const std::vector<CompletedCommand> &commands, Value value)
{
    std::string pattern;
    for (const CompletedCommand &command : commands)
        for (const CompletedOption &option : command.options)
            if (option.value == value && option.words.empty() && option.name.starts_with("--") &&
                ("|" + pattern + "|").find("|" + option.name + "|") == std::string::npos)
                pattern += (pattern.empty() ? "" : "|") + option.name;
    return pattern;
}

const char *const bashHead = R"(# bash completion for rankdeckctl; made by "rankdeckctl completion bash"
_rankdeckctl_hosts()
{
    local file
    for file in ~/.ssh/config ~/.ssh/config.d/*; do
        [[ -r $file ]] && sed -nE 's/^[[:space:]]*[Hh]ost[[:space:]=]+//p' "$file"
    done | tr -s ' \t' '\n' | grep -v '[*?!]'
}

# Of the job that the line names, else of this directory; the nodes are not asked.
_rankdeckctl_sets()
{
    local -a asked=()
    local index
    for ((index = 1; index < ${#words[@]} - 1; ++index)); do
        [[ ${words[index]} == --job || ${words[index]} == --state-dir ]] && asked+=("${words[index]}" "${words[index+1]/#\~/$HOME}")
    done
    "${words[0]/#\~/$HOME}" "${asked[@]}" known-sets 2>/dev/null </dev/null | cut -f1
}

_rankdeckctl()
{
    # bash takes "0:1-60" for three words
    local -a words=()
    local before=${COMP_LINE:0:COMP_POINT} command= word index
    if [[ -n $before ]]; then
        read -ra words <<<"$before"
        [[ $before == *[[:space:]] ]] && words+=('')
    else
        words=("${COMP_WORDS[@]:0:COMP_CWORD+1}")
    fi
    local cur=${words[-1]} prev=${words[-2]}
    COMPREPLY=()
    for ((index = 1; index < ${#words[@]} - 1; ++index)); do
        word=${words[index]}
        case $word in
)";

std::string bashScript(const CompletedCommand &all, std::vector<CompletedCommand> commands)
{
    std::string names, choices, words;
    for (const CompletedCommand &command : commands) {
        names += (names.empty() ? "" : " ") + command.name;
        choices += "            " + command.name + ") command=" + command.name + "; break ;;\n";
    }
    std::string text = bashHead + choices + "        esac\n    done\n    case $prev in\n";
    std::vector<CompletedCommand> every = commands;
    every.push_back(all);
    for (const CompletedCommand &command : every)
        for (const CompletedOption &option : command.options)
            if (!option.words.empty())
                text += "        " + option.name + ") COMPREPLY=($(compgen -W '" + joined(option.words) +
                        "' -- \"$cur\")); return ;;\n";
    text += "        " + takers(every, Value::job) +
            ") compopt -o filenames; COMPREPLY=($(compgen -f -X '!*.rankdeck.json' -- \"$cur\") $(compgen -d -- "
            "\"$cur\")); return ;;\n";
    text +=
        "        " + takers(every, Value::set) +
        ") COMPREPLY=($(compgen -W \"$(_rankdeckctl_sets)\" -- \"$cur\"))\n"
        "            [[ $cur == *:* && $COMP_WORDBREAKS == *:* ]] && COMPREPLY=(\"${COMPREPLY[@]#\"${cur%:*}:\"}\")\n"
        "            return ;;\n";
    text += "        " + takers(every, Value::file) +
            ") compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n";
    text += "        " + takers(every, Value::directory) +
            ") compopt -o filenames; COMPREPLY=($(compgen -d -- \"$cur\")); return ;;\n";
    text += "        " + takers(every, Value::word) + ") return ;;\n    esac\n    local options='" +
            namesOf(all.options) + "' values=\n    case $command in\n";
    text += "        '') values='" + names + "' ;;\n";
    for (const CompletedCommand &command : commands) {
        text += "        " + command.name + ") options+=' " + namesOf(command.options) + "'";
        if (command.positional == Value::host) text += "; values=\"local $(_rankdeckctl_hosts)\"";
        if (command.positional == Value::file || command.positional == Value::directory)
            text += "; compopt -o filenames; values=$(compgen -f -- \"$cur\")";
        if (command.positional == Value::job)
            text += "; compopt -o filenames; values=$(compgen -f -X '!*.rankdeck.json' -- \"$cur\"; compgen -d -- "
                    "\"$cur\")";
        text += " ;;\n";
    }
    return text + R"(    esac
    [[ $cur == -* ]] && values=$options
    local IFS=$' \t\n'
    COMPREPLY=($(compgen -W "$values" -- "$cur"))
}
complete -F _rankdeckctl rankdeckctl
)";
}

// Escapes text for single quotes in zsh and fish.
std::string quotedText(const std::string &text) { return replaceAll(text, "'", "'\\''"); }

std::string zshAction(const CompletedOption &option)
{
    if (option.value == Value::none) return {};
    if (!option.words.empty()) return ":word:(" + joined(option.words) + ")";
    return option.value == Value::file        ? ":file:_files"
           : option.value == Value::job       ? ":job:_files -g \"*.rankdeck.json(-.)\""
           : option.value == Value::set       ? ":set:_rankdeckctl_sets"
           : option.value == Value::directory ? ":directory:_files -/"
           : option.value == Value::host      ? ":host:_rankdeckctl_hosts"
                                              : ":value:";
}

std::string zshOptions(const std::vector<CompletedOption> &options, const std::string &indent)
{
    std::string text;
    for (const CompletedOption &option : options) {
        std::string help = replaceAll(replaceAll(option.help, "[", "("), "]", ")");
        help = replaceAll(help, ":", "\\:");
        text += indent + "'" + option.name + "[" + quotedText(help) + "]" + quotedText(zshAction(option)) + "' \\\n";
    }
    return text;
}

std::string zshScript(const CompletedCommand &all, const std::vector<CompletedCommand> &commands)
{
    std::string text =
        "#compdef rankdeckctl\n# made by \"rankdeckctl completion zsh\"\n_rankdeckctl_hosts()\n{\n"
        "    local -a hosts\n    hosts=(local ${${(f)\"$(cat ~/.ssh/config ~/.ssh/config.d/*(N) 2>/dev/null | "
        "sed -nE 's/^[[:space:]]*[Hh]ost[[:space:]=]+//p' | tr -s ' \\t' '\\n' | grep -v '[*?!]')\"}})\n"
        "    _describe host hosts\n}\n\n"
        "# Of the job that the line names, else of this directory; the nodes are not asked.\n"
        "_rankdeckctl_sets()\n{\n    local -a asked sets\n    local name\n    for name in --job --state-dir; do\n"
        "        [[ -n $opt_args[$name] ]] && asked+=($name ${~opt_args[$name]})\n    done\n"
        "    sets=(${${(f)\"$(_call_program sets rankdeckctl $asked known-sets 2>/dev/null)\"}%%$'\\t'*})\n"
        "    (( $#sets )) && compadd -a sets\n}\n\n_rankdeckctl()\n{\n    local -a commands\n    commands=(\n";
    for (const CompletedCommand &command : commands)
        text += "        '" + command.name + ":" + quotedText(replaceAll(command.help, ":", "\\:")) + "'\n";
    text += "    )\n    local context state line\n    typeset -A opt_args\n    _arguments -C \\\n" +
            zshOptions(all.options, "        ") +
            "        '1:command:->command' \\\n        '*::argument:->argument'\n"
            "    case $state in\n        command) _describe command commands ;;\n        argument)\n            case "
            "$line[1] in\n";
    for (const CompletedCommand &command : commands) {
        text += "                " + command.name + ")\n                    _arguments \\\n" +
                zshOptions(all.options, "                        ") +
                zshOptions(command.options, "                        ");
        text += command.positional == Value::host   ? "                        '*:host:_rankdeckctl_hosts'"
                : command.positional == Value::none ? "                        '*::'"
                : command.positional == Value::word ? "                        '*:word:'"
                : command.positional == Value::job ? "                        '*:job:_files -g \"*.rankdeck.json(-.)\"'"
                                                   : "                        '*:file:_files'";
        text += " ;;\n";
    }
    return text + "            esac ;;\n    esac\n}\n_rankdeckctl \"$@\"\n";
}

std::string fishScript(const CompletedCommand &all, const std::vector<CompletedCommand> &commands)
{
    std::string names, text = "# fish completion for rankdeckctl; made by \"rankdeckctl completion fish\"\n";
    for (const CompletedCommand &command : commands) names += " " + command.name;
    text += R"(complete -c rankdeckctl -f
# Of the job that the line names, else of this directory; the nodes are not asked.
function __rankdeckctl_sets
    set -l words (commandline -opc)
    set -l asked
    for index in (seq 2 (math (count $words) - 1))
        contains -- $words[$index] --job --state-dir; and set -a asked $words[$index] $words[(math $index + 1)]
    end
    rankdeckctl $asked known-sets 2>/dev/null
end
)";
    const auto option = [&](const CompletedOption &one, const std::string &condition) {
        text += "complete -c rankdeckctl" + condition +
                (one.name.starts_with("--") ? " -l " + one.name.substr(2) : " -s " + one.name.substr(1));
        if (one.value != Value::none) text += one.value == Value::file ? " -r -F" : " -x";  // -x: no file names
        if (one.value == Value::job) text += " -a '(__fish_complete_suffix .rankdeck.json)'";
        if (one.value == Value::set) text += " -a '(__rankdeckctl_sets)'";
        if (one.value == Value::directory) text += " -a '(__fish_complete_directories)'";
        if (!one.words.empty()) text += " -a '" + joined(one.words) + "'";
        text += " -d '" + replaceAll(one.help, "'", "\\'") + "'\n";
    };
    for (const CompletedOption &one : all.options) option(one, "");
    for (const CompletedCommand &command : commands) {
        text += "complete -c rankdeckctl -n 'not __fish_seen_subcommand_from" + names + "' -a " + command.name +
                " -d '" + replaceAll(command.help, "'", "\\'") + "'\n";
        const std::string there = " -n '__fish_seen_subcommand_from " + command.name + "'";
        for (const CompletedOption &one : command.options) option(one, there);
        if (command.positional == Value::host)
            text += "complete -c rankdeckctl" + there + " -a '(__fish_print_hostnames) local'\n";
        if (command.positional == Value::file || command.positional == Value::directory)
            text += "complete -c rankdeckctl" + there + " -F\n";
        if (command.positional == Value::job)
            text += "complete -c rankdeckctl" + there + " -a '(__fish_complete_suffix .rankdeck.json)'\n";
    }
    return text;
}

}  // namespace

const std::vector<std::string> &completedShells()
{
    static const std::vector<std::string> shells{"bash", "zsh", "fish"};
    return shells;
}

std::string completionScript(const CLI::App &app, const std::string &shell)
{
    const CompletedCommand all = commandOf(app);
    const std::vector<CompletedCommand> commands = commandsOf(app);
    return shell == "bash"  ? bashScript(all, commands)
           : shell == "zsh" ? zshScript(all, commands)
                            : fishScript(all, commands);
}

}  // namespace rankdeck::ctl
