// SPDX-License-Identifier: GPL-3.0-or-later
// Weights that torch.distributed.checkpoint saved for Hugging Face, one file for each rank and file of the model:
// shard-00001-model-00001-of-00002.safetensors. DCP_SHARDING_INFO gives the offsets of its pieces in the whole tensors
// (torch/distributed/checkpoint/_hf_utils.py, PyTorch 2.8). Together they must cover every tensor.
#pragma once

#include "core/checkpoint/read/composite_reader.h"
#include "core/checkpoint/read/layouts.h"

#include <optional>
#include <string_view>

namespace rankdeck {

struct HfShardName {
    int shard = 0, file = 0, files = 0;  // all from 1
};
std::optional<HfShardName> parseHfShardName(std::string_view baseName);

class HfShardsReader final : public CompositeReader {
public:
    HfShardsReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
        : CompositeReader(whole, parts, wanted, Format::hfSharded)
    {}

protected:
    How plan(const Part &part) override;
    ReadStep combine(const ReadReplies &replies) override;

private:
    void expectNumbers();
    void expectCover();
};

extern const Layout hfShardsLayout;

}  // namespace rankdeck
