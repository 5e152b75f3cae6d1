// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences in which any trainer reports a checkpoint that it loads. They are recognised by their form: a verb at the
// beginning, then a checkpoint, and a path or a step. Announcements, advice, evaluations, saves and loads of other
// files are excluded. Pure.
#pragma once

#include "core/parse/lines/sample.h"

#include <optional>
#include <string_view>

namespace rankdeck {

// resumed, with the path, the epoch and the step that the line names; nullopt: the line has another meaning.
std::optional<LogEvent> loadedByAnyTrainer(std::string_view line);
// "No checkpoint found in out/", "Could not find any checkpoint to resume from."
bool foundNoCheckpoint(std::string_view line);

}  // namespace rankdeck
