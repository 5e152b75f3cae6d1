// SPDX-License-Identifier: GPL-3.0-or-later
// The job that is meant where none was named: the job file of the directory; of several the one that the user picks.
#pragma once

#include "core/base/result.h"

#include <string>

namespace rankdeck::ctl {

enum class Asking { never, onTerminal };
// Error notFound: the directory has no job file; invalid: several, and nobody to ask, or none of them picked.
Result<std::string> jobOfDirectory(const std::string &directory, Asking asking);

}  // namespace rankdeck::ctl
