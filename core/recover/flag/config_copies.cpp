// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/flag/config_copies.h"

#include "core/base/text.h"
#include "core/job/cluster_node.h"
#include "core/node/wait_for.h"
#include "core/recover/host/job_places.h"
#include "core/recover/stop_method.h"

#include <algorithm>
#include <array>
#include <set>

namespace rankdeck {

namespace {

constexpr std::uint32_t maxConfigBytes = 1u << 20;

Status addPlace(std::vector<ConfigCopy> &places, const Job &job, const NodeSpec &node, std::optional<int> rank)
{
    const bool presence = exitWayOf(job) == StopMethod::stopFile;
    const auto expanded = expand(presence ? job.gracefulExit.stopFile : job.gracefulExit.config,
                                 rank ? rankPlaceholders(job, *rank) : nodePlaceholders(job, node));
    if (!expanded) return expanded.error();
    const std::string path = absolutePath(job, expanded.value(), &node);
    auto place = std::find_if(places.begin(), places.end(),
                              [&](const ConfigCopy &copy) { return copy.node == node.name && copy.path == path; });
    if (place == places.end())
        place = places.insert(places.end(), ConfigCopy{.node = node.name, .path = path, .presence = presence});
    if (rank) place->ranks.push_back(*rank);
    return Done{};
}

Result<std::vector<ConfigCopy>> filePlaces(const Job &job)
{
    std::vector<ConfigCopy> places;
    for (const NodeSpec &node : job.nodes) {
        if (node.ranks.empty())
            if (const Status added = addPlace(places, job, node, {}); !added) return added.error();
        for (const int rank : node.ranks)
            if (const Status added = addPlace(places, job, node, rank); !added) return added.error();
    }
    return places;
}

FindingCode codeOf(const Error &error)
{
    switch (error.kind) {
    case ErrorKind::notFound: return "config_missing";
    case ErrorKind::unreachable:
    case ErrorKind::timeout: return "node_not_live";
    default: return "config_unreadable";
    }
}

void takePresence(ConfigCopy &copy, const Result<FileContent> &content)
{
    if (!content && content.error().kind != ErrorKind::notFound) {
        copy.problem = content.error();
        copy.problemCode = codeOf(content.error());
        return;
    }
    copy.flag =
        FlagReading{.present = content.has_value(), .armed = content.has_value(), .literal = content ? "there" : ""};
    copy.flag->value = content ? 1 : 0;
}

bool onNetwork(const std::string &fileSystem)
{
    static constexpr std::array<std::string_view, 10> kinds{"nfs",  "nfs4",   "lustre",     "gpfs", "ceph",
                                                            "cifs", "beegfs", "fuse.sshfs", "9p",   "glusterfs"};
    return std::find(kinds.begin(), kinds.end(), fileSystem) != kinds.end();
}

std::string bootIdOf(const JobState &view, const std::string &node)
{
    for (const NodeStatus &status : view.nodes)
        if (status.name == node) return status.facts.bootId;
    return {};
}

bool sameFile(const ConfigCopy &a, const ConfigCopy &b, const JobState &view)
{
    if (!a.content || !b.content) return false;
    const FileStat &left = a.content->stat, &right = b.content->stat;
    if (left.inode != right.inode || left.mtimeNs != right.mtimeNs || a.content->sha256 != b.content->sha256)
        return false;
    const std::string bootId = bootIdOf(view, a.node);
    const bool oneMachine = !bootId.empty() && bootId == bootIdOf(view, b.node) && left.device == right.device;
    // Cloned machines can have equal inode numbers on their own disks. Only a network file system proves that two
    // machines see one file.
    return oneMachine || (onNetwork(a.content->fileSystem) && onNetwork(b.content->fileSystem));
}

// A missing stop file counts as withdrawn only if its directory still exists.
void doubtMissing(ActionContext &host, std::vector<ConfigCopy> &copies, SteadyTime deadline)
{
    for (ConfigCopy &copy : copies) {
        FileStore *store = host.store(copy.node);
        if (!copy.presence || !copy.asked || !copy.flag || copy.flag->present || !store) continue;
        auto reply = store->readFile(dirName(copy.path), 0);
        const auto directory = waitFor(reply, deadline, copy.node);
        if (directory && (!copy.device || *copy.device == directory->stat.device)) continue;
        copy.flag.reset();
        copy.problem = directory
                           ? fail(ErrorKind::notFound,
                                  message("a different file system is mounted at %1 than when the request was written",
                                          dirName(copy.path)))
                           : directory.error();
        copy.problemCode = "config_unreadable";
    }
}

}  // namespace

void takeContent(ConfigCopy &copy, Result<FileContent> content)
{
    copy.content.reset();
    copy.flag.reset();
    copy.problem.reset();
    copy.problemCode = {};
    if (copy.presence) {
        takePresence(copy, content);
        if (content) copy.device = content->stat.device;
        if (content) copy.content = std::move(content.value());
        return;
    }
    if (!content) {
        copy.problem = content.error();
        copy.problemCode = codeOf(content.error());
        return;
    }
    copy.content = std::move(content.value());
    auto flag = readFlag(copy.content->bytes);
    if (flag) {
        copy.flag = std::move(flag.value());
        return;
    }
    copy.problem = flag.error();
    copy.problemCode = "config_invalid";
}

Result<std::vector<ConfigCopy>> configPlaces(const Job &job)
{
    std::vector<ConfigCopy> places;
    if (!leavesAFile(exitWayOf(job))) return places;
    if (exitWayOf(job) == StopMethod::configMap) {
        ConfigCopy whole{.node = clusterNodeName,
                         .path = joinPath("configmap/" + job.gracefulExit.configMap, resetConfigKey),
                         .configMap = true};
        for (int rank = 0; rank < job.ranks(); ++rank) whole.ranks.push_back(rank);
        places.push_back(std::move(whole));
        return places;
    }
    return filePlaces(job);
}

Result<std::vector<ConfigCopy>> mountedPlaces(const Job &job)
{
    if (exitWayOf(job) != StopMethod::configMap || job.gracefulExit.config.empty()) return std::vector<ConfigCopy>();
    auto places = filePlaces(job);
    // Only a pod with ranks mounts the ConfigMap.
    if (places) std::erase_if(places.value(), [](const ConfigCopy &copy) { return copy.ranks.empty(); });
    return places;
}

void readConfigs(ActionContext &host, std::vector<ConfigCopy> &copies, SteadyTime deadline)
{
    std::vector<Reply<FileContent>> replies;
    for (const ConfigCopy &copy : copies) {
        FileStore *store = host.store(copy.node);
        replies.push_back(store ? store->readFile(copy.path, maxConfigBytes) : Reply<FileContent>());
    }
    for (std::size_t i = 0; i < copies.size(); ++i)
        takeContent(copies[i], waitFor(replies[i], deadline, copies[i].node));
    doubtMissing(host, copies, deadline);
}

void findShared(std::vector<ConfigCopy> &copies, const JobState &view)
{
    for (std::size_t i = 0; i < copies.size(); ++i) {
        copies[i].sameAs.clear();
        for (std::size_t earlier = 0; earlier < i && copies[i].sameAs.empty(); ++earlier) {
            const ConfigCopy &first = copies[earlier];
            if (!first.sameAs.empty() || !first.content) continue;
            // The job file's paths_shared is trusted only if both contents are equal.
            const bool told = view.job.pathsShared && first.path == copies[i].path && copies[i].content &&
                              first.content->sha256 == copies[i].content->sha256;
            if (told || sameFile(first, copies[i], view)) copies[i].sameAs = first.node;
        }
    }
}

Requests requestsOf(const std::vector<ConfigCopy> &copies)
{
    Requests requests;
    for (const ConfigCopy &copy : copies) {
        if (copy.flag && copy.flag->armed) requests.armed.push_back(copy.node);
        if (copy.flag || (copy.problemCode == "config_missing" && !copy.asked)) continue;
        requests.unknown.push_back(copy.node);
        if (!requests.problem.empty()) continue;
        requests.problem =
            copy.problemCode == "node_not_live" || !copy.problem
                ? message(", which cannot be reached now")
                : message(": %1 cannot be read (%2)", printable(copy.path), printable(copy.problem->message));
    }
    return requests;
}

Known requestStands(const JobState &view, const std::vector<ConfigCopy> &copies)
{
    std::set<std::pair<std::string, std::string>> known;
    for (const FlagState &flag : view.flags) {
        if (flag.armed) return Known::yes;
        if (flag.value) known.insert({flag.node, flag.path});
    }
    const bool all = std::all_of(copies.begin(), copies.end(), [&](const ConfigCopy &copy) {
        return !copy.asked || known.contains({copy.node, copy.path});
    });
    return all ? Known::no : Known::unknown;
}

}  // namespace rankdeck
