// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/evidence/load_evidence.h"

#include "core/base/text.h"
#include "core/job/path_template.h"
#include "core/recover/resume/aside/newest_loader.h"
#include "core/recover/resume/evidence/command_reach.h"
#include "core/recover/resume/evidence/script_loads.h"
#include "core/recover/wording.h"

#include <algorithm>
#include <array>

namespace rankdeck {

namespace {

const std::vector<std::string> placeholders{"checkpoint", "checkpoint_dir"};

bool usesAny(const std::string &text)
{
    return std::any_of(placeholders.begin(), placeholders.end(),
                       [&](const std::string &name) { return usesPlaceholder(text, name); });
}

std::string textOn(const std::map<std::string, std::string> &texts, const std::string &node)
{
    const auto found = texts.find(node);
    return found == texts.end() ? std::string() : found->second;
}

// "--resume", "--load-path", "init_from": the script loads the value of such an option. Options about saving are
// excluded.
bool namesALoad(const std::string &option)
{
    if (contains(option, "save") || contains(option, "no_load") || contains(option, "data")) return false;
    static constexpr std::array<std::string_view, 8> parts{"load",      "resum",     "restor",    "pretrain",
                                                           "pre_train", "init_from", "ckpt_path", "from_checkpoint"};
    return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return contains(option, part); });
}

// Recognises an option of a program that cannot be read: "--resume", "--ckpt". "--save-checkpoint" is not one, and
// "CKPT=" belongs to make.
bool takesACheckpoint(const std::string &option)
{
    const std::string name = replaceAll(option, "-", "_");
    return namesALoad(name) || ((contains(name, "checkpoint") || contains(name, "ckpt")) && !contains(name, "save"));
}

class Search {
public:
    Search(const ResumeFacts &facts, const NodeSpec &node)
        : m_facts(facts), m_told(facts.choice.script), m_node(node),
          m_script(textOn(facts.programs.scriptTexts, node.name)),
          m_wrappers(textOn(facts.programs.wrapperTexts, node.name)), m_options(optionsOf(m_told.job.launch.command)),
          m_loads(loadsOf(m_script))
    {
        for (const MemberVerdict &member : facts.choice.set->members)
            if (std::find(node.ranks.begin(), node.ranks.end(), member.rank) != node.ranks.end())
                m_members.push_back(&member);
    }

    LoadEvidence run()
    {
        for (const auto look : {&Search::staged, &Search::inCommand, &Search::inConfiguration, &Search::inEnvironment,
                                &Search::byOption, &Search::byScript})
            if ((this->*look)()) return std::move(m_found);
        return std::move(m_found);
    }

private:
    bool found(LoadWay way, Message text)
    {
        m_found = {.way = way, .text = std::move(text)};
        return true;
    }
    bool against(Message text)
    {
        m_found.against.push_back(std::move(text));
        return false;
    }

    bool staged()
    {
        if (!m_facts.exitLoad.files.empty())
            return found(LoadWay::staged,
                         message("the plan puts the set into the directory from which OnRequestExit loads"));
        if (m_told.takesNewest)
            return found(LoadWay::staged,
                         message("the script loads the newest save, and the plan moves newer ones out of the way"));
        const RankFolders &folders = m_facts.folders;
        const bool eachRank = std::all_of(m_node.ranks.begin(), m_node.ranks.end(),
                                          [&](int rank) { return folders.loaded.contains(rank); });
        if (folders.loads() && !folders.switchedOff && eachRank)
            return found(LoadWay::staged,
                         message("the script loads from a folder of its own, and the plan leaves only the set there"));
        return false;
    }

    bool inCommand()
    {
        const CommandReach reach = reachOf(m_told.job.launch.command, placeholders);
        if (!reach.isNamed) return against(message("launch.command names neither {checkpoint} nor {checkpoint_dir}"));
        if (!reach.problem.empty())
            return against(message("launch.command names the checkpoint, but %1", reach.problem));
        if (!reach.variable.empty()) return readsVariable(reach.variable);
        const auto &unreadWrappers = m_facts.programs.unreadWrappers;
        if (const auto wrapper = unreadWrappers.find(m_node.name); wrapper != unreadWrappers.end())
            return against(
                message("%1 could not be read on node %2, so Rankdeck cannot tell whether it passes the checkpoint on",
                        printable(wrapper->second), printable(m_node.name)));
        const auto wrapper = m_facts.programs.wrappers.find(m_node.name);
        if (wrapper != m_facts.programs.wrappers.end() && !wrapper->second.handsOn)
            return against(message("%1 uses no arguments (no \"$@\"), so its script does not get the checkpoint",
                                   printable(wrapper->second.path)));
        const bool unread = m_script.empty() && m_wrappers.empty();
        if (!reach.opaque.empty() && unread && !takesACheckpoint(reach.option))
            return against(
                message("launch.command gives the checkpoint to %1, which is not a readable script, and not as the "
                        "value of an option such as --resume. Cannot tell whether the training program gets it",
                        printable(reach.opaque)));
        return found(LoadWay::placeholder, message("launch.command gives the script the checkpoint"));
    }

