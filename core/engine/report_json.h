// SPDX-License-Identifier: GPL-3.0-or-later
// A checkpoint report as the documented JSON of `rankdeckctl checkpoints`, and back from the history. Pure.
#pragma once

#include "core/base/result.h"
#include "core/verdict/verdict.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace rankdeck {

nlohmann::ordered_json reportJson(const CheckpointReport &report);
nlohmann::ordered_json setJson(const CheckpointSet &set);
Result<CheckpointReport> reportFromJson(const std::string &text);

}  // namespace rankdeck
