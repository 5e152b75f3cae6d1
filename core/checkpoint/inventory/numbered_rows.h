// SPDX-License-Identifier: GPL-3.0-or-later
// Files of unknown names that a script may have saved again and again: their paths differ in numbers only. Examples are
// model_100.safetensors beside model_200.safetensors, 100/model.safetensors beside 200/model.safetensors, and model.pt.100
// beside model.pt.200. Their content shows whether they are checkpoints. A single such file may be anything. Beside other
// checkpoints it is an export. Pure.
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

// The name is read as that of any script's file. Without a number of its own it has that of its row, which is a guess.
ParsedName numberedFileName(const std::string &baseName, std::int64_t numberInRow);

}  // namespace rankdeck
