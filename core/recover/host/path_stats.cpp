// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/host/path_stats.h"

#include "core/base/text.h"
#include "core/node/wait_for.h"

namespace rankdeck {

namespace {

std::string bootIdOf(const JobState &view, const std::string &node)
{
    for (const NodeStatus &status : view.nodes)
        if (status.name == node) return status.facts.bootId;
    return {};
}

}  // namespace

bool sameThing(const JobState &view, SeenFrom a, SeenFrom b)
{
    if (view.job.pathsShared) return true;
    const std::string bootId = bootIdOf(view, a.node);
    if (!bootId.empty() && bootId == bootIdOf(view, b.node))
        return a.stat.device == b.stat.device && a.stat.inode == b.stat.inode;
    return a.stat.inode == b.stat.inode && a.stat.mtimeNs == b.stat.mtimeNs && a.stat.size == b.stat.size;
}

void PathStats::want(const std::string &node, const std::string &path)
{
    if (!path.empty()) m_nodes[node][dirName(path)];
}

void PathStats::read(ActionContext &host, SteadyTime deadline)
{
    std::map<std::string, std::map<std::string, Reply<Listing>>> replies;
    for (auto &[name, directories] : m_nodes)
        if (NodeClient *node = host.node(name))
            for (auto &[root, directory] : directories) replies[name][root] = node->list({.root = root, .depth = 1});
    for (const auto &[name, directories] : m_nodes)
        for (const auto &[root, directory] : directories)
            answer(name, root, waitFor(replies[name][root], deadline, name));
}

void PathStats::answer(const std::string &node, const std::string &root, const Result<Listing> &listing)
{
    Directory &directory = m_nodes[node][root];
    directory = {};
    if (!listing) {
        directory.missing = listing.error().kind == ErrorKind::notFound;
        directory.problem = listing.error().message;
        return;
    }
    directory.missing = listing->error.find("No such file") != std::string::npos;
    directory.problem = listing->error.empty() && listing->truncated ? "too many entries" : listing->error;
    for (const FileEntry &entry : listing->entries) {
        if (!entry.error.empty()) {
            directory.closed[entry.path] = entry.error;
            continue;
        }
        directory.entries[entry.path] = entry.stat;
        if (!entry.linkTarget.empty()) directory.links[entry.path] = entry.linkTarget;
    }
}

const PathStats::Directory *PathStats::directoryOf(const std::string &node, const std::string &path) const
{
    const auto directories = m_nodes.find(node);
    if (directories == m_nodes.end()) return nullptr;
    const auto directory = directories->second.find(dirName(path));
    return directory == directories->second.end() ? nullptr : &directory->second;
}

std::optional<FileStat> PathStats::stat(const std::string &node, const std::string &path) const
{
    const Directory *directory = directoryOf(node, path);
    if (!directory) return {};
    const auto entry = directory->entries.find(path);
    return entry == directory->entries.end() ? std::nullopt : std::optional(entry->second);
}

std::map<std::string, FileStat> PathStats::beside(const std::string &node, const std::string &path) const
{
    const Directory *directory = directoryOf(node, path);
    return directory ? directory->entries : std::map<std::string, FileStat>();
}

std::string PathStats::linkTarget(const std::string &node, const std::string &path) const
{
    const Directory *directory = directoryOf(node, path);
    if (!directory) return {};
    const auto link = directory->links.find(path);
    return link == directory->links.end() ? std::string() : link->second;
}

Known PathStats::exists(const std::string &node, const std::string &path) const
{
    const Directory *directory = directoryOf(node, path);
    if (!directory || directory->closed.contains(path)) return Known::unknown;
    if (directory->entries.contains(path)) return Known::yes;
    return directory->problem.empty() || directory->missing ? Known::no : Known::unknown;
}

std::string PathStats::problem(const std::string &node, const std::string &path) const
{
    const Directory *directory = directoryOf(node, path);
    if (!directory) return "not asked";
    const auto closed = directory->closed.find(path);
    return closed == directory->closed.end() ? directory->problem : closed->second;
}

}  // namespace rankdeck
