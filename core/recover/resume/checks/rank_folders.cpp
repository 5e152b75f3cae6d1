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
    Finding finding =
        warning("newer_checkpoints",
                count > 1 ? message("%1, but %2 and %3 more do not belong to the chosen set", loadsFirst(folders),
                                    example, count - 1)
                          : message("%1, but %2 does not belong to the chosen set", loadsFirst(folders), example),
                count > 1 ? message("the plan backs them up") : message("the plan backs it up"));
    finding.fixable = true;
    into.push_back(std::move(finding));
}

void checkCopies(Findings &into, const RankFolders &folders)
{
    for (const auto &[node, steps] : folders.copies) {
        Finding finding = onNode(warning("resume_by_directory",
                                         message("%1, but no file of the chosen set exists there on node %2",
                                                 loadsFirst(folders), printable(node)),
                                         message("the plan puts a copy of it there, %1", printable(steps.back().path))),
                                 node);
        finding.fixable = true;
        into.push_back(std::move(finding));
    }
}

void checkUnknown(Findings &into, const RankFolders &folders)
{
    for (const RankFolders::Unknown &place : folders.unknown)
        into.push_back(onNode(
            refusal(
                "resume_by_directory",
                message("%1, and the content of %2 on node %3 is unknown: %4", loadsFirst(folders),
                        printable(place.path), printable(place.node), printable(place.problem)),
                message("make it readable, or let the script accept a path and write {checkpoint} in launch.command")),
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
            into.push_back(refusal(
                "resume_by_directory",
                message("--resume=true does not say which file to load, and the script does not search the folders of "
                        "its working directory for it (glob)"),
                message(
                    "let the script accept a path, and write --resume={checkpoint} (or nothing) in launch.command")));
        return;
    }
    if (folders.switchedOff) {
        Finding finding = refusal("starts_from_zero",
                                  message("the script loads only with --resume, but launch.command does not have that "
                                          "option: every rank would start from zero"),
                                  message("write --resume=true in launch.command"));
        if (mayStartFromZero(facts.options)) finding.result = Finding::Result::warn;
        into.push_back(std::move(finding));
    }
    checkUnknown(into, folders);
    if (folders.assumed)
        into.push_back(warning("resume_by_directory",
                               message("the script that launch.command starts could not be read. MindX DL's own script "
                                       "behaves like this with --resume=true: %1",
                                       loadsFirst(folders)),
                               message("the proof shows which file each rank loaded")));
    checkAside(into, folders);
    checkCopies(into, folders);
    into.push_back(warning(
        "keeps_one_checkpoint",
        message("the script overwrites %1 with each better checkpoint: the next save would overwrite the chosen set",
                printable(folders.glob->file)),
        message("keep set %1 first", printable(facts.choice.set->id))));
}

}  // namespace rankdeck
