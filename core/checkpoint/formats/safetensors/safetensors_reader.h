// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of safetensors, of MindSpore or Hugging Face: the header has the exact length of the file. Writers from
// 2025-12 to 2026-05 made the file in its full length before they wrote it. Therefore the weights are also probed for a
// tail of zeros. A header that breaks a rule, or has another length, is torn in its evidence; one with too many bytes
// is not read.
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
    std::string m_header;             // bytes of the file, from byte 0, as far as it was read
    std::uint64_t m_headerBytes = 0;  // header length as the file claims, without the 8 length bytes
    SafetensorsHeader m_parsed;
    std::vector<std::size_t> m_scalars;                               // tensors whose values were requested, in order
    std::vector<std::pair<std::string, std::uint32_t>> m_tailProbes;  // tensor, length
    WeightSample m_sample;
};

// True if bytes 0–8 can begin a safetensors file.
bool looksLikeSafetensors(std::string_view head, std::uint64_t fileBytes);

}  // namespace rankdeck
