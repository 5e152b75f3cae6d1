// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/starts_from_zero.h"

#include "core/base/text.h"
#include "core/recover/wording.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace rankdeck {

namespace {

constexpr const char *nameIt = "put {checkpoint} into launch.command where the script takes the file to load, or name "
                               "launch.script; if the script "
                               "does load the set, say --fix starts_from_zero";

bool has(const std::string &text, std::string_view word) { return text.find(word) != std::string::npos; }

template <std::size_t N>
bool hasAny(const std::string &text, const std::array<std::string_view, N> &words)
{
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return has(text, word); });
}

// A file that the plan itself takes out of the way.
const MemberVerdict *movedMember(const JobState &view, const CheckpointSet &set, const Moves &saves)
{
    for (const MemberVerdict &member : set.members) {
        const NodeSpec *node = view.job.nodeOf(member.rank);
        const auto moved = node ? saves.moved.find(node->name) : saves.moved.end();
        if (moved != saves.moved.end() && moved->second.contains(member.path)) return &member;
    }
    return nullptr;
}

// Its files' names begin with the path; none is named so.
bool isPrefix(const JobState &view, const CheckpointSet &set)
{
    return std::any_of(view.inventory->members.begin(), view.inventory->members.end(), [&](const Member &listed) {
        const std::string &path = listed.file.path;
        const auto begins = [&](const FileEntry &part) { return part.path != path && part.path.starts_with(path); };
        const bool chosen = std::any_of(set.members.begin(), set.members.end(), [&](const MemberVerdict &member) {
            return member.node == listed.node && member.path == path;
        });
        return chosen && !listed.parts.empty() &&
               std::all_of(listed.parts.begin(), listed.parts.end(),
                           [&](const FileEntry &part) { return begins(part) && dirName(part.path) == dirName(path); });
    });
}

// An argument, a variable or a setting may lead the script to the set although no placeholder does.
bool leadsThere(const AdaptedScript &told, const CheckpointSet &set)
{
    std::vector<std::string> texts = told.job.launch.command;
    for (const auto &[name, value] : told.job.launch.env) texts.push_back(value);
    for (const NodeSpec &node : told.job.nodes)
        for (const auto &[name, value] : node.env) texts.push_back(value);
    for (const ConfigSetting &setting : told.settings) texts.push_back(setting.value);
    return std::any_of(set.members.begin(), set.members.end(), [&](const MemberVerdict &member) {
        const std::string folder = baseName(dirName(member.path)), parent = dirName(dirName(member.path));
        return std::any_of(texts.begin(), texts.end(), [&](const std::string &text) {
            return has(text, dirName(member.path)) || (parent.size() > 1 && has(text, parent)) ||
                   (folder.size() > 3 && has(text, folder));
        });
    });
}

// It trains, and no word of it is about loading: what it imports could, but then the training is there too.
bool trainsAndNeverLoads(const std::string &script)
{
    static constexpr std::array<std::string_view, 14> loads{
        "load_",  "Load",   ".load(", "load(",           "resum",           "Resum",     "RESUM",
        "restor", "Restor", "RESTOR", "from_pretrained", "from_checkpoint", "ckpt_path", "import *"};
    static constexpr std::array<std::string_view, 4> trains{".train(", ".fit(", ".backward(", "minimize("};
    return hasAny(script, trains) && !hasAny(script, loads);
}

Finding fromZero(const std::string &text, const std::string &fix, const ResumeOptions &options)
{
    Finding finding = refusal("starts_from_zero", text, fix);
    if (options.overriding("starts_from_zero")) finding.result = Finding::Result::warn;
    return finding;
}

}  // namespace

std::vector<Finding> startsFromZero(const JobState &view, const CheckpointSet &set, const AdaptedScript &told,
                                    const ResumeFacts &facts, const Moves &saves, const ResumeOptions &options)
{
    if (told.takesNewest) return {};
    const auto readBy = [&](auto test) {
        return std::find_if(facts.scriptTexts.begin(), facts.scriptTexts.end(),
                            [&](const auto &entry) { return test(entry.second); });
    };
    if (!told.namesCheckpoint) {
        if (const MemberVerdict *member = movedMember(view, set, saves))
            return {
                onRank(fromZero("the plan moves " + printable(member->path) +
                                    " aside, which is the chosen set, and launch.command names no checkpoint: every "
                                    "rank would start from zero",
                                facts.sibling ? std::string(nameIt) + "; or take the periodic set of the same step, " +
                                                    printable(*facts.sibling) + ", and name it so"
                                              : nameIt,
                                options),
                       member->rank)};
        const auto script = readBy(trainsAndNeverLoads);
        if (script != facts.scriptTexts.end() && !leadsThere(told, set))
            return {onNode(fromZero("launch.command names no checkpoint, and its script on node " +
                                        printable(script->first) + " loads none: every rank would start from zero",
                                    nameIt, options),
                           script->first)};
        return {};
    }
    const bool prefix = isPrefix(view, set);
    const auto tests = readBy([](const std::string &text) { return has(text, "exists(") || has(text, "isfile("); });
    if (prefix && !told.usesView && tests != facts.scriptTexts.end())
        return {onNode(fromZero(printable(set.members.front().path) +
                                    " is the beginning of several files' names, and the script on node " +
                                    printable(tests->first) +
                                    " asks whether a file of that name exists: it would load nothing",
                                "give the script a directory: {checkpoint_dir} instead of {checkpoint}; if it can load "
                                "the prefix, say --fix starts_from_zero",
                                options),
                       tests->first)};
    const auto wantsFile = readBy([](const std::string &text) {
        return has(text, "isfile(") && !has(text, "isdir(") && !has(text, "listdir(") && !has(text, "glob");
    });
    if (told.usesView && wantsFile != facts.scriptTexts.end())
        return {
            onNode(fromZero("launch.command gives the script a directory, {checkpoint_dir}, and the script on node " +
                                printable(wantsFile->first) + " takes a file only: it would load nothing",
                            "put {checkpoint} there; if it can load a directory, say --fix starts_from_zero", options),
                   wantsFile->first)};
    return {};
}

}  // namespace rankdeck
