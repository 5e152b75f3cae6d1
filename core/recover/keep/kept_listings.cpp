// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/keep/kept_listings.h"

#include "core/base/text.h"
#include "core/checkpoint/inventory/inventory.h"
#include "core/recover/host/path_stats.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace rankdeck {
namespace {

constexpr int keptDepth = 12;  // one level for the set, plus the levels of a checkpoint directory

std::string rootBefore(const std::string &root)
{
    return root.substr(0, root.size() - std::string_view(keptSuffix).size());
}

std::string idIn(const std::string &root, const std::string &path)
{
    const std::string inside = path.substr(std::min(path.size(), root.size() + 1));
    return inside.substr(0, inside.find('/'));
}

// Records whether all nodes are listed. If the nodes see the same files, one listing is enough.
void tellListing(const JobState &view, const std::vector<KeptDirectory> &directories, KeptSets &sets)
{
    std::set<std::string> wanting;
    bool any = false;
    for (const KeptDirectory &one : directories) {
        const Status whole =
            one.listing && !isAbsent(*one.listing) ? saysAll(one.node, one.request.root, *one.listing) : Status(Done{});
        if (!whole) {
            sets.listing = KeptListing::failed;
            sets.problem = whole.error().message;
            return;
        }
        any = any || one.listing;
        if (!one.listing) wanting.insert(one.node);
    }
    if (wanting.empty() || (view.job.pathsShared && any)) {
        sets.listing = KeptListing::listed;
        return;
    }
    for (const std::string &node : wanting) sets.problem += (sets.problem.empty() ? "" : ", ") + node;
    sets.problem += wanting.size() == 1 ? " has not been listed yet" : " have not been listed yet";
}

// Judges the kept set as if its files were still among the checkpoints. This gives the ranks with a file and the set's
// position in the run.
CheckpointReport judgedAsBefore(const JobState &view, const std::vector<KeptDirectory> &directories,
                                const std::string &id, const Expectation &expected)
{
    std::vector<NodeListing> listings;
    for (const KeptDirectory &one : directories) {
        if (!one.listing) continue;
        Listing before{.root = rootBefore(one.request.root), .entries = {}, .error = one.listing->error};
        const KeptPart part{.node = one.node, .root = one.request.root, .id = id};
        for (const FileEntry &entry : one.listing->entries) {
            if (idIn(part.root, entry.path) != id || entry.path.size() <= part.root.size() + 1 + id.size()) continue;
            before.entries.push_back(entry);
            before.entries.back().path = placeBefore(part, entry.path);
        }
        listings.emplace_back(one.node, std::move(before));
    }
    const auto unread = std::make_shared<const Evidence>();
    return judge(
        buildInventory(view.job, listings), [&](const Member &) { return unread; }, expected);
}

// Parses an id such as "0:2-4g" for the attempt. Also takes epoch and step from it if the file names do not contain
// them.
void placeById(KeptSet &set, std::int64_t stepsPerEpoch)
{
    const std::size_t colon = set.id.find(':'), dash = set.id.find('-', colon == std::string::npos ? 0 : colon);
    if (colon == std::string::npos) return;
    set.attempt = static_cast<int>(decimal(set.id.substr(0, colon)).value_or(0));
    if (set.position || dash == std::string::npos || stepsPerEpoch <= 0) return;
    const std::size_t end = std::min(set.id.find_first_not_of("0123456789", dash + 1), set.id.size());
    const auto epoch = decimal(set.id.substr(colon + 1, dash - colon - 1));
    const auto step = decimal(set.id.substr(dash + 1, end - dash - 1));
    if (epoch && step) set.position = (*epoch - 1) * stepsPerEpoch + *step;
}

KeptSet keptSet(const JobState &view, const std::vector<KeptDirectory> &directories, const std::string &id,
                const Expectation &expected, const KeptSets &all)
{
    KeptSet set{.id = id};
    if (isKeptPart(id)) {
        set.whole = false;
        set.problem = "it is part of a set, left by a keep that was interrupted";
        return set;
    }
    const CheckpointReport report = judgedAsBefore(view, directories, id, expected);
    if (report.sets.size() == 1) {
        const CheckpointSet &judged = report.sets.front();
        set.position = judged.position;
        set.time = judged.time;
        const bool lacks = judged.verdict != Verdict::unknown && judged.verdict != Verdict::valid &&
                           judged.verdict != Verdict::validUnproven;
        if (lacks) set.whole = false;
        if (!lacks && all.listing == KeptListing::listed) set.whole = true;
        if (lacks && !judged.reasons.empty()) set.problem = judged.reasons.front().text;
    } else {
        set.problem = "expected files from one set, found files from " + std::to_string(report.sets.size());
    }
    if (set.whole.isUnknown() && set.problem.empty()) set.problem = all.problem;
    placeById(set, expected.stepsPerEpoch);
    return set;
}

}  // namespace

