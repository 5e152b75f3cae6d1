// SPDX-License-Identifier: GPL-3.0-or-later
// The objects in an answer of kubectl: one, or the items of a list. Internal to this room. Pure.
#pragma once

#include "core/base/result.h"
#include "core/scheduler/scheduler_state.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>
#include <vector>

namespace rankdeck {

// what: for the message. Empty text: none. Error invalid: no JSON of an object or a list.
Result<std::vector<nlohmann::ordered_json>> objectsIn(const std::string &text, const char *what);

using Facts = std::vector<SchedulerFact>;
// Facts that `read` makes of each object. Errors: as above.
Result<Facts> factsOf(const std::string &text, const char *what,
                      const std::function<void(Facts &, const nlohmann::ordered_json &)> &read);

}  // namespace rankdeck
