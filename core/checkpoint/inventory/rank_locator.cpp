// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/inventory/rank_locator.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/mindspore/mindspore_names.h"
#include "core/job/path_template.h"

#include <algorithm>
#include <iterator>

namespace rankdeck {

std::optional<std::int64_t> rankNamedBy(std::string_view directory)
{
    if (const auto rank = parseRankFolder(directory)) return *rank;
    for (const std::string_view word : {"global_rank_", "worker_", "device_", "gpu_", "npu_"}) {
        std::string_view rest = directory;
        if (takeStart(rest, word))
            if (const auto number = decimal(rest)) return number;
    }
    return std::nullopt;
}

std::optional<int> rankFolderIn(std::string_view path, std::string_view root)
{
    std::string_view below = path;
    if (below.substr(0, root.size()) == root) below.remove_prefix(root.size());
    while (!below.empty()) {
        const std::size_t slash = below.rfind('/');
        if (const auto rank = parseRankFolder(slash == std::string_view::npos ? below : below.substr(slash + 1)))
            return rank;
        if (slash == std::string_view::npos) break;
        below = below.substr(0, slash);
    }
    return std::nullopt;
}

RankPaths::RankPaths(const Job &job) : shared(job.pathsShared)
{
    const std::string &path = job.checkpoints.path;
    const bool perRank =
        usesPlaceholder(path, "rank") || usesPlaceholder(path, "local_rank") || usesPlaceholder(path, "device");
    if (!perRank && job.gracefulExit.saves.empty()) return;
    for (int rank = 0; rank < job.ranks(); ++rank) {
        const Placeholders values = rankPlaceholders(job, rank);
        if (perRank) {
            if (const auto directory = expand(path, values)) directories[withoutSlash(*directory)].push_back(rank);
            Placeholders byDevice = values;
            if (const auto device = values.find("device"); device != values.end()) byDevice["rank"] = device->second;
            if (const auto directory = expand(path, byDevice))
                deviceDirectories[withoutSlash(*directory)].push_back(rank);
        }
        if (job.gracefulExit.saves.empty()) continue;
        if (const auto file = expand(job.gracefulExit.saves, values)) gracefulFiles[*file].push_back(rank);
    }
}

RankLocator::RankLocator(const RankPaths &paths, const NodeSpec *node) : m_paths(paths), m_node(node)
{
    for (const auto &[file, ranks] : m_paths.gracefulFiles) {
        if (ranks.size() < 2) continue;
        std::vector<int> here;
        std::copy_if(ranks.begin(), ranks.end(), std::back_inserter(here), [this](int rank) { return owns(rank); });
        for (std::size_t i = 1; i < here.size() && m_notes.size() < 20; ++i)
            m_notes.push_back("ranks " + std::to_string(here.front()) + " and " + std::to_string(here[i]) +
                              " save to the same file at a graceful exit, " + printable(file) +
                              ": one of the saves is lost; the file is counted for rank " +
                              std::to_string(here.front()));
    }
}

bool RankLocator::owns(int rank) const
{
    return m_paths.shared || !m_node || m_node->ranks.empty() ||
           std::find(m_node->ranks.begin(), m_node->ranks.end(), rank) != m_node->ranks.end();
}

void RankLocator::learnCardFolders(const Listing &listing, const std::vector<const FileEntry *> &unnamed)
{
    m_cardFolders = findFolderRanks(listing, unnamed);
    m_last = {};
}

std::map<std::string, RankFolder> RankLocator::rankFolders() const
{
    std::map<std::string, RankFolder> ranks;
    for (const auto &[folder, found] : m_cardFolders.ranks) ranks.emplace(folder, RankFolder{found.rank, found.rest});
    return ranks;
}

std::optional<int> RankLocator::byTemplate(std::string directory) const
{
    while (directory.size() > 1 && directory != ".") {
        if (const auto found = m_paths.directories.find(directory); found != m_paths.directories.end()) {
            const std::vector<int> &ranks = found->second;
            const auto here = std::find_if(ranks.begin(), ranks.end(), [this](int rank) { return owns(rank); });
            return here == ranks.end() ? ranks.front() : *here;
        }
        directory = dirName(directory);
    }
    return std::nullopt;
}

std::optional<int> RankLocator::byDevice(const std::string &directory) const
{
    const auto found = m_paths.deviceDirectories.find(directory);
    if (found == m_paths.deviceDirectories.end() || !m_node || m_paths.shared) return std::nullopt;
    const std::vector<int> &ranks = found->second;
    const auto here = std::find_if(ranks.begin(), ranks.end(), [this](int rank) { return owns(rank); });
    return here == ranks.end() ? std::nullopt : std::optional(*here);
}

std::optional<int> RankLocator::rankOfDirectory(const std::string &path, const std::string &root) const
{
    if (!m_paths.directories.empty()) return byTemplate(path);
    for (std::string directory = path; directory.size() > root.size(); directory = dirName(directory)) {
        if (const auto found = m_cardFolders.ranks.find(directory); found != m_cardFolders.ranks.end())
            return found->second.rank;
        if (parseRankFolder(baseName(directory))) break;
    }
    return rankFolderIn(path, root);
}

std::optional<int> RankLocator::gracefulRank(const std::string &path) const
{
    const auto found = m_paths.gracefulFiles.find(path);
    if (found == m_paths.gracefulFiles.end()) return std::nullopt;
    const std::vector<int> &ranks = found->second;
    const auto here = std::find_if(ranks.begin(), ranks.end(), [this](int rank) { return owns(rank); });
    return here == ranks.end() ? std::nullopt : std::optional(*here);
}

// Files in a subfolder of a rank's folder are a separate series. "rank1" and "rank_1" also are separate series, because
// a kept copy does not belong to the present run.
RankLocator::Directory RankLocator::look(const std::string &path, const std::string &root) const
{
    Directory out{path, root, rankOfDirectory(path, root)};
    const bool byJob = !m_paths.directories.empty();
    std::string below, odd;
    bool found = false;
    for (std::string at = path; at.size() > 1 && at != "."; at = dirName(at)) {
        const std::string name = baseName(at);
        if (byJob && m_paths.directories.count(at) != 0) {
            out.series = below;
            return out;
        }
        const bool last = at == root;
        const auto card = m_cardFolders.ranks.find(at);
        const bool rank = parseRankFolder(name).has_value();
        if (card != m_cardFolders.ranks.end()) out.guess = card->second.guess;
        if (card == m_cardFolders.ranks.end() && !rank && !parseTtpFolder(name)) {
            // In train_parallel2/ckpt_2, both numbers are the rank.
            const bool twin = !last && out.rank && m_cardFolders.twins.contains(at);
            const std::string shown = twin ? name.substr(0, name.find_last_not_of("0123456789") + 1) + "#" : name;
            below = below.empty() ? shown : shown + "/" + below;
        } else {
            found = true;
            const std::string rest = card == m_cardFolders.ranks.end() ? std::string() : card->second.rest;
            if (!rest.empty()) below = below.empty() ? rest : rest + "/" + below;
            if (out.aboveRank.empty()) out.aboveRank = dirName(at);
            if (rank && !name.starts_with("rank_")) odd = "rank#";
        }
        if (last) break;
    }
    if (byJob) return out;
    if (!found) {
        out.series = path;
        return out;
    }
    const std::string above = dirName(root);
    out.series = (above == "/" ? above : above + "/") + below + (odd.empty() ? "" : "/" + odd);
    return out;
}

const RankLocator::Directory &RankLocator::directoryOf(const std::string &path, const std::string &root) const
{
    std::string directory = dirName(path);
    if (directory != m_last.path || root != m_last.root) m_last = look(directory, root);
    return m_last;
}

bool RankLocator::isGuess(const std::string &path, const std::string &root) const
{
    return directoryOf(path, root).guess;
}

std::string RankLocator::nameWithoutRank(const std::string &folder) const
{
    if (const auto card = m_cardFolders.ranks.find(folder); card != m_cardFolders.ranks.end()) return card->second.rest;
    const auto group = m_cardFolders.groups.find(folder);
    return group == m_cardFolders.groups.end() || group->second.rest.empty() ? baseName(folder) : group->second.rest;
}

std::optional<RankLocator::PartOfRank> RankLocator::partOfRank(const std::string &path, const std::string &root) const
{
    if (!m_paths.directories.empty() || rankFolderIn(path, root)) return std::nullopt;
    std::string below;
    for (std::string at = dirName(path); at.size() > root.size(); at = dirName(at)) {
        if (const auto own = m_cardFolders.ranks.find(at); own != m_cardFolders.ranks.end()) {
            if (own->second.means) return std::nullopt;
            return PartOfRank{own->second.rank, seriesOf(path, root)};
        }
        if (const auto group = m_cardFolders.groups.find(at); group != m_cardFolders.groups.end())
            return PartOfRank{group->second.number, joinPath(dirName(at), group->second.shape + below), true};
        below = "/" + baseName(at) + below;
    }
    return std::nullopt;
}

const std::string &RankLocator::aboveRank(const std::string &path, const std::string &root) const
{
    return directoryOf(path, root).aboveRank;
}

std::string RankLocator::seriesOf(const std::string &path, const std::string &root) const
{
    return directoryOf(path, root).series;
}

Place RankLocator::locate(const std::string &path, const std::string &root, const ParsedName &name) const
{
    if (const auto rank = gracefulRank(path)) return {*rank, {}};
    std::optional<int> rank = directoryOf(path, root).rank;
    if (!rank && name.kind == CheckpointKind::ttp) rank = rankFolderIn(dirName(path), root);
    if (name.rank) {
        if (rank && *rank != *name.rank && name.kind != CheckpointKind::ttp)
            return {*rank, "is named for rank " + std::to_string(*name.rank) + " and is in the directory of rank " +
                               std::to_string(*rank)};
        rank = name.rank;
    }
    // A path such as node1/ckpt/rank_0, to which the job's template with {node} assigns no rank.
    if (!rank && name.kind == CheckpointKind::graceful) rank = byDevice(dirName(path));
    if (!rank) return {};
    if (owns(*rank)) return {*rank, {}};
    // OnRequestExit names its folders by the device, which is the index of the rank on its node.
    if (name.kind == CheckpointKind::graceful && std::size_t(*rank) < m_node->ranks.size())
        return {m_node->ranks[std::size_t(*rank)], {}};
    return {*rank, "is a file for rank " + std::to_string(*rank) + ", which is not on node " + m_node->name};
}

}  // namespace rankdeck
