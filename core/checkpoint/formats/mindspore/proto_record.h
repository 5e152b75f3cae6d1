// SPDX-License-Identifier: GPL-3.0-or-later
// One record of a MindSpore .ckpt: 0A <len> Value{ tag, TensorProto{ dims, type, content } } (checkpoint.proto). Read
// from its first bytes only; the content itself is never needed. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct ProtoRecord {
    enum class State { good, needsMore, bad } state = State::bad;
    Message error = {};  // bad: what was expected and found
    std::string tag = {};
    std::string type = {};
    std::vector<std::int64_t> dims = {};
    bool map = false;                 // a MapTensorProto: treated as one opaque value
    std::uint64_t contentOffset = 0;  // offset in the record
    std::uint64_t contentBytes = 0;
    std::string content = {};  // complete if it is a single value or a short string, otherwise empty
};

// head: the first bytes of the record; length: of the whole record, from its framing.
ProtoRecord parseProtoRecord(std::string_view head, std::uint64_t length);
// Bytes of one element; 0 for a type without a fixed size (str) or unknown.
unsigned mindsporeTypeBits(std::string_view type);

}  // namespace rankdeck
