// SPDX-License-Identifier: GPL-3.0-or-later
// One text per rank → the one text with placeholders that gives them all: /log/worker_0.log, /log/worker_1.log →
// /log/worker_{rank}.log. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct RankText {
    int rank = 0;
    int localRank = 0;
    int nodeIndex = 0;
    std::string node = {};
    std::string text = {};
};

// Replaces by placeholders: numbers that follow the rank, the local rank or the node's index, and path components equal
// to the node's name. Literal braces are doubled. nullopt: the texts differ in another way.
std::optional<std::string> textPattern(const std::vector<RankText> &texts);
// As a literal of a job file: braces doubled.
std::string literalText(const std::string &text);

}  // namespace rankdeck
