// SPDX-License-Identifier: GPL-3.0-or-later
// Parser of the Hugging Face Trainer's trainer_state.json. Rank 0 writes it last, so it is the de-facto commit mark of
// a checkpoint-N directory (transformers 4.46.3). It has the step, the epoch and the losses before the save. Python's
// json writes NaN and Infinity unquoted; both are accepted. Pure.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

struct TrainerState {
    std::int64_t globalStep = 0;
    std::optional<double> epoch = {};
    std::optional<std::int64_t> maxSteps = {};
    std::size_t losses = 0;                          // entries of log_history with a training loss
    std::optional<std::int64_t> nonFiniteStep = {};  // the first step at which the loss was NaN or Inf
    // The first losses as "step:loss", which all later checkpoints of one run repeat, and the last step with a loss.
    std::string firstLosses = {};
    std::int64_t lastLogged = 0;
    struct Jump {
        std::int64_t step = 0;
        double loss = 0, before = 0;
    };
    std::optional<Jump> jump = {};  // the last loss is several times the median of those before it
};

// Error invalid: cut, not JSON, or without a global_step.
Result<TrainerState> parseTrainerState(std::string_view bytes);

}  // namespace rankdeck
