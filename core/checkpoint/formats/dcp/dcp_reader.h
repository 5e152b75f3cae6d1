// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of a PyTorch distributed checkpoint directory (also Megatron's torch_dist). Its commit mark is .metadata,
// which must exist, parse, and agree with the size of every file that it names. It must also be newer than these files:
// after a failed second save, the old mark is beside new shards. The step comes from the items that hold it. Three
// round trips.
#pragma once

#include "core/checkpoint/formats/dcp/dcp_metadata.h"
#include "core/checkpoint/formats/dcp/dcp_sample.h"
#include "core/checkpoint/read/reader.h"

#include <memory>

namespace rankdeck {

class DcpReader final : public FormatReader {
public:
    // whole: the directory itself. files: its listed files. Files that are not listed are never read, even if .metadata
    // names them. Empty: the directory was not listed.
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
    [[nodiscard]] Message foreignItems(const std::vector<RangeReply> &heads) const;
    void withValues(const ReadReplies &replies);
    void torn(ReasonCode code, Message text);
    void problem(ReasonCode code, Message text);
    [[nodiscard]] bool listed(const std::string &name) const { return m_listed.empty() || m_listed.count(name) != 0; }

    Phase m_phase = Phase::begin;
    EvidenceLevel m_wanted;
    Evidence m_evidence;
    std::map<std::string, FileStat> m_listed;       // by name
    std::shared_ptr<const DcpMetadata> m_metadata;  // set after the mark was read
    std::int64_t m_markTime = 0;
    std::vector<std::string> m_files;
    std::vector<DcpItem> m_numbers;                             // items that may hold a step or an epoch
    std::map<std::string, std::vector<std::int64_t>> m_steps;   // counts of the optimizer, by shard
    std::vector<std::pair<std::int64_t, std::string>> m_times;  // times of the shards
    // Some shards are older than the mark, as they should be.
    bool m_someOlder = false;
    std::string m_newer;  // the first shard that is newer than .metadata
    DcpSample m_sample;
    Message m_unreadable;  // the first unreadable shard, and the reason
};

}  // namespace rankdeck
