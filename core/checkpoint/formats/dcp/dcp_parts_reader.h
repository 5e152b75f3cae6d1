// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of checkpoints that consist of several distributed ones, or of one with additional torch files. Examples are
// model/ and optimizer/ of ByteCheckpoint and veScale, model_and_optim/ and train/rankN.pt of OLMo-core, and meta.pt
// beside Lightning's shards. Each distributed part needs its own .metadata, and all must have the same step.
#pragma once

#include "core/checkpoint/read/composite_reader.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

// .metadata, .metadata.tmp, __0_0.distcp
bool isDcpFile(std::string_view name);
// The rank in "train/rank3.pt" and similar names; nullopt: not a file of one rank.
std::optional<int> rankOfStateFile(std::string_view name);

class DcpPartsReader final : public CompositeReader {
public:
    DcpPartsReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted);

protected:
    How plan(const Part &part) override;
    std::unique_ptr<FormatReader> readerOf(const Part &part) override;
    ReadStep combine(const ReadReplies &replies) override;

private:
    void takeShards();
    void takeFiles();
    void takeRanks();
    [[nodiscard]] std::int64_t shardWriters() const;
    void compareSteps();
    [[nodiscard]] bool isDirectory(const Part &part) const { return part.file.stat.kind == 'd'; }

    std::map<std::string, std::vector<FileEntry>> m_shards;  // directory → its files
};

}  // namespace rankdeck
