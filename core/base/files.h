// SPDX-License-Identifier: GPL-3.0-or-later
// Files of this machine: the console's own state. What lies on a node goes through NodeClient, also on this machine.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace rankdeck {

Result<std::string> readLocalFile(const std::string &path, std::size_t maxBytes = 64u << 20);
// Temp in the same directory, fsync, rename, fsync of the directory: a reader sees the old or the new text.
Status writeLocalFileAtomically(const std::string &path, std::string_view bytes, unsigned mode = 0600);
Status makeLocalDirectories(const std::string &path, unsigned mode = 0700);
// Makes the directory in which a console keeps its state. It and all that is in it get the modes 0700 and 0600, also if it was
// there before. A home directory and one that many users write keep their modes.
Status makeStateDirectory(const std::string &path);
// Absolute, links followed as far as they exist: one name for one file. Empty stays empty.
std::string canonicalPath(const std::string &path);
// Error permission when what lies there (links followed) belongs to another user, or another user may write it: then what it
// says is not ours.
Status checkOwnPlace(const std::string &path);
// $XDG_STATE_HOME/rankdeck or ~/.local/state/rankdeck; the home of the login where HOME is not set. Empty: there is none.
std::string defaultStateDirectory();

}  // namespace rankdeck
