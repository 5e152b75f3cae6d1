// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/command.h"

#include "core/base/text.h"
#include "core/job/job_file.h"
#include "core/recover/launch/pod_stand_ins.h"

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

}  // namespace

void catchSignals()
{
    struct sigaction action {};
    action.sa_handler = [](int) { interrupts = 1; };
    // A terminal that closes, or the ssh session to the login node that drops, is as good a wish to end as Ctrl-C.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaction(signal, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
}

bool interruptRequested() { return interrupts != 0; }

int say(const Error &error)
{
    std::cerr << "rankdeckctl: " << printable(error.message) << "\n";
    if (!error.detail.empty()) std::cerr << "  " << printableLines(error.detail) << "\n";
    return codeOf(error.kind);
}

void warn(const std::string &text) { std::cerr << "rankdeckctl: " << printable(text) << "\n"; }

void print(const Json &document)
{
    std::cout << document.dump(2, ' ', false, Json::error_handler_t::replace) << std::endl;
}
void printLine(const Json &object)
{
    std::cout << object.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
}

std::string deviceTimeText(double hours)
{
    const double seconds = std::max(0.0, hours) * 3600;
    if (seconds < 94.5) return std::to_string(std::llround(seconds)) + " device-seconds";
    if (hours < 0.95) return std::to_string(std::llround(seconds / 60)) + " device-minutes";
    char text[32];
    std::snprintf(text, sizeof text, "%.1f device-hours", hours);
    return text;
}

Json lossJson(double loss)
{
    if (std::isnan(loss)) return "NaN";
    if (std::isinf(loss)) return loss > 0 ? "Inf" : "-Inf";
    return loss;
}

Opened open(const Globals &globals, bool start)
{
    if (globals.job.empty()) {
        warn("this command needs a job: --job FILE");
        return {nullptr, usage};
    }
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
    Result<std::unique_ptr<Engine>> engine = Engine::make(std::move(file->job), std::move(options));
    if (!engine) return {nullptr, say(engine.error())};
    for (const std::string &message : (*engine)->snapshot()->messages) warn(message);
    if (start) (*engine)->start();
    return {std::move(*engine), done};
}

int settle(Engine &engine, const Globals &globals, bool needAllNodes)
{
    const SteadyTime deadline =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(static_cast<long long>(globals.timeout * 1000));
    bool settled = false;
    while (!settled && !interruptRequested() && std::chrono::steady_clock::now() < deadline)
        settled = engine.waitSettled(0.2);
    if (interruptRequested()) return interrupted;
    int code = done;
    const std::shared_ptr<const Snapshot> snapshot = engine.snapshot();
    for (const NodeStatus &node : snapshot->view.nodes) {
        if (node.state == NodeState::live) continue;
        if (const std::string other = standInFor(snapshot->view, node.name); !other.empty()) {
            warn("the pod of " + node.name + " has ended; its files are read through " + other);
            continue;
        }
        warn("node " + node.name + " is " + nodeStateName(node.state) +
             (node.reason.empty() ? "" : ": " + node.reason));
        code = unreachable;
    }
    if (!settled && code == done)
        warn("not everything was read within " + durationText(globals.timeout) + "; raise --timeout");
    return needAllNodes ? code : done;
}

}  // namespace rankdeck::ctl
