// SPDX-License-Identifier: GPL-3.0-or-later
// Looks at a file's beginning and end first, one round trip, and then reads on with the reader of what it saw. A file
// that cannot be read, or that changed since it was listed, stays at L0 with a problem.
#pragma once

#include "core/checkpoint/read/file_head.h"

#include <memory>

namespace rankdeck {

struct FirstLook {
    // By the content, whatever the name says; never nullptr.
    std::unique_ptr<FormatReader> (*open)(const FileHead &head) = nullptr;
    std::uint32_t recordsPerScan = 0;  // of a file whose name promises a chain of records
};

std::unique_ptr<FormatReader> makeSniffingReader(const FileEntry &file, EvidenceLevel wanted, const FirstLook &look);

}  // namespace rankdeck
