// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/discover/traces.h"

#include "core/base/text.h"
#include "core/discover/job_hosts.h"
#include "core/discover/output_files.h"
#include "core/node/wait_for.h"
#include "core/recover/host/rank_processes.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>

namespace rankdeck {

namespace {

constexpr std::size_t mostRanks = 512;  // of one host
constexpr int longestChain = 64;

std::optional<int> rankOf(const ProcessInfo &process)
{
    if (!isRunning(process) || process.comm == "tail" || isLauncher(process)) return {};
    const FrameworkInfo *info = frameworkOfProcess(process.env);
    const bool hasRole = info && !info->variables.role.empty();
    if (hasRole && process.env.at(std::string(info->variables.role)) != info->variables.worker) return {};
    if (const auto known = rankByVariables(process)) return known;
    // msrun names the log by the rank, even if RANK_ID is wrong.
    const std::optional<int> rank = hasRole ? rankByLogName(baseName(process.stdoutPath)) : rankByScript(process.env);
    return rank && *rank >= 0 ? rank : std::nullopt;
}

bool isShell(const ProcessInfo &process)
{
    static const std::array<std::string, 9> shells{"sh", "bash", "dash", "zsh", "env", "tini", "sudo", "timeout", "su"};
    return std::find(shells.begin(), shells.end(), process.comm) != shells.end();
}

using ByPid = std::map<int, const ProcessInfo *>;

const ProcessInfo *firstAbove(const ProcessInfo &process, const ByPid &all,
                              const std::function<bool(const ProcessInfo &)> &wanted)
{
    int parent = process.parent;
    for (int steps = 0; steps < longestChain && parent > 1; ++steps) {
        const auto found = all.find(parent);
        if (found == all.end()) return nullptr;
        if (wanted(*found->second)) return found->second;
        parent = found->second->parent;
    }
    return nullptr;
}

bool looksLikeTraining(const ProcessInfo &process)
{
    if (isLauncher(process)) return true;
    return std::any_of(process.argv.begin(), process.argv.end(), [](const std::string &argument) {
        const std::string name = baseName(argument);
        return name.ends_with(".py") && (name.find("train") != std::string::npos || frameworkOfProgram(name));
    });
}

void readEnvironments(NodeClient &node, HostTraces &traces, SteadyTime deadline)
{
    std::map<int, Reply<FileContent>> replies;
    const auto ask = [&](int pid) {
        if (!replies.contains(pid)) replies[pid] = node.readFile("/proc/" + std::to_string(pid) + "/environ", 1u << 20);
    };
    auto own = node.readFile("/proc/self/environ", 1u << 20);
    for (const RankTrace &rank : traces.ranks) {
        ask(rank.process.id.pid);
        if (rank.launcher) ask(rank.launcher->id.pid);
    }
    if (const auto login = waitFor(own, deadline, traces.host)) traces.login = environmentOf(login->bytes);
    std::map<int, std::map<std::string, std::string>> read;
    for (auto &[pid, reply] : replies)
        if (const auto content = waitFor(reply, deadline, traces.host)) read[pid] = environmentOf(content->bytes);
    for (RankTrace &rank : traces.ranks) {
        rank.environment = read[rank.process.id.pid];
        if (rank.launcher) traces.launcherEnvironments[rank.launcher->id.pid] = read[rank.launcher->id.pid];
    }
}

// Finds out which files are open for writing. Others are data, models, and the files that every program reads at its
// start.
void findWritten(NodeClient &node, const std::string &host, OpenFiles &open, SteadyTime deadline)
{
    constexpr int most = 256;  // of one process; a log is usually opened before the data
    std::vector<std::pair<OpenFile *, Reply<FileContent>>> replies;
    for (auto &[pid, files] : open) {
        int asked = 0;
        for (OpenFile &file : files)
            if (mayBeALog(file.entry) && ++asked <= most)
                replies.emplace_back(
                    &file,
                    node.readFile("/proc/" + std::to_string(pid) + "/fdinfo/" + baseName(file.entry.path), 4096));
    }
    for (auto &[file, reply] : replies)
        if (const auto content = waitFor(reply, deadline, host)) file->written = isOpenForWriting(content->bytes);
}

// Finds the logs of ranks and launchers whose output is not a file. It is the file behind their pipe, otherwise that of
// their errors, otherwise a log that the program has open.
void findLogs(NodeClient &node, HostTraces &traces, const std::vector<ProcessInfo> &all, SteadyTime deadline)
{
    std::map<int, Reply<Listing>> replies;
    const auto ask = [&](const ProcessInfo &process) {
        std::vector<int> pids = possibleReaders(process, all);
        pids.push_back(process.id.pid);
        for (const int pid : pids)
            if (!replies.contains(pid))
                replies[pid] =
                    node.list({.root = "/proc/" + std::to_string(pid) + "/fd", .depth = 1, .maxEntries = 4096});
    };
    for (const RankTrace &rank : traces.ranks) {
        if (rank.log.empty()) ask(rank.process);
        if (rank.launcher && rank.launcher->stdoutPath.empty()) ask(*rank.launcher);
    }
    OpenFiles open;
    for (auto &[pid, reply] : replies)
        if (auto listing = waitFor(reply, deadline, traces.host))
            for (FileEntry &entry : listing->entries) open[pid].push_back({.entry = std::move(entry)});
    findWritten(node, traces.host, open, deadline);
    for (RankTrace &rank : traces.ranks) {
        const ProcessInfo &process = rank.process;
        if (rank.log.empty()) rank.log = fileBehindPipes(process.id.pid, open);
        if (rank.log.empty()) rank.log = process.stderrPath;
        if (rank.log.empty()) rank.log = ownLog(process.id.pid, open);
        if (rank.launcher && rank.launcher->stdoutPath.empty())
            rank.launcher->stdoutPath = fileBehindPipes(rank.launcher->id.pid, open);
    }
}

}  // namespace

std::map<std::string, std::string> environmentOf(const std::string &bytes)
{
    std::map<std::string, std::string> environment;
    for (const std::string &item : split(bytes, '\0')) {
        const std::size_t equals = item.find('=');
        if (equals != std::string::npos && equals > 0) environment[item.substr(0, equals)] = item.substr(equals + 1);
    }
    return environment;
}

std::vector<RankTrace> rankTraces(const std::vector<ProcessInfo> &withVariables, const std::vector<ProcessInfo> &all)
{
    ByPid byPid;
    for (const ProcessInfo &process : all) byPid[process.id.pid] = &process;
    std::map<int, int> rankOfPid;
    std::set<int> shellsAround;
    for (const ProcessInfo &process : withVariables)
        if (const auto rank = rankOf(process)) rankOfPid[process.id.pid] = *rank;
    for (const ProcessInfo &process : withVariables) {
        if (!rankOfPid.contains(process.id.pid) || isShell(process)) continue;
        firstAbove(process, byPid, [&](const ProcessInfo &above) {
            if (isShell(above) && rankOfPid.contains(above.id.pid)) shellsAround.insert(above.id.pid);
            return false;
        });
    }
    std::vector<RankTrace> traces;
    for (const ProcessInfo &process : withVariables) {
        const auto rank = rankOfPid.find(process.id.pid);
        if (rank == rankOfPid.end() || shellsAround.contains(process.id.pid) || traces.size() >= mostRanks) continue;
        const bool dataLoader = firstAbove(process, byPid, [&](const ProcessInfo &above) {
            const auto other = rankOfPid.find(above.id.pid);
            return other != rankOfPid.end() && other->second == rank->second && !shellsAround.contains(above.id.pid);
        });
        if (dataLoader) continue;
        RankTrace trace{.rank = rank->second, .process = process, .log = process.stdoutPath};
        if (const ProcessInfo *launcher = firstAbove(process, byPid, isLauncher)) trace.launcher = *launcher;
        traces.push_back(std::move(trace));
    }
    return traces;
}

std::vector<ProcessInfo> unreadableTraining(const std::vector<ProcessInfo> &all)
{
    std::vector<ProcessInfo> found;
    for (const ProcessInfo &process : all)
        if (!process.envReadable && isRunning(process) && looksLikeTraining(process)) found.push_back(process);
    return found;
}

Result<HostTraces> scanHost(NodeClient &node, const std::string &host, SteadyTime deadline)
{
    std::vector<std::string> names = rankEnvNames();
    for (std::string &name : namesOf(&RankVariables::watched)) names.push_back(std::move(name));
    auto some = node.processes(names);
    auto every = node.processes({});
    auto routes = node.readFile("/proc/net/fib_trie", 1u << 20);
    const auto withVariables = waitFor(some, deadline, host);
    if (!withVariables) return withVariables.error();
    const auto all = waitFor(every, deadline, host);
    if (!all) return all.error();
    HostTraces traces{.host = host, .facts = node.status().facts};
    traces.ranks = rankTraces(*withVariables, *all);
    traces.unreadable = unreadableTraining(*all);
    if (const auto trie = waitFor(routes, deadline, host)) traces.addresses = localAddresses(trie->bytes);
    readEnvironments(node, traces, deadline);
    findLogs(node, traces, *all, deadline);
    return traces;
}

}  // namespace rankdeck
