// SPDX-License-Identifier: GPL-3.0-or-later
// [HOST:]PATH as in rsync and scp: the last colon before the first slash separates the two. Local paths become
// absolute. Cannot fail: a path that cannot be made absolute stays unchanged.
#pragma once

#include "app/ctl/command.h"

#include <string>

namespace rankdeck::ctl {

struct Place {
    std::string host;
    std::string path;
};
Place placeOf(const std::string &text);
ConnectOptions connectOptions(const Globals &globals);

}  // namespace rankdeck::ctl
