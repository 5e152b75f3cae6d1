// SPDX-License-Identifier: GPL-3.0-or-later
// Loss lines of PyTorch scripts, Hugging Face, Megatron, Keras and Estimator, and the plain "step 120 loss 2.31" of
// everybody else, as real runs wrote them. Training losses only: val_loss, eval_loss and train_loss are no samples. Pure,
// but for the epoch that Keras prints on a line of its own.
#pragma once

#include "core/parse/lines/mindspore_lines.h"
#include "core/parse/lines/sample.h"

#include <string_view>
#include <vector>

namespace rankdeck {

// "Epoch: [1][ 2/6]\tTime …\tLoss 7.0842e-01 (1.0744e+00)": indices from 0, which become counts from 1.
Match parseImageNet(std::string_view line, Sample &sample);
// "{'loss': 4.1646, 'grad_norm': 0.66, 'learning_rate': 0.0008, 'epoch': 0.5}"; stepsPerEpoch 0: not known
Match parseTrainerDict(std::string_view line, Sample &sample, std::int64_t stepsPerEpoch);
// " iteration      100/     500 | … | lm loss: 2.5E+00 | loss scale: 1.0 | grad norm: 1.0 |"
Match parseMegatron(std::string_view line, Sample &sample);
// "INFO:tensorflow:loss = 0.16, step = 40 (0.011 sec)"
Match parseEstimator(std::string_view line, Sample &sample);
// A line with a loss and a step (or iteration) by name, in any order.
Match parseGeneric(std::string_view line, Sample &sample);

struct KerasEpoch {
    std::int64_t number = 0, total = 0;
};
// "Epoch 2/4"; number 0: it is no such line
KerasEpoch parseKerasEpoch(std::string_view line);
// One physical line: "\r1/3 [==>…] - ETA: 0s - loss: 1.9443\b\b\r3/3 […] - 1s 127ms/step - loss: 1.3164 - val_loss: …", or
// the line of verbose=2. One sample for each update.
Match parseKeras(std::string_view line, const KerasEpoch &epoch, std::vector<Sample> &samples);

}  // namespace rankdeck
