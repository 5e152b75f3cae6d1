// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/discover/checkpoint_search.h"

#include "core/base/text.h"
#include "core/checkpoint/inventory/inventory.h"
#include "core/discover/config_outputs.h"
#include "core/job/path_template.h"
#include "core/node/wait_for.h"
#include "core/recover/flag/config_named.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <tuple>

namespace rankdeck {

namespace {

constexpr int searchDepth = 5;
constexpr std::uint32_t mostEntries = 20000;
constexpr std::size_t mostRoots = 12;  // for one node

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

// True for directories that never directly contain checkpoints, and are expensive to list.
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

// Directories that are equal except for their numbers and the name of their node are the same place for different
// ranks.
std::string shapeOf(const std::string &directory, const std::string &node)
{
    std::string shape;
    for (const std::string &component : split(directory, '/')) {
        shape += '/';
        if (component == node) {
            shape += "{node}";
            continue;
        }
        for (const char c : component)
            if (c < '0' || c > '9')
                shape += c;
            else if (shape.back() != '#')
                shape += '#';
    }
    return shape;
}

// One directory per rank: rank_3 belongs to rank 3, even if that rank runs on another node.
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

// A single directory shows the pattern of all only if all share it, or if it is named by its rank.
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

using Places = std::map<std::string, std::vector<Found>>;

Places placesOf(const FoundJob &job, const std::vector<Found> &all, bool graceful)
{
    Places places;
    for (const Found &member : all)
        if (member.graceful == graceful)
            places[shapeOf(member.directory, job.nodes[member.node].name)].push_back(member);
    return places;
}

std::int64_t newestOf(const std::vector<Found> &members)
{
    std::int64_t newest = 0;
    for (const Found &member : members) newest = std::max(newest, member.newest);
    return newest;
}

// The place that was written last.
std::vector<Found> newestPlace(const Places &places)
{
    std::vector<Found> best;
    std::int64_t newest = -1;
    for (const auto &[shape, members] : places)
        if (const std::int64_t time = newestOf(members); time > newest) {
            newest = time;
            best = members;
        }
    return best;
}

bool isOf(const RankText &rank, const Found &member)
{
    return member.rank == rank.rank && static_cast<int>(member.node) == rank.nodeIndex;
}

bool has(const std::vector<Found> &members, const RankText &rank)
{
    return std::any_of(members.begin(), members.end(), [&](const Found &member) { return isOf(rank, member); });
}

std::string directoryBy(const std::string &pattern, const RankText &rank, const FoundJob &job)
{
    const std::string device = std::to_string(rank.localRank);
    const auto path = expand(pattern, {{"rank", std::to_string(rank.rank)},
                                       {"local_rank", device},
                                       {"device", device},
                                       {"node", rank.node},
                                       {"node_index", std::to_string(rank.nodeIndex)},
                                       {"world_size", std::to_string(job.worldSize)}});
    return path ? *path : std::string();
}

bool isListed(const std::string &directory, const Listing &listing)
{
    return inside(listing.root, directory) ||
           std::any_of(listing.entries.begin(), listing.entries.end(),
                       [&](const FileEntry &entry) { return inside(entry.path, directory); });
}

// Ranks without a file there, on nodes that do not have such a place at all: they save in another place.
std::vector<Found> elsewhere(const FoundJob &job, const Places &places, const std::vector<Found> &best,
                             const std::string &pattern, const std::vector<ListedRoot> &listings)
{
    std::vector<Found> found;
    for (const RankText &rank : job.texts([](const RankTrace &) { return std::string(); })) {
        if (has(best, rank)) continue;
        const std::string above = dirName(directoryBy(pattern, rank, job));
        const bool there = std::any_of(listings.begin(), listings.end(), [&](const ListedRoot &one) {
            return static_cast<int>(one.node) == rank.nodeIndex && isListed(above, one.listing);
        });
        if (there) continue;
        Places own;
        for (const auto &[shape, members] : places)
            if (has(members, rank)) own[shape] = members;
        for (Found &member : newestPlace(own))
            if (isOf(rank, member)) found.push_back(std::move(member));
    }
    return found;
}

void placePeriodic(const FoundJob &job, const std::vector<ListedRoot> &listings, const std::vector<Found> &all,
                   JobEvidence &into)
{
    const Places places = placesOf(job, all, false);
    std::vector<Found> best = newestPlace(places);
    if (best.empty()) return;
    into.checkpoints = patternOf(job, best);
    if (into.checkpoints && !best.front().sharedByRanks)
        if (std::vector<Found> others = elsewhere(job, places, best, *into.checkpoints, listings); !others.empty()) {
            best.insert(best.end(), others.begin(), others.end());
            into.checkpoints = textPattern(textsOf(job, best));
        }
    into.prefix = commonPrefix(best);
    if (into.checkpoints) return;
    std::set<std::string> directories;
    for (const Found &member : best) directories.insert(member.directory);
    into.severalPlaces.assign(directories.begin(), directories.end());
}

// MindSpore's OnRequestExit names its folders by device, which is the position of the rank on its node. Used if no
// folder of a node has the number of a rank of that node.
std::vector<Found> gracefulByDevice(const FoundJob &job, const std::vector<Found> &all)
{
    std::vector<Found> saves = newestPlace(placesOf(job, all, true));
    std::set<std::size_t> byRank;
    for (const Found &save : saves)
        if (job.nodes[save.node].ranks.contains(save.rank)) byRank.insert(save.node);
    for (Found &save : saves) {
        const auto &ranks = job.nodes[save.node].ranks;
        if (byRank.contains(save.node) || save.rank < 0 || std::size_t(save.rank) >= ranks.size()) continue;
        save.rank = std::next(ranks.begin(), save.rank)->first;
    }
    return saves;
}

// OnRequestExit makes its folder when the training begins, and writes nothing before a stop: an empty rank_N.
std::vector<Found> foldersOfCallback(const std::vector<ListedRoot> &listings, const std::string &script)
{
    const auto callback = exitCallbackOf(script);
    if (!callback || !callback->savesCheckpoint || callback->fileName.empty()) return {};
    std::vector<Found> found;
    for (const auto &[index, listing] : listings)
        for (const FileEntry &entry : listing.entries) {
            const auto next =
                std::lower_bound(listing.entries.begin(), listing.entries.end(), entry.path + "/",
                                 [](const FileEntry &other, const std::string &path) { return other.path < path; });
            const bool isEmpty = next == listing.entries.end() || !inside(next->path, entry.path);
            const std::string name = baseName(entry.path);
            std::string_view number = name;
            if (entry.stat.kind != 'd' || !isEmpty || !takeStart(number, "rank_")) continue;
            int rank = -1;
            if (const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), rank);
                error == std::errc{} && end == number.data() + number.size())
                found.push_back({.rank = rank,
                                 .node = index,
                                 .directory = entry.path,
                                 .prefix = callback->fileName,
                                 .graceful = true,
                                 .newest = entry.stat.mtimeNs});
        }
    return found;
}

