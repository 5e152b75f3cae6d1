// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences of any trainer about a checkpoint that it loads. Their form shows them: a verb at the beginning, then a
// checkpoint, and a path or a step. Announcements, advice, evaluations, saves and other files that are loaded are left
// out. Pure.
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
