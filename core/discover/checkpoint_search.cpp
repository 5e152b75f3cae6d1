// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/discover/checkpoint_search.h"

#include "core/base/text.h"
#include "core/checkpoint/inventory/inventory.h"
#include "core/discover/config_outputs.h"
#include "core/node/wait_for.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace rankdeck {

namespace {

constexpr int searchDepth = 5;
constexpr std::uint32_t mostEntries = 20000;
constexpr std::size_t mostRoots = 12;  // of one node

struct Found {
    int rank = -1;
    std::size_t node = 0;
    std::string directory;
    std::string prefix;
    bool graceful = false;
    bool sharedByRanks = false;  // one checkpoint for all
    std::int64_t newest = 0;
};

bool inside(const std::string &path, const std::string &root)
{
    return path == root || path.starts_with(root == "/" ? root : root + "/");
}

// Nobody keeps checkpoints right there, and listing it costs much and tells nothing.
bool tooWide(const std::string &path)
{
    static const std::set<std::string> wide{"/",    "/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc",  "/proc",
                                            "/sys", "/dev", "/run", "/tmp",  "/var", "/opt",   "/home", "/boot"};
    return wide.contains(path) || inside(path, "/proc") || inside(path, "/sys") || inside(path, "/dev") ||
           inside(path, "/usr") || inside(path, "/etc");
}

std::vector<std::string> rootsOf(const FoundNode &node, const std::vector<std::string> &configured)
{
    std::set<std::string> wanted(configured.begin(), configured.end());
    for (const auto &[number, rank] : node.ranks) {
        wanted.insert(rank.process.cwd);
        if (!rank.log.empty()) wanted.insert(dirName(dirName(rank.log)));
        for (const std::string &path : pathsOf(rank)) wanted.insert(path);
    }
    std::vector<std::string> roots;
    for (const std::string &path : wanted) {  // in order, so that a directory comes before what is in it
        if (path.empty() || path.front() != '/' || tooWide(path) || roots.size() >= mostRoots) continue;
        const bool covered =
            std::any_of(roots.begin(), roots.end(), [&](const std::string &root) { return inside(path, root); });
        if (!covered) roots.push_back(path);
    }
    return roots;
}

std::vector<Found> membersOf(const FoundNode &node, std::size_t index, const Listing &listing)
{
    Job job;
    job.nodes.push_back({.name = node.name, .host = "local"});
    job.checkpoints.path = literalText(listing.root);
    const Inventory inventory = buildInventory(job, {{node.name, listing}});
    std::vector<Found> found;
    for (const Member &member : inventory.members) {
        std::int64_t newest = member.file.stat.mtimeNs;
        for (const FileEntry &part : member.parts) newest = std::max(newest, part.stat.mtimeNs);
        found.push_back({.rank = member.rank,
                         .node = index,
                         .directory = dirName(member.file.path),
                         .prefix = member.name.prefix,
                         .graceful = member.name.kind == CheckpointKind::graceful,
                         .sharedByRanks = member.sharedByRanks,
                         .newest = newest});
    }
    return found;
}

// The same directory but for its numbers is the same place of another rank.
std::string shapeOf(const std::string &directory)
{
    std::string shape;
    for (const char c : directory)
        if (c < '0' || c > '9')
            shape += c;
        else if (shape.empty() || shape.back() != '#')
            shape += '#';
    return shape;
}

// One rank per node and directory: rank_3 is rank 3's also where its owner runs on another node.
std::vector<RankText> textsOf(const FoundJob &job, const std::vector<Found> &members)
{
    std::map<int, RankText> places;
    for (const RankText &place : job.texts([](const RankTrace &) { return std::string(); })) places[place.rank] = place;
    std::map<int, RankText> texts;
    for (const Found &member : members) {
        const auto place = places.find(member.rank);
        if (place == places.end()) continue;
        const bool own = place->second.nodeIndex == static_cast<int>(member.node);
        RankText text = place->second;
        text.text = member.directory;
        if (own || !texts.contains(member.rank)) texts[member.rank] = std::move(text);
    }
    std::vector<RankText> list;
    for (auto &[rank, text] : texts) list.push_back(std::move(text));
    return list;
}

// One directory tells the others' only where it is the one of all, or named by its rank.
std::optional<std::string> patternOf(const FoundJob &job, const std::vector<Found> &members)
{
    const std::vector<RankText> texts = textsOf(job, members);
    if (texts.size() != 1 || job.worldSize == 1) return textPattern(texts);
    if (members.front().sharedByRanks) return textPattern(texts);
    const std::string own = "/rank_" + std::to_string(texts.front().rank);
    const std::string &text = texts.front().text;
    if (!(text + "/").ends_with(own + "/")) return {};
    return literalText(text.substr(0, text.size() - own.size())) + "/rank_{rank}";
}

std::string commonPrefix(const std::vector<Found> &members)
{
    std::set<std::string> prefixes;
    for (const Found &member : members)
        if (!member.graceful) prefixes.insert(member.prefix);
    return prefixes.size() == 1 ? *prefixes.begin() : std::string();
}

// The place that was written last, when it has files of as many ranks as any other.
std::vector<Found> newestPlace(const std::vector<Found> &all, bool graceful)
{
    std::map<std::string, std::vector<Found>> places;
    for (const Found &member : all)
        if (member.graceful == graceful) places[shapeOf(member.directory)].push_back(member);
    std::vector<Found> best;
    std::int64_t newest = -1;
    for (auto &[shape, members] : places) {
        std::int64_t time = 0;
        for (const Found &member : members) time = std::max(time, member.newest);
        if (time <= newest) continue;
        newest = time;
        best = std::move(members);
    }
    return best;
}

}  // namespace

