// SPDX-License-Identifier: GPL-3.0-or-later
// Paths as logs name them: whether one is the file that a rank was given to load, and whether a line that names it is a witness
// of that. Pure.
#pragma once

#include "core/parse/lines/sample.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

// The path without "//", "/./" and "x/..", and a relative one without the "./" and "../" that it begins with: scripts join
// what they are told ("/job/scripts/../output/./checkpoint/ckpt_0/a.ckpt").
std::string plainPath(std::string_view path);
// A name in a log, and a path in its plain form: the same file, as far as names tell. A relative one may begin at any folder.
bool namesSamePath(std::string_view said, std::string_view path);

// A line that names one of these paths, whole or from some folder on, as what it works with: neither an error nor a save
// nor a list of arguments.
std::optional<LogEvent> namedPath(std::string_view line, const std::vector<std::string> &paths);

}  // namespace rankdeck