    bool inConfiguration()
    {
        const LaunchSpec &launch = m_told.job.launch;
        const bool named = std::any_of(m_told.settings.begin(), m_told.settings.end(),
                                       [](const ConfigSetting &one) { return usesAny(one.value); });
        if (!named || launch.config.empty()) return false;
        const std::string name = baseName(launch.config), stem = name.substr(0, name.rfind('.'));
        const auto mentions = [&](const std::string &text) {
            return contains(text, name) || (name.ends_with(".py") && contains(text, stem));
        };
        const auto &command = launch.command;
        if (!launch.script.empty() || mentions(m_script) || mentions(m_wrappers) ||
            std::any_of(command.begin(), command.end(), mentions))
            return found(LoadWay::configuration, message("%1 names the checkpoint", printable(launch.config)));
        return against(message(
            "neither launch.command nor the script names %1, the launch.config file that contains the checkpoint path",
            printable(name)));
    }

    bool readsVariable(const std::string &name)
    {
        const auto &command = m_told.job.launch.command;
        const bool inLine = std::any_of(command.begin(), command.end(), [&](const std::string &word) {
            return containsName(word, name) && (contains(word, "$" + name) || contains(word, "${" + name));
        });
        if (inLine || containsName(m_script, name) || containsName(m_wrappers, name))
            return found(
                LoadWay::variable,
                message("the environment variable %1, which the script reads, names the checkpoint", printable(name)));
        const bool isRead = !m_script.empty() || !m_wrappers.empty();
        return against(
            isRead ? message("the environment variable %1 names the checkpoint, but no line in the script reads it",
                             printable(name))
                   : message("the environment variable %1 names the checkpoint, but the script that should read it "
                             "could not be read",
                             printable(name)));
    }

    bool inEnvironment()
    {
        for (const auto *variables : {&m_told.job.launch.env, &m_node.env})
            for (const auto &[name, value] : *variables)
                if (usesAny(value) && readsVariable(name)) return true;
        return false;
    }

    // ---- places: whether a text leads to the files of the node's ranks
    [[nodiscard]] bool leads(const MemberVerdict &member, std::string path) const
    {
        path = path.substr(0, path.find('{'));
        while (path.starts_with("./")) path.erase(0, 2);
        path = withoutSlash(path);
        if (path.size() < 4) return false;
        return path.starts_with("/") ? member.path.starts_with(path) : contains(member.path, "/" + path);
    }
    [[nodiscard]] bool leads(const std::string &path) const
    {
        return !m_members.empty() && std::all_of(m_members.begin(), m_members.end(),
                                                 [&](const MemberVerdict *member) { return leads(*member, path); });
    }
    [[nodiscard]] bool isAFile(const std::string &path) const
    {
        const std::string name = baseName(m_members.front()->path);
        const std::size_t dot = name.rfind('.');
        return dot != std::string::npos && path.ends_with(name.substr(dot));
    }
    // A pattern, a folder or a file name within a script: "*.ckpt", "./ckpt", "last.pt"
    [[nodiscard]] bool pointsAt(const std::string &text) const
    {
        return std::all_of(m_members.begin(), m_members.end(), [&](const MemberVerdict *member) {
            const std::string name = baseName(member->path), folder = dirName(member->path);
            const std::size_t dot = name.rfind('.');
            const bool pattern = dot != std::string::npos && contains(text, "*") && text.ends_with(name.substr(dot));
            const bool isFolder = text.size() > 3 && (baseName(withoutSlash(text)) == baseName(folder) ||
                                                      baseName(withoutSlash(text)) == baseName(dirName(folder)));
            return pattern || isFolder || text == name || leads(*member, text);
        });
    }

