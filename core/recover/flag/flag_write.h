// SPDX-License-Identifier: GPL-3.0-or-later
// Writer of GracefulExit for all copies of the config at once. Uses compare-and-swap, and retries with the new content
// if another writer was faster. Finally reads the files back: "written" means that the next read of the training sees
// the value. Blocks until the deadline. Unreadable copies are left unchanged and reported. Failures are in
// FlagWrite::problem.
#pragma once

#include "core/recover/flag/config_copies.h"

#include <string>
#include <vector>

namespace rankdeck {

struct FlagWrite {
    std::string node;
    std::string path;
    bool asWanted = false;  // read back: the file has the requested value
    bool changed = false;   // this write changed it
    std::string before = {}, after = {};
    std::int64_t atNs = 0;  // modification time after the write, by the node's clock
    std::optional<Error> problem = {};
};

std::vector<FlagWrite> writeFlag(ActionContext &host, std::vector<ConfigCopy> &copies, bool on, SteadyTime deadline);
bool allAsWanted(const std::vector<FlagWrite> &writes);
// The changes that writeFlag would make, as plain data; one edit per file.
Result<std::vector<NodePlan>> planFlag(const std::vector<ConfigCopy> &copies, bool on);
// The bytes of each file before and after the write, for the journal.
std::string flagWritesJson(const std::vector<FlagWrite> &writes);

}  // namespace rankdeck
