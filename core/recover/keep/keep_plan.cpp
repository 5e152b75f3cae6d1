// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/keep/keep.h"

#include "core/base/text.h"
#include "core/checkpoint/inventory/inventory.h"

#include <algorithm>
#include <map>
#include <set>

namespace rankdeck {
namespace {

bool isBelow(const std::string &path, const std::string &directory)
{
    return path.size() > directory.size() && path.compare(0, directory.size(), directory) == 0 &&
           path[directory.size()] == '/';
}

// The watched directory that contains the path, otherwise the directory of the path.
std::string rootOf(const JobState &view, const std::string &node, const std::string &path)
{
    const int index = view.job.nodeIndex(node);
    if (index >= 0)
        for (const ListRequest &root : checkpointRoots(view.job, view.job.nodes[std::size_t(index)]))
            if (isBelow(path, root.root)) return root.root;
    return dirName(path);
}

// The first node that sees the same directory: files on a shared disk are kept once.
std::string keeperOf(const JobState &view, const PathStats &book, const std::string &node, const std::string &root)
{
    const auto own = book.stat(node, root);
    for (const NodeSpec &other : view.job.nodes) {
        if (other.name == node) break;
        const auto there = book.stat(other.name, root);
        if (own && there && sameThing(view, {.node = node, .stat = *own}, {.node = other.name, .stat = *there}))
            return other.name;
    }
    return node;
}

// Adds each directory once, before the files in it.
void addDirectories(NodePlan &node, std::set<std::string> &made, const std::string &kept, const std::string &file)
{
    std::vector<std::string> missing;
    for (std::string directory = dirName(file); isBelow(directory, kept) && !made.count(directory);
         directory = dirName(directory))
        missing.push_back(directory);
    if (made.insert(kept).second) node.files.push_back({.action = FileAction::makeDirectory, .path = kept});
    for (auto at = missing.rbegin(); at != missing.rend(); ++at) {
        made.insert(*at);
        node.files.push_back({.action = FileAction::makeDirectory, .path = *at});
    }
}

Status mayBeKept(const CheckpointSet &set)
{
    if (set.verdict != Verdict::valid && set.verdict != Verdict::validUnproven)
        return fail(
            ErrorKind::refused,
            set.reasons.empty()
                ? message("Set %1 is %2. Expected a complete set; a set that cannot be resumed is not worth keeping.",
                          set.id, verdictName(set.verdict))
                : message(
                      "Set %1 is %2: %3. Expected a complete set; a set that cannot be resumed is not worth keeping.",
                      set.id, verdictName(set.verdict), set.reasons.front().text));
    if (set.id.empty() || set.id.front() == '.' || set.id.find('/') != std::string::npos)
        return fail(ErrorKind::refused, message("Set %1 has a name that is not a valid directory name.", set.id));
    return Done{};
}

}  // namespace

void wantRoots(PathStats &book, const JobState &view)
{
    for (const NodeSpec &node : view.job.nodes)
        for (const ListRequest &root : checkpointRoots(view.job, node)) book.want(node.name, root.root);
}

Result<Plan> planKeep(const JobState &view, const std::string &id, const PathStats &book)
{
    const CheckpointSet *set = view.checkpoints.find(id);
    if (!set)
        return fail(ErrorKind::notFound,
                    message("There is no set %1; %2 the sets.", id, terminalWords("`checkpoints` lists")));
    if (const Status may = mayBeKept(*set); !may) return may.error();
    // A graceful save has a fixed name, so the next one overwrites it: it must be copied.
    const bool copy = set->kind != CheckpointKind::periodic;
    std::map<std::string, NodePlan> nodes;
    std::map<std::string, std::set<std::string>> made;
    std::set<std::pair<std::string, std::string>> seen;
    std::map<std::pair<std::string, std::string>, std::string> keepers;  // node, root → node
    for (const MemberVerdict &part : set->members) {
        if (part.member < 0 || std::size_t(part.member) >= view.inventory->members.size()) continue;
        const Member &member = view.inventory->members[std::size_t(part.member)];
        const std::vector<FileEntry> &files = member.parts.empty() ? std::vector<FileEntry>{member.file} : member.parts;
        for (const FileEntry &file : files) {
            if (file.stat.kind != 'f') continue;
            const std::string root = rootOf(view, member.node, file.path);
            const auto [place, isNew] = keepers.try_emplace({member.node, root});
            if (isNew) place->second = keeperOf(view, book, member.node, root);
            const std::string &keeper = place->second;
            if (!seen.emplace(keeper, file.path).second) continue;
            const std::string kept = root + keptSuffix + "/" + id;
            const std::string target = kept + file.path.substr(root.size());
            NodePlan &node = nodes[keeper];
            addDirectories(node, made[keeper], kept, target);
            node.files.push_back({.action = copy ? FileAction::copyFile : FileAction::makeHardLink,
                                  .path = target,
                                  .target = file.path});
        }
    }
    if (nodes.empty()) return fail(ErrorKind::refused, message("No file of set %1 was found.", id));
    Plan plan;
    plan.summary = message("Protect set %1 from rotation", id);
    for (auto &[name, node] : nodes) {
        node.node = name;
        plan.nodes.push_back(std::move(node));
    }
    return plan;
}

}  // namespace rankdeck
