// SPDX-License-Identifier: GPL-3.0-or-later
// Paths in logs. Checks whether a path is the file that a rank was given to load. Also whether a line that names it is
// evidence of the load. Pure.
#pragma once

#include "core/parse/lines/sample.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

// The path without "//", "/./" and "x/.."; a relative path also without leading "./" and "../". Scripts join the parts
// of a given path, so such paths occur in logs ("/job/scripts/../output/./checkpoint/ckpt_0/a.ckpt").
std::string plainPath(std::string_view path);
// True if a name in a log and a path in its plain form may be the same file, judging by names only. A relative name may
// begin at any folder.
bool namesSamePath(std::string_view said, std::string_view path);

// Event for a line that names one of these paths, complete or from some folder on, as the file in use. Errors, saves
// and lists of arguments are excluded.
std::optional<LogEvent> namedPath(std::string_view line, const std::vector<std::string> &paths);

}  // namespace rankdeck
