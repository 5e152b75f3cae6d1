// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/stop/escalate.h"

#include "core/base/text.h"
#include "core/node/wait_for.h"
#include "core/recover/flag/stop_method.h"
#include "core/recover/wording.h"

#include <nlohmann/json.hpp>

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
        if (rank.alive != true || !rank.process) continue;
        alive.push_back(rank.rank);
        const auto look = looks.find(rank.rank);
        const bool ends = look != looks.end() && look->second.catches(15) == false && look->second.ignores(15) == false;
        if (ends)
            bare.push_back(rank.rank);
        else if (isMindSpore(job, *rank.process))
            (armedByEnvironment(*rank.process) ? worse : swallow).push_back(rank.rank);
    }
    std::vector<Finding> findings;
    if (signal == Signal::kill)
        findings.push_back(warning("sigkill", "SIGKILL ends " + ranksText(alive) + " at once, inside a step or a save",
                                   "all work since the newest VALID set is lost, and a save in progress is torn"));
    if (signal == Signal::term && !bare.empty())
        findings.push_back(warning("sigterm_kills",
                                   ranksText(bare) + " has no handler for SIGTERM: it ends there at once, inside a "
                                                     "step or a save, as by SIGKILL",
                                   "all work since the newest VALID set is lost on these ranks"));
    if (signal == Signal::term && !swallow.empty())
        findings.push_back(warning("sigterm_swallowed",
                                   "MindSpore from 2.4 on swallows SIGTERM in " + ranksText(swallow) +
                                       " when OnRequestExit is installed and MS_ENABLE_GRACEFUL_EXIT is not 1",
                                   "only SIGKILL is sure to end them"));
    if (signal == Signal::term && !worse.empty())
        findings.push_back(warning("sigterm_saves_less",
                                   "SIGTERM makes " + ranksText(worse) +
                                       " save again without epoch and step in the file, over the better one",
                                   "resume from the periodic set of that step, not from *_train.ckpt"));
    return findings;
}

std::vector<Signalled> signalList(const JobState &view, const ProcessSnapshot &picture, Signal signal)
{
    std::vector<Signalled> list;
    for (const RankProcess &rank : picture.ranks)
        if (rank.alive == true && rank.process && rank.sure)
            list.push_back({.node = rank.node, .process = *rank.process, .rank = rank.rank});
    if (signal != Signal::kill) return list;
    for (const NodeSpec &node : view.job.nodes)
        if (const auto found = picture.nodes.find(node.name); found != picture.nodes.end())
            for (const ProcessInfo &other : found->second.others) list.push_back({.node = node.name, .process = other});
    return list;
}

std::vector<ExitRung> exitLadder(const JobState &view, const ExitFacts &facts, const std::vector<Finding> &findings)
{
    std::vector<ExitRung> ladder{
        {.name = "graceful", .available = !anyRefusal(findings), .text = exitWayText(view.job)}};
    if (!ladder.front().available) ladder.front().text = refusalsText(findings);
    ladder.front().price = {.since = view.lostWork.since, .known = true};
    for (const Signal signal : {Signal::term, Signal::kill}) {
        ExitRung rung{.name = signal == Signal::term ? "term" : "kill", .price = view.lostWork};
        for (const Signalled &target : signalList(view, facts.processes, signal))
            rung.targets.push_back({.node = target.node,
                                    .rank = target.rank,
                                    .process = target.process.id,
                                    .group = target.process.group,
                                    .comm = target.process.comm});
        rung.available = !rung.targets.empty();
        rung.findings = escalationFindings(view.job, facts.processes, facts.looks, signal);
        rung.text = rung.available
                        ? std::string(signalName(signal)) + " to exactly " + std::to_string(rung.targets.size()) +
                              " processes, each checked by pid, start "
                              "time and boot at the moment of the signal"
                        : "no process of this job was found";
        ladder.push_back(std::move(rung));
    }
    return ladder;
}

void sendSignals(ActionContext &host, std::vector<Signalled> &list, Signal signal, SteadyTime deadline)
{
    std::vector<Reply<SignalReply>> replies;
    for (const Signalled &target : list) {
        NodeClient *node = host.node(target.node);
        replies.push_back(node ? node->signal({.process = target.process.id, .signal = signal}) : Reply<SignalReply>());
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto reply = waitFor(replies[i], deadline, list[i].node);
        list[i].sent = reply && reply->sent;
        list[i].reason = reply ? reply->reason : reply.error().message;
    }
}

std::vector<Signalled> waitGone(ActionContext &host, std::vector<Signalled> list, double seconds)
{
    const SteadyTime deadline = inSeconds(seconds);
    while (!list.empty()) {
        std::map<std::string, std::vector<ProcessInfo>> running;
        for (const Signalled &target : list) {
            if (running.contains(target.node)) continue;
            NodeClient *node = host.node(target.node);
            if (!node) continue;
            auto reply = node->processes(actEnvNames());
            if (auto processes = waitFor(reply, inSeconds(10), target.node))
                running[target.node] = std::move(processes.value());
        }
        std::erase_if(list, [&](const Signalled &target) {
            const auto known = running.find(target.node);
            return known != running.end() &&
                   std::none_of(known->second.begin(), known->second.end(), [&](const ProcessInfo &process) {
                       return process.id.pid == target.process.id.pid && process.state != 'Z' &&
                              process.id.startTicks == target.process.id.startTicks;
                   });
        });
        if (list.empty() || std::chrono::steady_clock::now() >= deadline || host.stopRequested()) break;
        host.waitForChange(std::min(deadline, inSeconds(0.5)));
    }
    return list;
}

std::string signalledText(const std::vector<Signalled> &list, Signal signal)
{
    std::string text;
    for (const Signalled &target : list) {
        const std::string who = (target.rank >= 0 ? "rank " + std::to_string(target.rank) + ", " : "") + "pid " +
                                std::to_string(target.process.id.pid) + " (" + printable(target.process.comm) +
                                ", group " + std::to_string(target.process.group) + ") on node " +
                                printable(target.node);
        text += (text.empty() ? std::string(signalName(signal)) + " to " : "; ") + who;
        if (!target.sent) text += " was not sent: " + printable(target.reason);
    }
    return text.empty() ? "no process was left to signal" : text;
}

std::string signalledJson(const std::vector<Signalled> &list)
{
    nlohmann::ordered_json array = nlohmann::ordered_json::array();
    for (const Signalled &target : list)
        array.push_back({{"node", validUtf8(target.node)},
                         {"rank", target.rank},
                         {"pid", target.process.id.pid},
                         {"start_ticks", target.process.id.startTicks},
                         {"group", target.process.group},
                         {"sent", target.sent},
                         {"reason", validUtf8(target.reason)}});
    return array.dump();
}

}  // namespace rankdeck
