// SPDX-License-Identifier: GPL-3.0-or-later
// Files with unknown names that a script may have saved repeatedly: their paths differ in numbers only. Examples are
// model_100.safetensors beside model_200.safetensors, 100/model.safetensors beside 200/model.safetensors, and
// model.pt.100 beside model.pt.200. Their content shows whether they are checkpoints. A single file of this kind may be
// anything. Beside other checkpoints, such a file is an export. Pure.
#pragma once

#include "core/checkpoint/parsed_name.h"
#include "core/node/protocol/messages.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

// Files that may be in such a row. Empty if another file has the name of a checkpoint.
std::vector<const FileEntry *> findUnnamedFiles(const Listing &listing);

// The path of a file of one rank without that rank; empty: nothing shows its rank.
using PathWithoutRank = std::function<std::string(const FileEntry &)>;

// The files that are in such a row, by path, with the number that differs in it. If several numbers differ, it is the
// one that grows from save to save, or the last. A number that is a rank does not count. The number is missing for the
// ranks of a single save.
std::map<std::string, std::optional<std::int64_t>> findNumberedRows(const std::vector<const FileEntry *> &files,
                                                                    const PathWithoutRank &withoutRank);

// Reads the name like that of any script's file. A name without a number of its own gets the number of its row as a
// guess.
ParsedName numberedFileName(const std::string &baseName, std::optional<std::int64_t> numberInRow);

}  // namespace rankdeck
