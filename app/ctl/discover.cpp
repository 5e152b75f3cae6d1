// SPDX-License-Identifier: GPL-3.0-or-later
// Finds running training jobs on hosts and prints the job files that watch, stop and resume them. Reads only; --write is
// the one thing that makes files, here and not on the hosts.
#include "app/ctl/command.h"
#include "app/ctl/output/progress_line.h"
#include "app/ctl/place.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/discover/discover.h"
#include "core/discover/host_list.h"
#include "core/engine/checkpoints/offline_check.h"
#include "core/job/job_file.h"
#include "core/node/session/reach/run_ssh.h"

#include <algorithm>
#include <filesystem>
#include <future>
#include <iostream>
#include <optional>

namespace rankdeck::ctl {
namespace {

constexpr std::chrono::seconds slurmTime{15};

struct Reached {
    std::string host;
    std::unique_ptr<SingleNode> node = {};
    std::optional<Error> problem = {};
};

// What was typed as single hosts: ranges as they are written out, the nodes of a Slurm job as Slurm says.
Result<std::vector<std::string>> hostsOf(const std::vector<std::string> &words)
{
    std::vector<std::string> hosts;
    for (const std::string &word : words) {
        const std::string job = slurmJobOf(word);
        Result<std::vector<std::string>> named = expandHosts(word);
        if (!job.empty()) {
            const auto said = runToEnd(slurmHostsCommand(job), slurmTime, interruptRequested);
            if (!said && said.error().kind == ErrorKind::notFound)
                return fail(ErrorKind::notFound, "Expected squeue in the PATH of this machine for " + word +
                                                     ", found none. Run this where Slurm is, or name the hosts.");
            if (!said) return said.error();
            named = hostsOfSlurm(job, said->exitCode, said->output, said->errors);
        }
        if (!named) return named.error();
        for (const std::string &host : *named)
            if (std::find(hosts.begin(), hosts.end(), host) == hosts.end()) hosts.push_back(host);
    }
    return hosts;
}

std::vector<Reached> reachAll(const Globals &globals, const std::vector<std::string> &hosts)
{
    std::vector<std::future<Result<std::unique_ptr<SingleNode>>>> connecting;
    connecting.reserve(hosts.size());
    for (const std::string &host : hosts)
        connecting.push_back(std::async(std::launch::async, [&globals, &host] {
            return SingleNode::connect(host, connectOptions(globals), globals.timeout);
        }));
    std::vector<Reached> reached;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        Result<std::unique_ptr<SingleNode>> node = connecting[i].get();
        if (node)
            reached.push_back({.host = hosts[i], .node = std::move(*node)});
        else
            reached.push_back({.host = hosts[i], .problem = node.error()});
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
        out["notes"].push_back({{"code", note.code}, {"text", note.text}, {"needs_you", note.act}});
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
        for (const DiscoveryNote &note : job.notes) warn("  " + note.code + ": " + note.text);
    }
}

// Never over a file that is there: it may hold what somebody typed.
Result<std::string> writeJob(const std::string &directory, const Job &job)
{
    const std::string path = joinPath(directory, job.name + ".rankdeck.json");
    std::error_code error;
    if (std::filesystem::exists(path, error))
        return fail(ErrorKind::conflict, path + " is there already; remove it, or write into another directory");
    if (Status made = makeLocalDirectories(directory); !made) return made.error();
    if (Status written = writeLocalFileAtomically(path, jobToJson(job)); !written) return written.error();
    return path;
}

}  // namespace

int discover(const Globals &globals, const DiscoverCommand &options)
{
    const Result<std::vector<std::string>> named = hostsOf(options.hosts);
    if (!named) return say(named.error());
    std::optional<ProgressLine> line("asking " +
                                     (named->size() == 1 ? named->front() : std::to_string(named->size()) + " hosts"));
    const std::vector<Reached> reached = reachAll(globals, *named);
    if (interruptRequested()) return interrupted;
    std::vector<DiscoverHost> live;
    for (const Reached &host : reached)
        if (host.node) live.push_back({host.host, &host.node->client()});
    Discovery discovery =
        rankdeck::discover(live, std::chrono::steady_clock::now() +
                                     std::chrono::milliseconds(static_cast<long long>(globals.timeout * 1000)));
    if (interruptRequested()) return interrupted;
    line.reset();
    std::error_code unknown;
    int code = discovery.jobs.empty() ? answerIsNo : done;
    Json jobs = Json::array();
    tell(reached, discovery);
    for (DiscoveredJob &found : discovery.jobs) {
        if (!globals.sshConfig.empty())
            found.job.sshConfig = std::filesystem::absolute(globals.sshConfig, unknown).lexically_normal().string();
        std::string file;
        if (!options.write.empty()) {
            Result<std::string> written = writeJob(options.write, found.job);
            if (!written) return say(written.error());
            file = *written;
        }
        if (globals.json)
            jobs.push_back(jobJson(found, file));
        else
            std::cout << (file.empty() ? jobToJson(found.job) : file + "\n");
    }
    if (globals.json) {
        Json hosts = Json::array();
        for (const Reached &host : reached) hosts.push_back(hostJson(host, discovery));
        print({{"rankdeckctl", 1}, {"hosts", hosts}, {"jobs", jobs}});
    }
    return live.size() == reached.size() ? code : unreachable;
}

}  // namespace rankdeck::ctl
