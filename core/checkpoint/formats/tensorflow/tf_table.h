// SPDX-License-Identifier: GPL-3.0-or-later
// The sorted table that TensorFlow keeps checkpoints in, LevelDB's with another footer (tensorflow/core/lib/io/format.h,
// leveldb doc/table_format.md): blocks of entries with shared key prefixes, each with a masked CRC-32C. Pure; bounded.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct TfBlockHandle {
    std::uint64_t offset = 0, size = 0;  // of the payload
    [[nodiscard]] std::uint64_t end() const { return offset + size + trailer; }
    static constexpr std::uint64_t trailer = 5;  // compression, checksum
};

struct TfFooter {
    TfBlockHandle metaindex, index;
    static constexpr std::uint64_t bytes = 48;
};

struct TfEntry {
    std::string key;
    std::string_view value;  // in the block
};

bool hasTfMagic(std::string_view tail);  // the last bytes of a file
// tail: at least the last 48 bytes of a file of fileBytes. The handles lie within it.
Result<TfFooter> parseTfFooter(std::string_view tail, std::uint64_t fileBytes);
// raw: a block with its trailer. Checks the checksum and unpacks; Error invalid says what is wrong.
Result<std::string> openTfBlock(std::string_view raw);
// All entries of an opened block, in order; keys ascend strictly.
Result<std::vector<TfEntry>> parseTfBlock(std::string_view block);
// The value of an index block's entry.
Result<TfBlockHandle> parseTfHandle(std::string_view bytes, std::uint64_t fileBytes);

}  // namespace rankdeck