// Needs a directory of each rank; otherwise the preflight of a resume searches.
void placeGraceful(const FoundJob &job, const std::vector<Found> &all, JobEvidence &into)
{
    const std::vector<Found> saves = gracefulByDevice(job, all);
    const std::vector<RankText> texts = textsOf(job, saves);
    if (texts.empty() || texts.size() != job.ranks()) return;
    const bool oneName =
        std::all_of(saves.begin(), saves.end(), [&](const Found &save) { return save.prefix == saves.front().prefix; });
    const auto pattern = oneName ? textPattern(texts) : std::nullopt;
    if (!pattern) return;
    into.gracefulSaves =
        joinPath(replaceAll(*pattern, "{local_rank}", "{device}"), literalText(saves.front().prefix + "_train.ckpt"));
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
    std::vector<ListedRoot> listings;
    for (auto &[index, root, reply] : replies) {
        const auto listing = waitFor(reply, deadline, job.nodes[index].name);
        if (!listing || !listing->error.empty()) continue;
        into.searched.push_back(root);
        listings.push_back({index, *listing});
    }
    sortListings(job, listings, into);
}

void sortListings(const FoundJob &job, const std::vector<ListedRoot> &listings, JobEvidence &into)
{
    std::vector<Found> all;
    std::set<std::string> ttpLogs;
    for (const auto &[index, listing] : listings) {
        for (const FileEntry &entry : listing.entries)
            if (baseName(entry.path) == "ttp_log.log" && entry.stat.kind == 'f') ttpLogs.insert(entry.path);
        for (Found &member : membersOf(job.nodes[index], index, listing)) all.push_back(std::move(member));
    }
    if (ttpLogs.size() == 1) into.ttpLog = literalText(*ttpLogs.begin());
    placePeriodic(job, listings, all, into);
    placeGraceful(job, all, into);
    if (into.gracefulSaves) return;
    const std::vector<Found> folders = foldersOfCallback(listings, into.text);
    // ModelCheckpoint makes its folders, too: of two places, nothing shows which is the callback's.
    if (placesOf(job, folders, true).size() == 1) placeGraceful(job, folders, into);
}

}  // namespace rankdeck
