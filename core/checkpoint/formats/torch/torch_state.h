// SPDX-License-Identifier: GPL-3.0-or-later
// Content of a torch.save file's pickle: the storages that it needs, tensors by their path in the dictionary, and the
// training's counters. Pure.
#pragma once

#include "core/checkpoint/codec/pickle.h"
#include "core/checkpoint/meta.h"
#include "core/checkpoint/tensor_list.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

struct TorchStorage {
    std::string type;  // "float32"; "uint8" for an untyped one
    std::uint64_t bytes = 0;
    std::uint64_t count = 0;  // elements
};

struct TorchState {
    std::map<std::string, TorchStorage> storages = {};  // by key
    std::vector<TensorInfo> tensors = {};
    std::vector<std::string> storageOf = {};  // parallel to tensors: key
    Meta meta = {};
    Message contradiction = {};  // one storage named with two sizes
};

TorchState readTorchState(const Pickle &pickle);

}  // namespace rankdeck
