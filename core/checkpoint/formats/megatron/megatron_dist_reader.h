// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of Megatron's torch_dist: a torch.distributed checkpoint with metadata.json and common.pt (or the item
// common_state) for unsharded state. The commit mark is metadata.json, which is written last. Without it Megatron takes
// the directory for another format and loads it wrongly.
#pragma once

#include "core/checkpoint/read/composite_reader.h"

namespace rankdeck {

class MegatronDistReader final : public CompositeReader {
public:
    // shards: the directory of the shards; `whole` itself, or weights/ in it.
    MegatronDistReader(const FileEntry &whole, const std::vector<FileEntry> &parts, const std::string &shards,
                       EvidenceLevel wanted);

protected:
    How plan(const Part &part) override;
    std::unique_ptr<FormatReader> readerOf(const Part &part) override;
    ReadStep combine(const ReadReplies &replies) override;

private:
    void checkMark();
    bool isOfZarr();
    [[nodiscard]] bool isOfTorchAlone() const;
    void takeFacts();
    std::string m_below;  // "weights/" or empty
};

}  // namespace rankdeck
