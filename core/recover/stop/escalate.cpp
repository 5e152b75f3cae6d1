// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/stop/escalate.h"

#include "core/base/text.h"
#include "core/node/wait_for.h"
#include "core/recover/host/still_run.h"
#include "core/recover/plan/step_log.h"
#include "core/recover/stop_method.h"
#include "core/recover/wording.h"

#include <algorithm>
#include <map>

namespace rankdeck {

namespace {

bool armedByEnvironment(const ProcessInfo &process)
{
    const auto value = process.env.find("MS_ENABLE_GRACEFUL_EXIT");
    return value != process.env.end() && value->second == "1";
}

bool isMindSpore(const Job &job, const ProcessInfo &process)
{
    return job.framework == Framework::mindspore || job.framework == Framework::mindformers ||
           process.env.contains("MS_ROLE");
}

}  // namespace

std::vector<Finding> escalationFindings(const Job &job, const ProcessSnapshot &picture,
                                        const std::map<int, ProcDetails> &looks, Signal signal)
{
    std::vector<int> swallow, worse, alive, bare;
    for (const RankProcess &rank : picture.ranks) {
        if (!rank.alive.isYes() || !rank.process) continue;
        alive.push_back(rank.rank);
        const auto look = looks.find(rank.rank);
        const bool ends = look != looks.end() && look->second.catches(15).isNo() && look->second.ignores(15).isNo();
        if (ends)
            bare.push_back(rank.rank);
        else if (isMindSpore(job, *rank.process))
            (armedByEnvironment(*rank.process) ? worse : swallow).push_back(rank.rank);
    }
    std::vector<Finding> findings;
    if (signal == Signal::kill)
        findings.push_back(warning(
            "force_stop", message("SIGKILL ends %1 at once, in the middle of a step or a save", ranksText(alive)),
            message("all work since the newest VALID set is lost, and a save in progress is torn")));
    if (signal == Signal::term && !bare.empty())
        findings.push_back(warning("force_stop",
                                   message("%1 has no handler for SIGTERM: it would end at once, in the middle of a "
                                           "step or a save, as with SIGKILL",
                                           ranksText(bare)),
                                   message("all work since the newest VALID set is lost on these ranks")));
    if (signal == Signal::term && !swallow.empty())
        findings.push_back(warning("force_stop",
                                   message("MindSpore 2.4 and later ignores SIGTERM in %1 when OnRequestExit is "
                                           "installed and MS_ENABLE_GRACEFUL_EXIT is not 1",
                                           ranksText(swallow)),
                                   message("only SIGKILL is sure to end them")));
    if (signal == Signal::term && !worse.empty())
        findings.push_back(warning(
            "force_stop",
            message("SIGTERM makes %1 save again, without epoch and step in the file, and overwrite the better save",
                    ranksText(worse)),
            message("resume from the periodic set of that step, not from *_train.ckpt")));
    return findings;
}

std::vector<ProcessTarget> signalTargets(const JobState &view, const ProcessSnapshot &picture, Signal signal)
{
    std::map<std::string, NodeFacts> facts;
    for (const NodeStatus &status : view.nodes) facts[status.name] = status.facts;
    std::vector<ProcessTarget> list;
    for (const RankProcess &rank : picture.ranks)
        if (rank.alive.isYes() && rank.process && rank.sure)
            list.push_back(targetOf(rank.node, facts[rank.node], *rank.process, rank.rank));
    if (signal != Signal::kill) return list;
    for (const NodeSpec &node : view.job.nodes)
        if (const auto found = picture.nodes.find(node.name); found != picture.nodes.end())
            for (const ProcessInfo &other : found->second.others)
                list.push_back(targetOf(node.name, facts[node.name], other, -1));
    return list;
}

// Takes the action from a launch id, which launchId() has made.
std::string launchingAction(const ProcessInfo &process)
{
    return process.launchId.substr(0, process.launchId.find('.'));
}

std::vector<ProcessTarget> appearedSince(const std::vector<ProcessTarget> &confirmed,
                                         const std::vector<ProcessTarget> &now)
{
    std::vector<ProcessTarget> more;
    for (const ProcessTarget &target : now)
        if (std::none_of(confirmed.begin(), confirmed.end(),
                         [&](const ProcessTarget &other) { return sameProcess(target, other); }))
            more.push_back(target);
    return more;
}

std::vector<ExitRung> exitLadder(const JobState &view, const ExitFacts &facts, const std::vector<Finding> &findings)
{
    std::vector<ExitRung> ladder{
        {.name = "graceful", .available = !anyRefusal(findings), .text = exitWayText(view.job)}};
    if (!ladder.front().available) ladder.front().text = refusalsText(findings);
    const bool saves = !facts.callback || facts.callback->savesCheckpoint;
    ladder.front().price = saves ? LostWork{.since = view.lostWork.since, .known = true} : view.lostWork;
    for (const Signal signal : {Signal::term, Signal::kill}) {
        ExitRung rung{.name = signal == Signal::term ? "term" : "kill", .price = view.lostWork};
        rung.targets = signalTargets(view, facts.processes, signal);
        rung.available = !rung.targets.empty();
        rung.findings = escalationFindings(view.job, facts.processes, facts.looks, signal);
        rung.text =
            rung.available
                ? message("%1 to exactly %2 processes, each checked by pid, start time and boot at the moment of "
                          "the signal",
                          signalName(signal), rung.targets.size())
                : message("no process of this job was found");
        ladder.push_back(std::move(rung));
    }
    return ladder;
}

void sendSignals(ActionContext &host, std::vector<ProcessTarget> &list, Signal signal, SteadyTime deadline)
{
    std::vector<Reply<SignalReply>> replies;
    for (const ProcessTarget &target : list) {
        NodeClient *node = host.node(target.node);
        const bool live = node && node->status().state == NodeState::live;
        replies.push_back(live ? node->signal({.process = target.process, .signal = signal}) : Reply<SignalReply>());
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
        const bool asked = replies[i].valid();
        const auto reply = waitFor(replies[i], deadline, list[i].node);
        const bool lost = asked && !reply && StepLog::fateOf(reply.error()) == StepFate::lost;
        list[i].sent = lost ? Known::unknown : Known(reply && reply->sent);
        list[i].reason = reply ? reply->reason : reply.error().message;
    }
}

void eraseGone(ActionContext &host, std::vector<ProcessTarget> &list)
{
    std::vector<NodeProcess> processes;
    for (const ProcessTarget &target : list) processes.push_back({target.node, target.process});
    const std::vector<Known> run = stillRun(host, processes, inSeconds(10));
    std::vector<ProcessTarget> left;
    for (std::size_t i = 0; i < list.size(); ++i)
        if (run[i].mayBe()) left.push_back(std::move(list[i]));
    list = std::move(left);
}

Message signalledText(const std::vector<ProcessTarget> &list, Signal signal)
{
    std::vector<Message> targets;
    for (const ProcessTarget &target : list) {
        const Message name = targetName(target);
        const bool sure = target.sent.isYes() || target.reason.empty();
        targets.push_back(sure                 ? name
                          : target.sent.isNo() ? message("%1 was not sent: %2", name, printable(target.reason))
                                               : message("%1 may have been sent: %2", name, printable(target.reason)));
    }
    return targets.empty() ? message("no process was left to signal")
                           : message("%1 to %2", signalName(signal), listed(targets));
}

Message namesOf(const std::vector<ProcessTarget> &list)
{
    std::vector<Message> names;
    for (const ProcessTarget &target : list) names.push_back(targetName(target));
    return listed(names);
}

}  // namespace rankdeck
