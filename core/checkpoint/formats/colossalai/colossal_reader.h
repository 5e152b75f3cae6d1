// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a checkpoint of ColossalAI: each index names its shards, which must all be there; running_states.json says the point,
// and must say that of the directory's name. One process gathers and writes all of it, whatever the number of ranks.
// What is missing or contradicts is a problem of its evidence.
#pragma once

#include "core/checkpoint/read/composite_reader.h"

#include <optional>
#include <string_view>

namespace rankdeck {

struct ColossalPoint {
    std::int64_t epoch = 0, step = 0;
};
std::optional<ColossalPoint> colossalPoint(std::string_view directory);  // "epoch0-step100"

class ColossalReader : public CompositeReader {
public:
    ColossalReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
        : CompositeReader(whole, parts, wanted, Format::torchZip)
    {}

protected:
    How plan(const Part &part) override;
    ReadStep combine(const ReadReplies &replies) override;

private:
    void takeIndex(const Part &index, bool optimizer);
    void takePoint();
};

}  // namespace rankdeck
