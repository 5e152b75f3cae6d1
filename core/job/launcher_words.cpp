// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/launcher_words.h"

#include "core/base/text.h"

#include <algorithm>
#include <charconv>

namespace rankdeck {
namespace {

constexpr Words unknownToRecipes{"accelerate", "deepspeed"};

bool joinsValues(const Launcher &launcher) { return launcher.twoValues.empty(); }

void addOption(std::vector<std::string> &options, const Launcher &launcher, const std::string &name,
               const std::string &value)
{
    const bool joined = name.size() > 1 && joinsValues(launcher) && !value.empty();
    options.push_back((name.size() > 1 ? "--" : "-") + name + (joined ? "=" + value : ""));
    if (joined || value.empty()) return;
    const std::size_t space = launcher.twoValues.contains(name) ? value.find(' ') : std::string::npos;
    options.push_back(value.substr(0, space));
    if (space != std::string::npos) options.push_back(value.substr(space + 1));
}

// NAME=VALUE is the job's; NAME alone has its value in the shell in which the command was typed.
void adoptVariable(LaunchSpec &launch, const std::string &word, std::vector<Message> &notes)
{
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos)
        notes.push_back(message("the value of %1 is not in the command: write it into launch.env", printable(word)));
    else
        launch.env.emplace(word.substr(0, equals), word.substr(equals + 1));
}

// Words of srun before its command. All its usual options take a value, except these.
std::size_t srunOptions(const std::vector<std::string> &argv, std::vector<std::string> &options)
{
    static constexpr Words switches{"-l", "-u", "-v", "-K", "-s", "-O", "-X", "-Q", "-E"};
    std::size_t at = 1;
    for (; at < argv.size() && argv[at].starts_with("-"); ++at) {
        const std::string &word = argv[at];
        const bool output = word.starts_with("--output") || word.starts_with("--error") ||
                            word.starts_with("--input") || word == "-o" || word == "-e" || word == "-i";
        const bool valueFollows = word.size() == 2 && !switches.contains(word) && at + 1 < argv.size();
        if (!output && !switches.contains(word)) {
            options.push_back(word);
            if (valueFollows) options.push_back(argv[at + 1]);
        }
        if (valueFollows) ++at;
    }
    return at;
}

void adoptSrun(LaunchSpec &launch, std::vector<Message> &notes)
{
    std::vector<std::string> options;
    const std::size_t at = srunOptions(launch.command, options);
    launch.recipe = "slurm";
    launch.options.insert(launch.options.end(), options.begin(), options.end());
    launch.command.erase(launch.command.begin(), launch.command.begin() + std::ptrdiff_t(at));
    notes.push_back(message("the recipe slurm runs srun itself: put srun's options into launch.options"));
}

constexpr std::size_t searched = 16;  // arguments of a command in which its launcher is searched

// A shell or an interpreter: the text after its -c is a separate program.
bool takesText(const std::string &program) { return program.ends_with("sh") || program.starts_with("python"); }

// Without the interpreter of "python -u -m torch.distributed.run", "/venv/bin/python /venv/bin/msrun".
std::vector<std::string> wordsBefore(std::vector<std::string> words)
{
    const auto python = std::find_if(words.begin(), words.end(),
                                     [](const std::string &word) { return baseName(word).starts_with("python"); });
    words.erase(python, words.end());
    return words;
}

// "env A=1 numactl -N 0": variables become the job's, and programs that only start another are dropped. The rest goes
// before each rank's own command.
std::vector<std::string> adoptBefore(LaunchSpec &launch, const std::vector<std::string> &before)
{
    static constexpr Words starters{"env", "nohup", "exec", "time", "setsid", "sudo"};
    std::vector<std::string> kept;
    for (const std::string &word : before) {
        const std::size_t equals = word.find('=');
        const bool variable = kept.empty() && equals != std::string::npos && equals > 0 && word.front() != '-';
        if (variable)
            launch.env.emplace(word.substr(0, equals), word.substr(equals + 1));
        else if (!kept.empty() || !starters.contains(baseName(word)))
            kept.push_back(word);
    }
    return kept;
}

void adopt(LaunchSpec &launch, const LauncherWords &words, std::vector<Message> &notes)
{
    const Launcher &launcher = *launcherNamed(words.kind);
    launch.recipe = words.kind;
    if (baseName(words.program) == "msrun" && launch.msrun == LaunchSpec().msrun) launch.msrun = words.program;
    for (const auto &[name, value] : words.options) {
        const std::string plain = replaceAll(name, "-", "_");
        if (plain == "master_addr" && launch.masterAddr.empty()) launch.masterAddr = value;
        if (plain == "master_port") std::from_chars(value.data(), value.data() + value.size(), launch.masterPort);
        const bool handsOn = !launcher.variableOption.empty() && name == launcher.variableOption;
        const bool plainSwitch = joinsValues(launcher) && launcher.switches.contains(name);
        if (handsOn)
            adoptVariable(launch, value, notes);
        else if (!launcher.ownOptions.contains(name) && !plainSwitch)
            addOption(launch.options, launcher, name, value);
    }
    launch.command = words.command;
    if (joinsValues(launcher) && (words.option("m") || words.option("module")))
        launch.command.insert(launch.command.begin(), {"python", "-m"});
    std::vector<std::string> before = adoptBefore(launch, words.before);
    if (!before.empty() && !joinsValues(launcher)) before.clear();
    if (!before.empty() && words.kind == "msrun") {  // it starts Python scripts, and nothing before them
        notes.push_back(
            message("%1 before msrun is left out: msrun binds its ranks with --bind_core", printable(before.front())));
        before.clear();
    }
    const bool bare = !before.empty() && !launch.command.empty() && launch.command.front().ends_with(".py");
    if (bare) launch.command.insert(launch.command.begin(), "python");
    launch.command.insert(launch.command.begin(), before.begin(), before.end());
    notes.push_back(
        message("the recipe %1 runs %2 itself: its options are used, and the command is the text after them",
                words.kind, words.kind));
}

}  // namespace

