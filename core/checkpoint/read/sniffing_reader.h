// SPDX-License-Identifier: GPL-3.0-or-later
// Reader that reads a file's beginning and end first, in one round trip, and then continues with the reader of the
// detected format. A file that cannot be read, or that changed since it was listed, stays at L0 with a problem.
#pragma once

#include "core/checkpoint/read/file_head.h"

#include <memory>

namespace rankdeck {

struct FirstLook {
    // Opens by the content, whatever the name; never nullptr.
    std::unique_ptr<FormatReader> (*open)(const FileHead &head) = nullptr;
    std::uint32_t recordsPerScan = 0;  // for a file whose name suggests a chain of records
};

std::unique_ptr<FormatReader> makeSniffingReader(const FileEntry &file, EvidenceLevel wanted, const FirstLook &look);

}  // namespace rankdeck
