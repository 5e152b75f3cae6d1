// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/inventory/inventory.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/components/file_ranks.h"
#include "core/checkpoint/formats/formats.h"
#include "core/checkpoint/formats/mindspore/group_info.h"
#include "core/checkpoint/formats/sidecar_reader.h"
#include "core/checkpoint/formats/torch/lightning_names.h"
#include "core/checkpoint/inventory/group_files.h"
#include "core/checkpoint/inventory/names_and_ranks.h"
#include "core/checkpoint/inventory/node_folders.h"
#include "core/checkpoint/inventory/numbered_rows.h"
#include "core/checkpoint/inventory/prefixes/rank_prefix.h"
#include "core/checkpoint/inventory/prefixes/rerun_numbers.h"
#include "core/checkpoint/inventory/rank_locator.h"
#include "core/checkpoint/inventory/shared_view.h"
#include "core/checkpoint/inventory/ttp_folders.h"
#include "core/checkpoint/inventory/unlooked.h"
#include "core/checkpoint/listing_tree.h"
#include "core/checkpoint/read/saved_name.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_set>

namespace rankdeck {
namespace {

constexpr std::size_t maxNotes = 50;
constexpr std::size_t maxTrackers = 1000;
constexpr std::size_t maxCompanions = 100'000;  // more are data

// Sets that the operator keeps beside the checkpoints do not count as sets of the run.
bool isKept(const FileEntry &entry)
{
    const std::size_t at = entry.path.find(keptSuffix);
    return at != std::string::npos && (entry.path.size() == at + std::string_view(keptSuffix).size() ||
                                       entry.path[at + std::string_view(keptSuffix).size()] == '/');
}
bool hasKept(const Listing &listing) { return std::any_of(listing.entries.begin(), listing.entries.end(), isKept); }
Listing withoutKept(Listing listing)
{
    std::erase_if(listing.entries, isKept);
    return listing;
}

std::string shown(const std::string &path) { return printable(path); }

class Builder {
public:
    explicit Builder(const Job &job) : m_job(job), m_paths(job), m_groups(job) {}

    void take(const std::string &nodeName, const Listing &listing)
    {
        const int index = m_job.nodeIndex(nodeName);
        const NodeSpec *node = index < 0 ? nullptr : &m_job.nodes[std::size_t(index)];
        RankLocator locator(m_paths, node);
        const std::vector<const FileEntry *> mayBeUnnamed = findUnnamedFiles(listing);
        locator.learnCardFolders(listing, mayBeUnnamed);
        if (node && isForHealthOnly(m_job, listing.root, *node)) {
            for (const FileEntry &entry : listing.entries)
                if (baseName(entry.path) == healthRecordName) takeTracker(nodeName, entry, true);
            return;
        }
        if (node && isForGroupsOnly(m_job, listing.root, *node)) {
            for (const FileEntry &entry : listing.entries)
                m_groups.takeGroupFile(nodeName, node, listing.root, locator, entry);
            return;
        }
        for (const std::string &text : locator.notes()) note(text);
        if (!listing.error.empty()) note(shown(listing.root) + " on " + nodeName + ": " + listing.error);
        const bool absent = listing.error.find("No such file") != std::string::npos;
        const std::string why = !listing.error.empty() && !absent ? shown(listing.root) + ": " + listing.error
                                : listing.truncated ? shown(listing.root) + " has more entries than were listed"
                                                    : std::string();
        if (listing.truncated) note(nodeName + ": " + why);
        (why.empty() ? m_listed : m_failed).insert(nodeName);
        if (!why.empty() && node) unlist(node->ranks, nodeName + ": " + why);
        if (m_seen.empty()) m_seen.reserve(listing.entries.size());
        takeComposites(nodeName, listing, locator);
        const auto unnamed = m_composites.empty() ? mayBeUnnamed : std::vector<const FileEntry *>{};
        m_fileRanks = findFileRanks(filesWithoutRank(listing, locator, unnamed));
        m_numberedRows = findNumberedRows(unnamed, [&](const FileEntry &entry) {
            if (const auto rank = m_fileRanks.find(entry.path); rank != m_fileRanks.end())
                return joinPath(dirName(entry.path), rank->second.base);
            const bool ofRank = locator.rankOfDirectory(dirName(entry.path), listing.root).has_value();
            return ofRank ? joinPath(locator.seriesOf(entry.path, listing.root), baseName(entry.path)) : std::string();
        });
        for (const FileEntry &entry : listing.entries) {
            takeTracker(nodeName, entry, locator.rankOfDirectory(dirName(entry.path), listing.root).has_value());
            m_groups.takeGroupFile(nodeName, node, listing.root, locator, entry);
            m_groups.takeStrategyFile(nodeName, listing.root, locator, entry);
        }
        for (const FileEntry &entry : listing.entries)
            if (!m_inComposite.count(entry.path)) takeEntry(nodeName, listing.root, locator, entry);
        if (node) tellTooDeep(*node, listing);
    }

