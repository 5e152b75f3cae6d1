// SPDX-License-Identifier: GPL-3.0-or-later
// Faults on demand, as text: kind[:target][=ms][@step].
//   kill:R hang:R raise:R nan:R tear:R   one rank: SIGKILL, no more progress, an exception, NaN data, next file torn.
//   exit:R memory:R                      one rank: ends with code 3 and no message; an exception: no device memory.
//   full[:R|:NODE]                       the next save of all ranks, of one, or of a node's ranks finds the disk full.
//   slow:NODE[=MS] cut:NODE hole:NODE heal:NODE   the link: delay (300 ms), reset and refuse, drop silently, repair.
// Suffix @step: after the rank has done that many steps; a link: after the time of that many steps. Pure but the inbox.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck::demo {

enum class FaultKind { kill, hang, raise, exit, memory, nan, tear, full, slow, cut, hole, heal };

struct Fault {
    FaultKind kind = FaultKind::kill;
    int rank = -1;
    std::string node = {};
    int milliseconds = 300;
    std::optional<std::int64_t> atStep = {};
    bool operator==(const Fault &) const = default;
};

const char *faultKindName(FaultKind kind);
bool isLinkFault(FaultKind kind);
// The Error (invalid) says what is wrong and lists the valid kinds.
Result<Fault> parseFault(const std::string &text);
std::string faultText(const Fault &fault);

// Writes a fault into a directory, one file each, named after its addressee ("rank_3", "link_node1").
Status dropFault(const std::string &directory, const std::string &addressee, const Fault &fault);
// Returns and removes the faults for this addressee. Files that cannot be read as faults are removed, too.
std::vector<Fault> takeFaults(const std::string &directory, const std::string &addressee);

}  // namespace rankdeck::demo
