// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/plan/plan_runner.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/node/wait_for.h"
#include "core/recover/host/rank_processes.h"
#include "core/recover/host/still_run.h"
#include "core/recover/plan/plan_secrets.h"

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace rankdeck {

namespace {

constexpr double acceptSeconds = 60;
constexpr double standInSeconds = 30;  // time for an engine to end its job

Error onNode(const Error &error, const std::string &node)
{
    return fail(error.kind, message("node %1: %2", printable(node), error.message), error.detail);
}

// Checks that no process may be hidden: a process of these launches that changed its user cannot be read by this login.
Status noneHides(ActionContext &host, const std::string &name, const std::vector<Started> &started)
{
    std::optional<std::uint64_t> since;
    for (const Started &one : started)
        if (one.node == name && one.reply) since = std::min(since.value_or(UINT64_MAX), one.reply->process.startTicks);
    if (!since) return Done{};  // no known start there
    NodeClient *node = host.node(name);
    auto reply = node ? node->findProcesses({.all = true}) : Reply<ProcessList>();
    const auto all = waitFor(reply, inSeconds(stepAnswerSeconds), name);
    if (!all) return all.error();
    const auto closed = closedSince(all->processes, *since);
    if (closed.empty()) return Done{};
    const ProcessInfo &first = closed.front();
    const Message text =
        message("this login cannot inspect pid %1 (%2) of user %3, which started after the launch", first.id.pid,
                printable(first.comm), printable(first.user.empty() ? std::to_string(first.uid) : first.user));
    return fail(ErrorKind::permission,
                closed.size() > 1 ? message("%1, nor %2 more processes", text, closed.size() - 1) : text);
}

bool running(const Started &started) { return started.reply && started.reply->running; }

bool anyRunning(const std::vector<Started> &started) { return std::any_of(started.begin(), started.end(), running); }

void signalAll(ActionContext &host, const std::vector<Started> &started, Signal signal)
{
    std::vector<std::pair<std::string, Reply<SignalReply>>> replies;
    for (const Started &one : started)
        if (NodeClient *node = running(one) ? host.node(one.node) : nullptr)
            replies.emplace_back(one.node,
                                 node->signal({.process = one.reply->process, .signal = signal, .wholeGroup = true}));
    for (auto &[node, reply] : replies) {
        const auto sent = waitFor(reply, inSeconds(stepAnswerSeconds), node);
        if (!sent) continue;  // the next query shows whether it is gone
    }
}

template <class Ask>
void askEach(ActionContext &host, std::vector<Started> &started, const Ask &ask)
{
    std::vector<Reply<LaunchReply>> replies;
    for (const Started &one : started) {
        NodeClient *node = host.node(one.node);
        replies.push_back(node ? ask(*node, one) : Reply<LaunchReply>());
    }
    for (std::size_t i = 0; i < started.size(); ++i) {
        auto reply = waitFor(replies[i], inSeconds(stepAnswerSeconds), started[i].node);
        started[i].launched = reply                                       ? Known::yes
                              : reply.error().kind == ErrorKind::notFound ? Known::no
                                                                          : Known::unknown;
        if (!reply) continue;
        reply->startedNow = started[i].reply && started[i].reply->startedNow;
        started[i].reply = std::move(reply.value());
    }
}

// A launch that the node refused cannot start later. Calling it off would only write a file, for which the disk may be
// too full.
bool wasRefused(const Started &one) { return one.problem && StepLog::fateOf(*one.problem) == StepFate::notDone; }

void callOff(ActionContext &host, std::vector<Started> &started)
{
    askEach(host, started, [](NodeClient &node, const Started &one) {
        return wasRefused(one) ? node.launchStatus(one.request.id, one.request.runDirectory)
                               : node.callOffLaunch(one.request.id, one.request.runDirectory);
    });
}

bool waitEnded(ActionContext &host, std::vector<Started> &started, double seconds)
{
    for (const SteadyTime deadline = inSeconds(seconds);;) {
        askLaunched(host, started);
        if (!anyRunning(started)) return true;
        if (steadyNow() >= deadline) return false;
        host.waitForChange(std::min(deadline, inSeconds(0.2)));
    }
}

struct Ending {
    std::string node;
    ProcessEnd end;
};

void signalEach(ActionContext &host, const std::vector<Ending> &endings, bool kill)
{
    std::vector<std::pair<std::string, Reply<SignalReply>>> replies;
    for (const Ending &ending : endings)
        if (NodeClient *node = host.node(ending.node))
            replies.emplace_back(ending.node, node->signal({.process = ending.end.process,
                                                            .signal = kill ? Signal::kill : ending.end.signal}));
    for (auto &[node, reply] : replies) {
        const auto sent = waitFor(reply, inSeconds(stepAnswerSeconds), node);
        if (!sent) continue;  // the next query shows whether it is gone
    }
}

// The endings whose processes may still run.
std::vector<Ending> stillThere(ActionContext &host, const std::vector<Ending> &endings)
{
    std::vector<NodeProcess> processes;
    for (const Ending &ending : endings) processes.push_back({ending.node, ending.end.process});
    const std::vector<Known> run = stillRun(host, processes, inSeconds(stepAnswerSeconds));
    std::vector<Ending> left;
    for (std::size_t i = 0; i < endings.size(); ++i)
        if (run[i].mayBe()) left.push_back(endings[i]);
    return left;
}

std::vector<Ending> waitForEnds(ActionContext &host, std::vector<Ending> endings, double seconds)
{
    for (const SteadyTime deadline = inSeconds(seconds);;) {
        endings = stillThere(host, endings);
        if (endings.empty() || steadyNow() >= deadline) return endings;
        host.waitForChange(std::min(deadline, inSeconds(0.2)));
    }
}

// Ends workers that run in their own sessions and were left behind by the launcher.
void endOrphans(ActionContext &host, const std::vector<Started> &started, std::vector<Message> &left)
{
    const auto orphans = launchedProcesses(host, started);
    if (!orphans) {
        left.push_back(
            message("cannot tell whether the launched workers are still running (%1)", orphans.error().message));
        return;
    }
    std::vector<Ending> endings;
    for (const auto &[node, processes] : orphans.value())
        for (const ProcessInfo &process : processes)
            endings.push_back(
                {node,
                 {.process = process.id,
                  .signal = Signal::term,
                  .text = "pid " + std::to_string(process.id.pid) + " (" + printable(process.comm) + ")"}});
    if (endings.empty()) return;
    signalEach(host, endings, false);
    endings = waitForEnds(host, std::move(endings), 10);
    if (!endings.empty()) signalEach(host, endings, true);
    for (const Ending &one : waitForEnds(host, std::move(endings), 5))
        left.push_back(message("%1 on node %2 is still running", printable(one.end.text), printable(one.node)));
}

Status writeFiles(ActionContext &host, const Plan &plan, StepLog &log, const FileSteps &how, bool newOnes)
{
    const StepKind kind = newOnes ? StepKind::newFile : StepKind::edit;
    const Secrets secrets = secretsOf(plan);
    for (const NodePlan &node : plan.nodes)
        for (std::size_t i = 0; i < node.edits.size(); ++i) {
            const FileEdit &edit = node.edits[i];
            if (edit.expectedSha256.empty() != newOnes) continue;
            FileStore *store = host.store(node.node);
            if (!store) return fail(ErrorKind::unreachable, message("node %1 was not found", printable(node.node)));
            ReplaceRequest request{.path = edit.path,
                                   .expectedSha256 = edit.expectedSha256,
                                   .bytes = edit.after,
                                   .ownerOnly = !secrets.namesIn(edit.after).empty()};
            auto reply = store->replaceFile(how.bound(node.node, std::move(request)));
            const auto done = waitFor(reply, inSeconds(stepAnswerSeconds), node.node);
            // If another writer made the file, it must not be undone, even if its text is the same.
            log.put(node.node, kind, i,
                    {.fate = !done            ? StepLog::fateOf(done.error())
                             : done->replaced ? StepFate::done
                                              : StepFate::notDone});
            if (const Status kept = log.flush(); !kept) return kept;
            if (!done) return onNode(done.error(), node.node);
            if (!done->replaced && done->now.bytes != edit.after)
                return fail(ErrorKind::conflict,
                            newOnes ? message("node %1: %2 was created after the plan was made; make the plan again",
                                              printable(node.node), printable(edit.path))
                                    : message("node %1: %2 was changed after the plan was made; make the plan again",
                                              printable(node.node), printable(edit.path)));
        }
    return Done{};
}

}  // namespace

std::vector<std::pair<std::string, ProcessId>> endsOf(const Plan &plan)
{
    std::vector<std::pair<std::string, ProcessId>> all;
    for (const NodePlan &node : plan.nodes)
        for (const ProcessEnd &end : node.ends) all.emplace_back(node.node, end.process);
    return all;
}

Status endProcesses(ActionContext &host, const Plan &plan)
{
    std::vector<Ending> endings;
    for (const NodePlan &node : plan.nodes)
        for (const ProcessEnd &end : node.ends) endings.push_back({node.node, end});
    if (endings.empty()) return Done{};
    signalEach(host, endings, false);
    std::vector<Ending> left = waitForEnds(host, std::move(endings), 10);
    if (!left.empty()) signalEach(host, left, true);
    left = waitForEnds(host, std::move(left), 10);
    if (left.empty()) return Done{};
    std::vector<Message> names;
    for (const Ending &one : left)
        names.push_back(message("%1 on node %2", printable(one.end.text), printable(one.node)));
    return fail(ErrorKind::conflict, message("these processes are still running after SIGKILL: %1", listed(names)));
}

Status applyEdits(ActionContext &host, const Plan &plan, StepLog &log, const FileSteps &how)
{
    return writeFiles(host, plan, log, how, false);
}

Status applyNewFiles(ActionContext &host, const Plan &plan, StepLog &log, const FileSteps &how)
{
    return writeFiles(host, plan, log, how, true);
}

Status applyFiles(ActionContext &host, const Plan &plan, StepLog &log, const FileSteps &how)
{
    std::size_t longest = 0;
    for (const NodePlan &node : plan.nodes) longest = std::max(longest, node.files.size());
    for (std::size_t step = 0; step < longest; ++step) {
        if (host.stopRequested())
            return fail(ErrorKind::cancelled, message("cancelled before all files were in place"));
        std::vector<std::tuple<std::string, std::size_t, Reply<Done>>> replies;
        for (const NodePlan &node : plan.nodes) {
            if (step + node.files.size() < longest)
                continue;  // all processes end at the same time: the last step comes when the others are done
            const std::size_t own = step + node.files.size() - longest;
            NodeClient *client = host.node(node.node);
            FileActionRequest request = how.bound(node.node, node.files[own]);
            replies.emplace_back(node.node, own, client ? client->applyFileStep(std::move(request)) : Reply<Done>());
        }
        std::optional<Error> problem;
        for (auto &[node, own, reply] : replies) {
            const auto done = waitFor(reply, inSeconds(how.seconds), node);
            log.put(node, StepKind::file, own, {.fate = done ? StepFate::done : StepLog::fateOf(done.error())});
            if (!done && !problem) problem = onNode(done.error(), node);
        }
        if (const Status kept = log.flush(); !kept) return kept;
        if (problem) return *problem;
    }
    return Done{};
}

std::vector<Started> launchAll(ActionContext &host, const Plan &plan)
{
    std::vector<Started> started;
    std::vector<Reply<LaunchReply>> replies;
    for (const NodePlan &node : plan.nodes)
        for (const LaunchRequest &launch : node.launches) {
            NodeClient *client = host.node(node.node);
            started.push_back({.node = node.node, .request = launch});
            replies.push_back(client ? client->launch(launch) : Reply<LaunchReply>());
        }
    const SteadyTime deadline = inSeconds(stepAnswerSeconds);
    for (std::size_t i = 0; i < started.size(); ++i) {
        auto reply = waitFor(replies[i], deadline, started[i].node);
        if (reply)
            started[i].reply = std::move(reply.value());
        else
            started[i].problem = onNode(reply.error(), started[i].node);
    }
    return started;
}

void awaitAccepted(ActionContext &host, const std::map<std::string, std::string> &accepted,
                   std::vector<Started> &started)
{
    const auto open = [&](const Started &one) {
        const auto file = accepted.find(one.request.id);
        NodeClient *node = host.node(one.node);
        if (file == accepted.end() || !running(one)) return false;
        if (!node) return true;  // the node may return, and nothing shows yet that the engine has the job
        auto reply = node->read({{.path = file->second, .offset = 0, .length = 1}});
        const auto there = waitFor(reply, inSeconds(stepAnswerSeconds), one.node);
        return !there || there->empty() || !there->front().error.empty();
    };
    for (const SteadyTime deadline = inSeconds(acceptSeconds); steadyNow() < deadline;) {
        if (std::none_of(started.begin(), started.end(), open)) break;
        host.waitForChange(std::min(deadline, inSeconds(0.3)));
        askLaunched(host, started);
    }
    if (!accepted.empty()) askLaunched(host, started);
}

void askLaunched(ActionContext &host, std::vector<Started> &started)
{
    askEach(host, started, [](NodeClient &node, const Started &one) {
        return node.launchStatus(one.request.id, one.request.runDirectory);
    });
}

std::vector<ProcessInfo> closedSince(const std::vector<ProcessInfo> &all, std::uint64_t startTicks)
{
    std::map<int, const ProcessInfo *> byPid;
    for (const ProcessInfo &process : all) byPid[process.id.pid] = &process;
    const auto ofOthers = [&](const ProcessInfo &process) {
        const ProcessInfo *at = &process;
        for (int steps = 0; steps < 64; ++steps) {
            const auto above = byPid.find(at->parent);
            if (above == byPid.end() || above->first <= 1 || above->second->comm == "systemd") return false;
            at = above->second;
            if (at->id.startTicks < startTicks) return true;
        }
        return false;
    };
    std::vector<ProcessInfo> closed;
    for (const ProcessInfo &process : all)
        if (!process.envReadable && isRunning(process) && process.id.startTicks >= startTicks && !ofOthers(process))
            closed.push_back(process);
    return closed;
}

Result<std::map<std::string, std::vector<ProcessInfo>>> launchedProcesses(ActionContext &host,
                                                                          const std::vector<Started> &started)
{
    std::set<std::string> ids;
    std::map<std::string, Reply<ProcessList>> replies;
    for (const Started &one : started) {
        ids.insert(one.request.id);
        if (replies.contains(one.node)) continue;
        NodeClient *node = host.node(one.node);
        replies[one.node] = node ? node->findProcesses({.envNames = {"RANKDECK_LAUNCH_ID"}}) : Reply<ProcessList>();
    }
    std::map<std::string, std::vector<ProcessInfo>> all;
    for (auto &[node, reply] : replies) {
        auto found = waitFor(reply, inSeconds(stepAnswerSeconds), node);
        if (!found) return onNode(found.error(), node);
        if (!found->complete)
            if (const Status told = noneHides(host, node, started); !told) return onNode(told.error(), node);
        for (ProcessInfo &process : found->processes)
            if (ids.contains(process.launchId) && process.state != 'Z' && process.state != 'X')
                all[node].push_back(std::move(process));
    }
    return all;
}

std::vector<Message> stopStarted(ActionContext &host, std::vector<Started> &started, const StopOfLaunch &stop)
{
    std::vector<Message> left;
    callOff(host, started);  // a launch whose answer was lost may still run, or begin later
    if (anyRunning(started)) {
        signalAll(host, started, stop.signal);
        if (!waitEnded(host, started, stop.standsIn ? standInSeconds : 10) && !stop.standsIn) {
            signalAll(host, started, Signal::kill);
            waitEnded(host, started, 5);
        }
    }
    if (!stop.standsIn || !anyRunning(started)) endOrphans(host, started, left);
    for (const Started &one : started) {
        if (one.launched == Known::unknown)
            left.push_back(message("cannot tell whether %1 is running on node %2", printable(one.request.id),
                                   printable(one.node)));
        else if (running(one))
            left.push_back(stop.standsIn ? message("pid %1 on node %2 is still waiting for its submitted job to end",
                                                   one.reply->process.pid, printable(one.node))
                                         : message("pid %1 on node %2 is still running", one.reply->process.pid,
                                                   printable(one.node)));
        else if (stop.standsIn && one.launched == Known::yes && one.reply->exitCode.value_or(-1) < 0)
            left.push_back(message(
                "cannot tell whether the job submitted by %1 on node %2 is running, because the submitter was killed",
                printable(one.request.id), printable(one.node)));
    }
    return left;
}

}  // namespace rankdeck
