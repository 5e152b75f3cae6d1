// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/stop/checks/exit_preflight.h"

#include "core/base/text.h"
#include "core/recover/stop/checks/exit_checks.h"
#include "core/recover/stop_method.h"
#include "core/recover/wording.h"

#include <algorithm>

namespace rankdeck {

namespace {

void checkNodes(Findings &into, const JobState &view, bool allowUnreachable)
{
    for (const NodeStatus &status : view.nodes) {
        if (status.state == NodeState::live) continue;
        const Message text =
            message("node %1: expected live, found %2%3", printable(status.name), nodeStateName(status.state),
                    (status.reason.empty() ? "" : " (" + printable(status.reason) + ")"));
        const Message fix =
            message("wait until it is live%1; all ranks must read the stop request before any of them stops",
                    terminalWords(", or write to the other nodes only (--reachable-only)"));
        into.push_back(onNode(
            allowUnreachable ? warning("node_not_live", text, fix) : refusal("node_not_live", text, fix), status.name));
    }
}

// Live nodes that do not report which action holds the job, for example because this login cannot read the claim of
// another user. Nodes that are not live have their own finding.
void checkClaims(Findings &into, const JobState &view, const ExitFacts &facts)
{
    for (const ClaimFact &claim : facts.claims)
        if (claim.held.isUnknown() && isLive(view, claim.node))
            into.push_back(
                onNode(warning("other_console",
                               message("cannot tell whether another console is resuming this job on node %1: %2",
                                       printable(claim.node), printable(claim.problem)),
                               message("check there; a resume that is about to start would be stopped too")),
                       claim.node));
}

// From the journal that both consoles share. A resume whose console uses another journal is found on the nodes; an exit
// whose console uses another journal appears as already_armed.
void checkConsoles(Findings &into, const ExitFacts &facts)
{
    if (facts.consolesUnknown) into.push_back(journalFinding(*facts.consolesUnknown));
    for (const ExitElsewhere &other : facts.consoles) {
        const std::string who = printable(other.user) + "@" + printable(other.host);
        if (other.live)
            into.push_back(elsewhereFinding(other));
        else
            into.push_back(
                warning("interrupted_action",
                        message("the exit %1 of %2 (%3 at %4) was killed before it finished", printable(other.action),
                                who, printable(other.state), clockTime(other.since)),
                        message("this stop waits for the proof and takes the request back in its place")));
    }
}

void checkSlurm(Findings &into, const ExitFacts &facts)
{
    if (facts.way != StopMethod::scancel) return;
    if (facts.slurmJob.empty())
        into.push_back(refusal(
            "slurm_job", message("expected one SLURM_JOB_ID in the environment of the ranks, found none or several"),
            message("set graceful_exit.slurm_job in the job file")));
    else
        into.push_back(okFinding("slurm_job", message("the ranks belong to Slurm job %1", printable(facts.slurmJob))));
}

void price(Findings &into, const JobState &view, const ExitFacts &facts)
{
    // If the callback saves nothing, the finding saves_nothing states the lost work.
    const bool saves = !facts.callback || facts.callback->savesCheckpoint;
    if (!view.lostWork.known || !saves) return;
    into.push_back(
        okFinding("price", message("a graceful stop loses only the step in progress; a kill would lose %1 steps (%2)",
                                   grouped(view.lostWork.steps), durationText(view.lostWork.seconds))));
}

Finding noWay()
{
    return refusal(
        "no_graceful_config",
        message("the job file defines no way to request a stop: it has no graceful_exit.config, the file through which "
                "a run is stopped"),
        message("for MindSpore, add graceful_exit.config (the JSON file that OnRequestExit reads) or, in pods, "
                "graceful_exit.configmap; for other frameworks, add graceful_exit.signal, stop_file or scancel"));
}

}  // namespace

std::vector<Finding> exitFindings(const JobState &view, const ExitFacts &facts, const ExitOptions &options)
{
    Findings findings = claimFindings(facts.claims);
    checkClaims(findings, view, facts);
    checkConsoles(findings, facts);
    if (facts.way == StopMethod::none) {
        findings.push_back(noWay());
        checkRanks(findings, view, facts);
        return findings;
    }
    checkNodes(findings, view, options.allowUnreachable);
    checkRanks(findings, view, facts);
    if (facts.way == StopMethod::configMap) {
        checkEnvironment(findings, view, facts);
        checkNamed(findings, facts);
        checkConfigMap(findings, view, facts);
    }
    if (facts.way == StopMethod::config) {
        checkEnvironment(findings, view, facts);
        checkNamed(findings, facts);
        checkConfigs(findings, facts);
    }
    if (facts.way == StopMethod::stopFile) checkStopFiles(findings, facts);
    checkSignal(findings, view, facts);
    checkSlurm(findings, facts);
    if (leavesAFile(facts.way)) checkSharing(findings, facts);
    checkController(findings, facts);
    checkPace(findings, view, facts.now);
    checkForcedEnd(findings, view, facts);
    checkRoom(findings, view, facts);
    checkCheckpoints(findings, view, facts);
    if (!isConfirmed(facts.way)) findings.push_back(okFinding("not_confirmed", unprovableText(facts.way)));
    price(findings, view, facts);
    return findings;
}

Finding journalFinding(const Error &error)
{
    return refusal("journal", message("cannot tell whether another console is acting on this job: %1", error.message),
                   message("make the journal readable, then try again; Rankdeck does nothing without it"));
}

Finding elsewhereFinding(const ExitElsewhere &other)
{
    const std::string who = printable(other.user) + "@" + printable(other.host);
    const std::string by = printable(other.state) + " by " + printable(other.action) + " at " + clockTime(other.since);
    if (other.kind == "resume")
        return refusal("other_console", message("another console of %1 is resuming this job: %2", who, by),
                       message("wait for its outcome, then request the stop again"));
    return refusal("other_console", message("another console of %1 is already stopping this job: %2", who, by),
                   message("watch it there, or %1", terminalWords("take it back with --cancel")));
}

std::vector<Finding> claimFindings(const std::vector<ClaimFact> &claims)
{
    std::vector<Finding> findings;
    for (const ClaimFact &claim : claims)
        if (claim.held.isYes() && claim.holder.reserved && !claim.holder.action.empty())
            findings.push_back(onNode(
                refusal(
                    "other_console",
                    message("another console is resuming this job: %1%2, on node %3", printable(claim.holder.text),
                            claim.holder.since ? message(", since %1", clockTime(*claim.holder.since)) : Message(""),
                            printable(claim.holder.host.empty() ? claim.node : claim.holder.host)),
                    message("wait for its outcome, then request the stop again")),
                claim.node));
    return findings;
}

std::vector<Finding> silentSince(const std::vector<ClaimFact> &before, const std::vector<ClaimFact> &now)
{
    std::vector<Finding> findings;
    for (const ClaimFact &asked : before) {
        const bool answered = std::any_of(now.begin(), now.end(), [&](const ClaimFact &claim) {
            return claim.node == asked.node && !claim.held.isUnknown();
        });
        if (asked.held.isUnknown() || answered) continue;
        findings.push_back(
            onNode(warning("other_console",
                           message("since the request, node %1 has not confirmed which console has reserved the job: "
                                   "the stop would also end a resume by another console there",
                                   printable(asked.node)),
                           message("check the job there")),
                   asked.node));
    }
    return findings;
}

bool onlyGracefulIsImpossible(const std::vector<Finding> &findings)
{
    static const std::set<FindingCode> rung{
        "no_graceful_config", "rank_dead",           "graceful_env", "config_missing",   "config_invalid",
        "config_unreadable",  "config_named",        "slurm_job",    "signal_handler",   "configmap",
        "cluster_not_live",   "config_not_writable", "disk_full",    "save_not_writable"};
    return anyRefusal(findings) && std::all_of(findings.begin(), findings.end(), [](const Finding &finding) {
               return finding.result != Finding::Result::refuse || rung.contains(finding.code);
           });
}

}  // namespace rankdeck
