// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/keeper.h"

#include "app/demo/held_port.h"
#include "app/demo/home.h"
#include "app/demo/keeper_plan.h"
#include "app/demo/link.h"
#include "core/base/files.h"
#include "core/base/text.h"

#include <csignal>
#include <iostream>
#include <netinet/in.h>
#include <optional>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace rankdeck::demo {
namespace {

using Clock = std::chrono::steady_clock;

// Global, because a signal handler has no access to anything else.
volatile std::sig_atomic_t stopSeen = 0;

bool answers(int port)
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool connected = connect(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0;
    close(fd);
    return connected;
}

class Keeper {
public:
    explicit Keeper(KeeperPlan plan) : m_plan(std::move(plan)) {}

    Status begin()
    {
        m_ready.boot = bootId();
        m_ready.keeper = processStart(getpid());
        for (const auto &node : m_plan.nodes)
            if (auto started = startNode(node); !started) return started;
        auto port = HeldPort::take();
        if (!port) return port.error();
        m_schedulerPort = std::move(port.value());
        m_ready.schedulerPort = m_schedulerPort->number();
        m_began = Clock::now();
        for (auto rank : m_plan.ranks) {
            rank.env["MS_SCHED_PORT"] = std::to_string(m_ready.schedulerPort);
            const auto pid = startChild(rank);
            if (!pid) return pid.error();
            m_ready.ranks.push_back(processStart(pid.value()));
        }
        for (const auto &text : m_plan.linkFaults)
            if (const auto fault = parseFault(text)) m_pending.push_back(fault.value());
        return Done{};
    }

    void run()
    {
        auto nextLook = Clock::now();
        while (!stopSeen) {
            turnLinks();
            applyLinkFaults();
            while (waitpid(-1, nullptr, WNOHANG) > 0) {}
            if (Clock::now() < nextLook) continue;
            nextLook = Clock::now() +
                       std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(m_plan.pollSeconds));
            if (!isAlive(m_plan.owner) || access(m_plan.directory.c_str(), F_OK) != 0) break;
        }
    }

    void endProcesses()
    {
        m_links.clear();
        killProcessesOf(m_plan.id, m_ready.servers, 20);
        while (waitpid(-1, nullptr, WNOHANG) > 0) {}
    }

    KeeperReady &ready() { return m_ready; }

private:
    Status startNode(const KeeperNode &node)
    {
        for (int attempt = 0; attempt < 5; ++attempt) {
            const auto port = freeServerPort();
            if (!port) return port.error();
            const auto pid = startChild({{m_plan.sshd, "-D", "-e", "-f", node.sshdConfig, "-o",
                                          "ListenAddress=127.0.0.1", "-p", std::to_string(port.value())},
                                         {},
                                         {},
                                         node.sshdLog});
            if (!pid) return pid.error();
            if (!waitForServer(pid.value(), port.value()))
                continue;  // another process took the port first, or sshd cannot run at all
            auto link = Link::make(port.value());
            if (!link) return link.error();
            m_ready.servers.push_back(processStart(pid.value()));
            m_ready.ports.push_back(link.value()->port());
            m_links.push_back(std::move(link.value()));
            return Done{};
        }
        const auto log = readLocalFile(node.sshdLog, 1u << 20);
        return fail(ErrorKind::unsupported,
                    "sshd of " + node.name + " did not start: " + printableLines(log ? log.value() : "no output"));
    }

    static bool waitForServer(pid_t pid, int port)
    {
        for (int i = 0; i < 500; ++i) {
            if (waitpid(pid, nullptr, WNOHANG) != 0) return false;
            const bool heard = answers(port);
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            // sshd is still alive, so the answer came from it and not from another process on that port.
            if (heard && waitpid(pid, nullptr, WNOHANG) == 0) return true;
        }
        kill(pid, SIGKILL);
        waitpid(pid, nullptr, 0);
        return false;
    }

    void turnLinks()
    {
        std::vector<pollfd> waiting;
        int milliseconds = 100;
        for (const auto &link : m_links) link->gather(waiting, milliseconds);
        poll(waiting.data(), waiting.size(), milliseconds);
        for (const auto &link : m_links) link->turn();
    }

    void applyLinkFaults()
    {
        if (Clock::now() < m_nextInbox) return;
        m_nextInbox = Clock::now() + std::chrono::milliseconds(200);
        const double steps =
            std::chrono::duration<double>(Clock::now() - m_began).count() / std::max(m_plan.stepSeconds, 1e-3);
        for (std::size_t i = 0; i < m_plan.nodes.size(); ++i) {
            for (auto &fault : takeFaults(m_plan.faults, "link_" + m_plan.nodes[i].name))
                m_pending.push_back(std::move(fault));
            std::erase_if(m_pending, [&](const Fault &fault) {
                if (fault.node != m_plan.nodes[i].name || (fault.atStep && static_cast<double>(*fault.atStep) > steps))
                    return false;
                m_links[i]->apply(fault);
                return true;
            });
        }
    }

    KeeperPlan m_plan;
    std::optional<HeldPort> m_schedulerPort;
    KeeperReady m_ready;
    std::vector<std::unique_ptr<Link>> m_links;
    std::vector<Fault> m_pending;
    Clock::time_point m_began = {};
    Clock::time_point m_nextInbox = {};
};

}  // namespace

int runKeeper(const std::string &file)
{
    std::signal(SIGTERM, [](int) { stopSeen = 1; });
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGHUP, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
    // Orphans of the node processes are reparented to this process and reaped, even if pid 1 does not reap.
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    const auto text = readLocalFile(file);
    if (!text) {
        std::cerr << text.error().message << '\n';
        return 2;
    }
    auto plan = planFromJson(text.value());
    if (!plan) {
        std::cerr << plan.error().message << '\n';
        return 2;
    }
    const std::string directory = plan->directory;
    Keeper keeper(std::move(plan.value()));
    const auto begun = keeper.begin();
    if (!begun) keeper.ready().error = begun.error().message;
    const auto told = writeLocalFileAtomically(readyFile(directory), readyToJson(keeper.ready()));
    if (begun && told) keeper.run();
    keeper.endProcesses();
    // On failure the owner reads the error from ready.json and removes the directory itself.
    if (begun) removeHome(directory);
    return begun && told ? 0 : 1;
}

}  // namespace rankdeck::demo
