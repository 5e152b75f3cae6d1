// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/dcp/dcp_parts_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/dcp/dcp_reader.h"
#include "core/checkpoint/listing_tree.h"

#include <algorithm>
#include <set>

namespace rankdeck {
namespace {

bool isTorchFile(std::string_view name)
{
    for (const std::string_view end : {".pt", ".pth", ".bin"})
        if (name.ends_with(end)) return true;
    return false;
}

// The training step, from the first key that is present; the optimizer's own count comes last.
std::optional<std::int64_t> stepOf(const Evidence &evidence)
{
    for (const char *key : {"global_step", "global_steps", "iteration", "step", "optimizer_step"})
        if (const auto step = evidence.number(key)) return step;
    return std::nullopt;
}

}  // namespace

bool isDcpFile(std::string_view name)
{
    return name == ".metadata" || name == ".metadata.tmp" || (name.starts_with("__") && name.ends_with(".distcp"));
}

std::optional<int> rankOfStateFile(std::string_view name)
{
    std::string_view base = name.substr(name.rfind('/') + 1);
    if (!takeEnd(base, ".pt")) return std::nullopt;
    const std::size_t digits = base.find_last_not_of("0123456789") + 1;
    const auto rank = decimal(base.substr(digits));
    const std::string_view word = base.substr(0, digits);
    const bool known = word == "rank" || word == "rank_" || word.ends_with("_rank_") || word.ends_with("_rank") ||
                       word == "extra_state_" || word == "loader_";
    return rank && *rank < 1'000'000 && known ? std::optional(static_cast<int>(*rank)) : std::nullopt;
}

DcpPartsReader::DcpPartsReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
    : CompositeReader(whole, parts, wanted, Format::dcp)
{
    for (const FileEntry &file : parts)
        if (isDcpFile(baseName(file.path))) m_shards[dirName(file.path)];
    for (const FileEntry &file : parts)
        if (const auto own = m_shards.find(dirName(file.path)); own != m_shards.end()) own->second.push_back(file);
    for (const auto &[path, files] : m_shards) {
        Part part;
        part.file.path = path;
        part.name = std::string(pathBelow(path, whole.path));
        part.file.stat.kind = 'd';
        for (const FileEntry &file : files) {
            part.file.stat.size += file.stat.size;
            part.file.stat.mtimeNs = std::max(part.file.stat.mtimeNs, file.stat.mtimeNs);
        }
        m_parts.push_back(std::move(part));
    }
}

CompositeReader::How DcpPartsReader::plan(const Part &part)
{
    return isDirectory(part) || isTorchFile(part.name) ? How::byFormat : How::leave;
}

std::unique_ptr<FormatReader> DcpPartsReader::readerOf(const Part &part)
{
    if (isDirectory(part)) return std::make_unique<DcpReader>(part.file, m_shards.at(part.file.path), m_wanted);
    return CompositeReader::readerOf(part);
}

ReadStep DcpPartsReader::combine(const ReadReplies &)
{
    takeFiles();
    takeShards();
    takeRanks();
    compareSteps();
    conclude();
    return {};
}

// Takes only the training's counters from the files.
void DcpPartsReader::takeFiles()
{
    for (const Part &part : m_parts) {
        if (isDirectory(part) || part.how != How::byFormat) continue;
        takeOver(part, rankOfStateFile(part.name).value_or(-1));
        for (const char *key : {"global_step", "global_steps", "iteration", "step", "epoch", "world_size"})
            if (const auto value = part.evidence.number(key)) m_evidence.meta.emplace(key, std::to_string(*value));
        if (part.evidence.meta.count("pytorch-lightning_version") != 0)
            m_evidence.meta["pytorch-lightning_version"] = part.evidence.meta.at("pytorch-lightning_version");
    }
}

void DcpPartsReader::takeShards()
{
    bool weights = true;
    for (const Part &part : m_parts) {
        if (!isDirectory(part)) continue;
        takeOver(part);
        weights = weights && part.evidence.meta.count("holds") != 0 && part.name.find("optim") == std::string::npos;
        for (const auto &[key, value] : part.evidence.meta)
            if (key != "holds" && key != "save_id") m_evidence.meta.emplace(key, value);
    }
    if (weights) m_evidence.meta["holds"] = "weights";
}

// Number of ranks that wrote shards: a lower bound of the world size. Leftovers of a larger world do not count.
std::int64_t DcpPartsReader::shardWriters() const
{
    std::int64_t writers = 0;
    for (const Part &part : m_parts) {
        if (!isDirectory(part)) continue;
        for (const Problem &problem : part.evidence.problems)
            if (problem.code == "leftover") return 0;
        for (const FileEntry &file : m_shards.at(part.file.path)) {
            std::string_view name(file.path);
            name.remove_prefix(name.rfind('/') + 1);
            if (!takeStart(name, "__")) continue;
            if (const auto rank = decimal(name.substr(0, name.find('_')))) writers = std::max(writers, *rank + 1);
        }
    }
    return std::min<std::int64_t>(writers, 1'000'000);
}

// Checks the state files of the ranks: every rank up to the last one must have its own.
void DcpPartsReader::takeRanks()
{
    std::map<std::string, std::set<int>> rows;
    for (const Part &part : m_parts)
        if (const auto rank = rankOfStateFile(part.name); rank && !isDirectory(part)) {
            std::string row = dirName(part.name);
            rows[row].insert(*rank);
        }
    for (const auto &[row, ranks] : rows) {
        std::int64_t world = std::max<std::int64_t>(m_evidence.number("world_size").value_or(0), *ranks.rbegin() + 1);
        if (ranks.size() > 1) world = std::max(world, shardWriters());  // a single one may be of rank 0 only
        for (int rank = 0; rank < world && !full(); ++rank)
            if (ranks.count(rank) == 0)
                refuse("shard_missing",
                       message("%1 has no file for rank %2, but has files for other ranks", printable(row), rank),
                       rank);
        m_evidence.meta.emplace("state_files", std::to_string(ranks.size()));
    }
}

void DcpPartsReader::compareSteps()
{
    const Part *first = nullptr;
    for (const Part &part : m_parts) {
        const auto step = part.how == How::byFormat ? stepOf(part.evidence) : std::nullopt;
        if (!step) continue;
        if (!first) {
            first = &part;
            continue;
        }
        const std::int64_t other = *stepOf(first->evidence);
        if (other != *step)
            refuse("step_mismatch",
                   message("%1 is of step %2, but %3 is of step %4: the parts come from different saves",
                           printable(part.name.empty() ? ".metadata" : part.name), grouped(*step),
                           printable(first->name), grouped(other)),
                   rankOfStateFile(part.name).value_or(-1));
    }
}

}  // namespace rankdeck
