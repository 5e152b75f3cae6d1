// SPDX-License-Identifier: GPL-3.0-or-later
// End of a zip file and its central directory, as torch writes them: stored entries, zip64. Sizes and CRCs come only
// from here; local headers have none. Pure; bounded by the given bytes.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

inline constexpr std::uint64_t maxZipDirectoryBytes = 64u << 20, maxZipEntries = 300'000;  // limits for reading

struct ZipEntry {
    std::string name;
    std::uint64_t bytes = 0;   // unpacked
    std::uint64_t packed = 0;  // bytes in the file
    std::uint64_t local = 0;   // offset of its local header
    std::uint32_t crc = 0;
    bool stored = true;
};

struct ZipEnd {
    std::uint64_t directory = 0, directoryBytes = 0, entries = 0;
};

// tail: the last bytes of the file (98 are enough). nullopt: no end record, or one that does not fit the file.
std::optional<ZipEnd> parseZipEnd(std::string_view tail, std::uint64_t fileBytes);
Result<std::vector<ZipEntry>> parseZipDirectory(std::string_view bytes, std::uint64_t entries);
// Offset of the data, from a local header at the beginning of bytes.
std::optional<std::uint64_t> zipDataOffset(std::string_view localHeader, std::uint64_t local);

}  // namespace rankdeck
