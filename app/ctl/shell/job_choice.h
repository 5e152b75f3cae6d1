// SPDX-License-Identifier: GPL-3.0-or-later
// The job to use if none was named: the job file of the directory, or the one that the user picks from several.
#pragma once

#include "core/base/result.h"

#include <string>

namespace rankdeck::ctl {

enum class Asking { never, onTerminal };
// Error notFound: the directory has no job file; invalid: several, and the user cannot be asked or made no valid
// choice.
Result<std::string> jobOfDirectory(const std::string &directory, Asking asking);

}  // namespace rankdeck::ctl
