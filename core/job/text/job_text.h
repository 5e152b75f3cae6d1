// SPDX-License-Identifier: GPL-3.0-or-later
// Editor of a job file's text, key by key; all the rest stays as it was written. Also converts its values to one line
// of a form. A path is as in messages: "nodes[1].ranks". Pure.
#pragma once

#include "core/base/json_members.h"
#include "core/base/result.h"
#include "core/job/text/job_keys.h"

#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

// Position of the value. If a key occurs twice, the last counts, as for the reader. nullopt: missing, or the text is
// not JSON.
std::optional<JsonSpan> valueAt(std::string_view text, std::string_view path);
std::size_t elementsAt(std::string_view text, std::string_view path);  // of an array; 0: there is none

// The text with the new value in place of the old one, or after the last key of its object. Missing objects on the way
// are made. An index of an array may be the one after the last. Error invalid: the text is not JSON, or a part of the
// path is not an object.
Result<std::string> withValue(std::string_view text, std::string_view path, std::string_view json);
// The text without the key, and without objects that become empty by that. Unchanged if the key is missing.
Result<std::string> withoutValue(std::string_view text, std::string_view path);

// One readable line: words as in a shell, maps as NAME=VALUE, ranks as 0–3, 5. Values of another kind: their JSON.
std::string fieldOf(JobValue kind, std::string_view json);
// Converts back: the JSON of the typed text. Error invalid: expected and found.
Result<std::string> jsonOfField(JobValue kind, std::string_view field);

}  // namespace rankdeck
