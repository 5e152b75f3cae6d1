// SPDX-License-Identifier: GPL-3.0-or-later
// What the form of a job file says of each key. Pure.
#pragma once

#include "core/job/text/job_keys.h"

#include <QString>

namespace rankdeck::ui {

[[nodiscard]] QString jobKeyHelp(const JobKey &key);    // a sentence or two; every key has one
[[nodiscard]] QString jobFieldHint(const JobKey &key);  // how its value is typed; empty: as it is

}  // namespace rankdeck::ui
