// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of checkpoint_N of flax.training.checkpoints, and of any file of flax.serialization.to_bytes: a single msgpack
// map. Its beginning determines its length, so a cut file is noticed. The step is that of the TrainState. A map that is
// cut, or is followed by other bytes, is torn in its evidence; a map with too many values is unknown.
#pragma once

#include "core/checkpoint/formats/flax/msgpack_walk.h"
#include "core/checkpoint/parsed_name.h"
#include "core/checkpoint/read/file_head.h"
#include "core/checkpoint/read/weight_sample.h"

namespace rankdeck {

class FlaxReader final : public FileReader {
public:
    explicit FlaxReader(const FileHead &opening);

protected:
    ReadStep next(const ReadReplies &replies) override;

private:
    ReadStep walked();
    void takeNumbers();
    void takeSamples(const ReadReplies &replies);

    EvidenceLevel m_wanted;
    std::string m_head;
    MsgpackWalk m_walk;
    int m_windows = 0;
    bool m_sampling = false;
    WeightSample m_sample;
};

bool looksLikeFlax(std::string_view head);

// Parses "checkpoint_300", one file for all ranks, and names that end in .msgpack.
std::optional<ParsedName> parseFlaxName(std::string_view baseName, const std::string &prefix);

}  // namespace rankdeck
