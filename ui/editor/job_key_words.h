// SPDX-License-Identifier: GPL-3.0-or-later
// Help texts for the keys of a job file in the form. Pure.
#pragma once

#include "core/job/text/job_keys.h"

#include <QString>

namespace rankdeck::ui {

[[nodiscard]] QString jobKeyHelp(const JobKey &key);    // one or two sentences; every key has some
[[nodiscard]] QString jobFieldHint(const JobKey &key);  // how to type the value; empty: as plain text

}  // namespace rankdeck::ui
