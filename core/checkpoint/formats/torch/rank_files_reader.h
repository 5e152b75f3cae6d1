// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of a checkpoint with several files per rank, such as FSDP's local state dicts: model_world_size_4_rank_2.pt,
// optim_… and extra_state_… side by side. Also in one directory per model (actor/, critic/ of verl). Every rank up to
// the world size in the names needs each kind of file that any rank has. The step is the count of all ranks'
// schedulers.
#pragma once

#include "core/checkpoint/read/composite_reader.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rankdeck {

struct RankFile {
    std::string half;  // "model", "optim", "extra_state"
    int rank = 0, world = 0;
};
// nullopt: the name does not contain all of it.
std::optional<RankFile> parseRankFile(std::string_view baseName);

class RankFilesReader final : public CompositeReader {
public:
    RankFilesReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted);

protected:
    How plan(const Part &part) override;
    ReadStep combine(const ReadReplies &replies) override;

private:
    using Row = std::map<int, const Part *>;                          // by rank
    using Rows = std::map<std::pair<std::string, std::string>, Row>;  // (directory, half)
    void takeFiles();
    void expectAll();
    void compareCopies();
    void compareSteps();

    Rows m_rows;
    int m_world = 0;
    std::size_t m_leftovers = 0;
};

}  // namespace rankdeck
