// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/job/path_template.h"
#include "core/recover/edit/python_edit.h"
#include "core/recover/resume/checks/resume_checks.h"
#include "core/recover/wording.h"

#include <algorithm>
#include <string_view>

namespace rankdeck {

namespace {

const std::string nameIt = "put {checkpoint} into launch.command where the script takes the file to load, or name "
                           "launch.script; if the script "
                           "does load the set, say --fix starts_from_zero";

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
            return contains(text, dirName(member.path)) || (parent.size() > 1 && contains(text, parent)) ||
                   (folder.size() > 3 && contains(text, folder));
        });
    });
}

Finding fromZero(const std::string &text, const std::string &fix, const ResumeOptions &options)
{
    Finding finding = refusal("starts_from_zero", text, fix);
    if (options.overriding("starts_from_zero")) finding.result = Finding::Result::warn;
    return finding;
}

using Scripts = std::map<std::string, std::string>;  // node → text

Scripts::const_iterator readBy(const Scripts &scripts, bool (*test)(const std::string &))
{
    return std::find_if(scripts.begin(), scripts.end(), [&](const auto &entry) { return test(entry.second); });
}

// MindX DL's TensorFlow scripts: the path stands in a file that the script imports.
bool isToldByItsConfiguration(const std::string &script)
{
    const std::string text = squeezedPython(script);
    const bool asks = contains(text, "get('restore_path'") || contains(text, "get(\"restore_path\"") ||
                      contains(text, "['restore_path']") || contains(text, "[\"restore_path\"]");
    return asks && contains(text, "exists(");
}

std::string whyNotByExit(const ResumeFacts &facts)
{
    return facts.exitLoad.problem.empty() ? std::string()
                                          : "; by itself OnRequestExit cannot: " + facts.exitLoad.problem;
}

void exitLoaded(Findings &into, const ResumeFacts &facts)
{
    const auto &[rank, path] = *facts.exitLoad.files.begin();
    std::size_t mended = 0;
    for (const auto &[node, steps] : facts.exitLoad.copies)
        for (const FileActionRequest &step : steps) mended += step.patches.empty() ? 0 : 1;
    Finding finding = warning("train_ckpt_loaded",
                              "the script loads nothing but what OnRequestExit finds when the training begins, " +
                                  printable(path) + (facts.exitLoad.files.size() > 1 ? " and so on" : "") +
                                  "; it says nothing of that in the log, and counts its epochs from 1 again",
                              std::string("the plan puts a copy of the chosen set there for each rank") +
                                  (mended == 0 ? ""
                                               : ", with global_step as the optimizer takes it and the tags of the "
                                                 "last stop at 0") +
                                  "; the first losses show whether it was loaded");
    finding.fixable = true;
    into.push_back(std::move(finding));
}

void checkUnnamed(Findings &into, const ResumeFacts &facts)
{
    const CheckpointSet &set = *facts.choice.set;
    if (!facts.exitLoad.files.empty()) return exitLoaded(into, facts);
    if (const MemberVerdict *member = movedMember(facts.view, set, facts.layout.saves)) {
        const std::string other = facts.choice.sibling ? "; or take the periodic set of the same step, " +
                                                             printable(*facts.choice.sibling) + ", and name it so"
                                                       : "";
        into.push_back(onRank(fromZero("the plan moves " + printable(member->path) +
                                           " aside, which is the chosen set, and launch.command names no checkpoint: "
                                           "every rank would start from zero" +
                                           whyNotByExit(facts),
                                       nameIt + other, facts.options),
                              member->rank));
        return;
    }
    const auto configured = readBy(facts.programs.scriptTexts, isToldByItsConfiguration);
    if (configured != facts.programs.scriptTexts.end() && facts.choice.script.settings.empty()) {
        into.push_back(onNode(
            fromZero("the script on node " + printable(configured->first) +
                         " loads what restore_path of its configuration says, where that is there, and else starts "
                         "from zero without a word; nothing tells it the chosen set",
                     "name launch.script tensorflow, and with launch.config the file that says restore_path; if that "
                     "leads every rank to the set already, say --fix starts_from_zero",
                     facts.options),
            configured->first));
        return;
    }
    const auto script = readBy(facts.programs.scriptTexts, trainsAndNeverLoads);
    if (script == facts.programs.scriptTexts.end() || leadsThere(facts.choice.script, set)) return;
    into.push_back(
        onNode(fromZero("launch.command names no checkpoint, and its script on node " + printable(script->first) +
                            " loads none: every rank would start from zero" + whyNotByExit(facts),
                        nameIt, facts.options),
               script->first));
}

