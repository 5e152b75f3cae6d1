// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/torch/rank_files_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/torch/torch_names.h"
#include "core/checkpoint/read/layouts.h"

#include <algorithm>

namespace rankdeck {
namespace {

bool isOptimizer(const std::string &half) { return half.starts_with("optim"); }

// The state of verl's data loader, data.pt: torch.load reads it whenever it exists, and fails if it is cut.
bool isLooseState(std::string_view name) { return name.ends_with(".pt") && name.find('/') == std::string_view::npos; }

}  // namespace

std::optional<RankFile> parseRankFile(std::string_view baseName)
{
    const auto name = parseTorchName(baseName, {});
    if (!name || !name->rank || !name->worldSize || *name->rank >= *name->worldSize) return std::nullopt;
    return RankFile{name->prefix, *name->rank, *name->worldSize};
}

RankFilesReader::RankFilesReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
    : CompositeReader(whole, parts, wanted, Format::torchZip)
{}

CompositeReader::How RankFilesReader::plan(const Part &part)
{
    return parseRankFile(baseName(part.name)) || isLooseState(part.name) ? How::byFormat : How::leave;
}

ReadStep RankFilesReader::combine(const ReadReplies &)
{
    takeFiles();
    expectAll();
    compareCopies();
    compareSteps();
    std::vector<const Part *> files;
    for (const auto &[key, row] : m_rows)
        for (const auto &[rank, part] : row) files.push_back(part);
    compareTimes(std::move(files));
    if (m_leftovers > 0)
        problem("leftover", message("%1 files belong to a different number of ranks than %2: left by another save",
                                    grouped(std::int64_t(m_leftovers)), grouped(m_world)));
    conclude();
    return {};
}

void RankFilesReader::takeFiles()
{
    std::map<int, int> votes;
    for (const Part &part : m_parts)
        if (const auto file = parseRankFile(baseName(part.name))) ++votes[file->world];
    const auto most =
        std::max_element(votes.begin(), votes.end(), [](const auto &a, const auto &b) { return a.second < b.second; });
    if (most == votes.end()) return;
    m_world = most->first;
    m_evidence.meta["world_size"] = std::to_string(m_world);
    m_evidence.meta["reshardable"] = "none";
    for (const Part &part : m_parts) {
        const auto file = parseRankFile(baseName(part.name));
        if (!file && part.how == How::byFormat) takeOver(part);
        if (!file) continue;
        if (file->world != m_world) {
            ++m_leftovers;
            continue;
        }
        const std::size_t slash = part.name.rfind('/');
        const std::string directory = slash == std::string::npos ? std::string() : part.name.substr(0, slash);
        m_rows[{directory, file->half}][file->rank] = &part;
        takeOver(part, file->rank);
    }
}

void RankFilesReader::expectAll()
{
    bool optimizer = false;
    for (const auto &[key, row] : m_rows) {
        const auto &[directory, half] = key;
        optimizer = optimizer || isOptimizer(half);
        for (int rank = 0; rank < m_world && !full(); ++rank)
            if (row.count(rank) == 0)
                refuse(isOptimizer(half) ? ReasonCode("optim_missing") : ReasonCode("shard_missing"),
                       directory.empty() ? message("rank %1 has no %2 file, but the file names show %3 ranks", rank,
                                                   printable(half), grouped(m_world))
                                         : message("rank %1 has no %2 file in %3, but the file names show %4 ranks",
                                                   rank, printable(half), printable(directory), grouped(m_world)),
                       rank);
        if (half != "model" && m_rows.count({directory, "model"}) == 0)
            refuse("weights_missing", message("%1 exists, but there is no weights file", printable(half)));
    }
    if (!optimizer) m_evidence.meta["holds"] = "weights";
}

// Either each rank has its own piece, or every piece is held by the same number of ranks (hybrid sharding). Any other
// pair of equal files contains a copy.
void RankFilesReader::compareCopies()
{
    for (const auto &[key, row] : m_rows) {
        if (key.second != "model") continue;
        std::map<std::vector<std::uint32_t>, std::vector<int>> alike;
        for (const auto &[rank, part] : row)
            if (const auto &sums = part->evidence.checksums; sums && !sums->empty()) alike[*sums].push_back(rank);
        const bool even = alike.size() > 1 && std::all_of(alike.begin(), alike.end(), [&](const auto &piece) {
                              return piece.second.size() == alike.begin()->second.size();
                          });
        if (even) continue;
        for (const auto &[sums, ranks] : alike) {
            if (ranks.size() < 2) continue;
            problem(
                "rank_unproven",
                message(
                    "ranks %1 and %2 have the same values, but each should have its own piece: one file may be a copy",
                    ranks[0], ranks[1]),
                ranks[1]);
            return;
        }
    }
}

void RankFilesReader::compareSteps()
{
    std::optional<std::int64_t> counted;
    for (const auto &[key, row] : m_rows) {
        std::vector<Voice> voices;
        for (const auto &[rank, part] : row) voices.push_back({part, rank});
        for (const char *counter : {"global_step", "iteration", "step", "optimizer_step", "scheduler_steps"}) {
            const auto most = majority(voices, counter);
            if (!most) continue;
            mustSay(voices, counter, *most, "step_mismatch");
            if (std::string_view(counter) != "optimizer_step" && !counted) counted = most;
            if (std::string_view(counter) == "optimizer_step") m_evidence.meta.emplace(counter, std::to_string(*most));
        }
    }
    // If the scheduler counts something other than the name, its count proves nothing.
    const ParsedName name = numberedName(baseName(m_evidence.path));
    if (counted && (!name.globalStep || *name.globalStep == *counted))
        m_evidence.meta.emplace("global_step", std::to_string(*counted));
}

}  // namespace rankdeck