void searchCheckpoints(const FoundJob &job, const HostClients &clients, SteadyTime deadline, JobEvidence &into)
{
    std::vector<std::tuple<std::size_t, std::string, Reply<Listing>>> replies;
    ConfigOutputs outputs = configOutputs(job.nodes.front(), *clients[job.nodes.front().host], deadline);
    into.configProblems = std::move(outputs.problems);
    for (std::size_t index = 0; index < job.nodes.size(); ++index)
        for (const std::string &root : rootsOf(job.nodes[index], outputs.directories))
            replies.emplace_back(
                index, root,
                clients[job.nodes[index].host]->list({.root = root, .depth = searchDepth, .maxEntries = mostEntries}));
    std::vector<Found> all;
    std::set<std::string> ttpLogs;
    for (auto &[index, root, reply] : replies) {
        const auto listing = waitFor(reply, deadline, job.nodes[index].name);
        if (!listing || !listing->error.empty()) continue;
        into.searched.push_back(root);
        for (const FileEntry &entry : listing->entries)
            if (baseName(entry.path) == "ttp_log.log" && entry.stat.kind == 'f') ttpLogs.insert(entry.path);
        for (Found &member : membersOf(job.nodes[index], index, *listing)) all.push_back(std::move(member));
    }
    if (ttpLogs.size() == 1) into.ttpLog = literalText(*ttpLogs.begin());
    const std::vector<Found> periodic = newestPlace(all, false);
    if (!periodic.empty()) into.checkpoints = patternOf(job, periodic);
    into.prefix = commonPrefix(periodic);
    // A graceful exit's own saves are told by a directory of each rank; elsewhere the preflight of a resume looks.
    const auto saves = textsOf(job, newestPlace(all, true));
    if (saves.size() == job.ranks() && into.checkpoints)
        if (const auto pattern = textPattern(saves); pattern && *pattern == *into.checkpoints)
            for (const Found &member : all)
                if (member.graceful)
                    into.gracefulSaves = joinPath(*pattern, literalText(member.prefix + "_train.ckpt"));
}

}  // namespace rankdeck
