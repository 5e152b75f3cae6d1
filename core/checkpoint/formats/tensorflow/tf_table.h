// SPDX-License-Identifier: GPL-3.0-or-later
// The sorted table in which TensorFlow keeps checkpoints: LevelDB's table with another footer. Sources:
// tensorflow/core/lib/io/format.h, leveldb doc/table_format.md. Blocks of entries with shared key prefixes, each with a
// masked CRC-32C. Pure; bounded.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct TfBlockHandle {
    std::uint64_t offset = 0, size = 0;  // offset and size of the payload
    [[nodiscard]] std::uint64_t end() const { return offset + size + trailer; }
    static constexpr std::uint64_t trailer = 5;  // compression, checksum
};

struct TfFooter {
    TfBlockHandle metaindex, index;
    static constexpr std::uint64_t bytes = 48;
};

struct TfEntry {
    std::string key;
    std::string_view value;  // view into the block
};

bool hasTfMagic(std::string_view tail);  // tail: the last bytes of a file
// tail: at least the last 48 bytes of a file of fileBytes. The handles are within it.
Result<TfFooter> parseTfFooter(std::string_view tail, std::uint64_t fileBytes);
// raw: a block with its trailer. Checks the checksum and unpacks it; Error invalid names the fault.
Result<std::string> openTfBlock(std::string_view raw);
// All entries of an opened block, in order; keys ascend strictly.
Result<std::vector<TfEntry>> parseTfBlock(std::string_view block);
// Decodes the value of an index block's entry.
Result<TfBlockHandle> parseTfHandle(std::string_view bytes, std::uint64_t fileBytes);

}  // namespace rankdeck
