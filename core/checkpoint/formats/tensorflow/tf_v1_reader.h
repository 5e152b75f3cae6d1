// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of one file of a TensorFlow V1 checkpoint: the whole checkpoint or one of its shards. The table's blocks must
// follow each other from the first byte to the footer, so that nothing is cut out. The checksums of all blocks that are
// read are compared. All blocks of a small file are read; otherwise the first, the last, the one with global_step and
// some in between.
#pragma once

#include "core/checkpoint/formats/tensorflow/tf_table.h"
#include "core/checkpoint/formats/tensorflow/tf_v1.h"
#include "core/checkpoint/read/file_head.h"
#include "core/checkpoint/read/weight_sample.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

class TfV1Reader final : public FileReader {
public:
    explicit TfV1Reader(const FileHead &opening);

protected:
    ReadStep next(const ReadReplies &replies) override;

private:
    enum class Phase { footer, index, blocks, done };
    ReadStep withFooter();
    ReadStep withIndex(const ReadReplies &replies);
    void withBlocks(const ReadReplies &replies);
    void takeBlock(std::size_t block, const std::string &raw);
    void takeEntry(const TfEntry &entry, bool first);
    bool tiles(const std::vector<TfEntry> &entries);
    void choose(const std::vector<TfEntry> &entries);
    ReadStep refused(Message text, std::uint64_t offset = 0);

    Phase m_phase = Phase::footer;
    EvidenceLevel m_wanted;
    std::string m_tail;
    TfFooter m_footer;
    std::vector<TfBlockHandle> m_blocks;
    std::vector<std::size_t> m_chosen;  // blocks to read
    std::size_t m_slices = 0, m_seen = 0;
};

// Reader for files that end like a table: a V1 file, or the index of a V2 checkpoint, whose data is then read, too.
std::unique_ptr<FormatReader> makeTfReader(const FileHead &opening);

}  // namespace rankdeck
