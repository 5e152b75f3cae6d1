// SPDX-License-Identifier: GPL-3.0-or-later
// Finds running training jobs on hosts and prints the job files that watch, stop and resume them. Reads only: even
// --write creates files on this machine, never on the hosts.
#include "app/ctl/command.h"
#include "app/ctl/hosts/named_hosts.h"
#include "app/ctl/output/progress_line.h"
#include "app/ctl/place.h"

#include "core/base/deadline.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/discover/discover.h"
#include "core/engine/checkpoints/offline_check.h"
#include "core/job/job_file.h"

#include <filesystem>
#include <future>
#include <iostream>
#include <optional>

namespace rankdeck::ctl {
namespace {

struct Reached {
    std::string host;
    std::unique_ptr<SingleNode> node = {};
    std::optional<Error> problem = {};
    std::shared_ptr<const ClusterJob> cluster = {};
};

using Connecting = Result<std::unique_ptr<SingleNode>>;

std::vector<Reached> reachAll(const Globals &globals, const std::vector<NamedHost> &hosts)
{
    std::vector<std::future<Connecting>> connecting;
    connecting.reserve(hosts.size());
    for (const NamedHost &host : hosts)
        connecting.push_back(std::async(std::launch::async, [&globals, &host]() -> Connecting {
            if (!host.unreachable.empty()) return fail(ErrorKind::unreachable, host.unreachable);
            return SingleNode::connect(host.spec, connectOptions(globals), globals.timeout);
        }));
    std::vector<Reached> reached;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        Connecting node = connecting[i].get();
        reached.push_back({.host = hosts[i].spec.host, .cluster = hosts[i].cluster});
        if (node)
            reached.back().node = std::move(*node);
        else
            reached.back().problem = node.error();
    }
    return reached;
}

std::string commandOf(const ProcessInfo &process)
{
    std::string text;
    for (const std::string &word : process.argv) text += (text.empty() ? "" : " ") + printable(word);
    return text.size() > 200 ? text.substr(0, 200) + "…" : text;
}

Json hostJson(const Reached &reached, const Discovery &discovery)
{
    Json out{{"host", reached.host}, {"reached", !reached.problem}};
    if (reached.problem) out["reason"] = printable(reached.problem->message);
    for (const DiscoveredHost &host : discovery.hosts) {
        if (host.host != reached.host) continue;
        out["ranks"] = host.ranks;
        if (host.problem) out["reason"] = printable(host.problem->message);
        out["unreadable"] = Json::array();
        for (const ProcessInfo &process : host.unreadable)
            out["unreadable"].push_back(
                {{"pid", process.id.pid}, {"uid", process.uid}, {"command", commandOf(process)}});
    }
    return out;
}

Json jobJson(const DiscoveredJob &found, const std::string &file)
{
    Json out{{"name", found.job.name},
             {"job", Json::parse(jobToJson(found.job))},
             {"ranks", Json::array()},
             {"notes", Json::array()}};
    if (!file.empty()) out["file"] = file;
    for (const DiscoveredRank &rank : found.ranks)
        out["ranks"].push_back(
            {{"rank", rank.rank}, {"node", rank.node}, {"pid", rank.pid}, {"log", validUtf8(rank.log)}});
    for (const DiscoveryNote &note : found.notes)
        out["notes"].push_back({{"code", note.code.word()}, {"text", note.text}, {"needs_you", note.act}});
    return out;
}

void tell(const std::vector<Reached> &reached, const Discovery &discovery)
{
    for (const Reached &host : reached)
        if (host.problem) warn("host " + host.host + ": " + host.problem->message);
    for (const DiscoveredHost &host : discovery.hosts) {
        if (host.problem) warn("host " + host.host + ": " + host.problem->message);
        for (const ProcessInfo &process : host.unreadable)
            warn("host " + host.host + ": pid " + std::to_string(process.id.pid) + " of user " +
                 std::to_string(process.uid) + " looks like training (" + commandOf(process) +
                 "), but this login may not read its environment; log in as that user");
        if (!host.problem && host.ranks == 0 && host.unreadable.empty())
            warn("host " + host.host +
                 ": no training process found: none has a rank in its environment (RANK_ID, RANK with LOCAL_RANK)");
    }
    for (const DiscoveredJob &job : discovery.jobs) {
        warn(job.job.name + ": " + std::to_string(job.ranks.size()) + " of " + std::to_string(job.job.worldSize) +
             " ranks, recipe " + job.job.launch.recipe);
        for (const DiscoveryNote &note : job.notes) warn(std::string("  ") + note.code.word() + ": " + note.text);
    }
}

// Never overwrites an existing file: a user may have edited it.
Result<std::string> writeNew(const std::string &directory, const std::string &name, const std::string &text)
{
    const std::string path = joinPath(directory, name);
    std::error_code error;
    if (std::filesystem::exists(path, error))
        return fail(ErrorKind::conflict, path + " already exists; remove it, or write into a different directory");
    if (Status made = makeLocalDirectories(directory); !made) return made.error();
    if (Status written = writeLocalFileAtomically(path, text); !written) return written.error();
    return path;
}

// Writes the job file and, next to it, the vcjob manifest that a resume will use.
Result<std::string> writeJob(const std::string &directory, DiscoveredJob &found)
{
    std::error_code unknown;
    if (!found.vcjob.empty()) {
        const auto vcjob = writeNew(directory, found.job.name + ".vcjob.json", found.vcjob);
        if (!vcjob) return vcjob.error();
        if (found.job.kubernetes.via.empty())
            found.job.launch.volcano.file = std::filesystem::absolute(*vcjob, unknown).lexically_normal().string();
    }
    return writeNew(directory, found.job.name + ".rankdeck.json", jobToJson(found.job));
}

Status show(const Globals &globals, const DiscoverCommand &options, DiscoveredJob &found, Json &jobs)
{
    std::error_code unknown;
    if (!globals.sshConfig.empty())
        found.job.sshConfig = std::filesystem::absolute(globals.sshConfig, unknown).lexically_normal().string();
    std::string file;
    if (!options.write.empty()) {
        Result<std::string> written = writeJob(options.write, found);
        if (!written) return written.error();
        file = *written;
    }
    if (globals.json)
        jobs.push_back(jobJson(found, file));
    else
        std::cout << (file.empty() ? jobToJson(found.job) : file + "\n");
    return Done{};
}

// Access to the cluster: how pods were reached, and the host that runs kubectl, which may see the same files.
struct Kubectl {
    KubernetesSpec spec = {};
    std::unique_ptr<SingleNode> node = {};
};
Kubectl kubectlOf(const Globals &globals, const DiscoverCommand &options, const NamedHosts &named)
{
    Kubectl found{.spec = options.kubernetes};
    if (!named.cluster) return found;
    if (auto node = SingleNode::connect(commandHost(options.kubernetes), connectOptions(globals), globals.timeout))
        found.node = std::move(*node);
    return found;
}

}  // namespace

