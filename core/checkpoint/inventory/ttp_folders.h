// SPDX-License-Identifier: GPL-3.0-or-later
// The folders of TTP's dying gasp, which say step and state of what lies in them. Pure.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <string>
#include <vector>

namespace rankdeck {

// The step of the file's folder, and whether it was never renamed, into the file's name.
void takeTtpFolder(const std::string &path, ParsedName &name);
// On disks of each node the controller renames the folder on its own host only: where another node has it renamed, the
// folder of the same name with _tmp was completed, too. What is to be told of it.
std::vector<std::string> joinTtpFolders(std::vector<Member> &members);

}  // namespace rankdeck
