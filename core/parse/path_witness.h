// SPDX-License-Identifier: GPL-3.0-or-later
// Paths in logs. Whether one is the file that a rank was given to load, and whether a line that names it is evidence of
// the load. Pure.
#pragma once

#include "core/parse/lines/sample.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

// The path without "//", "/./" and "x/.."; a relative one without leading "./" and "../". Needed because scripts join
// the parts of a given path ("/job/scripts/../output/./checkpoint/ckpt_0/a.ckpt").
std::string plainPath(std::string_view path);
// Whether a name in a log and a path in its plain form are the same file, as far as names show. A relative one may
// begin at any folder.
bool namesSamePath(std::string_view said, std::string_view path);

// A line that names one of these paths, complete or from some folder on, as the file in use. It must not be an error, a
// save or a list of arguments.
std::optional<LogEvent> namedPath(std::string_view line, const std::vector<std::string> &paths);

}  // namespace rankdeck
