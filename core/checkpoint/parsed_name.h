// SPDX-License-Identifier: GPL-3.0-or-later
// What the name of a checkpoint claims, whatever grammar knew it. A hint: the content decides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

enum class CheckpointKind { periodic, graceful, breakpoint, ttp, other };
const char *checkpointKindName(CheckpointKind kind);

struct ParsedName {  // of one base name, by the grammars
    CheckpointKind kind = CheckpointKind::periodic;
    std::string prefix;  // without the rerun number
    int rerun = 0;       // lenet_2-… : 2
    std::optional<std::int64_t> epoch = {}, step = {}, globalStep = {};
    bool temporary = false;  // .tmp and the like: a save in progress or abandoned
    std::string extension = {};
    std::optional<int> worldSize = {};  // when the name says of how many ranks it is one: model_world_size_4_rank_2
    std::optional<int> rank = {};       // when the name itself says one: llama_rank_3-1_10.ckpt
    bool weightsOnly = false;           // an export: *_eval.ckpt
    bool sharedByRanks = false;         // by its framework one file for all ranks (Lightning)
    bool stepIsGuess = false;           // ends in a number, in words of no framework: a hint of the step and no more
    bool foreign = false;               // beside directories that are named as their framework does, and not so itself
};

// "lenet_2" or the tutorial's "lenet-2" with base "lenet": 2. nullopt: stem is not base with a number.
std::optional<int> rerunNumber(std::string_view stem, std::string_view base);

// "_rank_2", "-rank2" or "world_size_4" anywhere in the stem, as a word of its own: its number; the stem without it.
std::optional<int> takeNumberedWord(std::string &stem, std::string_view word);
// The same for "rank", where it says whose the file is: local_rank1 and tp_rank0_pp_rank1 do not by themselves.
std::optional<int> takeRankWord(std::string &stem);

}  // namespace rankdeck
