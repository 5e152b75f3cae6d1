// SPDX-License-Identifier: GPL-3.0-or-later
// Files with unknown names that a script may have saved repeatedly: their paths differ in numbers only. Examples are
// model_100.safetensors beside model_200.safetensors, 100/model.safetensors beside 200/model.safetensors, and
// model.pt.100 beside model.pt.200. Their content shows whether they are checkpoints. A single file of this kind may be
// anything. Beside other checkpoints, such a file is an export. Pure.
#pragma once

#include "core/checkpoint/parsed_name.h"
#include "core/node/protocol/messages.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace rankdeck {

// These files by path, with the number that differs in their row. If several do, it is the one that grows from save to
// save, or the last. Empty if another file has
// the name of a checkpoint.
std::map<std::string, std::int64_t> findNumberedRows(const Listing &listing);

// Reads the name like that of any script's file. A name without a number of its own gets the number of its row as a
// guess.
ParsedName numberedFileName(const std::string &baseName, std::int64_t numberInRow);

}  // namespace rankdeck
