// SPDX-License-Identifier: GPL-3.0-or-later
// Readers of the small files beside checkpoints, which are hints and never decide. Each is read completely, in one
// round trip, with bounded size.
#pragma once

#include "core/checkpoint/read/reader.h"

namespace rankdeck {

// The meta "tracker" is the text of the file, unchanged.
std::unique_ptr<FormatReader> makeTrackerReader(const FileEntry &file);
// The meta "restore_ranks" is its list of ranks, joined by commas.
std::unique_ptr<FormatReader> makeGroupInfoReader(const FileEntry &file);

}  // namespace rankdeck
