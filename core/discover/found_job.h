// SPDX-License-Identifier: GPL-3.0-or-later
// Traces of several hosts put together: which ranks are one job, and which host is which of its nodes. Pure.
#pragma once

#include "core/discover/text/text_pattern.h"
#include "core/discover/traces.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace rankdeck {

struct FoundNode {
    std::size_t host = 0;  // index into the traces
    std::string name;
    std::map<int, RankTrace> ranks = {};
};
struct FoundJob {
    int worldSize = 0;
    std::vector<FoundNode> nodes = {};  // by their first rank
    bool oneMachine = false;            // several hosts that are one machine: each was given its part of the ranks

    [[nodiscard]] std::size_t ranks() const;
    // A text of every rank, for a pattern over all of them.
    [[nodiscard]] std::vector<RankText> texts(const std::function<std::string(const RankTrace &)> &text) const;
    [[nodiscard]] const RankTrace &first() const { return nodes.front().ranks.begin()->second; }
};

std::vector<FoundJob> findJobs(const std::vector<HostTraces> &hosts);
// "bob@10.0.0.2:2222" → "10.0.0.2"
std::string nodeNameOf(const std::string &host);

}  // namespace rankdeck
