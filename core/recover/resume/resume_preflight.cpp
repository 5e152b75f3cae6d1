// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/resume_preflight.h"

#include "core/base/text.h"
#include "core/recover/host/job_places.h"
#include "core/recover/resume/resume_degrees.h"
#include "core/recover/wording.h"

#include <algorithm>
#include <cmath>

namespace rankdeck {

namespace {

using Findings = std::vector<Finding>;

void checkNodes(Findings &into, const JobState &view)
{
    for (const NodeStatus &status : view.nodes) {
        const NodeSpec *node = nullptr;
        for (const NodeSpec &spec : view.job.nodes)
            if (spec.name == status.name) node = &spec;
        if (status.state != NodeState::live && node && !node->ranks.empty())
            into.push_back(onNode(refusal("node_not_live",
                                          "node " + printable(status.name) + ": expected live, found " +
                                              nodeStateName(status.state) +
                                              (status.reason.empty() ? "" : " (" + printable(status.reason) + ")"),
                                          "all nodes start or none: bring it back, or take it out of the job file"),
                                  status.name));
        if (std::abs(status.facts.clockSkewSeconds) > 5)
            into.push_back(
                onNode(warning("clock_skew",
                               "the clock of node " + printable(status.name) + " is off by " +
                                   durationText(std::abs(status.facts.clockSkewSeconds)),
                               "times of files and log lines are shown as the node tells them; run NTP there"),
                       status.name));
    }
}

void checkWorkdir(Findings &into, const JobState &view, const ResumeFacts &facts, const LaunchPlan &launch)
{
    for (const NodePlan &node : launch.nodes) {
        const int index = view.job.nodeIndex(node.node);
        if (index < 0) continue;
        const std::string workdir = workdirOn(view.job, view.job.nodes[static_cast<std::size_t>(index)]);
        if (!workdir.empty() && facts.book.known(node.node, workdir) && !facts.book.exists(node.node, workdir))
            into.push_back(onNode(refusal("workdir_missing",
                                          "expected the working directory " + printable(workdir) + " on node " +
                                              printable(node.node) + ", found nothing there",
                                          "correct launch.workdir, or put the job's files there"),
                                  node.node));
        if (facts.nodesWithoutProgram.contains(node.node) && !node.launches.empty()) {
            const auto looked = facts.searched.find(node.node);
            into.push_back(
                onNode(refusal("program_missing",
                               "expected the program " + printable(node.launches.front().argv.front()) + " on node " +
                                   printable(node.node) + ", found none in " +
                                   (looked == facts.searched.end() ? "its place" : namesText(looked->second)),
                               "give its full path (launch.msrun, launch.command) or a PATH in launch.env"),
                       node.node));
        }
    }
    for (const auto &[node, program] : facts.workerMissing)
        into.push_back(onNode(refusal("interpreter_missing",
                                      "expected " + printable(program) + ", which runs every rank, on node " +
                                          printable(node) + ", found none in the PATH of the launch",
                                      "give its full path in launch.command, or a PATH in launch.env"),
                              node));
    for (const auto &[node, script] : facts.scriptMissing)
        into.push_back(onNode(refusal("script_missing",
                                      "expected the script " + printable(script) + " on node " + printable(node) +
                                          ", found nothing there",
                                      "correct launch.command or launch.workdir, or put the script there"),
                              node));
}

// The file itself, or of a replica, on the node where it was judged.
bool canCopy(const CheckpointSet &set, const MemberVerdict &member, const NodeSpec &node)
{
    return member.node != node.name && !member.node.empty() && member.bytes > 0 &&
           set.facts.find("framework") == set.facts.end();  // checkpoints of several files are not one copy
}

void checkMembers(Findings &into, const JobState &view, const CheckpointSet &set, const ResumeFacts &facts,
                  const ResumeOptions &options)
{
    for (const MemberVerdict &member : set.members) {
        const NodeSpec *node = view.job.nodeOf(member.rank);
        if (!node || member.path.empty()) {
            into.push_back(onRank(refusal("member_missing",
                                          "rank " + std::to_string(member.rank) + " has no file in " + setText(set),
                                          "take another set"),
                                  member.rank));
            continue;
        }
        const std::string where = printable(member.path) + " on node " + printable(node->name);
        if (!facts.book.known(node->name, member.path)) continue;  // the node's state is a finding of its own
        const auto stat = facts.book.stat(node->name, member.path);
        if (!stat) {
            const bool elsewhere = member.node != node->name;
            Finding finding =
                onRank(refusal("member_missing",
                               "rank " + std::to_string(member.rank) + " needs " + where + ", found nothing there" +
                                   (elsewhere ? "; the file lies on node " + printable(member.node) : ""),
                               elsewhere ? "let the plan copy it there, compared by its hash"
                                         : "it was removed since it was judged: take another set"),
                       member.rank);
            finding.fixable = canCopy(set, member, *node);
            if (finding.fixable && options.fixing("member_missing")) {
                finding.result = Finding::Result::warn;
                finding.fix = "the plan copies it there from node " + printable(member.node) + ", compared by its hash";
            }
            into.push_back(std::move(finding));
        } else if (member.bytes != 0 && stat->kind == 'f' && stat->size != member.bytes) {
            into.push_back(onRank(
                refusal("member_changed",
                        where + " was judged with " + bytesText(member.bytes) + ", found " + bytesText(stat->size),
                        "wait until it is judged again"),
                member.rank));
        }
    }
}

void checkFlag(Findings &into, const JobState &view, const ResumeFacts &facts)
{
    for (const ConfigCopy &copy : facts.copies) {
        if (copy.flag && copy.flag->armed && copy.sameAs.empty()) {
            Finding finding =
                onNode(warning("flag_still_set",
                               "GracefulExit is " + copy.flag->literal + " in " + printable(copy.path) + " on node " +
                                   printable(copy.node) + ": every rank would leave after its first step",
                               "the plan puts it back to 0"),
                       copy.node);
            finding.fixable = true;
            into.push_back(std::move(finding));
        }
        if (copy.problem && (copy.problemCode == "config_not_json" || copy.problemCode == "config_not_object"))
            into.push_back(onNode(warning(copy.problemCode,
                                          "the graceful-exit config " + printable(copy.path) + " on node " +
                                              printable(copy.node) + ": " + printable(copy.problem->message),
                                          "repair it: a root that is no object kills the rank that reads it"),
                                  copy.node));
    }
    const auto &env = view.job.launch.env;
    const auto armed = env.find("MS_ENABLE_GRACEFUL_EXIT");
    if (!view.job.gracefulExit.config.empty() && (armed == env.end() || armed->second != "1"))
        into.push_back(warning(
            "graceful_env_not_set",
            "launch.env has no MS_ENABLE_GRACEFUL_EXIT=1, so the resumed run could not be stopped by the config",
            "add it to launch.env of the job file"));
}

void checkGracefulSet(Findings &into, const CheckpointSet &set, const ResumeFacts &facts)
{
    if (set.kind == CheckpointKind::graceful) {
        Finding finding = warning("graceful_set",
                                  setText(set) + " is what a graceful exit saved itself; from MindSpore 2.4.10 on its "
                                                 "global_step is a scalar that the optimizer may refuse",
                                  facts.sibling ? "take the periodic set of the same step: " + printable(*facts.sibling)
                                                : "there is no periodic set of the same step; an older one loads");
        finding.fixable = facts.sibling.has_value();
        into.push_back(std::move(finding));
    } else if (facts.gracefulTags == true)
        into.push_back(okFinding("graceful_tags",
                                 "the checkpoints carry graceful_exit and graceful_init; a script that loads "
                                 "them into its train cell should drop those two, or a later stop is uneven"));
}

}  // namespace

std::vector<Finding> resumeFindings(const JobState &view, const CheckpointSet &set, const ResumeFacts &facts,
                                    const LaunchPlan &launch, const ResumeOptions &options)
{
    Findings findings;
    const auto take = [&findings](Findings more) {
        for (Finding &finding : more) findings.push_back(std::move(finding));
    };
    checkNodes(findings, view);
    take(runningFindings(view, facts.book, facts.processes, facts.running, options));
    take(survivorFindings(facts.survivors, facts.processes, launch, options));
    checkMembers(findings, view, set, facts, options);
    take(degreeFindings(view.job, set, facts.pythonVersions));
    checkWorkdir(findings, view, facts, launch);
    checkFlag(findings, view, facts);
    checkGracefulSet(findings, set, facts);
    take(placeFindings(view, set, facts.places, options));
    return findings;
}

std::map<std::string, std::vector<FileCopy>> memberCopies(const JobState &view, const CheckpointSet &set,
                                                          const PathStats &book, const ResumeOptions &options)
{
    std::map<std::string, std::vector<FileCopy>> copies;
    if (!options.fixing("member_missing")) return copies;
    for (const MemberVerdict &member : set.members)
        if (const NodeSpec *node = view.job.nodeOf(member.rank); node && canCopy(set, member, *node) &&
                                                                 book.known(node->name, member.path) &&
                                                                 !book.exists(node->name, member.path)) {
            auto &list = copies[node->name];
            const bool had =
                std::any_of(list.begin(), list.end(), [&](const FileCopy &other) { return other.path == member.path; });
            if (!had)
                list.push_back(
                    {.fromNode = member.node, .from = member.path, .path = member.path, .bytes = member.bytes});
        }
    return copies;
}

}  // namespace rankdeck
