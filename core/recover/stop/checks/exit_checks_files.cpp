// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/stop/checks/exit_checks.h"

#include "core/base/text.h"
#include "core/recover/wording.h"

#include <algorithm>

namespace rankdeck {

namespace {

std::string where(const ConfigCopy &copy) { return printable(copy.path) + " on node " + printable(copy.node); }

Message configFix(const ConfigCopy &copy)
{
    if (copy.problemCode == "config_missing")
        return message("create it there with the content {}, or correct graceful_exit.config in the job file");
    if (copy.problemCode != "config_invalid") return message("log in as the user who runs the training");
    if (copy.problem->detail == "not_object")
        return message(
            "make it an object such as {\"GracefulExit\": 0}; with this content the next read kills the rank");
    if (copy.problem->detail == "empty") return message("write {} into it");
    return message("repair it by hand; Rankdeck does not write into a file that it cannot read");
}

void checkArmed(Findings &into, const ConfigCopy &copy, const Message &says)
{
    const Message since =
        copy.content ? message(", since %1", isoTime(wallFromNs(copy.content->stat.mtimeNs))) : Message("");
    into.push_back(onNode(
        warning(
            "already_armed", message("%1 %2%3", says, where(copy), since),
            message("someone else has requested the stop; nothing is written there, and Rankdeck waits for the proof")),
        copy.node));
}

void checkWritable(Findings &into, const ConfigCopy &copy)
{
    if (copy.content->writable || copy.flag->armed) return;
    into.push_back(
        onNode(refusal("config_not_writable",
                       message("expected this login to have permission to replace %1, found none (owner %2, mount %3)",
                               where(copy), printable(copy.content->owner), printable(copy.content->fileSystem)),
                       message("log in as its owner, or make the file, its directory and its mount writable")),
               copy.node));
}

}  // namespace

void checkConfigs(Findings &into, const ExitFacts &facts)
{
    for (const ConfigCopy &copy : facts.copies) {
        if (copy.problemCode == "node_not_live") continue;  // the node has its own finding
        if (copy.problem) {
            into.push_back(onNode(
                refusal(copy.problemCode,
                        message("the graceful-exit config %1: %2", where(copy), printable(copy.problem->message)),
                        configFix(copy)),
                copy.node));
            continue;
        }
        for (const std::string &note : copy.flag->notes)
            into.push_back(
                onNode(warning("config_invalid", message("the graceful-exit config %1 %2", where(copy), note), ""),
                       copy.node));
        if (copy.flag->armed) checkArmed(into, copy, message("GracefulExit is already %1 in", copy.flag->literal));
        checkWritable(into, copy);
    }
}

void checkStopFiles(Findings &into, const ExitFacts &facts)
{
    for (const ConfigCopy &copy : facts.copies) {
        if (copy.problemCode == "node_not_live") continue;
        if (copy.problem)
            into.push_back(
                onNode(refusal("config_unreadable",
                               message("the stop file %1: %2", where(copy), printable(copy.problem->message)),
                               message("log in as the user who runs the training")),
                       copy.node));
        else if (copy.flag->armed)
            checkArmed(into, copy, message("the stop file already exists:"));
    }
}

void checkSharing(Findings &into, const ExitFacts &facts)
{
    std::set<std::string> contents;
    std::vector<std::string> nodes;
    for (const ConfigCopy &copy : facts.copies) {
        if (!copy.sameAs.empty()) {
            into.push_back(
                onNode(okFinding("config_shared", message("%1 is the same file as on node %2: it is written only once",
                                                          where(copy), printable(copy.sameAs))),
                       copy.node));
        } else if (copy.content) {
            contents.insert(copy.content->bytes);
            nodes.push_back(copy.node);
        }
    }
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    if (contents.size() > 1)
        into.push_back(warning("copies_differ", message("the config differs between %1", namesText(nodes)),
                               message("each file keeps its other keys; only GracefulExit is changed")));
}

void checkNamed(Findings &into, const ExitFacts &facts)
{
    std::map<std::string, std::vector<int>> ranks;  // one sentence for all ranks that name the same file
    std::map<std::string, const RankNames *> first;
    for (const RankNames &found : facts.elsewhere) {
        const std::string key = found.named.path + "\n" + found.named.where;
        ranks[key].push_back(found.rank);
        first.emplace(key, &found);
    }
    for (const auto &[key, found] : first) {
        const Message text = message(
            "expected %1 to read %4, as in the job file, found %2 (%3): the ranks would never see the stop request",
            ranksText(ranks[key]), printable(found->named.path), printable(found->named.where),
            printable(found->configured));
        const Message fix = message("correct graceful_exit.config in the job file to the path that the ranks read");
        // A literal in the source code may be in a branch that does not run, so it is only a warning.
        into.push_back(found->named.by == NamedConfig::By::source ? warning("config_named", text, fix)
                                                                  : refusal("config_named", text, fix));
    }
    if (facts.elsewhere.empty() && !facts.named.empty())
        into.push_back(okFinding("config_named", message("%1 refer to the same config as the job file",
                                                         ranksText({facts.named.begin(), facts.named.end()}))));
}

}  // namespace rankdeck
