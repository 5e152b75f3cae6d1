// SPDX-License-Identifier: GPL-3.0-or-later
// Check that all placeholders of a job file exist at their place. Used by job_file.cpp only. The first bad one becomes
// the state's error, with line and key.
#pragma once

#include "core/job/job.h"
#include "core/job/job_reader.h"

namespace rankdeck {

void checkTemplates(ReadState &state, const Job &job);

}  // namespace rankdeck
