// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of a TensorFlow V1 checkpoint in shards, prefix-00000-of-00002 …: each is a separate table, and their number
// is in every name. There is no commit mark. A shard that is missing, is not a table, or has another step is a problem
// in its evidence.
#pragma once

#include "core/checkpoint/read/composite_reader.h"

namespace rankdeck {

class TfShardsReader final : public CompositeReader {
public:
    TfShardsReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
        : CompositeReader(whole, parts, wanted, Format::tfV1)
    {}

protected:
    How plan(const Part &) override { return How::byFormat; }
    ReadStep combine(const ReadReplies &replies) override;
};

}  // namespace rankdeck
