// SPDX-License-Identifier: GPL-3.0-or-later
// Files of this machine: the console's own state. Files of nodes go through NodeClient, even on this machine.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace rankdeck {

Result<std::string> readLocalFile(const std::string &path, std::size_t maxBytes = 64u << 20);
// Temp in the same directory, fsync, rename, fsync of the directory: a reader sees the old or the new text.
Status writeLocalFileAtomically(const std::string &path, std::string_view bytes, unsigned mode = 0600);
Status makeLocalDirectories(const std::string &path, unsigned mode = 0700);
// Creates the directory in which a console keeps its state. It and its contents get the modes 0700 and 0600, even if it
// existed before. A home directory and a directory that many users write keep their modes.
Status makeStateDirectory(const std::string &path);
// Absolute, with links resolved as far as they exist: one name for each file. Empty stays empty.
std::string canonicalPath(const std::string &path);
// Error permission if the existing file (links resolved) belongs to another user, or if another user may write it: then
// its content cannot be trusted.
Status checkOwnPlace(const std::string &path);
// $XDG_STATE_HOME/rankdeck or ~/.local/state/rankdeck; the home of the login if HOME is not set. Empty: there is none.
std::string defaultStateDirectory();

}  // namespace rankdeck
