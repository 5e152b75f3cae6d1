// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/cluster.h"

#include "app/demo/cluster_files.h"
#include "app/demo/home.h"
#include "app/demo/trainer/fault.h"
#include "core/base/files.h"
#include "core/base/text.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace rankdeck::demo {
namespace {

Status checkOptions(const DemoOptions &o)
{
    const auto wrong = [](const std::string &what, const std::string &found) {
        return fail(ErrorKind::invalid, "demo: expected " + what + ", found " + found + ".");
    };
    if (o.ranks < 1 || o.ranks > 1024) return wrong("1 to 1024 ranks", std::to_string(o.ranks));
    if (o.nodes < 1 || o.nodes > 128 || o.nodes > o.ranks)
        return wrong("1 to 128 nodes, each with a rank",
                     std::to_string(o.nodes) + " nodes for " + std::to_string(o.ranks) + " ranks");
    if (!(o.stepSeconds >= 0 && o.stepSeconds <= 3600))
        return wrong("a step time of 0 to 3600 s", std::to_string(o.stepSeconds));
    if (o.stepsPerEpoch < 1 || o.saveSteps < 1 || o.epochs < 1 || o.keep < 1)
        return wrong("positive numbers of steps, epochs and kept files", "a number below 1");
    return Done{};
}

std::string findTrainer(const std::string &given)
{
    std::error_code problem;
    if (!given.empty()) return std::filesystem::absolute(given, problem).string();
    const auto self = std::filesystem::read_symlink("/proc/self/exe", problem);
    const std::string name = "rankdeck-demo-trainer";
    if (!problem) {
        const std::string here = dirName(self.string());
        for (const std::string &place : {joinPath(here, name), joinPath(dirName(here), "libexec/rankdeck/" + name)})
            if (access(place.c_str(), X_OK) == 0) return place;  // of a build tree, or of an installation
    }
    return findProgram(name);
}

Status checkTarget(const Fault &fault, const std::vector<std::string> &nodes, int ranks)
{
    if (fault.rank >= ranks)
        return fail(ErrorKind::invalid,
                    "fault " + faultText(fault) + ": expected a rank below " + std::to_string(ranks) + ".");
    if (!fault.node.empty() && std::find(nodes.begin(), nodes.end(), fault.node) == nodes.end()) {
        std::string known;
        for (const auto &node : nodes) known += (known.empty() ? "" : ", ") + node;
        return fail(ErrorKind::invalid, "fault " + faultText(fault) + ": there is no node " + fault.node +
                                            "; the nodes are " + known + ".");
    }
    return Done{};
}

// A rank reads its faults from the inbox; a fault for several ranks becomes one file for each of them.
Status dropForRanks(const ClusterLayout &layout, const Fault &fault)
{
    for (int rank = 0; rank < layout.options.ranks; ++rank) {
        const auto &node = layout.nodes[static_cast<std::size_t>(layout.nodeOfRank[static_cast<std::size_t>(rank)])];
        if ((fault.rank >= 0 && fault.rank != rank) || (!fault.node.empty() && fault.node != node)) continue;
        if (auto dropped = dropFault(faultsDirectory(layout.home), "rank_" + std::to_string(rank), fault); !dropped)
            return dropped;
    }
    return Done{};
}

Result<std::vector<Fault>> startFaults(const DemoOptions &options, const std::vector<std::string> &nodes)
{
    std::vector<Fault> faults;
    for (const auto &text : options.faults) {
        auto fault = parseFault(text);
        if (!fault) return fault.error();
        if (auto fits = checkTarget(fault.value(), nodes, options.ranks); !fits) return fits.error();
        if (!fault->atStep) fault->atStep = options.saveSteps * 5 / 2;
        faults.push_back(std::move(fault.value()));
    }
    return faults;
}

Result<KeeperReady> waitForKeeper(const std::string &home, pid_t keeper)
{
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < deadline) {
        int status = 0;
        const bool ended = waitpid(keeper, &status, WNOHANG) == keeper;
        if (access(readyFile(home).c_str(), R_OK) == 0) {
            const auto text = readLocalFile(readyFile(home));
            if (!text) return text.error();
            auto ready = readyFromJson(text.value());
            if (ready && !ready->error.empty())
                return fail(ErrorKind::unsupported, "the demo cluster did not start: " + ready->error);
            return ready;
        }
        if (ended) {
            const auto log = readLocalFile(joinPath(home, "keeper.log"));
            return fail(ErrorKind::internal, "the demo's keeper ended with status " + std::to_string(status) + ": " +
                                                 printableLines(log ? log.value() : ""));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return fail(ErrorKind::timeout, "the demo cluster was not ready after 60 s: see " + joinPath(home, "keeper.log"));
}

}  // namespace

Result<std::unique_ptr<DemoCluster>> DemoCluster::start(DemoOptions options)
{
    if (auto fits = checkOptions(options); !fits) return fits.error();
    const std::string trainer = findTrainer(options.trainer), sshd = findProgram("sshd");
    if (trainer.empty())
        return fail(
            ErrorKind::unsupported,
            "rankdeck-demo-trainer is neither next to this program nor in PATH: the installation is incomplete.");
    if (sshd.empty())
        return fail(ErrorKind::unsupported,
                    "sshd is not installed; the demo's nodes need it. Install it: apt-get install openssh-server");
    const std::string parent = options.stateDir.empty() ? defaultParent() : options.stateDir;
    cleanLeftovers(parent);
    if (parent != "/tmp" && options.stateDir.empty()) cleanLeftovers("/tmp");

    std::unique_ptr<DemoCluster> cluster(new DemoCluster);
    cluster->m_id = newClusterId();
    auto home = makeHome(parent, cluster->m_id);
    if (!home) return home.error();
    cluster->m_directory = home.value();
    const ClusterLayout layout = layOut(options, cluster->m_id, home.value(), trainer);
    cluster->m_nodes = layout.nodes;
    cluster->m_nodeOfRank = layout.nodeOfRank;
    cluster->m_sshConfig = sshConfigFile(home.value());

    const auto faults = startFaults(options, layout.nodes);
    if (!faults) return faults.error();
    if (auto written = writeServerSide(layout, sshd); !written) return written.error();
    KeeperPlan plan = keeperPlan(layout, sshd);
    for (const auto &fault : faults.value()) {
        if (isLinkFault(fault.kind))
            plan.linkFaults.push_back(faultText(fault));
        else if (auto dropped = dropForRanks(layout, fault); !dropped)
            return dropped.error();
    }
    const std::string planFile = joinPath(home.value(), "keeper.json");
    if (auto written = writeLocalFileAtomically(planFile, planToJson(plan)); !written) return written.error();
    const auto keeper = startChild(
        {{trainer, "--keeper", planFile}, {{clusterMark, cluster->m_id}}, "/", joinPath(home.value(), "keeper.log")});
    if (!keeper) return keeper.error();
    cluster->m_keeper = keeper.value();
    const auto ready = waitForKeeper(home.value(), keeper.value());
    if (!ready) return ready.error();
    auto jobFile = writeClientSide(layout, ready.value());
    if (!jobFile) return jobFile.error();
    cluster->m_jobFile = std::move(jobFile.value());
    return cluster;
}

std::vector<int> DemoCluster::ranksOf(const std::string &node) const
{
    std::vector<int> ranks;
    for (std::size_t rank = 0; rank < m_nodeOfRank.size(); ++rank)
        if (m_nodes[static_cast<std::size_t>(m_nodeOfRank[rank])] == node) ranks.push_back(static_cast<int>(rank));
    return ranks;
}

bool DemoCluster::running() const { return m_keeper > 0 && processStart(m_keeper).startTicks != 0; }

DemoCluster::~DemoCluster()
{
    if (!stop()) removeHome(m_directory);
}

Status DemoCluster::applyFault(const std::string &text)
{
    const auto fault = parseFault(text);
    if (!fault) return fault.error();
    if (auto fits = checkTarget(fault.value(), m_nodes, static_cast<int>(m_nodeOfRank.size())); !fits) return fits;
    if (m_directory.empty()) return fail(ErrorKind::notFound, "the demo cluster is stopped");
    if (isLinkFault(fault->kind)) return dropFault(faultsDirectory(m_directory), "link_" + fault->node, fault.value());
    ClusterLayout layout;
    layout.options.ranks = static_cast<int>(m_nodeOfRank.size());
    layout.home = m_directory;
    layout.nodes = m_nodes;
    layout.nodeOfRank = m_nodeOfRank;
    return dropForRanks(layout, fault.value());
}

Status DemoCluster::stop()
{
    if (m_directory.empty()) return Done{};
    std::vector<ProcessStart> servers;
    if (const auto text = readLocalFile(readyFile(m_directory)))
        if (const auto ready = readyFromJson(text.value())) servers = ready->servers;
    bool keeperEnded = m_keeper <= 0 || waitpid(m_keeper, nullptr, WNOHANG) != 0;
    if (!keeperEnded) kill(m_keeper, SIGTERM);
    for (int i = 0; i < 1500 && !keeperEnded; ++i) {
        keeperEnded = waitpid(m_keeper, nullptr, WNOHANG) != 0;
        if (!keeperEnded) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    // Usually the keeper has done this already. It is needed if the keeper was killed or is stuck.
    const bool gone = killProcessesOf(m_id, servers, 10);
    if (!keeperEnded) waitpid(m_keeper, nullptr, 0);
    m_keeper = -1;
    const std::string directory = std::exchange(m_directory, {});
    if (access(directory.c_str(), F_OK) == 0) removeHome(directory);
    if (gone) return Done{};
    return fail(ErrorKind::internal, "some processes of the demo cluster are still running: those with " +
                                         std::string(clusterMark) + "=" + m_id + " in their environment.");
}

}  // namespace rankdeck::demo