bool startsRanks(std::string_view program)
{
    return launcherNamed(program) || unknownToRecipes.contains(program) || program == "srun" || program == "mpiexec";
}

bool startsRanksItself(const std::vector<std::string> &command)
{
    for (std::size_t at = 0; at < std::min(command.size(), searched); ++at) {
        const std::string name = baseName(command[at]);
        if (unknownToRecipes.contains(name)) return true;
        if (name.ends_with(".py")) return false;
        if (!name.ends_with(".sh")) continue;
        return name.starts_with("run_distribute") || name.starts_with("msrun_launcher") || name == "train_start.sh";
    }
    return false;
}

std::optional<LauncherWords> launcherWords(const std::vector<std::string> &argv)
{
    LauncherWords words;
    const Launcher *launcher = nullptr;
    std::size_t at = 0;
    for (; at < std::min(argv.size(), searched) && !launcher; ++at) {
        if (argv[at].ends_with(".py") || argv[at].ends_with(".sh")) return {};
        if (argv[at] == "-c" && at > 0 && takesText(baseName(argv[at - 1]))) return {};
        const bool module = at > 0 && argv[at - 1] == "-m";
        launcher = module ? launcherOfModule(argv[at]) : launcherNamed(baseName(argv[at]));
        if (launcher) words = {.program = argv[at], .kind = std::string(launcher->program)};
        if (launcher) words.before = wordsBefore({argv.begin(), argv.begin() + std::ptrdiff_t(at)});
    }
    if (!launcher) return {};
    for (; at < argv.size() && argv[at].starts_with("-"); ++at) {
        const std::string option = argv[at].substr(
            argv[at].find_first_not_of('-') == std::string::npos ? argv[at].size() : argv[at].find_first_not_of('-'));
        const std::size_t equals = option.find('=');
        if (equals != std::string::npos)
            words.options.emplace_back(option.substr(0, equals), option.substr(equals + 1));
        else if (launcher->switches.contains(option) || at + 1 >= argv.size())
            words.options.emplace_back(option, "");
        else
            words.options.emplace_back(option, argv[++at]);
        if (launcher->twoValues.contains(option) && at + 1 < argv.size())
            words.options.back().second += " " + argv[++at];
    }
    words.command.assign(argv.begin() + std::ptrdiff_t(at), argv.end());
    return words;
}

std::optional<std::string> LauncherWords::option(const std::string &name) const
{
    const auto found = std::find_if(options.begin(), options.end(), [&](const auto &one) { return one.first == name; });
    return found == options.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Message> adoptLauncher(LaunchSpec &launch, int ranks)
{
    std::vector<Message> notes;
    if (launch.command.empty()) return notes;
    if (startsRanksItself(launch.command)) {
        if (launch.recipe == "command" && ranks > 1 && !launch.perNode) {
            launch.perNode = true;
            notes.push_back(message("the command starts the ranks of its node itself: it runs once on each node "
                                    "(launch.per_node)"));
        }
        return notes;
    }
    const std::optional<LauncherWords> words = launcherWords(launch.command);
    const bool srun = baseName(launch.command.front()) == "srun";
    if (!words && !srun) return notes;
    const std::string kind = srun ? "slurm" : words->kind;
    // A single process that starts only itself may also be started by torchrun.
    const bool free = launch.recipe.empty() || launch.recipe == kind || (launch.recipe == "command" && ranks > 1);
    if (!free) {
        if (launch.recipe != "command")
            notes.push_back(message("the command begins with a launcher, and the recipe %1 would start it once for "
                                    "each rank: write the command without the launcher",
                                    launch.recipe));
        return notes;
    }
    if (srun)
        adoptSrun(launch, notes);
    else
        adopt(launch, *words, notes);
    return notes;
}

}  // namespace rankdeck
