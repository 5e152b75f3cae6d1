// SPDX-License-Identifier: GPL-3.0-or-later
// The section "launch" of the job file: JSON to LaunchSpec and back. Used by job_file.cpp only.
#pragma once

#include "core/job/job.h"
#include "core/job/job_reader.h"

namespace rankdeck {

void readLaunch(ReadState &state, const nlohmann::json &object, LaunchSpec &launch);
// Only what differs from the defaults; null when nothing does.
nlohmann::ordered_json launchToJson(const LaunchSpec &launch);

}  // namespace rankdeck