    // If a node has several roots, the oldest listing counts. If several nodes see the same files, the newest listing
    // counts.
    void takeAge(const NodeListing &listing)
    {
        if (listing.clockSkew != 0) m_clockAhead[listing.node] = listing.clockSkew;
        if (!listing.asOf) return;
        const auto [at, first] = m_asOf.emplace(listing.node, *listing.asOf);
        if (!first) at->second = std::min(at->second, *listing.asOf);
    }

    Inventory finish()
    {
        tellAges();
        markUnlistedNodes();
        m_out.groupFiles = m_groups.files();
        if (!m_job.pathsShared)
            for (const std::string &text : joinTtpFolders(m_out.members)) note(text);
        takeRestoreMap();
        countPartsFromZero(m_out.members);
        takeRankOutOfPrefixes(m_out.members, m_job.checkpoints.prefix);
        if (m_job.checkpoints.prefix.empty())
            inferRerunNumbers(m_out.members, m_stems);
        else
            keepPrefix();
        if (m_paths.directories.empty()) joinNodeFolders(m_out.members);
        countRankFolders();
        placeWithoutRank();
        for (const std::string &text : m_unlooked.tell(isEmpty())) note(text);
        for (const auto &[why, count] : m_foreign)
            note(count == 1 ? why : why + " (and " + std::to_string(count - 1) + " more like it)");
        for (Member &member : m_out.members) {
            m_out.worldSizeFromDirectories = std::max(m_out.worldSizeFromDirectories, member.rank + 1);
            if (const auto at = m_clockAhead.find(member.node); at != m_clockAhead.end())
                member.clockAhead = at->second;
        }
        sortMembers();
        if (m_companions.size() <= maxCompanions) m_out.companions = std::move(m_companions);
        return std::move(m_out);
    }

private:
    // Sorts pointers first, because a member is large and should be moved only once.
    void sortMembers()
    {
        std::vector<Member *> order;
        order.reserve(m_out.members.size());
        for (Member &member : m_out.members) order.push_back(&member);
        std::sort(order.begin(), order.end(), [](const Member *a, const Member *b) {
            return std::tie(a->rank, a->file.path, a->node) < std::tie(b->rank, b->file.path, b->node);
        });
        std::vector<Member> sorted;
        sorted.reserve(order.size());
        for (Member *member : order) sorted.push_back(std::move(*member));
        m_out.members = std::move(sorted);
    }

    void note(const std::string &text)
    {
        if (m_out.notes.size() >= maxNotes || !m_noted.insert(text).second) return;
        m_out.notes.push_back(text);
    }

    void unlist(const std::vector<int> &ranks, const std::string &why)
    {
        for (const int rank : ranks) m_out.unlisted.emplace(rank, why);
    }

    void takeRestoreMap()
    {
        const auto text = m_job.launch.env.find("RESTORE_RANKS_MAP");
        if (text == m_job.launch.env.end() || text->second.empty()) return;
        auto map = parseRestoreMap(text->second);
        if (map)
            m_out.replicaGroups = std::move(map->groups);
        else
            note("RESTORE_RANKS_MAP of the job: " + map.error().message);
    }

    // Reports directories at the last listed level, whose content was not listed.
    void tellTooDeep(const NodeSpec &node, const Listing &listing)
    {
        int depth = 0;
        for (const ListRequest &root : checkpointRoots(m_job, node))
            if (root.root == listing.root) depth = root.depth;
        std::size_t count = 0;
        std::string first;
        for (const FileEntry &entry : listing.entries) {
            const std::string_view below = pathBelow(entry.path, listing.root);
            const bool last = std::count(below.begin(), below.end(), '/') + 1 == depth;
            if (entry.stat.kind != 'd' || !last || isWithinComposite(entry.path)) continue;
            if (count++ == 0) first = entry.path;
        }
        m_tooDeep = m_tooDeep || count > 0;
        if (count > 0)
            note(shown(first) + (count > 1 ? " and " + grouped(std::int64_t(count) - 1) + " more directories" : "") +
                 " on " + node.name + ": deeper than " + std::to_string(depth) + " levels below " +
                 shown(listing.root) + ", not searched");
    }

