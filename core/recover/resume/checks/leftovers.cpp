// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/checks/resume_checks.h"

#include "core/base/text.h"
#include "core/recover/wording.h"

#include <algorithm>

namespace rankdeck {

namespace {

std::string named(const OrphanProcess &survivor)
{
    std::string text = survivor.rank >= 0 ? "rank " + std::to_string(survivor.rank) + ", " : "";
    text += "pid " + std::to_string(survivor.process.id.pid) + " (" + printable(survivor.process.comm) + ") on node " +
            printable(survivor.node);
    if (!survivor.holds.empty()) text += " holds " + namesText(survivor.holds);
    return text;
}

// Description for the list of processes to end. It has enough detail to distinguish the process from one of another
// job.
std::string described(const OrphanProcess &survivor)
{
    OrphanProcess bare = survivor;
    bare.holds.clear();
    const ProcessInfo &process = survivor.process;
    std::string command;
    for (const std::string &word : process.argv) command += (command.empty() ? "" : " ") + word;
    if (command.size() > 160) command = command.substr(0, 160) + "…";
    return named(bare) + ", started " + isoTime(process.started) + ", user " +
           printable(process.user.empty() ? std::to_string(process.uid) : process.user) +
           (command.empty() ? "" : ", command " + printable(command)) +
           (process.stdoutPath.empty() ? "" : ", output " + printable(process.stdoutPath));
}

std::string namedAll(const std::vector<const OrphanProcess *> &survivors)
{
    std::string text;
    for (std::size_t i = 0; i < survivors.size() && i < 16; ++i) text += (i == 0 ? "" : "; ") + named(*survivors[i]);
    if (survivors.size() > 16) text += "; and " + std::to_string(survivors.size() - 16) + " more";
    return text;
}

std::vector<const OrphanProcess *> ofRole(const LeftoverFacts &facts, OrphanProcess::Role role)
{
    std::vector<const OrphanProcess *> found;
    for (const OrphanProcess &survivor : facts.all)
        if (survivor.role == role) found.push_back(&survivor);
    return found;
}

Finding chosen(Finding refused, bool fixing, const Message &done)
{
    refused.fixable = true;
    if (!fixing) return refused;
    refused.result = Finding::Result::warn;
    refused.fix = done;
    return refused;
}

// A tail that outlived its launcher is harmless: it only reads a file.
bool harmless(const OrphanProcess &survivor) { return survivor.process.comm == "tail"; }

bool portIsOurs(const LeftoverFacts &facts)
{
    return facts.portHolder && facts.portHolder->role != OrphanProcess::Role::stranger;
}

// A node that did not answer must not count as a node without processes.
void unknownFindings(std::vector<Finding> &into, const LeftoverFacts &facts, const ProcessSnapshot &picture,
                     const ResumeOptions &options)
{
    std::map<std::string, Message> unknown;
    for (const auto &[node, found] : picture.nodes)
        if (found.problem && found.problem->kind != ErrorKind::unreachable)
            unknown[node] = message("cannot tell whether the old attempt is still running on node %1: %2",
                                    printable(node), printable(found.problem->message));
    for (const auto &[node, problem] : facts.unasked)
        unknown.try_emplace(node,
                            message("cannot tell whether another job on node %1 writes to the paths of this one: %2",
                                    printable(node), printable(problem)));
    for (const auto &[node, text] : unknown) {
        Finding finding = refusal("survivors_unknown", text,
                                  message("check there; if you are sure that none of its processes is running, %1",
                                          overrideHint("survivors_unknown")));
        if (options.overriding("survivors_unknown")) finding.result = Finding::Result::warn;
        into.push_back(onNode(std::move(finding), node));
    }
}

}  // namespace

std::vector<Finding> leftoverFindings(const LeftoverFacts &facts, const ProcessSnapshot &picture,
                                      const LaunchPlan &launch, const ResumeOptions &options)
{
    std::vector<Finding> findings;
    std::vector<const OrphanProcess *> ranks = ofRole(facts, OrphanProcess::Role::rank);
    for (const OrphanProcess *survivor : ofRole(facts, OrphanProcess::Role::leftover))
        if (!harmless(*survivor)) ranks.push_back(survivor);
    const bool endAll = options.fixing("survivors");
    std::vector<int> untold;
    for (const RankProcess &rank : picture.ranks)
        if (rank.alive.isYes() && !rank.process) untold.push_back(rank.rank);
    if (!untold.empty())
        findings.push_back(refusal("survivors",
                                   message("expected no process of the old attempt, found %1 alive; its process is "
                                           "unknown",
                                           ranksText(untold)),
                                   message("stop the run first%1", terminalWords(" (exit)"))));
    if (!ranks.empty())
        findings.push_back(chosen(
            refusal("survivors", message("expected no process of the old attempt, found %1", namedAll(ranks)),
                    message("stop the run first%1, or let the plan end exactly these processes; two attempts would "
                            "write the same files",
                            terminalWords(" (exit)"))),
            endAll, message("the plan first ends exactly these processes: SIGTERM, then SIGKILL after ten seconds")));
    for (const OrphanProcess *survivor : ofRole(facts, OrphanProcess::Role::launcher))
        findings.push_back(onNode(
            chosen(refusal("launcher_alive",
                           message("the old attempt's launcher or scheduler is still running: %1", named(*survivor)),
                           message("let the plan end it (SIGINT to msrun ends its children too): it keeps the "
                                   "port in use and may restart ranks")),
                   endAll || options.fixing("launcher_alive"), message("the plan ends it first")),
            survivor->node));
    unknownFindings(findings, facts, picture, options);
    if (!facts.portBusy.isUnknown()) {
        const Message where = message("port %1 on node %2", launch.masterPort, printable(launch.masterNode));
        const Message who = facts.portHolder     ? message("%1, working in %2", named(*facts.portHolder),
                                                           printable(facts.portHolder->process.cwd))
                            : facts.holderSought ? message("a listener whose process this login cannot inspect")
                                                 : message("a listener whose process was not found in time");
        const Finding busy =
            onNode(refusal("port_in_use", message("expected %1 free for the scheduler, found %2", where, who),
                           message("end that process, or choose a different launch.master_port")),
                   launch.masterNode);
        if (facts.portBusy.isNo())
            findings.push_back(okFinding("port", message("%1 is free", where)));
        else if (portIsOurs(facts))
            findings.push_back(chosen(busy, endAll || options.fixing("launcher_alive") || options.fixing("port_in_use"),
                                      message("the plan ends that process first; it belongs to this job")));
        else
            findings.push_back(busy);
    }
    if (facts.portBusy.isUnknown() && launch.masterPort > 0 && !launch.masterNode.empty())
        findings.push_back(onNode(warning("port",
                                          message("cannot tell whether port %1 on node %2 is free for the scheduler",
                                                  launch.masterPort, printable(launch.masterNode)),
                                          message("check there with \"ss -ltn\"")),
                                  launch.masterNode));
    for (OrphanProcess begun : facts.begun) {
        begun.holds.clear();
        findings.push_back(onNode(
            refusal("attempt_running",
                    message("another process has just started this job: %1 started during the check of its processes",
                            named(begun)),
                    message("check what is running now, then decide")),
            begun.node));
    }
    for (const OrphanProcess &other : facts.sharing) {
        OrphanProcess bare = other;
        bare.holds.clear();
        findings.push_back(
            onNode(refusal("path_shared",
                           message("another job writes to the same places as this one, in %1: %2",
                                   namesText(other.holds), named(bare)),
                           message("give one of the two jobs its own log, checkpoint and strategy paths")),
                   other.node));
    }
    return findings;
}

std::map<std::string, std::vector<ProcessEnd>> leftoverEnds(const LeftoverFacts &facts, const ResumeOptions &options)
{
    std::map<std::string, std::vector<ProcessEnd>> ends;
    const auto end = [&](const OrphanProcess &survivor) {
        auto &list = ends[survivor.node];
        const bool had = std::any_of(list.begin(), list.end(), [&](const ProcessEnd &other) {
            return other.process.pid == survivor.process.id.pid;
        });
        if (had) return;
        list.push_back({.process = survivor.process.id,
                        .signal = survivor.role == OrphanProcess::Role::launcher && isLauncher(survivor.process)
                                      ? Signal::interrupt
                                      : Signal::term,
                        .text = described(survivor)});
    };
    for (const OrphanProcess &survivor : facts.all)
        if (options.fixing("survivors") ||
            (survivor.role == OrphanProcess::Role::launcher && options.fixing("launcher_alive")))
            end(survivor);
    if (portIsOurs(facts) && options.fixing("port_in_use")) end(*facts.portHolder);
    return ends;
}

}  // namespace rankdeck
