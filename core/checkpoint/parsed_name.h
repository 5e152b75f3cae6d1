// SPDX-License-Identifier: GPL-3.0-or-later
// Claims of a checkpoint's file name, in any known grammar. A hint: the content decides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

enum class CheckpointKind { periodic, graceful, breakpoint, ttp, other };
const char *checkpointKindName(CheckpointKind kind);

struct ParsedName {  // result of the grammars for one base name
    CheckpointKind kind = CheckpointKind::periodic;
    std::string prefix;  // without the rerun number
    int rerun = 0;       // lenet_2-… : 2
    std::optional<std::int64_t> epoch = {}, step = {}, globalStep = {};
    bool temporary = false;  // .tmp and the like: a save in progress or abandoned
    std::string extension = {};
    std::optional<int> worldSize = {};  // set if the name contains it: model_world_size_4_rank_2
    std::optional<int> rank = {};       // set if the name contains it: llama_rank_3-1_10.ckpt
    bool weightsOnly = false;           // an export: *_eval.ckpt
    bool sharedByRanks = false;         // one file for all ranks in its framework (Lightning)
    // A number at the end, after words of no known framework: only a hint of the step.
    bool stepIsGuess = false;
    bool numbered = false;  // its number alone suggests a checkpoint: only the content shows whether it is one
    bool foreign = false;   // its own name is unknown, beside directories with a framework's names
};

// 2 for "lenet_2" or the tutorial's "lenet-2" with base "lenet". nullopt: stem is not base with a number.
std::optional<int> rerunNumber(std::string_view stem, std::string_view base);

// "_rank_2", "-rank2" or "world_size_4" anywhere in the stem, between separators: returns the number and removes it
// from the stem.
std::optional<int> takeNumberedWord(std::string &stem, std::string_view word);
// The same for "rank", if it means the rank that owns the file; local_rank1 and tp_rank0_pp_rank1 alone do not.
std::optional<int> takeRankWord(std::string &stem);

}  // namespace rankdeck