// A setting or a variable names the checkpoint.
bool isToldOtherwise(const AdaptedScript &told)
{
    for (const char *name : {"checkpoint", "checkpoint_dir"}) {
        const auto uses = [&](const ConfigSetting &one) { return usesPlaceholder(one.value, name); };
        if (environmentUses(told.job, name) || std::any_of(told.settings.begin(), told.settings.end(), uses))
            return true;
    }
    return false;
}

// A wrapper that uses no argument never tells its script what to load.
bool checkWrapper(Findings &into, const ResumeFacts &facts)
{
    const auto &wrappers = facts.programs.wrappers;
    const auto deaf =
        std::find_if(wrappers.begin(), wrappers.end(), [](const auto &entry) { return !entry.second.handsOn; });
    if (deaf == wrappers.end() || isToldOtherwise(facts.choice.script) || facts.folders.loads()) return false;
    into.push_back(
        onNode(fromZero(printable(deaf->second.path) +
                            " uses none of its arguments (no \"$@\"), so that its script is never told the "
                            "checkpoint that launch.command names: it would start from zero",
                        "hand the arguments on in it (\"$@\"), name the file in the configuration that it reads "
                        "(launch.config), or start the training script itself; if the script does load the set, "
                        "say --fix starts_from_zero",
                        facts.options),
               deaf->first));
    return true;
}

void checkPrefix(Findings &into, const ResumeFacts &facts)
{
    const auto script = readBy(facts.programs.scriptTexts, [](const std::string &text) {
        return contains(text, "exists(") || contains(text, "isfile(");
    });
    if (script == facts.programs.scriptTexts.end() || !isPrefix(facts.view, *facts.choice.set)) return;
    into.push_back(onNode(fromZero(printable(facts.choice.set->members.front().path) +
                                       " is the beginning of several files' names, and the script on node " +
                                       printable(script->first) +
                                       " asks whether a file of that name exists: it would load nothing",
                                   "give the script a directory: {checkpoint_dir} instead of {checkpoint}; if it can "
                                   "load the prefix, say --fix starts_from_zero",
                                   facts.options),
                          script->first));
}

void checkDirectory(Findings &into, const ResumeFacts &facts)
{
    const auto script = readBy(facts.programs.scriptTexts, [](const std::string &text) {
        return contains(text, "isfile(") && !contains(text, "isdir(") && !contains(text, "listdir(") &&
               !contains(text, "glob");
    });
    if (script == facts.programs.scriptTexts.end()) return;
    into.push_back(onNode(fromZero("launch.command gives the script a directory, {checkpoint_dir}, and the script on "
                                   "node " +
                                       printable(script->first) + " takes a file only: it would load nothing",
                                   "put {checkpoint} there; if it can load a directory, say --fix starts_from_zero",
                                   facts.options),
                          script->first));
}

}  // namespace

void checkStart(Findings &into, const ResumeFacts &facts)
{
    const AdaptedScript &told = facts.choice.script;
    if (told.takesNewest) return;
    if (told.namesCheckpoint && checkWrapper(into, facts)) return;
    if (!told.namesCheckpoint)
        checkUnnamed(into, facts);
    else if (told.usesView)
        checkDirectory(into, facts);
    else
        checkPrefix(into, facts);
}

}  // namespace rankdeck
