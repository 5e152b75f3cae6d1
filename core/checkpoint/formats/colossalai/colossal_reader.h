// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of ColossalAI checkpoints. Each index names its shards, which must all exist. The step in running_states.json
// must match the directory's name. One process gathers and writes the whole checkpoint, whatever the number of ranks.
// Missing or contradicting files are problems in its evidence.
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
