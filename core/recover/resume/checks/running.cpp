// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/checks/resume_checks.h"

#include "core/base/text.h"
#include "core/recover/host/job_places.h"
#include "core/recover/wording.h"

#include <algorithm>
#include <set>

namespace rankdeck {

namespace {

struct Growth {
    int rank = -1;  // -1: a checkpoint
    std::string path;
    std::string node;
    std::int64_t mtimeNs = 0;
    WallTime at = {};
};

// Growth of files of ranks that may still run, newest first.
std::vector<Growth> growthOf(const JobState &view, const PathStats &book, const ProcessSnapshot &processes,
                             const RunningFacts &facts)
{
    std::vector<Growth> all;
    bool everyGone = true;
    const auto add = [&](int rank, const std::string &path, const std::string &node, std::int64_t mtimeNs) {
        Growth growth{
            .rank = rank, .path = path, .node = node, .mtimeNs = mtimeNs, .at = consoleTime(view, node, mtimeNs)};
        const bool before = facts.stopped && growth.at <= *facts.stopped + std::chrono::seconds(2);
        if (!before) all.push_back(std::move(growth));
    };
    for (const RankProcess &rank : processes.ranks) {
        // A leftover process has its own finding and can be ended.
        const bool told = rank.alive.isYes() && rank.sure && rank.process;
        if (rank.gone || told) continue;
        everyGone = false;
        const auto path = pathOfRank(view.job, view.job.logs.path, rank.rank);
        if (!path || path->empty()) continue;
        if (const auto stat = book.stat(rank.node, *path)) add(rank.rank, *path, rank.node, stat->mtimeNs);
    }
    if (!everyGone)
        for (const Member &member : view.inventory->members)
            add(-1, member.file.path, member.node, member.file.stat.mtimeNs);
    std::sort(all.begin(), all.end(), [](const Growth &a, const Growth &b) { return a.at > b.at; });
    return all;
}

std::optional<std::uint32_t> uidOn(const JobState &view, const std::string &node)
{
    for (const NodeStatus &status : view.nodes)
        if (status.name == node) return status.facts.uid;
    return {};
}

void claimFindings(std::vector<Finding> &into, const RunningFacts &facts, const ResumeOptions &options)
{
    std::set<std::string> told;
    for (const ClaimFact &claim : facts.claims) {
        if (claim.held == Known::yes && told.insert(claim.holder.action).second) {
            const Message since =
                claim.holder.since ? message(", since %1", clockTime(*claim.holder.since)) : Message("");
            into.push_back(
                onNode(refusal("attempt_running",
                               message("%1: %2%3, on node %4",
                                       claim.holder.reserved ? message("this job is reserved")
                                                             : message("this job is already running"),
                                       printable(claim.holder.text), since,
                                       printable(claim.holder.host.empty() ? claim.node : claim.holder.host)),
                               message("stop that attempt first%1, or watch it", terminalWords(" (exit)"))),
                       claim.node));
        }
        if (claim.held != Known::unknown) continue;
        Finding finding =
            refusal("ranks_unknown",
                    message("cannot tell whether another attempt of this job is running on node %1: %2",
                            printable(claim.node), printable(claim.problem)),
                    message("check there; if you are sure that none is running, %1", overrideHint("ranks_unknown")));
        if (options.overriding("ranks_unknown")) finding.result = Finding::Result::warn;
        into.push_back(onNode(std::move(finding), claim.node));
    }
}

void unsureFindings(std::vector<Finding> &into, const ProcessSnapshot &processes, const ResumeOptions &options)
{
    const auto add = [&](int rank, const std::string &node, const Message &text) {
        Finding finding = refusal("ranks_unknown", text,
                                  message("end it by hand if it belongs to this job; if it belongs to another job, %1",
                                          overrideHint("ranks_unknown")));
        if (options.overriding("ranks_unknown")) finding.result = Finding::Result::warn;
        into.push_back(onRank(onNode(std::move(finding), node), rank));
    };
    for (const RankProcess &rank : processes.ranks)
        if (!rank.sure && rank.process)
            add(rank.rank, rank.node,
                message("pid %1 (%2) on node %3 may be rank %4: its environment and directory say so, but it writes to "
                        "no log of this job",
                        rank.process->id.pid, printable(rank.process->comm), printable(rank.node), rank.rank));
    for (const auto &[node, found] : processes.nodes)
        for (const auto &[rank, second] : found.claims)
            add(rank, node,
                message("two processes claim to be rank %1 on node %2: %3", rank, printable(node),
                        pidsText({found.ranks.at(rank), second})));
}

// Ranks of unknown state, on nodes that hide other users' processes from this login, whose logs belong to another user.
// That user may run them, even if they have been silent for long.
void closedFindings(std::vector<Finding> &into, const JobState &view, const PathStats &book,
                    const ProcessSnapshot &processes, const ResumeOptions &options)
{
    std::map<std::pair<std::string, std::uint32_t>, std::vector<int>> closed;
    for (const RankProcess &rank : processes.ranks) {
        const auto sorted = processes.nodes.find(rank.node);
        const int index = view.job.nodeIndex(rank.node);
        if (rank.gone || !rank.alive.isUnknown() || rank.process || sorted == processes.nodes.end() || index < 0)
            continue;
        const auto path = pathOfRank(view.job, view.job.logs.path, rank.rank);
        const auto log = path && !path->empty() ? book.stat(rank.node, *path) : std::nullopt;
        const bool hidden = !sorted->second.complete && !sorted->second.problem;
        if (hidden && log && log->uid != uidOn(view, rank.node)) closed[{rank.node, log->uid}].push_back(rank.rank);
    }
    for (const auto &[where, ranks] : closed) {
        Finding finding =
            refusal("ranks_unknown",
                    message("cannot tell whether %1 on node %2 %3: the logs belong to user %4, and this login cannot "
                            "inspect other users' processes",
                            ranksText(ranks), printable(where.first),
                            ranks.size() == 1 ? message("is running") : message("are running"), where.second),
                    message("check there as that user, or as root; if you are sure that none is running, %1",
                            overrideHint("ranks_unknown")));
        if (options.overriding("ranks_unknown")) finding.result = Finding::Result::warn;
        into.push_back(onNode(std::move(finding), where.first));
    }
}

}  // namespace

double quietSeconds(const JobState &view) { return std::max(60.0, 10 * view.stepSeconds.value_or(0)); }

NewestWrites newestWrites(const JobState &view, const PathStats &book, const ProcessSnapshot &processes,
                          const RunningFacts &facts)
{
    NewestWrites newest;
    for (const Growth &growth : growthOf(view, book, processes, facts)) {
        std::int64_t &ns = newest.try_emplace(growth.node, growth.mtimeNs).first->second;
        ns = std::max(ns, growth.mtimeNs);
    }
    return newest;
}

bool wroteSince(const NewestWrites &before, const NewestWrites &now)
{
    return std::any_of(now.begin(), now.end(), [&](const auto &write) {
        const auto was = before.find(write.first);
        return was == before.end() || write.second > was->second;
    });
}

std::vector<Finding> runningFindings(const JobState &view, const PathStats &book, const ProcessSnapshot &processes,
                                     const RunningFacts &facts, const ResumeOptions &options)
{
    std::vector<Finding> findings;
    if (facts.journal)
        findings.push_back(
            refusal("journal", facts.journal->message,
                    message("make the journal readable, then try again; Rankdeck does nothing without it")));
    claimFindings(findings, facts, options);
    unsureFindings(findings, processes, options);
    closedFindings(findings, view, book, processes, options);
    const auto all = growthOf(view, book, processes, facts);
    if (all.empty()) return findings;
    const double age = secondsBetween(all.front().at, facts.now), quiet = quietSeconds(view);
    if (age > quiet) return findings;
    std::vector<int> ranks;
    for (const Growth &growth : all)
        if (growth.rank >= 0 && secondsBetween(growth.at, facts.now) <= quiet) ranks.push_back(growth.rank);
    Finding finding =
        refusal("run_moving",
                message("%1 on node %2 grew %3 ago%4, and some ranks may still be running", printable(all.front().path),
                        printable(all.front().node), durationText(std::max(0.0, age)),
                        (ranks.empty() ? "" : " (" + ranksText(ranks) + ")")),
                message("stop the run first%1, or wait until nothing has grown for %2; if you are sure that none is "
                        "running, %3",
                        terminalWords(" (exit)"), durationText(quiet), overrideHint("run_moving")));
    if (options.overriding("run_moving")) finding.result = Finding::Result::warn;
    findings.push_back(std::move(finding));
    return findings;
}

}  // namespace rankdeck
