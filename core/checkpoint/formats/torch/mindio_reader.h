// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of the container that MindIO's accelerator (ACP) writes instead of torch.save's zip, under the same names. It
// has data.pkl, the tensors, a pickled map of their positions, and a tail of 23 bytes that gives the position of the
// map. There is no checksum. A tail or map that does not fit is torn in the evidence; a map that is too large is not
// read.
#pragma once

#include "core/checkpoint/formats/torch/torch_state.h"
#include "core/checkpoint/read/file_head.h"
#include "core/checkpoint/read/weight_sample.h"

#include <map>

namespace rankdeck {

class MindioReader final : public FileReader {
public:
    explicit MindioReader(const FileHead &opening);

protected:
    ReadStep next(const ReadReplies &replies) override;

private:
    enum class Phase { begin, map, pickle, sample, done };
    struct Range {
        std::uint64_t start = 0, bytes = 0;
    };
    ReadStep askMap();
    ReadStep withMap(const std::string &bytes);
    ReadStep withPickle(const std::string &bytes);
    bool takeMap(const Pickle &map);
    bool compareRecords(TorchState &state, std::vector<WeightSpan> &spans);

    Phase m_phase = Phase::begin;
    EvidenceLevel m_wanted;
    std::string m_tail;
    std::uint64_t m_mapStart = 0, m_mapBytes = 0;
    std::map<std::string, Range> m_records;
    WeightSample m_sample;
};

bool looksLikeMindio(std::string_view tail);

}  // namespace rankdeck
