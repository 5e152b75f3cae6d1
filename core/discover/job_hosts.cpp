// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/discover/job_hosts.h"

#include "core/base/text.h"
#include "core/discover/text/host_list.h"
#include "core/framework/frameworks.h"

#include <algorithm>
#include <set>

namespace rankdeck {

namespace {

std::string variableOf(const RankTrace &rank, std::string_view name)
{
    const auto found = rank.environment.find(std::string(name));
    return found == rank.environment.end() ? std::string() : found->second;
}

bool isIpv4(std::string_view text)
{
    return !text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos;
}

bool isThisMachine(std::string_view host)
{
    return host.empty() || host == "localhost" || host == "0.0.0.0" || host.starts_with("127.");
}

std::string shortName(const std::string &name) { return isIpv4(name) ? name : name.substr(0, name.find('.')); }

std::vector<std::string> ofSlurm(const RankTrace &rank)
{
    std::string listed = variableOf(rank, "SLURM_JOB_NODELIST");
    if (listed.empty()) listed = variableOf(rank, "SLURM_NODELIST");
    const auto names = expandHosts(listed);
    return names && !listed.empty() ? *names : std::vector<std::string>();
}

std::vector<std::string> masterOf(const RankTrace &rank)
{
    const FrameworkInfo *info = frameworkOfProcess(rank.environment);
    std::vector<std::string> hosts;
    if (info != nullptr)
        for (const std::string_view name : info->variables.masterHost)
            if (const std::string host = variableOf(rank, name); !host.empty()) hosts.push_back(host);
    return hosts;
}

}  // namespace

std::vector<std::string> hostFilesOf(const RankTrace &rank)
{
    std::vector<std::string> files;
    const auto add = [&](const std::string &path, const std::string &directory) {
        if (!path.empty()) files.push_back(path.starts_with("/") ? path : joinPath(directory, path));
    };
    for (const char *name : {"RANK_TABLE_FILE", "DEEPSPEED_HOSTFILE", "OMPI_MCA_orte_default_hostfile"})
        add(variableOf(rank, name), rank.process.cwd);
    if (!rank.launcher) return files;
    const std::vector<std::string> &argv = rank.launcher->argv;
    for (std::size_t at = 1; at < argv.size(); ++at) {
        const std::size_t equals = argv[at].find('=');
        const std::string option = argv[at].substr(0, equals);
        if (option != "--hostfile" && option != "-hostfile" && option != "--machinefile" && option != "-machinefile")
            continue;
        add(equals != std::string::npos ? argv[at].substr(equals + 1)
            : at + 1 < argv.size()      ? argv[at + 1]
                                        : std::string(),
            rank.launcher->cwd);
    }
    return files;
}

std::vector<std::string> localAddresses(std::string_view fibTrie)
{
    // "           |-- 10.20.4.11" and below it "              /32 host LOCAL"
    std::set<std::string> found;
    std::string leaf;
    for (const std::string &line : split(fibTrie, '\n')) {
        if (const std::size_t at = line.find("|-- "); at != std::string::npos)
            leaf = line.substr(at + 4);
        else if (line.find("/32 host LOCAL") != std::string::npos && isIpv4(leaf) && !isThisMachine(leaf))
            found.insert(leaf);
    }
    return {found.begin(), found.end()};
}

std::vector<std::string> hostsNotAsked(const RankTrace &first, const std::vector<HostTraces> &asked,
                                       const std::vector<std::string> &inFiles)
{
    std::set<std::string> known;
    bool addresses = true;
    for (const HostTraces &host : asked) {
        if (!host.cluster.empty()) return {};  // a pod has other addresses than its machine, which its job names
        known.insert(shortName(nodeNameOf(host.host)));
        known.insert(shortName(host.facts.hostName));
        known.insert(host.addresses.begin(), host.addresses.end());
        addresses = addresses && !host.addresses.empty();
    }
    std::vector<std::string> named = ofSlurm(first);
    if (named.empty()) named = inFiles;
    if (named.empty()) named = masterOf(first);
    std::vector<std::string> others;
    for (const std::string &name : named)
        if (!isThisMachine(name) && name.find(':') == std::string::npos && (addresses || !isIpv4(name)) &&
            known.insert(shortName(name)).second)
            others.push_back(name);
    return others;
}

}  // namespace rankdeck
