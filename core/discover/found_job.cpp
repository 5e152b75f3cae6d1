// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/discover/found_job.h"

#include "core/base/text.h"
#include "core/job/container_host.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>
#include <tuple>

namespace rankdeck {

namespace {

std::string variable(const RankTrace &rank, const std::string &name)
{
    const auto found = rank.environment.find(name);
    if (found != rank.environment.end()) return found->second;
    const auto told = rank.process.env.find(name);
    return told == rank.process.env.end() ? std::string() : told->second;
}

std::string firstOf(const RankTrace &rank, Words RankVariables::*kind)
{
    for (const std::string &name : namesOf(kind))
        if (const std::string value = variable(rank, name); !value.empty()) return value;
    return {};
}

int worldOf(const RankTrace &rank)
{
    const std::string text = firstOf(rank, &RankVariables::worldSize);
    int world = 0;
    std::from_chars(text.data(), text.data() + text.size(), world);
    return std::max(world, 0);
}

bool loopback(const std::string &address)
{
    return address.empty() || address == "localhost" || address.starts_with("127.") || address == "::1";
}

// Ranks of one job meet at one scheduler. A loopback address does not connect machines. For pods, the cluster knows the
// job.
std::string keyOf(const RankTrace &rank, std::size_t machine, const std::string &cluster)
{
    if (!cluster.empty()) return "cluster " + cluster;
    const std::string address = firstOf(rank, &RankVariables::masterHost);
    const std::string port = firstOf(rank, &RankVariables::masterPort);
    std::string key =
        address + "|" + port + "|" + std::to_string(worldOf(rank)) + "|" + std::to_string(rank.process.uid);
    if (loopback(address)) key += "|machine " + std::to_string(machine);
    if (!port.empty()) return key;
    const std::string launch = variable(rank, "RANKDECK_LAUNCH_ID");
    return key + "|" + (launch.empty() ? rank.process.cwd : launch.substr(0, launch.find('.')));
}

// Hosts through which the same processes are seen are one machine.
std::vector<std::vector<std::size_t>> machinesOf(const std::vector<HostTraces> &hosts)
{
    using Identity = std::tuple<std::string, int, std::uint64_t>;
    std::map<Identity, std::size_t> seen;
    std::vector<std::vector<std::size_t>> machines;
    for (std::size_t host = 0; host < hosts.size(); ++host) {
        std::size_t machine = machines.size();
        for (const RankTrace &rank : hosts[host].ranks) {
            if (!hosts[host].cluster.empty()) break;
            const Identity identity{hosts[host].facts.bootId, rank.process.id.pid, rank.process.id.startTicks};
            machine = std::min(machine, seen.try_emplace(identity, machines.size()).first->second);
        }
        if (machine == machines.size()) machines.emplace_back();
        machines[machine].push_back(host);
    }
    return machines;
}

using Ranks = std::map<int, RankTrace>;

std::vector<Ranks> partsBy(const Ranks &ranks, const std::function<std::string(const RankTrace &)> &mark)
{
    std::map<std::string, Ranks> marked;
    for (const auto &[number, rank] : ranks) marked[mark(rank)][number] = rank;
    std::vector<Ranks> parts;
    for (auto &[text, part] : marked) parts.push_back(std::move(part));
    std::sort(parts.begin(), parts.end(),
              [](const Ranks &a, const Ranks &b) { return a.begin()->first < b.begin()->first; });
    return parts;
}

bool names(const RankTrace &rank, const std::string &node)
{
    return (rank.log + "/").find("/" + node + "/") != std::string::npos ||
           (rank.process.cwd + "/").find("/" + node + "/") != std::string::npos;
}

// For several hosts that are one machine: assigns each rank to the host whose name its paths contain. Otherwise splits
// by a value that the ranks of a node share.
std::vector<Ranks> splitInto(const std::vector<std::string> &hosts, const Ranks &ranks)
{
    const std::size_t count = hosts.size();
    std::vector<std::function<std::string(const RankTrace &)>> marks;
    const auto namedBy = [&hosts](const RankTrace &rank) {
        std::vector<std::string> named;
        std::copy_if(hosts.begin(), hosts.end(), std::back_inserter(named),
                     [&](const std::string &host) { return names(rank, host); });
        return named.size() == 1 ? named.front() : std::string();
    };
    if (std::none_of(ranks.begin(), ranks.end(), [&](const auto &rank) { return namedBy(rank.second).empty(); }))
        marks.emplace_back(namedBy);
    for (const std::string &name : namesOf(&RankVariables::nodeRank))
        marks.emplace_back([name](const RankTrace &rank) { return variable(rank, name); });
    const std::vector<std::function<std::string(const RankTrace &)>> others{
        [](const RankTrace &rank) { return rank.launcher ? std::to_string(rank.launcher->id.pid) : std::string(); },
        [](const RankTrace &rank) { return dirName(rank.log); },
        [](const RankTrace &rank) { return rank.process.cwd; }};
    marks.insert(marks.end(), others.begin(), others.end());
    for (const auto &mark : marks)
        if (auto parts = partsBy(ranks, mark); parts.size() == count) return parts;
    return {ranks};
}

struct PlacedTrace {
    std::size_t machine = 0;
    const RankTrace *rank = nullptr;
};

using Jobs = std::vector<std::vector<PlacedTrace>>;

bool hasTwice(const std::vector<PlacedTrace> &traces)
{
    std::set<int> seen;
    return std::any_of(traces.begin(), traces.end(),
                       [&](const auto &trace) { return !seen.insert(trace.rank->rank).second; });
}

// Ranks that meet at one address belong to several jobs if a rank occurs twice. For example, all jobs of a sweep may
// have the same unused port in their environment. They are split by a value that all ranks of one job share, otherwise
// one by one in their order.
Jobs jobsAmong(const std::vector<PlacedTrace> &traces)
{
    std::map<int, std::size_t> times;
    std::size_t most = 0;
    for (const PlacedTrace &trace : traces) most = std::max(most, ++times[trace.rank->rank]);
    if (most <= 1) return {traces};
    const std::function<std::string(const PlacedTrace &)> marks[] = {
        [](const PlacedTrace &trace) {
            const std::string launch = variable(*trace.rank, "RANKDECK_LAUNCH_ID");
            return launch.substr(0, launch.find('.'));
        },
        [](const PlacedTrace &trace) { return dirName(trace.rank->log); },
        [](const PlacedTrace &trace) { return trace.rank->process.cwd; },
        [](const PlacedTrace &trace) {
            return std::to_string(trace.machine) + " " + std::to_string(trace.rank->process.session);
        }};
    for (const auto &mark : marks) {
        std::map<std::string, std::vector<PlacedTrace>> parts;
        for (const PlacedTrace &trace : traces) parts[mark(trace)].push_back(trace);
        if (parts.size() != most) continue;
        Jobs jobs;
        for (auto &[text, part] : parts) jobs.push_back(std::move(part));
        if (std::none_of(jobs.begin(), jobs.end(), hasTwice)) return jobs;
    }
    Jobs jobs(most);
    std::map<int, std::size_t> next;
    for (const PlacedTrace &trace : traces) jobs[next[trace.rank->rank]++].push_back(trace);
    return jobs;
}

// A part whose paths name one of the hosts belongs to that host; the others take the rest, in order.
void giveToHosts(std::vector<Ranks> parts, std::vector<std::size_t> hosts, const std::vector<HostTraces> &all,
                 FoundJob &job)
{
    const auto give = [&](Ranks &part, std::size_t at) {
        job.nodes.push_back({.host = hosts[at], .name = nodeNameOf(all[hosts[at]].host), .ranks = std::move(part)});
        hosts.erase(hosts.begin() + std::ptrdiff_t(at));
    };
    for (Ranks &part : parts)
        for (std::size_t at = 0; at < hosts.size(); ++at)
            if (names(part.begin()->second, nodeNameOf(all[hosts[at]].host))) {
                give(part, at);
                break;
            }
    for (Ranks &part : parts)
        if (!part.empty()) give(part, 0);
}

void nameApart(FoundJob &job)
{
    std::set<std::string> taken;
    for (FoundNode &node : job.nodes) {
        const std::string name = node.name;
        for (int number = 2; !taken.insert(node.name).second; ++number) node.name = name + "-" + std::to_string(number);
    }
}

}  // namespace

std::string nodeNameOf(const std::string &host)
{
    if (isContainerHost(host))
        if (const auto inside = parseContainerHost(host)) {
            std::string name = inside->name;
            for (const auto &[key, value] : inside->labels) name += (name.empty() ? "" : "-") + value;
            return name;
        }
    std::string name = host.substr(host.rfind('@') == std::string::npos ? 0 : host.rfind('@') + 1);
    const std::size_t colon = name.rfind(':');
    if (colon != std::string::npos && name.find(':') == colon) name.resize(colon);
    for (char &c : name)
        if (c == '/' || c == '{' || c == '}' || c == '[' || c == ']') c = '-';
    return name.empty() ? host : name;
}

std::size_t FoundJob::ranks() const
{
    std::size_t count = 0;
    for (const FoundNode &node : nodes) count += node.ranks.size();
    return count;
}

std::vector<RankText> FoundJob::texts(const std::function<std::string(const RankTrace &)> &text) const
{
    std::vector<RankText> out;
    for (std::size_t index = 0; index < nodes.size(); ++index) {
        int local = 0;
        for (const auto &[number, rank] : nodes[index].ranks)
            out.push_back({.rank = number,
                           .localRank = local++,
                           .nodeIndex = static_cast<int>(index),
                           .node = nodes[index].name,
                           .text = text(rank)});
    }
    return out;
}

std::vector<FoundJob> findJobs(const std::vector<HostTraces> &hosts)
{
    const auto machines = machinesOf(hosts);
    std::map<std::string, std::vector<PlacedTrace>> byKey;
    for (std::size_t machine = 0; machine < machines.size(); ++machine) {
        const HostTraces &host = hosts[machines[machine].front()];
        for (const RankTrace &rank : host.ranks) byKey[keyOf(rank, machine, host.cluster)].push_back({machine, &rank});
    }
    std::vector<FoundJob> jobs;
    for (const auto &[key, traces] : byKey)
        for (const std::vector<PlacedTrace> &ofOne : jobsAmong(traces)) {
            FoundJob &job = jobs.emplace_back();
            std::map<std::size_t, Ranks> byMachine;
            for (const PlacedTrace &trace : ofOne) byMachine[trace.machine].emplace(trace.rank->rank, *trace.rank);
            for (auto &[machine, ranks] : byMachine) {
                job.worldSize = std::max(job.worldSize, worldOf(ranks.begin()->second));
                std::vector<std::string> hostNames;
                for (const std::size_t host : machines[machine]) hostNames.push_back(nodeNameOf(hosts[host].host));
                auto parts = splitInto(hostNames, ranks);
                job.oneMachine = job.oneMachine || machines[machine].size() > 1;
                giveToHosts(std::move(parts), machines[machine], hosts, job);
            }
        }
    for (FoundJob &job : jobs) {
        std::sort(job.nodes.begin(), job.nodes.end(), [](const FoundNode &a, const FoundNode &b) {
            return a.ranks.begin()->first < b.ranks.begin()->first;
        });
        nameApart(job);
        job.worldSize = std::max(job.worldSize, job.nodes.back().ranks.rbegin()->first + 1);
    }
    return jobs;
}

}  // namespace rankdeck
