// SPDX-License-Identifier: GPL-3.0-or-later
// The text of a job file, changed key by key with all the rest as it was written; and its values as one line of a form.
// A path is as in messages: "nodes[1].ranks". Pure.
#pragma once

#include "core/base/json_members.h"
#include "core/base/result.h"
#include "core/job/text/job_keys.h"

#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

// Where the value lies; of a key that stands twice the last, as the reader takes it. nullopt: it is not there, or this is no
// JSON.
std::optional<JsonSpan> valueAt(std::string_view text, std::string_view path);
std::size_t elementsAt(std::string_view text, std::string_view path);  // of an array; 0: there is none

// The text with this value in the place of the old one, or behind the last key of its object; objects on the way are made.
// An index of an array may be the one behind the last. Error invalid: the text is no JSON, or what lies on the way no object.
Result<std::string> withValue(std::string_view text, std::string_view path, std::string_view json);
// Without the key, and without the objects that have become empty by that. A key that is not there: unchanged.
Result<std::string> withoutValue(std::string_view text, std::string_view path);

// One line for a person: words as in a shell, maps as NAME=VALUE, ranks as 0–3, 5. What is not of that kind: its JSON.
std::string fieldOf(JobValue kind, std::string_view json);
// And back: the JSON of what was typed. Error invalid: expected and found.
Result<std::string> jsonOfField(JobValue kind, std::string_view field);

}  // namespace rankdeck
