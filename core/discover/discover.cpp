// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/discover/discover.h"

#include <future>
#include <set>

namespace rankdeck {

Discovery discover(const std::vector<DiscoverHost> &hosts, SteadyTime deadline)
{
    std::vector<std::future<Result<HostTraces>>> scans;
    for (const DiscoverHost &host : hosts)
        scans.push_back(
            std::async(std::launch::async, [&host, deadline] { return scanHost(*host.client, host.host, deadline); }));
    Discovery discovery;
    std::vector<HostTraces> traces;
    HostClients clients;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        Result<HostTraces> scan = scans[i].get();
        DiscoveredHost found{.host = hosts[i].host};
        if (scan) {
            found.ranks = scan->ranks.size();
            found.unreadable = scan->unreadable;
            traces.push_back(std::move(scan.value()));
            clients.push_back(hosts[i].client);
        } else {
            found.problem = scan.error();
        }
        discovery.hosts.push_back(std::move(found));
    }
    std::set<std::string> taken;
    for (const FoundJob &job : findJobs(traces)) {
        DiscoveredJob draft = draftJob(job, traces, gatherEvidence(job, clients, deadline));
        const std::string name = draft.job.name;
        for (int number = 2; !taken.insert(draft.job.name).second; ++number)
            draft.job.name = name + "-" + std::to_string(number);
        discovery.jobs.push_back(std::move(draft));
    }
    return discovery;
}

}  // namespace rankdeck
