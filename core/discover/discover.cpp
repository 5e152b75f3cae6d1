// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/discover/discover.h"

#include "core/discover/cluster_draft.h"

#include <future>
#include <set>

namespace rankdeck {

namespace {

std::string clusterKey(const ClusterJob *job) { return job ? job->nameSpace + "/" + job->name + "/" + job->uid : ""; }

void throughTheCluster(DiscoveredJob &draft, const ClusterJob &job, const FoundJob &found, NodeClient &pod,
                       const ClusterAccess &access, SteadyTime deadline)
{
    const std::string &log = found.first().log;
    const bool same = access.host && !log.empty() && sameFile(pod, *access.host, log, deadline);
    fitToCluster(draft, job, access.spec, same);
}

}  // namespace

Discovery discover(const std::vector<DiscoverHost> &hosts, SteadyTime deadline, const ClusterAccess &cluster)
{
    std::vector<std::future<Result<HostTraces>>> scans;
    for (const DiscoverHost &host : hosts)
        scans.push_back(
            std::async(std::launch::async, [&host, deadline] { return scanHost(*host.client, host.host, deadline); }));
    Discovery discovery;
    std::vector<HostTraces> traces;
    HostClients clients;
    std::vector<const ClusterJob *> clusterJobs;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        Result<HostTraces> scan = scans[i].get();
        DiscoveredHost found{.host = hosts[i].host};
        if (scan) {
            found.ranks = scan->ranks.size();
            found.unreadable = scan->unreadable;
            traces.push_back(std::move(scan.value()));
            traces.back().cluster = clusterKey(hosts[i].cluster);
            clusterJobs.push_back(hosts[i].cluster);
            clients.push_back(hosts[i].client);
        } else {
            found.problem = scan.error();
        }
        discovery.hosts.push_back(std::move(found));
    }
    std::set<std::string> taken;
    for (const FoundJob &job : findJobs(traces)) {
        DiscoveredJob draft = draftJob(job, traces, gatherEvidence(job, clients, deadline));
        const std::size_t first = job.nodes.front().host;
        if (clusterJobs[first]) throughTheCluster(draft, *clusterJobs[first], job, *clients[first], cluster, deadline);
        const std::string name = draft.job.name;
        for (int number = 2; !taken.insert(draft.job.name).second; ++number)
            draft.job.name = name + "-" + std::to_string(number);
        discovery.jobs.push_back(std::move(draft));
    }
    return discovery;
}

}  // namespace rankdeck
