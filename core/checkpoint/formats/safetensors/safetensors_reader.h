// SPDX-License-Identifier: GPL-3.0-or-later
// safetensors, of MindSpore or Hugging Face: the header tells the exact length of the file. Writers of 2025-12 to
// 2026-05 made the file in its full length before they wrote it, so the weights are also probed for a tail of zeros. A
// header that breaks a rule, or tells another length, is torn in its evidence; one of too many bytes is not read.
#pragma once

#include "core/checkpoint/formats/safetensors/safetensors_header.h"
#include "core/checkpoint/read/file_head.h"
#include "core/checkpoint/read/weight_sample.h"

namespace rankdeck {

class SafetensorsReader final : public FileReader {
public:
    explicit SafetensorsReader(const FileHead &opening);

protected:
    ReadStep next(const ReadReplies &replies) override;

private:
    enum class Phase { header, values, done };
    ReadStep withHeader();
    void takeValues(const ReadReplies &replies);

    Phase m_phase = Phase::header;
    EvidenceLevel m_wanted;
    std::string m_header;             // of the file, from byte 0, as far as it was read
    std::uint64_t m_headerBytes = 0;  // as the file claims, without the 8
    SafetensorsHeader m_parsed;
    std::vector<std::size_t> m_scalars;                               // tensors whose values were asked for, in order
    std::vector<std::pair<std::string, std::uint32_t>> m_tailProbes;  // tensor, length
    WeightSample m_sample;
};

// True when bytes 0–8 can begin a safetensors file.
bool looksLikeSafetensors(std::string_view head, std::uint64_t fileBytes);

}  // namespace rankdeck
