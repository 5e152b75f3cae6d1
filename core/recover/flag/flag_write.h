// SPDX-License-Identifier: GPL-3.0-or-later
// Writes GracefulExit on all copies of the config at once: compare-and-swap, again with what is there now when somebody
// else wrote in between, and read back at the end, so that "written" means "the training's next read sees it".
// Blocks until the deadline. Copies that could not be read are left alone and reported. What failed stands in
// FlagWrite::problem.
#pragma once

#include "core/recover/flag/config_copies.h"

#include <string>
#include <vector>

namespace rankdeck {

struct FlagWrite {
    std::string node;
    std::string path;
    bool asWanted = false;  // read back: the file says what was asked for
    bool changed = false;   // it was us who changed it
    std::string before = {}, after = {};
    std::int64_t atNs = 0;  // the file's own time afterwards, by the node's clock
    std::optional<Error> problem = {};
};

std::vector<FlagWrite> writeFlag(ActionContext &host, std::vector<ConfigCopy> &copies, bool on, SteadyTime deadline);
bool allAsWanted(const std::vector<FlagWrite> &writes);
// What writeFlag would do, as data; one edit per file.
Result<std::vector<NodePlan>> planFlag(const std::vector<ConfigCopy> &copies, bool on);
// The bytes before and after of each write, for the journal.
std::string flagWritesJson(const std::vector<FlagWrite> &writes);

}  // namespace rankdeck
