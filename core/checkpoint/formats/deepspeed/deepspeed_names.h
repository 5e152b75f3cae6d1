// SPDX-License-Identifier: GPL-3.0-or-later
// Names of the files in a DeepSpeed tag directory. Facts: runtime/engine.py and checkpoint/constants.py, 0.3 to 0.18;
// real files of 0.15.4. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

struct DeepspeedName {
    enum class What { model, zeroModel, optim, layer, expert, expertOptim };
    What what = What::model;
    int mp = -1;                  // model-parallel rank
    int dp = -1;                  // data-parallel rank: zeroModel, optim; expert-parallel rank of expertOptim
    int layer = -1, expert = -1;  // layer, expert
    std::string flavour = {};     // optim: "bf16_", "fp16_" or empty; layer: "-model_00"
    bool underscore = true;       // optim: "…_optim_states", not "…optim_states"
};

std::optional<DeepspeedName> parseDeepspeedName(std::string_view baseName);
// "mp_rank_03_model_states.pt", "bf16_zero_pp_rank_2_mp_rank_00_optim_states.pt" …
std::string deepspeedName(const DeepspeedName &name);

}  // namespace rankdeck
