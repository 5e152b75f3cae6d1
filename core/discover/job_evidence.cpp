// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/discover/job_evidence.h"

#include "core/base/text.h"
#include "core/discover/checkpoint_search.h"
#include "core/discover/job_hosts.h"
#include "core/discover/launch/launch_words.h"
#include "core/discover/text/host_list.h"
#include "core/node/wait_for.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <tuple>

namespace rankdeck {

namespace {

constexpr std::uint32_t configBytes = 64u << 10;
constexpr std::uint32_t programBytes = 8u << 20;
constexpr std::uint32_t hostFileBytes = 4u << 20;
constexpr std::size_t mostConfigs = 20;

std::string absoluteIn(const RankTrace &rank, const std::string &word)
{
    if (word.starts_with("/")) return word;
    return joinPath(rank.process.cwd, word.starts_with("./") ? word.substr(2) : word);
}

std::string valueOf(const std::string &word)
{
    const std::size_t equals = word.find('=');
    return word.starts_with("-") && equals != std::string::npos ? word.substr(equals + 1) : word;
}

// Only these variables of an environment are searched: toolkits and interpreters also have paths there, with many
// files.
bool namesASave(const std::string &name)
{
    for (const char *word : {"CKPT", "CHECKPOINT", "SAVE", "OUTPUT", "OUT_", "RESULT"})
        if (name.find(word) != std::string::npos) return true;
    return false;
}

bool hasFlag(const std::string &json)
{
    const auto document = nlohmann::json::parse(json, nullptr, false);
    return document.is_object() && document.contains("GracefulExit");
}

std::string jsonWord(const RankTrace &rank, std::size_t number)
{
    for (const std::string &word : rank.process.argv)
        if (const std::string value = valueOf(word); value.ends_with(".json") && number-- == 0)
            return absoluteIn(rank, value);
    return {};
}

// One text per node: the config is beside the script, and only the script names it.
std::optional<std::string> besideTheScript(const FoundJob &job, const HostClients &clients, SteadyTime deadline)
{
    const FoundNode &node = job.nodes.front();
    NodeClient &client = *clients[node.host];
    const std::string &directory = job.first().process.cwd;
    if (directory.empty() || directory == "/") return {};
    auto listed = client.list({.root = directory, .depth = 2, .maxEntries = 5000});
    const auto listing = waitFor(listed, deadline, node.name);
    if (!listing) return {};
    std::vector<std::pair<std::string, Reply<FileContent>>> replies;
    for (const FileEntry &entry : listing->entries)
        if (entry.path.ends_with(".json") && entry.stat.kind == 'f' && entry.stat.size <= configBytes &&
            replies.size() < mostConfigs)
            replies.emplace_back(entry.path, client.readFile(entry.path, configBytes));
    for (auto &[path, reply] : replies)
        if (const auto content = waitFor(reply, deadline, node.name); content && hasFlag(content->bytes))
            return literalText(path);
    return {};
}

std::optional<std::string> findConfig(const FoundJob &job, const HostClients &clients, SteadyTime deadline)
{
    for (std::size_t number = 0; number < mostConfigs; ++number) {
        const std::string path = jsonWord(job.first(), number);
        if (path.empty()) break;
        auto asked = clients[job.nodes.front().host]->readFile(path, configBytes);
        const auto content = waitFor(asked, deadline, job.nodes.front().name);
        if (!content || !hasFlag(content->bytes)) continue;
        return textPattern(job.texts([&](const RankTrace &rank) { return jsonWord(rank, number); }));
    }
    return besideTheScript(job, clients, deadline);
}

std::string readProgram(const FoundJob &job, const HostClients &clients, SteadyTime deadline)
{
    const std::string path = programOf(job.first());
    auto asked = clients[job.nodes.front().host]->read({{.path = path, .offset = 0, .length = programBytes}});
    const auto read = waitFor(asked, deadline, job.nodes.front().name);
    return read && !read->empty() ? read->front().bytes : std::string();
}

// Hosts in the first readable file.
std::vector<std::string> hostsInFiles(const FoundJob &job, const HostClients &clients, SteadyTime deadline)
{
    const FoundNode &node = job.nodes.front();
    for (const std::string &path : hostFilesOf(job.first())) {
        auto asked = clients[node.host]->readFile(path, hostFileBytes);
        if (const auto content = waitFor(asked, deadline, node.name))
            if (const auto hosts = hostsOfFile(content->bytes)) return *hosts;
    }
    return {};
}

// The first rank's log, seen from another node.
bool sameFiles(const FoundJob &job, const HostClients &clients, SteadyTime deadline)
{
    const std::string &log = job.first().log;
    return !log.empty() && job.nodes.size() > 1 &&
           sameFile(*clients[job.nodes[0].host], *clients[job.nodes[1].host], log, deadline);
}

}  // namespace

bool sameFile(NodeClient &one, NodeClient &other, const std::string &path, SteadyTime deadline)
{
    const auto look = [&](NodeClient &node) {
        auto asked = node.read({{.path = path, .offset = 0, .length = 64}});
        auto read = waitFor(asked, deadline, path);
        return read && !read->empty() && read->front().error.empty() ? std::optional(read->front()) : std::nullopt;
    };
    const auto here = look(one), there = look(other);
    return here && there && here->stat.inode == there->stat.inode && here->bytes == there->bytes;
}

std::vector<std::string> pathsOf(const RankTrace &rank)
{
    std::set<std::string> paths;
    for (std::size_t at = 1; at < rank.process.argv.size(); ++at) {
        const std::string value = valueOf(rank.process.argv[at]);
        if (value.starts_with("-") || value.size() > 4096 || value.find('\n') != std::string::npos) continue;
        if (value.find('/') == std::string::npos && at + 1 < rank.process.argv.size() && value.find('.') != value.npos)
            continue;  // train.py, 0.2
        if (!value.empty() && !rank.process.cwd.empty()) paths.insert(absoluteIn(rank, value));
    }
    for (const auto &[name, value] : rank.environment)
        if (value.starts_with("/") && value.find(':') == std::string::npos && namesASave(name)) paths.insert(value);
    return {paths.begin(), paths.end()};
}

std::string programOf(const RankTrace &rank)
{
    const auto &argv = rank.process.argv;
    for (std::size_t at = 0; at < std::min<std::size_t>(argv.size(), 6); ++at)
        if (argv[at].ends_with(".py")) return absoluteIn(rank, argv[at]);
    std::string_view program = rank.process.exe;
    takeEnd(program, " (deleted)");  // appended by /proc for a file that was replaced since
    return std::string(program);
}

JobEvidence gatherEvidence(const FoundJob &job, const HostClients &clients, SteadyTime deadline)
{
    JobEvidence evidence;
    evidence.program = programOf(job.first());
    evidence.text = readProgram(job, clients, deadline);
    searchCheckpoints(job, clients, deadline, evidence);
    evidence.gracefulConfig = findConfig(job, clients, deadline);
    evidence.resumeOption = resumeOptionIn(evidence.text);
    evidence.hostsInFiles = hostsInFiles(job, clients, deadline);
    evidence.pathsShared = sameFiles(job, clients, deadline);
    return evidence;
}

}  // namespace rankdeck