    [[nodiscard]] bool isWithinComposite(const std::string &path) const
    {
        for (std::string at = path; at.size() > 1 && at != "."; at = dirName(at))
            if (m_composites.count(at) != 0) return true;
        return false;
    }

    // Files of scripts that may have their rank in their name.
    std::vector<RankCandidate> filesWithoutRank(const Listing &listing, const RankLocator &locator,
                                                const std::vector<const FileEntry *> &unnamed) const
    {
        std::vector<RankCandidate> files;
        const auto add = [&](const FileEntry &entry, bool hasRank = false) {
            auto part = locator.partOfRank(entry.path, listing.root);
            if (part && part->isGroup == hasRank)
                files.push_back({&entry, part->number, std::move(part->around)});
            else if (!locator.rankOfDirectory(dirName(entry.path), listing.root))
                files.push_back({&entry, {}, {}, hasRank});
        };
        for (const FileEntry *entry : unnamed) add(*entry, rankInName(baseName(entry->path)).has_value());
        for (const FileEntry &entry : listing.entries) {
            if (entry.stat.kind != 'f' || m_inComposite.count(entry.path) != 0) continue;
            const auto name = parseCheckpointName(baseName(entry.path), m_job.checkpoints.prefix);
            if (!name || name->kind != CheckpointKind::other || name->sharedByRanks) continue;
            add(entry, name->rank.has_value());
        }
        return files;
    }

    // Any file can be called meta.json: it is taken only if it is beside a rank's files.
    void takeTracker(const std::string &nodeName, const FileEntry &entry, bool ofRank)
    {
        const auto kind = trackerKind(baseName(entry.path));
        if (kind == TrackerKind::rankMark && !ofRank) return;
        if (!kind || entry.stat.kind != 'f' || !entry.linkTarget.empty() || m_out.trackers.size() >= maxTrackers)
            return;
        if (!m_seenTrackers.insert(m_job.pathsShared ? entry.path : nodeName + '\0' + entry.path).second) return;
        Tracker tracker{*kind, {}};
        tracker.member.node = nodeName;
        tracker.member.file = entry;
        m_out.trackers.push_back(std::move(tracker));
    }