    // Text about a save of another set that the script would find before the chosen one; empty: none is known.
    [[nodiscard]] Message newerSave() const
    {
        if (newestBy(m_facts.programs.scriptTexts) != NewestBy::nothing)
            return {};  // the plan renames such files as backups
        for (const CheckpointSet &set : m_facts.view.checkpoints.sets) {
            if (set.id == m_facts.choice.set->id) return {};
            for (const MemberVerdict &member : set.members)
                if (member.node == m_node.name && !isMoved(member)) return setText(set);
        }
        return {};
    }
    [[nodiscard]] bool isMoved(const MemberVerdict &member) const
    {
        const auto moved = m_facts.layout.saves.moved.find(m_node.name);
        return moved != m_facts.layout.saves.moved.end() && moved->second.contains(member.path);
    }
    bool newest(LoadWay way, const Message &text)
    {
        const Message newer = newerSave();
        return newer.empty()
                   ? found(way, text)
                   : against(message("%1, but %2 is newer than the chosen set and is in the same place", text, newer));
    }

    [[nodiscard]] bool given(const std::string &option) const
    {
        const auto isOn = [&](const CommandOption &one) {
            return one.name == option && one.value != "false" && one.value != "False" && one.value != "0" &&
                   one.value != "none" && one.value != "None";
        };
        const auto isSet = [&](const ConfigSetting &one) {
            return one.key == option || one.key.ends_with("." + option);
        };
        return std::any_of(m_options.begin(), m_options.end(), isOn) ||
               std::any_of(m_told.settings.begin(), m_told.settings.end(), isSet);
    }

    // "a|b": true if one of these options is given.
    [[nodiscard]] bool anyGiven(const std::string &options) const
    {
        const std::vector<std::string> names = split(options, '|');
        return std::any_of(names.begin(), names.end(), [this](const std::string &name) { return given(name); });
    }

    bool byOption()
    {
        if (m_members.empty()) return false;
        for (const CommandOption &option : m_options) {
            const bool named = namesALoad(option.name);
            if (usesAny(option.value) || !leads(option.value) || (!named && (!option.name.empty() || m_loads.empty())))
                continue;
            const Message what =
                message("%1 points to %2",
                        option.name.empty() ? message("an argument") : Message("--" + printable(option.name)),
                        printable(option.value));
            const bool exact = std::all_of(m_members.begin(), m_members.end(),
                                           [&](const MemberVerdict *one) { return one->path == option.value; });
            if (exact) return found(LoadWay::option, message("%1, the chosen set", what));
            if (m_script.empty()) {
                against(
                    message("%1, but the script could not be read, so the save that it would load is unknown", what));
                continue;
            }
            if (isAFile(option.value)) {
                against(message("%1, which is not the file of the chosen set", what));
                continue;
            }
            if (newest(LoadWay::option, what)) return true;
        }
        return false;
    }

    bool byScript()
    {
        if (m_script.empty())
            return against(message("the script could not be read on node %1", printable(m_node.name)));
        if (m_loads.empty()) return against(message("no line in the script loads a checkpoint"));
        std::string missing;
        for (const ScriptLoad &load : m_loads) {
            const auto absent = std::find_if(load.needs.begin(), load.needs.end(),
                                             [&](const std::string &one) { return !anyGiven(one); });
            const bool there = std::any_of(load.texts.begin(), load.texts.end(),
                                           [&](const std::string &text) { return pointsAt(text); });
            const bool told = std::any_of(m_options.begin(), m_options.end(), [&](const CommandOption &one) {
                return leads(one.value) &&
                       std::find(load.options.begin(), load.options.end(), one.name) != load.options.end();
            });
            if (absent != load.needs.end()) {
                if (missing.empty()) missing = *absent;
                continue;
            }
            if ((load.searches || there) && (there || told))
                return newest(LoadWay::scriptText,
                              message("the script itself chooses what it loads (%1)", printable(load.call)));
        }
        if (!missing.empty())
            return against(message("the script loads a checkpoint only with %1, which launch.command does not have",
                                   printable(replaceAll(missing, "|", " or "))));
        return against(message("no line in the script shows that it loads from the set's directory"));
    }

    const ResumeFacts &m_facts;
    const AdaptedScript &m_told;
    const NodeSpec &m_node;
    std::string m_script, m_wrappers;
    std::vector<CommandOption> m_options;
    std::vector<ScriptLoad> m_loads;
    std::vector<const MemberVerdict *> m_members;
    LoadEvidence m_found;
};

}  // namespace

LoadEvidence loadEvidence(const ResumeFacts &facts, const NodeSpec &node) { return Search(facts, node).run(); }

}  // namespace rankdeck
