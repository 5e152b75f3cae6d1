// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/recover/resume/checks/resume_checks.h"
#include "core/recover/wording.h"

namespace rankdeck {

namespace {

std::string loadsFirst(const RankFolders &folders)
{
    if (!folders.newestOf.empty())
        return "the script loads the newest checkpoint of " + printable(folders.newestOf) + " into every rank";
    return "--resume makes the script load " + printable(folders.glob->file) + " from the first folder " +
           printable(folders.glob->folders) + "* of " + printable(folders.directory) + " that has one";
}

void checkAside(Findings &into, const RankFolders &folders)
{
    std::size_t count = 0;
    std::string example;
    for (const auto &[node, steps] : folders.aside)
        for (const FileActionRequest &step : steps) {
            ++count;
            if (example.empty()) example = printable(step.path) + " on node " + printable(node);
        }
    if (count == 0) return;
    Finding finding = warning("newer_checkpoints",
                              loadsFirst(folders) + ", and " + example +
                                  (count > 1 ? " and " + std::to_string(count - 1) + " more do" : " does") +
                                  " not belong to the chosen set",
                              "the plan moves " + std::string(count > 1 ? "them" : "it") + " to a backup");
    finding.fixable = true;
    into.push_back(std::move(finding));
}

void checkCopies(Findings &into, const RankFolders &folders)
{
    for (const auto &[node, steps] : folders.copies) {
        Finding finding = onNode(
            warning("resume_by_directory",
                    loadsFirst(folders) + ", and no file of the chosen set exists there on node " + printable(node),
                    "the plan puts a copy of it there, " + printable(steps.back().path)),
            node);
        finding.fixable = true;
        into.push_back(std::move(finding));
    }
}

void checkUnknown(Findings &into, const RankFolders &folders)
{
    for (const RankFolders::Unknown &place : folders.unknown)
        into.push_back(
            onNode(refusal("resume_by_directory",
                           loadsFirst(folders) + ", and the content of " + printable(place.path) + " on node " +
                               printable(place.node) + " is unknown: " + printable(place.problem),
                           "make it readable, or let the script accept a path and write {checkpoint} in "
                           "launch.command"),
                   place.node));
}

}  // namespace

void checkRankFolders(Findings &into, const ResumeFacts &facts)
{
    const RankFolders &folders = facts.folders;
    if (!folders.newestOf.empty()) {
        checkUnknown(into, folders);
        checkAside(into, folders);
        checkCopies(into, folders);
        return;
    }
    if (!folders.glob) {
        if (facts.choice.script.switchedOn)
            into.push_back(refusal("resume_by_directory",
                                   "--resume=true does not say which file to load, and the script does not search the "
                                   "folders of its working directory for it (glob)",
                                   "let the script accept a path, and write --resume={checkpoint} (or nothing) in "
                                   "launch.command"));
        return;
    }
    if (folders.switchedOff) {
        Finding finding = refusal("starts_from_zero",
                                  "the script loads only with --resume, and launch.command does not have it: "
                                  "every rank would start from zero",
                                  "write --resume=true in launch.command");
        if (mayStartFromZero(facts.options)) finding.result = Finding::Result::warn;
        into.push_back(std::move(finding));
    }
    checkUnknown(into, folders);
    if (folders.assumed)
        into.push_back(warning("resume_by_directory",
                               "the script that launch.command starts could not be read; with --resume=true, " +
                                   loadsFirst(folders) + " is what MindX DL's script does",
                               "the proof shows which file each rank loaded"));
    checkAside(into, folders);
    checkCopies(into, folders);
    into.push_back(warning("keeps_one_checkpoint",
                           "the script saves each better checkpoint over " + printable(folders.glob->file) +
                               ": the next save is written over the chosen set",
                           "keep set " + printable(facts.choice.set->id) + " first"));
}

}  // namespace rankdeck
