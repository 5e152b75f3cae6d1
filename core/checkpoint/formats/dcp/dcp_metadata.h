// SPDX-License-Identifier: GPL-3.0-or-later
// The .metadata of a PyTorch distributed checkpoint: its tensors, their chunks, and the file and position of each.
// Sources: torch/distributed/checkpoint/metadata.py and filesystem.py. Pure.
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
    std::string name;  // name of the tensor or value that it belongs to
    std::string file;
    std::uint64_t offset = 0, length = 0;
};

struct DcpMetadata {
    TensorList tensors = {};
    std::vector<DcpItem> items = {};
    std::map<std::string, std::uint64_t> fileBytes = {};  // required length of each file
    std::string saveId = {};
    std::vector<std::string> dangerous = {};  // globals that would run commands if it were unpickled
    std::string transform = {};               // transformation of its items at the save: "stream.zstd/1"; empty: none
    bool together = false;                    // several items at one offset: tensors in one block of safetensors
    bool needsPython313 = false;              // has pathlib._local, which older Pythons cannot load
    bool holdsOptimizer = false;
};

// Error invalid: damaged, or chunks that do not tile their tensor. Error refused: a path that leaves the directory.
// Error unsupported: too large.
Result<DcpMetadata> parseDcpMetadata(std::string_view bytes);

struct DcpMark {
    // May be shared with an earlier similar mark, and then has that mark's save id.
    std::shared_ptr<const DcpMetadata> metadata;
    std::string saveId;
};

// The same for the many saves of a run, whose .metadata files hardly differ. Keeps the last few results, at most 32 MB
// in all. A .metadata that differs from one of them only in its id and its path is not parsed again. Any thread.
Result<DcpMark> readDcpMark(std::string_view bytes);

}  // namespace rankdeck