int discover(const Globals &globals, const DiscoverCommand &options)
{
    const Result<NamedHosts> named = namedHosts({.words = options.hosts,
                                                 .kubernetes = options.kubernetes,
                                                 .connect = connectOptions(globals),
                                                 .seconds = globals.timeout,
                                                 .stopped = interruptRequested});
    if (!named) return say(named.error());
    for (const std::string &remark : named->remarks) warn(remark);
    std::optional<ProgressLine> line("asking " + (named->hosts.size() == 1
                                                      ? named->hosts.front().spec.host
                                                      : std::to_string(named->hosts.size()) + " hosts"));
    const std::vector<Reached> reached = reachAll(globals, named->hosts);
    const Kubectl kubectl = kubectlOf(globals, options, *named);
    if (interruptRequested()) return interrupted;
    std::vector<DiscoverHost> live;
    for (const Reached &host : reached)
        if (host.node) live.push_back({host.host, &host.node->client(), host.cluster.get()});
    Discovery discovery =
        rankdeck::discover(live, inSeconds(globals.timeout),
                           {.spec = kubectl.spec, .host = kubectl.node ? &kubectl.node->client() : nullptr});
    if (interruptRequested()) return interrupted;
    line.reset();
    tell(reached, discovery);
    Json jobs = Json::array();
    for (DiscoveredJob &found : discovery.jobs)
        if (const Status shown = show(globals, options, found, jobs); !shown) return say(shown.error());
    if (globals.json) {
        Json hosts = Json::array();
        for (const Reached &host : reached) hosts.push_back(hostJson(host, discovery));
        print({{"rankdeckctl", 1}, {"hosts", hosts}, {"jobs", jobs}});
    }
    if (live.size() != reached.size()) return unreachable;
    return discovery.jobs.empty() ? answerIsNo : done;
}

}  // namespace rankdeck::ctl
