// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of a TensorFlow V2 checkpoint, found by its prefix. The .index is written last, so it is the commit mark. It
// must exist and be complete by its checksums. Every data shard that it names must exist, with the stated length and
// content that matches the checksums. Two round trips for an index of up to 64 kB, a third for a larger one.
#pragma once

#include "core/checkpoint/formats/tensorflow/tf_bundle.h"
#include "core/checkpoint/formats/tensorflow/tf_sample.h"
#include "core/checkpoint/read/reader.h"
#include "core/checkpoint/read/weight_sample.h"

#include <string>
#include <vector>

namespace rankdeck {

inline constexpr std::uint32_t indexPieceBytes = 8u << 20;  // bytes of an index in one request

class TfBundleReader final : public FormatReader {
public:
    // whole: the path is the prefix. parts: as listed, to detect later changes; may be empty.
    TfBundleReader(const FileEntry &whole, std::vector<FileEntry> parts, EvidenceLevel wanted);
    ReadStep advance(const ReadReplies &replies) override;
    [[nodiscard]] Evidence evidence() const override { return m_evidence; }

private:
    enum class Phase { begin, tail, index, shards, done };
    ReadStep withTail(const ReadReplies &replies);
    ReadStep withIndex(const ReadReplies &replies);
    ReadStep parse();
    void askForWeights(ReadStep &step);
    void withShards(const ReadReplies &replies);
    void checkShard(std::size_t shard, const RangeReply &reply);
    void checkSums();
    void tellValues();
    [[nodiscard]] std::string nameInAllSaves(const std::string &shardPath) const;
    bool usable(const RangeReply &reply, const std::string &path);
    void notKnown(ReasonCode code, Message text);
    void torn(ReasonCode code, Message text, std::uint64_t offset = 0);
    [[nodiscard]] const FileEntry *listed(const std::string &path) const;

    Phase m_phase = Phase::begin;
    std::vector<FileEntry> m_parts;
    EvidenceLevel m_wanted;
    Evidence m_evidence;
    std::string m_index;  // the file; until it is complete, its tail
    FileStat m_indexStat;
    TfBundle m_bundle;
    TfSample m_sample;
    struct Weights {
        std::string path;
        WeightSample sample;
        std::size_t ranges = 0;
    };
    std::vector<Weights> m_weights;
    std::vector<std::int64_t> m_shardTimes;
};

}  // namespace rankdeck