    void takeEntry(const std::string &nodeName, const std::string &root, const RankLocator &locator,
                   const FileEntry &entry)
    {
        if (!m_seen.insert(m_job.pathsShared ? entry.path : nodeName + '\0' + entry.path).second) return;
        if (entry.stat.kind == 'd') return takeDirectory(nodeName, root, locator, entry);
        const std::string base = baseName(entry.path);
        if (base.size() > 11 && base.compare(base.size() - 11, 11, "-graph.meta") == 0)
            m_stems.insert(base.substr(0, base.size() - 11));
        const auto fileRank = m_fileRanks.find(entry.path);
        const bool ranked = fileRank != m_fileRanks.end();
        const std::string &ownName = ranked ? fileRank->second.base : base;
        std::optional<ParsedName> name = parseCheckpointName(ownName, m_job.checkpoints.prefix);
        if (!name && locator.gracefulRank(entry.path)) name = ParsedName{CheckpointKind::graceful, base};
        if (!name && base.ends_with(".safetensors") && pointOfFolder(baseName(dirName(entry.path))))
            name = ParsedName{CheckpointKind::other, ownName.substr(0, ownName.rfind('.'))};
        if (const auto row = m_numberedRows.find(entry.path); !name && row != m_numberedRows.end())
            name = numberedFileName(ownName, row->second);
        if (!name) takeCompanion(nodeName, entry);
        if (!name) return m_unlooked.take(nodeName, entry);
        if (entry.stat.kind == 'l' || leavesRoot(entry, root)) {
            note(shown(entry.path) + " on " + nodeName + " is a link to " + shown(entry.linkTarget) +
                 (entry.stat.kind == 'l' && !leavesRoot(entry, root) ? ", which does not exist"
                                                                     : ", outside of " + shown(root)) +
                 ": not counted");
            return;
        }
        if (entry.stat.kind != 'f') return;
        if (locator.gracefulRank(entry.path)) name->kind = CheckpointKind::graceful;
        takeTtpFolder(entry.path, *name);
        const Place place = ranked ? Place{fileRank->second.rank} : locator.locate(entry.path, root, *name);
        if (!place.foreign.empty()) {
            countForeign(shown(entry.path) + " on " + nodeName + " " + place.foreign + ": not counted", place.foreign);
            return;
        }
        takeStepOfFolder(entry.path, root, locator, *name);
        std::shared_ptr<const ParsedName> otherwise;
        if (ranked) {
            const auto row = m_numberedRows.find(entry.path);
            ParsedName own = row != m_numberedRows.end()
                                 ? numberedFileName(base, row->second)
                                 : parseCheckpointName(base, m_job.checkpoints.prefix).value_or(*name);
            takeStepOfFolder(entry.path, root, locator, own);
            otherwise = std::make_shared<const ParsedName>(std::move(own));
        }
        std::string series =
            ranked && !fileRank->second.around.empty() ? fileRank->second.around : locator.seriesOf(entry.path, root);
        m_rankParents.insert(withoutNumbers(locator.aboveRank(entry.path, root)));
        // Megatron's local checkpoints are in one directory per rank, named by the bare rank number.
        if (name->rank && baseName(series) == std::to_string(*name->rank)) series = dirName(series);
        m_out.worldSizeFromNames = std::max(m_out.worldSizeFromNames, name->worldSize.value_or(0));
        m_out.members.push_back({place.rank, nodeName, entry, std::move(*name), std::move(series)});
        // A rank above 0 proves that there are others; rank 0 may be the only one.
        const auto inner = m_job.ranks() == 0 ? rankNamedBy(baseName(root)) : std::nullopt;
        if (inner && place.rank < 0)
            note(shown(root) + " is named like one rank's folder: folders beside it were not searched. Use " +
                 shown(dirName(root)) + ", or use --world-size 1 if there is only one process");
        m_out.members.back().otherwise = std::move(otherwise);
        m_out.members.back().rankInPath = place.rank >= 0;
        m_out.members.back().rankIsGuess =
            ranked || (place.rank >= 0 ? locator.isGuess(entry.path, root) : inner.value_or(0) > 0);
    }

    void takeCompanion(const std::string &nodeName, const FileEntry &entry)
    {
        if (entry.stat.kind != 'f' || entry.path.ends_with(".tmp")) return;
        if (m_companions.size() <= maxCompanions)
            m_companions.push_back({m_job.pathsShared ? std::string() : nodeName, entry.path, entry.stat.mtimeNs});
    }

    // Several files that are one checkpoint: of all ranks, or of the rank whose directory contains it.
    void takeComposites(const std::string &nodeName, const Listing &listing, const RankLocator &locator)
    {
        const ListingTree tree(listing, locator.rankFolders());
        std::vector<std::string> roots;
        std::vector<Composite> composites = findComposites(tree);
        const auto ranks = ranksOfComposites(composites, listing, locator);
        for (Composite &found : composites) {
            if (found.joinsPrefixes && !m_job.checkpoints.prefix.empty()) continue;
            const std::string &path = found.whole.path;
            roots.push_back(path);
            m_composites.insert(path);
            for (const FileEntry &part : found.parts) m_inComposite.insert(part.path);
            if (!m_seen.insert(m_job.pathsShared ? path : nodeName + '\0' + path).second) continue;
            const std::string inside = found.mayBeOfRank ? found.parts.front().path : path;
            const auto own = ranks.find(path);
            const Place place =
                own != ranks.end() ? Place{own->second.rank} : locator.locate(inside, listing.root, found.name);
            if (own != ranks.end()) takeRankFromName(found, own->second, listing.root);
            if (!place.foreign.empty()) {
                countForeign(shown(path) + " on " + nodeName + " " + place.foreign + ": not counted", place.foreign);
                continue;
            }
            Member member{std::max(place.rank, 0), nodeName, found.whole, std::move(found.name), found.series};
            member.parts = std::move(found.parts);
            member.sharedByRanks = place.rank < 0;
            if (own != ranks.end()) {
                member.rankIsGuess = true;
            } else if (!member.sharedByRanks) {
                member.series = locator.seriesOf(inside, listing.root);
                member.rankIsGuess = found.rankIsGuess || (found.mayBeOfRank && locator.isGuess(inside, listing.root));
                m_rankParents.insert(withoutNumbers(locator.aboveRank(inside, listing.root)));
            }
            m_out.members.push_back(std::move(member));
        }
        for (const FileEntry *link : tree.leftOut())
            for (const std::string &root : roots)
                if (link->path.compare(0, root.size() + 1, root + "/") == 0)
                    note(shown(link->path) + " on " + nodeName + " is a link to " + shown(link->linkTarget) +
                         ", which does not exist or is outside of " + shown(listing.root) + ": not counted");
    }

