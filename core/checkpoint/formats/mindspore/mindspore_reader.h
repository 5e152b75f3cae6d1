// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of MindSpore .ckpt files: a chain of records without index or footer, so only a walk along it proves the file.
// Facts: serialization.py and checkpoint.proto of MindSpore, 1.x to 2.10. Proves that each record is complete and that
// each tensor's bytes match its shape. The chain must end exactly at the end of the file or at the 17-byte crc trailer.
// A cut between two records passes: only a comparison with the files of other ranks and steps can detect it.
#pragma once

#include "core/checkpoint/formats/mindspore/proto_record.h"
#include "core/checkpoint/read/file_head.h"
#include "core/checkpoint/read/weight_sample.h"

#include <set>

namespace rankdeck {

class MindsporeReader final : public FileReader {
public:
    explicit MindsporeReader(const FileHead &opening);
    static constexpr std::uint32_t recordsPerScan = 20000;

protected:
    ReadStep next(const ReadReplies &replies) override;

private:
    enum class Phase { walk, details, sample, done };
    ReadStep walkOn(const ScanReply &reply);
    ReadStep afterWalk();
    ReadStep finish();
    void takeSample(std::vector<RangeReply> replies);
    void compareCrc(const std::string &bytes);
    void takeRecord(const ProtoRecord &record, std::uint64_t offset);
    void takeScalar(const ProtoRecord &record);
    void explainEnd(const std::string &bytesThere);
    void checkSums();

    Phase m_phase = Phase::walk;
    EvidenceLevel m_wanted;
    std::string m_tail;
    std::optional<ScanReply> m_head;
    struct Pending {
        std::uint64_t offset = 0, length = 0;
        std::size_t slot = 0;
    };
    std::vector<Pending> m_pending;  // records whose header is longer than their head
    struct Slot {
        ProtoRecord record;
        std::uint64_t offset = 0;
    };
    std::vector<Slot> m_records;
    std::vector<TensorInfo> m_tensors;
    std::vector<WeightSpan> m_spans;
    std::uint64_t m_end = 0;          // present end of the walk
    std::uint64_t m_expectedEnd = 0;  // file size without the trailer
    bool m_tooMany = false;
    int m_ownValues = 0;
    WeightSample m_sample;
    bool m_readsAll = false;  // the last range of the sample is the whole of a small file with a checksum
};

// True for the first bytes of a file that MindSpore has encrypted (save_checkpoint with enc_key). Only the name and the
// size of such a file can be known.
bool looksEncrypted(std::string_view head);
// Reader for AES-GCM, AES-CBC or SM4-CBC; it also checks whether the blocks fill the file, as far as the first block
// shows.
std::unique_ptr<FormatReader> makeEncryptedReader(const FileHead &opening);
// The CRC-32 of the `crc_num` trailer; nullopt: there is none.
std::optional<std::uint64_t> crcTrailer(std::string_view lastBytes);
inline constexpr std::uint64_t crcTrailerBytes = 17;

}  // namespace rankdeck
