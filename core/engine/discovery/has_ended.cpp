// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/discovery/has_ended.h"

#include "core/job/path_template.h"

#include <algorithm>

namespace rankdeck {

namespace {

bool isHost(const NodeSpec &node, const std::string &host)
{
    return !host.empty() && (node.host == host || node.name == host);
}

// Each of its nodes was looked at, and no training there hides what it is.
bool wasLookedAt(const Job &job, const std::vector<const HostLook *> &hosts)
{
    const auto known = [&hosts](const NodeSpec &node) {
        const auto host = std::find_if(hosts.begin(), hosts.end(), [&node](const HostLook *one) {
            return isHost(node, one->host) || isHost(node, one->node.name);
        });
        return host != hosts.end() && (*host)->scanned && (*host)->unreadable.empty();
    };
    return std::all_of(job.nodes.begin(), job.nodes.end(), known);
}

// Where both have the first rank's file, in whatever words. Unknown where a path cannot be expanded; two empty paths are
// no file.
Known sameFirst(const Job &one, const std::string &path, const Job &other, const std::string &otherPath)
{
    if (path.empty() || otherPath.empty()) return false;
    const auto first = expand(path, rankPlaceholders(one, 0)), second = expand(otherPath, rankPlaceholders(other, 0));
    if (!first || !second) return {};
    return *first == *second;
}

bool mayBeThatOne(const Job &running, const Job &ended)
{
    const bool sameHost = std::any_of(running.nodes.begin(), running.nodes.end(), [&ended](const NodeSpec &node) {
        return std::any_of(ended.nodes.begin(), ended.nodes.end(), [&node](const NodeSpec &other) {
            return isHost(other, node.host) || isHost(other, node.name);
        });
    });
    return sameHost &&
           (running.name == ended.name || sameFirst(running, running.logs.path, ended, ended.logs.path).mayBe() ||
            sameFirst(running, running.checkpoints.path, ended, ended.checkpoints.path).mayBe());
}

}  // namespace

Running runningIn(const DiscoveryPicture &picture)
{
    Running running;
    for (const HostLook &host : picture.hosts) running.hosts.push_back(&host);
    for (const JobLook &look : picture.jobs) running.jobs.push_back(&look.found.job);
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