    void takeDirectory(const std::string &nodeName, const std::string &root, const RankLocator &locator,
                       const FileEntry &entry)
    {
        const auto rank = locator.rankOfDirectory(entry.path, root);
        if (rank)
            m_rankFolders[withoutNumbers(dirName(entry.path))] =
                std::max(m_rankFolders[withoutNumbers(dirName(entry.path))], *rank + 1);
        if (entry.error.empty()) return;
        const std::string why = shown(entry.path) + " on " + nodeName + ": " + entry.error;
        note(why);
        if (rank) unlist({*rank}, why);
    }

    // Rank folders count if one of them contains checkpoints, or if no folder does. Folders such as logs/rank_7 do not
    // belong to any rank's checkpoints.
    void countRankFolders()
    {
        const bool told = !m_paths.directories.empty();
        for (const auto &[above, ranks] : m_rankFolders)
            if (told || m_out.members.empty() || m_rankParents.count(above) != 0)
                m_out.worldSizeFromDirectories = std::max(m_out.worldSizeFromDirectories, ranks);
    }

    // True if nothing was found although everything was read.
    [[nodiscard]] bool isEmpty() const
    {
        return m_out.members.empty() && m_foreign.empty() && m_failed.empty() && !m_tooDeep;
    }

    void countForeign(const std::string &text, const std::string &kind)
    {
        const auto known = m_foreignKinds.emplace(kind, m_foreign.size());
        if (known.second) m_foreign.emplace_back(text, 0);
        ++m_foreign[known.first->second].second;
    }

    // Ranks of unreachable nodes are unknown; their files are not missing. The same is true for ranks on unknown hosts,
    // in a job that was found on only some of its hosts.
    void markUnlistedNodes()
    {
        const bool placed = std::any_of(m_job.nodes.begin(), m_job.nodes.end(),
                                        [](const NodeSpec &node) { return !node.ranks.empty(); });
        for (int rank = 0; placed && !m_job.pathsShared && rank < m_job.ranks(); ++rank)
            if (m_job.nodeOf(rank) == nullptr) unlist({rank}, "no watched node has it");
        if (m_job.pathsShared) {
            if (m_listed.empty())
                for (int rank = 0; rank < m_job.ranks(); ++rank)
                    m_out.unlisted.emplace(rank, "no node has been listed");
            else
                m_out.unlisted.clear();
            return;
        }
        for (const NodeSpec &node : m_job.nodes)
            if (!m_listed.count(node.name) && !m_failed.count(node.name))
                unlist(node.ranks, "node " + node.name + " has not been listed");
    }

    void tellAges()
    {
        const auto newest = std::max_element(m_asOf.begin(), m_asOf.end(),
                                             [](const auto &a, const auto &b) { return a.second < b.second; });
        for (const NodeSpec &node : m_job.nodes) {
            const auto own = m_job.pathsShared ? newest : m_asOf.find(node.name);
            if (own == m_asOf.end()) continue;
            for (const int rank : node.ranks) m_out.listed.emplace(rank, Inventory::Listed{own->first, own->second});
        }
    }

    void keepPrefix()
    {
        std::set<std::string> others;
        const auto other = [&](const Member &member) {
            const bool periodic = member.name.kind == CheckpointKind::periodic ||
                                  member.name.kind == CheckpointKind::breakpoint ||
                                  member.name.kind == CheckpointKind::other;
            if (!periodic || member.file.stat.kind == 'd' || member.name.prefix == m_job.checkpoints.prefix)
                return false;
            others.insert(member.name.prefix);
            return true;
        };
        std::vector<Member> &members = m_out.members;
        members.erase(std::remove_if(members.begin(), members.end(), other), members.end());
        for (const std::string &prefix : others)
            note("files that begin with " + shown(prefix) + " are not counted: the job's prefix is " +
                 m_job.checkpoints.prefix);
    }

