// SPDX-License-Identifier: GPL-3.0-or-later
// Assignment of files to attempts. MindSpore numbers the runs in each directory, so ranks can disagree on the number. A
// rank that died before its first save starts again without a number. Therefore the numbers order the runs of one rank,
// and the times align the ranks. Pure.
#pragma once

#include "core/verdict/verdict.h"

#include <vector>

namespace rankdeck {

struct Attempts {
    std::vector<int> ofMember = {};    // parallel to the members
    std::vector<char> uncertain = {};  // parallel: true if names and times allow more than one answer
    int count = 1;
};

Attempts inferAttempts(const std::vector<Member> &members, const std::vector<EvidencePtr> &evidence,
                       const Expectation &expected);

}  // namespace rankdeck
