// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/command.h"

#include "app/ctl/output/progress_line.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/job/job_file.h"
#include "core/recover/launch/cluster/pod_stand_ins.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <iostream>

namespace rankdeck::ctl {
namespace {

volatile std::sig_atomic_t interrupts = 0;

int codeOf(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::invalid:
    case ErrorKind::notFound:
    case ErrorKind::unsupported: return usage;
    case ErrorKind::unreachable:
    case ErrorKind::timeout: return unreachable;
    case ErrorKind::refused:
    case ErrorKind::conflict:
    case ErrorKind::permission:
    case ErrorKind::noSpace: return answerIsNo;
    case ErrorKind::cancelled: return interrupted;
    case ErrorKind::protocol:
    case ErrorKind::internal: break;
    }
    return internal;
}

std::string joined(const std::vector<std::string> &words, std::size_t most)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(words.size(), most); ++i) text += (text.empty() ? "" : ", ") + words[i];
    return text + (words.size() > most ? " and " + std::to_string(words.size() - most) + " more" : "");
}

// The text of a progress line: "waiting for node0 (connecting) and 3 more", "reading 8 logs, 43 %", "reading the
// checkpoints".
std::string waitedFor(const Snapshot &snapshot)
{
    std::string first;
    std::size_t more = 0;
    for (const NodeStatus &node : snapshot.view.nodes) {
        if (node.state == NodeState::live) continue;
        if (first.empty())
            first = node.name + " (" + nodeStateName(node.state) + ")";
        else
            ++more;
    }
    if (!first.empty()) return "waiting for " + first + (more == 0 ? "" : " and " + std::to_string(more) + " more");
    if (snapshot.backfill < 1)
        return "reading " + std::to_string(snapshot.view.ranks.size()) + " logs, " +
               std::to_string(static_cast<int>(snapshot.backfill * 100)) + " %";
    return "reading the checkpoints";
}

}  // namespace

void catchSignals()
{
    struct sigaction action {};
    action.sa_handler = [](int) { interrupts = 1; };
    // A closed terminal, or a dropped ssh session to the login node, ends the command as Ctrl-C does.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaction(signal, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
}

bool interruptRequested() { return interrupts != 0; }

int say(const Error &error)
{
    messageLine("rankdeckctl: " + printable(error.message) +
                (error.detail.empty() ? "" : "\n  " + printableLines(error.detail)));
    return codeOf(error.kind);
}

void warn(const std::string &text) { messageLine("rankdeckctl: " + printable(text)); }

void print(const Json &document)
{
    std::cout << document.dump(2, ' ', false, Json::error_handler_t::replace) << std::endl;
}
void printLine(const Json &object)
{
    std::cout << object.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
}

Json lossJson(double loss)
{
    if (std::isnan(loss)) return "NaN";
    if (std::isinf(loss)) return loss > 0 ? "Inf" : "-Inf";
    return loss;
}

Opened open(const Globals &globals, Looking looking, bool explain)
{
    Result<JobFile> file = readJobFile(globals.job);
    if (!file) {
        say(file.error());
        return {nullptr, usage};
    }
    for (const std::string &warning : file->warnings) warn(warning);
    EngineOptions options;
    options.connect.sshConfig = globals.sshConfig;
    options.connect.acceptNewHostKeys = globals.acceptNewHostKeys;
    options.stateDirectory = globals.stateDirectory;
    options.explain = explain;
    options.connectToNodes = looking != Looking::inHistory;
    Result<std::unique_ptr<Engine>> engine = Engine::make(std::move(file->job), std::move(options));
    if (!engine) return {nullptr, say(engine.error())};
    const auto snapshot = (*engine)->snapshot();
    for (const std::string &message : snapshot->messages) warn(message);
    if (looking != Looking::notYet) (*engine)->start();
    return {std::move(*engine), done};
}

std::string notLiveText(const Snapshot &snapshot)
{
    std::string text;
    for (const NodeStatus &node : snapshot.view.nodes)
        if (node.state != NodeState::live && standInFor(snapshot.view, node.name).empty())
            text += (text.empty() ? "node " : "; node ") + node.name + " is " + nodeStateName(node.state) +
                    (node.reason.empty() ? "" : ": " + node.reason);
    return text;
}

int settle(Engine &engine, const Globals &globals, bool needAllNodes)
{
    const SteadyTime deadline = steadyNow() + std::chrono::milliseconds(static_cast<long long>(globals.timeout * 1000));
    bool settled = false;
    {
        ProgressLine line("looking");
        while (!settled && !interruptRequested() && steadyNow() < deadline) {
            line.say(waitedFor(*engine.snapshot()));
            settled = engine.waitSettled(0.2);
        }
    }
    if (interruptRequested()) return interrupted;
    int code = done;
    const std::shared_ptr<const Snapshot> snapshot = engine.snapshot();
    for (const NodeStatus &node : snapshot->view.nodes) {
        if (node.state == NodeState::live) continue;
        if (const std::string other = standInFor(snapshot->view, node.name); !other.empty()) {
            warn((node.container == ContainerFate::gone ? "the pod of " + node.name + " no longer exists"
                                                        : "the pod of " + node.name + " has ended") +
                 "; its files are read through " + other);
            continue;
        }
        warn("node " + node.name + " is " + nodeStateName(node.state) +
             (node.reason.empty() ? "" : ": " + node.reason));
        code = unreachable;
    }
    if (!settled && code == done)
        warn("not everything was read within " + durationText(globals.timeout) +
             ", still waiting for: " + joined(engine.snapshot()->awaited, 4) + "; raise --timeout");
    return needAllNodes ? code : done;
}

}  // namespace rankdeck::ctl
