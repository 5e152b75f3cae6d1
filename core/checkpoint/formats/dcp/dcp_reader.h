// SPDX-License-Identifier: GPL-3.0-or-later
// A PyTorch distributed checkpoint directory (also Megatron's torch_dist): .metadata is the commit mark, so it must be
// there, parse, agree with the size of every file that it names, and not be older than any of them (a re-save that died
// keeps the old mark over new shards). The step comes from the items that hold it. Three round trips.
#pragma once

#include "core/checkpoint/formats/dcp/dcp_metadata.h"
#include "core/checkpoint/formats/dcp/dcp_sample.h"
#include "core/checkpoint/read/reader.h"

#include <memory>

namespace rankdeck {

class DcpReader final : public FormatReader {
public:
    // whole: the directory itself. files: what it holds, as it was listed; a file that is not among them is not read,
    // whatever .metadata names. Empty: not listed.
    DcpReader(const FileEntry &whole, const std::vector<FileEntry> &files, EvidenceLevel wanted);
    ReadStep advance(const ReadReplies &replies) override;
    [[nodiscard]] Evidence evidence() const override { return m_evidence; }

private:
    enum class Phase { begin, mark, shards, values, done };
    void withoutMark();
    ReadStep askMark() const;
    ReadStep withMark(const ReadReplies &replies);
    bool takeMark(const std::string &bytes);
    void compareListing();
    ReadStep askShards();
    void takeSample();
    void compareSteps();
    void compareTimes();
    void takeOptimizerStep(std::int64_t step);
    ReadStep withShards(const ReadReplies &replies);
    void takeShard(const std::string &name, const RangeReply &reply);
    void takeNumber(const DcpItem &item, const std::string &bytes);
    [[nodiscard]] std::string foreignItems(const std::vector<RangeReply> &heads) const;
    void withValues(const ReadReplies &replies);
    void torn(ReasonCode code, std::string text);
    void problem(ReasonCode code, std::string text);
    [[nodiscard]] bool listed(const std::string &name) const { return m_listed.empty() || m_listed.count(name) != 0; }

    Phase m_phase = Phase::begin;
    EvidenceLevel m_wanted;
    Evidence m_evidence;
    std::map<std::string, FileStat> m_listed;       // by name
    std::shared_ptr<const DcpMetadata> m_metadata;  // once the mark was read
    std::int64_t m_markTime = 0;
    std::vector<std::string> m_files;
    std::vector<DcpItem> m_numbers;                             // items that may hold a step or an epoch
    std::map<std::string, std::vector<std::int64_t>> m_steps;   // of the optimizer, by shard
    std::vector<std::pair<std::int64_t, std::string>> m_times;  // of the shards
    bool m_someOlder = false;                                   // than the mark, as it should be
    std::string m_newer;                                        // the first shard that is newer than .metadata
    DcpSample m_sample;
    std::string m_unreadable;  // the first shard that could not be read, and why
};

}  // namespace rankdeck
