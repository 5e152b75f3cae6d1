// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/job/path_template.h"
#include "core/recover/edit/python_edit.h"
#include "core/recover/resume/checks/resume_checks.h"
#include "core/recover/resume/evidence/load_evidence.h"
#include "core/recover/resume/evidence/script_loads.h"
#include "core/recover/wording.h"

#include <algorithm>
#include <string_view>

namespace rankdeck {

namespace {

// Advice to name the checkpoint in the launch. other: one more option to try, or empty.
Message nameIt(const Message &other = {})
{
    return message(
        "put {checkpoint} into launch.command where the script expects the file to load. Or set the configuration file "
        "that it reads (launch.config) or its kind (launch.script). If you know that it loads the set, %1%2",
        overrideHint("checkpoint_not_named"), other);
}

// A file that the plan itself renames.
const MemberVerdict *movedMember(const JobState &view, const CheckpointSet &set, const Moves &saves)
{
    for (const MemberVerdict &member : set.members) {
        const NodeSpec *node = view.job.nodeOf(member.rank);
        const auto moved = node ? saves.moved.find(node->name) : saves.moved.end();
        if (moved != saves.moved.end() && moved->second.contains(member.path)) return &member;
    }
    return nullptr;
}

// True if the path is only the beginning of the names of its files, and not a file itself.
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

Finding fromZero(const Message &text, const Message &fix, const ResumeOptions &options)
{
    Finding finding = refusal("starts_from_zero", text, fix);
    if (mayStartFromZero(options)) finding.result = Finding::Result::warn;
    return finding;
}

using Scripts = std::map<std::string, std::string>;  // node → text

Scripts::const_iterator readBy(const Scripts &scripts, bool (*test)(const std::string &))
{
    return std::find_if(scripts.begin(), scripts.end(), [&](const auto &entry) { return test(entry.second); });
}

// True for MindX DL's TensorFlow scripts, which import the path from a configuration file.
bool isToldByItsConfiguration(const std::string &script)
{
    const std::string text = squeezedPython(script);
    const bool asks = contains(text, "get('restore_path'") || contains(text, "get(\"restore_path\"") ||
                      contains(text, "['restore_path']") || contains(text, "[\"restore_path\"]");
    return asks && contains(text, "exists(");
}

Message whyNotByExit(const ResumeFacts &facts)
{
    return facts.exitLoad.problem.empty() ? Message()
                                          : message("; OnRequestExit alone cannot load it: %1", facts.exitLoad.problem);
}

void exitLoaded(Findings &into, const ResumeFacts &facts)
{
    const auto &[rank, path] = *facts.exitLoad.files.begin();
    std::size_t mended = 0;
    for (const auto &[node, steps] : facts.exitLoad.copies)
        for (const FileActionRequest &step : steps) mended += step.patches.empty() ? 0 : 1;
    const Message files =
        facts.exitLoad.files.size() > 1 ? message("%1 and others", printable(path)) : Message(printable(path));
    Finding finding = warning(
        "train_ckpt_loaded",
        message("the script loads only what OnRequestExit finds when the training begins (%1); it does not log that, "
                "and counts its epochs from 1 again",
                files),
        mended == 0
            ? message("the plan puts a copy of the chosen set there for each rank; the first losses show whether it "
                      "was loaded")
            : message("the plan puts a copy of the chosen set there for each rank. Its global_step fits the optimizer, "
                      "and the tags of the last stop are 0. The first losses show whether it was loaded"));
    finding.fixable = true;
    into.push_back(std::move(finding));
}

void checkUnnamed(Findings &into, const ResumeFacts &facts)
{
    const CheckpointSet &set = *facts.choice.set;
    if (!facts.exitLoad.files.empty()) return exitLoaded(into, facts);
    if (const MemberVerdict *member = movedMember(facts.view, set, facts.layout.saves)) {
        const Message other = facts.choice.sibling
                                  ? message("; or choose the periodic set of the same step, %1, and put {checkpoint} "
                                            "into launch.command",
                                            printable(*facts.choice.sibling))
                                  : Message();
        into.push_back(onRank(fromZero(message("the plan backs up %1, which is the chosen set, but launch.command "
                                               "names no checkpoint: every rank would start from zero%2",
                                               printable(member->path), whyNotByExit(facts)),
                                       nameIt(other), facts.options),
                              member->rank));
        return;
    }
    const auto configured = readBy(facts.programs.scriptTexts, isToldByItsConfiguration);
    if (configured != facts.programs.scriptTexts.end() && facts.choice.script.settings.empty()) {
        into.push_back(
            onNode(fromZero(message("the script on node %1 loads restore_path from its configuration, not the chosen "
                                    "set; if that path does not exist, it silently starts from zero",
                                    printable(configured->first)),
                            message("set launch.script to tensorflow, and launch.config to the file with restore_path; "
                                    "if that path already leads every rank to the set, %1",
                                    overrideHint("checkpoint_not_named")),
                            facts.options),
                   configured->first));
        return;
    }
}

void checkPrefix(Findings &into, const ResumeFacts &facts)
{
    const auto script = readBy(facts.programs.scriptTexts, [](const std::string &text) {
        return contains(text, "exists(") || contains(text, "isfile(");
    });
    if (script == facts.programs.scriptTexts.end() || !isPrefix(facts.view, *facts.choice.set)) return;
    into.push_back(onNode(fromZero(message("several file names begin with %1, but the script on node %2 checks for a "
                                           "file of exactly that name: it would load nothing",
                                           printable(facts.choice.set->members.front().path), printable(script->first)),
                                   message("give the script a directory: {checkpoint_dir} instead of {checkpoint}; if "
                                           "the script can load the prefix, %1",
                                           overrideHint("checkpoint_not_named")),
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
    into.push_back(onNode(fromZero(message("launch.command gives the script a directory, {checkpoint_dir}, but the "
                                           "script on node %1 accepts only a file: it would load nothing",
                                           printable(script->first)),
                                   message("use {checkpoint} there; if the script can load a directory, %1",
                                           overrideHint("checkpoint_not_named")),
                                   facts.options),
                          script->first));
}

// A script without command-line arguments ignores the checkpoint that it is given, if it trains without a load or
// starts another program that trains.
bool ignoresArguments(const std::string &script)
{
    return !takesArguments(script) && (trainsAndNeverLoads(script) || startsScripts(script));
}

void refuseWithout(Findings &into, const ResumeFacts &facts, const NodeSpec &node, const LoadEvidence &evidence)
{
    into.push_back(
        onNode(fromZero(message("nothing shows that the ranks on node %1 would load %2, so they may train from "
                                "zero and overwrite the old checkpoints: %3%4",
                                printable(node.name), setText(*facts.choice.set), listed(evidence.against),
                                whyNotByExit(facts)),
                        nameIt(), facts.options),
               node.name));
}

// Refuses the launch unless each node whose ranks load has evidence of the load.
void checkEvidence(Findings &into, const ResumeFacts &facts)
{
    const AdaptedScript &told = facts.choice.script;
    Message unnamed;
    for (const NodeSpec &node : facts.view.job.nodes) {
        if (node.ranks.empty()) continue;
        const LoadEvidence evidence = loadEvidence(facts, node);
        const auto script = facts.programs.scriptTexts.find(node.name);
        if (!evidence.isThere()) return refuseWithout(into, facts, node, evidence);
        const bool given = evidence.way == LoadWay::placeholder || evidence.way == LoadWay::option;
        if (given && script != facts.programs.scriptTexts.end() && ignoresArguments(script->second))
            return refuseWithout(
                into, facts, node,
                {.against = {message("launch.command gives the script the checkpoint, but the script reads "
                                     "no arguments, loads nothing itself and does not pass the "
                                     "arguments on")}});
        if (evidence.way == LoadWay::option || evidence.way == LoadWay::scriptText) unnamed = evidence.text;
    }
    if (!unnamed.empty() && !told.namesCheckpoint)
        into.push_back(warning("checkpoint_not_named",
                               message("launch.command names neither {checkpoint} nor {checkpoint_dir}: %1", unnamed),
                               message("put {checkpoint} where the script expects the file to load; otherwise only the "
                                       "proof shows what it loaded")));
}

}  // namespace

bool mayStartFromZero(const ResumeOptions &options)
{
    return options.overriding("checkpoint_not_named") || options.overriding("starts_from_zero");
}

void checkStart(Findings &into, const ResumeFacts &facts)
{
    const AdaptedScript &told = facts.choice.script;
    const auto known = into.size();
    if (!told.takesNewest && !told.namesCheckpoint) checkUnnamed(into, facts);
    if (!told.takesNewest && told.usesView) checkDirectory(into, facts);
    if (!told.takesNewest && told.namesCheckpoint && !told.usesView) checkPrefix(into, facts);
    if (into.size() == known) checkEvidence(into, facts);
}

}  // namespace rankdeck
