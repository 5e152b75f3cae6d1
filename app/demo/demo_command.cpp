// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demo_command.h"

#include "core/base/text.h"

#include <chrono>
#include <csignal>
#include <iostream>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <unistd.h>

namespace rankdeck::demo {
namespace {

// Global, because a signal handler has no access to anything else.
volatile std::sig_atomic_t signalSeen = 0;

class SignalWatch {
public:
    SignalWatch()
    {
        signalSeen = 0;
        struct sigaction action {};
        action.sa_handler = [](int) { signalSeen = 1; };
        sigaction(SIGINT, &action, &m_interrupt);
        sigaction(SIGTERM, &action, &m_terminate);
    }
    ~SignalWatch()
    {
        sigaction(SIGINT, &m_interrupt, nullptr);
        sigaction(SIGTERM, &m_terminate, nullptr);
    }
    SignalWatch(const SignalWatch &) = delete;
    SignalWatch &operator=(const SignalWatch &) = delete;

private:
    struct sigaction m_interrupt {};
    struct sigaction m_terminate {};
};

void announce(const DemoCluster &cluster, bool json, std::ostream &out)
{
    if (!json) {
        out << cluster.jobFile() << std::endl;
        return;
    }
    nlohmann::json nodes = nlohmann::json::array();
    for (const auto &node : cluster.nodes())
        nodes.push_back({{"name", node}, {"host", node}, {"ranks", cluster.ranksOf(node)}});
    const nlohmann::json answer = {{"rankdeckctl", 1},
                                   {"job", cluster.jobFile()},
                                   {"ssh_config", cluster.sshConfig()},
                                   {"directory", cluster.directory()},
                                   {"nodes", nodes}};
    out << answer.dump() << std::endl;
}

// Reads faults and applies each complete line. Returns -1 at the end of the input.
int readFaults(int fd, std::string &line, DemoCluster &cluster, std::ostream &messages)
{
    char buffer[512];
    const auto got = read(fd, buffer, sizeof buffer);
    if (got <= 0) return -1;
    line.append(buffer, static_cast<std::size_t>(got));
    for (auto end = line.find('\n'); end != std::string::npos; end = line.find('\n')) {
        const std::string text = line.substr(0, end);
        line.erase(0, end + 1);
        if (text.empty()) continue;
        const auto applied = cluster.applyFault(text);
        messages << (applied ? Message("applied " + printableLines(text)) : applied.error().message) << std::endl;
    }
    return line.size() > 4096 ? -1 : fd;
}

int stay(const DemoCommandOptions &options, DemoCluster &cluster, std::ostream &messages)
{
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(options.forSeconds.value_or(1e9));
    int input = options.faultInput;
    std::string line;
    while (Clock::now() < end) {
        if (signalSeen) return 130;
        pollfd waiting{input, POLLIN, 0};
        if (poll(&waiting, 1, 100) > 0 && waiting.revents) input = readFaults(input, line, cluster, messages);
        if (!cluster.running()) {
            messages << "the demo cluster has ended: its keeper process is gone" << std::endl;
            return 4;
        }
    }
    return 0;
}

}  // namespace

int runDemo(const DemoCommandOptions &options, std::ostream &out, std::ostream &messages)
{
    const SignalWatch watch;
    auto cluster = DemoCluster::start(options.demo);
    if (!cluster) {
        messages << cluster.error().message << std::endl;
        return cluster.error().kind == ErrorKind::invalid ? 2 : 4;
    }
    announce(*cluster.value(), options.json, out);
    messages << "The demo cluster is running: " << options.demo.ranks << " ranks on " << options.demo.nodes
             << " nodes. " << (options.forSeconds ? "It ends automatically; " : "") << "Ctrl-C ends it." << std::endl;
    const int outcome = stay(options, *cluster.value(), messages);
    if (auto stopped = cluster.value()->stop(); !stopped) {
        messages << stopped.error().message << std::endl;
        return 4;
    }
    return outcome;
}

int runDemo(const DemoCommandOptions &options, std::ostream &out) { return runDemo(options, out, std::cerr); }

}  // namespace rankdeck::demo
