// SPDX-License-Identifier: GPL-3.0-or-later
// [HOST:]PATH as rsync and scp take it: a colon before the first slash parts them; local paths become absolute. Cannot
// fail: a path that cannot be made absolute stays as it is.
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
