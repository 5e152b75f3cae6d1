// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/discovery/has_ended.h"

#include "core/job/path_template.h"

#include <algorithm>

namespace rankdeck {

namespace {

// True if each of its nodes was scanned and no training runs there that this login cannot read.
bool wasLookedAt(const Job &job, const std::vector<const HostScan *> &hosts)
{
    const auto known = [&hosts](const NodeSpec &node) {
        const auto host =
            std::find_if(hosts.begin(), hosts.end(), [&node](const HostScan *one) { return one->host == node.host; });
        return host != hosts.end() && (*host)->scanned && (*host)->unreadable.empty();
    };
    return std::all_of(job.nodes.begin(), job.nodes.end(), known);
}

// True if both jobs have the file of the first rank at the same place, however the paths are written. Also true if that
// cannot be determined.
bool mayBeOnePlace(const Job &one, const std::string &path, const Job &other, const std::string &otherPath)
{
    const auto first = expand(path, rankPlaceholders(one, 0)), second = expand(otherPath, rankPlaceholders(other, 0));
    return !first || !second || *first == *second;
}

// A machine may have several names: any name of a running job's machine may mean the same machine.
bool mayBeOn(const NodeSpec &node, const std::string &host)
{
    return !host.empty() && (node.host == host || node.name == host);
}

// Compares the logs and checkpoints of both jobs. Their names decide only if one job has neither, because found jobs
// are named after their directories, and such names repeat.
bool mayBeThatOne(const Job &running, const Job &ended)
{
    const bool sameHost = std::any_of(running.nodes.begin(), running.nodes.end(), [&ended](const NodeSpec &node) {
        return std::any_of(ended.nodes.begin(), ended.nodes.end(), [&node](const NodeSpec &other) {
            return mayBeOn(other, node.host) || mayBeOn(other, node.name);
        });
    });
    const bool logs = !running.logs.path.empty() && !ended.logs.path.empty();
    const bool saves = !running.checkpoints.path.empty() && !ended.checkpoints.path.empty();
    return sameHost && ((logs && mayBeOnePlace(running, running.logs.path, ended, ended.logs.path)) ||
                        (saves && mayBeOnePlace(running, running.checkpoints.path, ended, ended.checkpoints.path)) ||
                        (!(logs && saves) && running.name == ended.name));
}

}  // namespace

Running runningIn(const DiscoveryPicture &picture)
{
    Running running;
    for (const HostScan &host : picture.hosts) running.hosts.push_back(&host);
    for (const JobScan &look : picture.jobs) running.jobs.push_back(&look.found.job);
    return running;
}

Known hasEnded(const Job &job, const Running &running)
{
    const bool mayRun = std::any_of(running.jobs.begin(), running.jobs.end(),
                                    [&job](const Job *one) { return mayBeThatOne(*one, job); });
    if (mayRun) return false;
    return wasLookedAt(job, running.hosts) ? Known::yes : Known::unknown;
}

}  // namespace rankdeck
