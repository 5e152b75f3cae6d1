// SPDX-License-Identifier: GPL-3.0-or-later
// Folders of TTP's emergency checkpoints, whose names contain the step and state of their files. Pure.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <string>
#include <vector>

namespace rankdeck {

// Copies the step of the file's folder, and whether it was never renamed, into the file's name.
void takeTtpFolder(const std::string &path, ParsedName &name);
// With separate disks per node, the controller renames the folder only on its own host. If another node has the renamed
// folder, the folder of the same name with _tmp was completed, too. Returns notes for the operator.
std::vector<std::string> joinTtpFolders(std::vector<Member> &members);

}  // namespace rankdeck