std::vector<ListRequest> keptRoots(const Job &job, const NodeSpec &node)
{
    std::vector<ListRequest> roots;
    for (const ListRequest &root : checkpointRoots(job, node)) roots.push_back({root.root + keptSuffix, keptDepth});
    return roots;
}

std::vector<KeptDirectory> keptDirectories(const Job &job)
{
    std::vector<KeptDirectory> directories;
    for (const NodeSpec &node : job.nodes)
        for (ListRequest &root : keptRoots(job, node)) directories.push_back({node.name, std::move(root)});
    return directories;
}

std::string placeBefore(const KeptPart &part, const std::string &path)
{
    return rootBefore(part.root) + path.substr(part.root.size() + 1 + part.id.size());
}

bool isAbsent(const Listing &listing) { return listing.error.find("No such file") != std::string::npos; }

Status saysAll(const std::string &node, const std::string &root, const Listing &listing)
{
    if (!listing.error.empty()) return fail(ErrorKind::permission, node + ": " + root + ": " + listing.error);
    for (const FileEntry &entry : listing.entries)
        if (!entry.error.empty()) return fail(ErrorKind::permission, node + ": " + entry.path + ": " + entry.error);
    if (!listing.truncated) return Done{};
    return fail(
        ErrorKind::refused,
        message("%1: %2 holds more than %3 entries, so the list of a kept set may be incomplete: check there by hand.",
                node, root, grouped(std::int64_t(listing.entries.size()))));
}

std::vector<KeptPart> keptParts(const JobState &view, const std::vector<KeptDirectory> &directories)
{
    std::map<std::tuple<std::string, std::string, std::string>, KeptPart> found;
    std::map<std::string, std::vector<std::pair<std::string, FileEntry>>> seen;  // root → node and its first entry
    for (const KeptDirectory &one : directories) {
        const std::string &root = one.request.root;
        if (!one.listing || one.listing->entries.empty() || !saysAll(one.node, root, *one.listing)) continue;
        const FileEntry &first = one.listing->entries.front();
        bool shared = false;
        for (const auto &[other, its] : seen[root])
            shared = shared || (its.path == first.path && sameThing(view, {.node = other, .stat = its.stat},
                                                                    {.node = one.node, .stat = first.stat}));
        if (shared) continue;  // one copy, already reported by another node
        seen[root].emplace_back(one.node, first);
        for (const FileEntry &entry : one.listing->entries) {
            const std::string id = idIn(root, entry.path);
            KeptPart &part = found[{id, one.node, root}];
            if (part.id.empty()) part = {.node = one.node, .root = root, .id = id};
            part.entries.push_back(entry);
        }
    }
    std::vector<KeptPart> out;
    for (auto &[key, part] : found) out.push_back(std::move(part));
    return out;
}

std::vector<KeptFiles> keptFiles(const std::vector<KeptPart> &parts, const std::string &id)
{
    std::map<std::string, KeptFiles> nodes;
    for (const KeptPart &part : parts) {
        if (part.id != id) continue;
        KeptFiles &files = nodes[part.node];
        files.node = part.node;
        for (const FileEntry &entry : part.entries) {
            if (entry.stat.kind == 'd') continue;
            files.paths.push_back(entry.path);
            files.bytes += entry.stat.size;
        }
    }
    std::vector<KeptFiles> out;
    for (auto &[name, files] : nodes) out.push_back(std::move(files));
    return out;
}

KeptSets keptSetsOf(const JobState &view, const std::vector<KeptDirectory> &directories, const Expectation &expected)
{
    KeptSets all;
    tellListing(view, directories, all);
    const std::vector<KeptPart> parts = keptParts(view, directories);
    for (const KeptPart &part : parts) {
        if (all.find(part.id)) continue;
        all.sets.push_back(keptSet(view, directories, part.id, expected, all));
        all.sets.back().nodes = keptFiles(parts, part.id);
    }
    std::stable_sort(all.sets.begin(), all.sets.end(), [](const KeptSet &a, const KeptSet &b) {
        return std::tie(a.attempt, a.position) > std::tie(b.attempt, b.position);
    });
    return all;
}

}  // namespace rankdeck
