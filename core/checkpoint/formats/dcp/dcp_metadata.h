// SPDX-License-Identifier: GPL-3.0-or-later
// The .metadata of a PyTorch distributed checkpoint: which tensors there are, in which chunks, and where in which file
// (torch/distributed/checkpoint/metadata.py and filesystem.py). Pure.
#pragma once

#include "core/base/result.h"
#include "core/checkpoint/tensor_list.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct DcpItem {
    std::string name;  // of the tensor or value that it is a part of
    std::string file;
    std::uint64_t offset = 0, length = 0;
};

struct DcpMetadata {
    TensorList tensors = {};
    std::vector<DcpItem> items = {};
    std::map<std::string, std::uint64_t> fileBytes = {};  // what each file must be long
    std::string saveId = {};
    std::vector<std::string> dangerous = {};  // globals that run commands when it is really unpickled
    std::string transform = {};   // how its items were changed at the save: "stream.zstd/1"; empty: not at all
    bool together = false;        // several items at one offset: tensors in one block of safetensors
    bool needsPython313 = false;  // has pathlib._local, which older Pythons cannot load
    bool holdsOptimizer = false;
};

// Error invalid: damaged, chunks that do not tile their tensor; refused: a path that leaves the directory; unsupported:
// too large.
Result<DcpMetadata> parseDcpMetadata(std::string_view bytes);

struct DcpMark {
    std::shared_ptr<const DcpMetadata> metadata;  // of an earlier mark that was alike: with its save id
    std::string saveId;
};

// The same for the many saves of a run, whose marks hardly differ: the last few that were read are kept, at most 32 MB in
// all, and one that differs from them in its id and its path only is not built anew. Any thread.
Result<DcpMark> readDcpMark(std::string_view bytes);

}  // namespace rankdeck