    // Places a file that all ranks load. A Lightning file is recognised by its name. For other scripts, it is a file
    // named for an epoch or step, in a directory that does not belong to one rank.
    void placeForAll()
    {
        std::set<std::string> lightning;
        for (const Member &m : m_out.members)
            if (m.name.sharedByRanks) lightning.insert(dirName(m.file.path));
        for (Member &m : m_out.members) {
            if (m.rank >= 0 || m.sharedByRanks) continue;
            const bool last = isLightningLast(baseName(m.file.path)) && lightning.count(dirName(m.file.path)) != 0;
            const bool script =
                m.name.extension.compare(0, 2, "pt") == 0 && (m.name.epoch || m.name.globalStep) && !m.name.rank;
            if (last) m.name.sharedByRanks = true;
            if (!m.name.sharedByRanks && !script) continue;
            m.sharedByRanks = true;
            m.rank = 0;
        }
    }

    // The path does not show a rank: there is one process, which saves into one directory.
    void placeWithoutRank()
    {
        std::vector<Member> &members = m_out.members;
        const bool alone = std::none_of(members.begin(), members.end(), [](const Member &m) { return m.rank > 0; }) &&
                           std::max(m_job.ranks(), m_out.worldSizeFromDirectories) <= 1;
        const auto unplaced = [](const Member &m) { return m.rank < 0; };
        placeForAll();
        if (alone) {
            for (Member &member : members) member.rank = 0;
            return;
        }
        for (const Member &member : members)
            if (unplaced(member))
                countForeign(shown(member.file.path) + " on " + member.node +
                                 ": nothing shows which rank it belongs to; not counted",
                             "unplaced");
        members.erase(std::remove_if(members.begin(), members.end(), unplaced), members.end());
    }

    const Job &m_job;
    const RankPaths m_paths;
    Inventory m_out;
    std::unordered_set<std::string> m_seen, m_inComposite, m_composites;
    std::map<std::string, std::optional<std::int64_t>> m_numberedRows;  // of the listing that is being taken
    std::map<std::string, FileRank> m_fileRanks;                        // of the same
    std::set<std::string> m_noted, m_stems, m_listed, m_failed, m_seenTrackers;
    std::map<std::string, WallTime> m_asOf;
    std::map<std::string, double> m_clockAhead = {};  // node → seconds
    bool m_tooDeep = false;                           // a directory is deeper than the listed levels
    GroupFiles m_groups;
    Unlooked m_unlooked;
    std::vector<Inventory::Companion> m_companions;
    std::map<std::string, int> m_rankFolders;  // path above rank folders, without its numbers → number of ranks
    std::set<std::string> m_rankParents;       // parents of the members' folders
    std::vector<std::pair<std::string, int>> m_foreign;
    std::map<std::string, std::size_t> m_foreignKinds;
};

// If every node sees every file, each rank gets the file that its own node sees.
void placeOnOwnNodes(Inventory &inventory, const Job &job, const std::vector<NodeListing> &byNode)
{
    std::map<int, std::string> nodes;
    for (const NodeSpec &node : job.nodes) {
        const bool listed =
            std::any_of(byNode.begin(), byNode.end(), [&](const NodeListing &one) { return one.node == node.name; });
        for (const int rank : node.ranks)
            if (listed) nodes.emplace(rank, node.name);
    }
    for (Member &member : inventory.members)
        if (const auto own = nodes.find(member.rank); own != nodes.end() && !member.sharedByRanks)
            member.node = own->second;
    inventory.notes.push_back("all nodes see the same files: treated as one file system, as with paths_shared");
}

}  // namespace

Inventory buildInventory(const Job &told, const std::vector<NodeListing> &byNode)
{
    Job job = told;
    const bool seen = !told.pathsShared && seeTheSame(byNode);
    job.pathsShared = told.pathsShared || seen;
    Builder builder(job);
    for (const NodeListing &one : byNode) {
        if (hasKept(*one.listing))
            builder.take(one.node, withoutKept(*one.listing));
        else
            builder.take(one.node, *one.listing);
        builder.takeAge(one);
    }
    Inventory out = builder.finish();
    if (seen) placeOnOwnNodes(out, job, byNode);
    return out;
}

}  // namespace rankdeck
