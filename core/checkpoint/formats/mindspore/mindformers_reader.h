// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of MindFormers' own layout: iteration_00000300/ with model-0000000-0000004.safetensors and opt-… of each rank.
// Also common.json with the step, and metadata.json, which assigns the parameters to files. Both JSON files are written
// after the weights; the tracker beside the directory is written last. A missing or cut file is a problem in its
// evidence.
#pragma once

#include "core/checkpoint/read/composite_reader.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

// 300 for "iteration_00000300", or "iter_00000300" from before the release.
std::optional<std::int64_t> parseMindformersFolder(std::string_view name);

struct MindformersFile {
    bool optimizer = false;
    std::string prefix = {};
    int rank = 0, world = 0;
};
// Rank 1 of 4 for "llama-model-0000001-0000004.safetensors".
std::optional<MindformersFile> parseMindformersFile(std::string_view name);

class MindformersReader final : public CompositeReader {
public:
    MindformersReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted);

protected:
    How plan(const Part &part) override;
    ReadStep combine(const ReadReplies &replies) override;

private:
    using Row = std::map<int, const Part *>;  // by rank
    void takeFiles();
    void expect(const Row &row, const std::string &what, ReasonCode code);
    void takeCommon();
    void takeMetadata();
    void compareTensors(const std::map<std::string, std::set<std::string>> &named);
    void compareSteps();

    int m_world = 0;
    Row m_models, m_optimizers;
    std::size_t m_leftovers = 0;
};

}  // namespace rankdeck
