// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of several saves in the layouts that frameworks document, made of files as they write them. All trained values
// change slowly from save to save: hardly a weight changes its sign, and the large second moments stay large.
#pragma once

#include "tests/core/verdict/mutations.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rankdeck::test {

// A run and its current state, for the writers below.
struct Training {
    unsigned run = 0;  // a different number is another run of the same program
    double peak = 0.5;
    int world = 2;
    std::vector<std::int64_t> steps = {10, 20, 30, 40};
    std::int64_t perEpoch = 1000;  // steps per epoch
    std::int64_t batch = 8;
    [[nodiscard]] double rateAt(std::int64_t step) const { return peak / (1.0 + 0.01 * double(step)); }
};

// 64 values that continue from step to step; part distinguishes ranks, shards and tensors.
std::vector<float> weightsAt(const Training &training, std::int64_t step, unsigned part);
std::vector<float> firstMoments(const Training &training, std::int64_t step, unsigned part);
std::vector<float> secondMoments(const Training &training, std::int64_t step, unsigned part);
// torch.save of a model, of an optimizer, and of torchdata's StatefulDataLoader.
std::string modelFile(const Training &training, std::int64_t step, unsigned part, const std::string &name = "archive");
std::string optimizerFile(const Training &training, std::int64_t step, unsigned part,
                          const std::string &name = "archive", double rate = 0);  // 0: rate of the training
std::string loaderFile(const Training &training, std::int64_t step);
struct NamedValues {
    std::string name;
    std::vector<float> values;
};
std::string safetensorsFile(const std::vector<NamedValues> &tensors, std::int64_t globalStep = -1);

Files accelerateRun(const Training &training);        // step_N/{model.safetensors, optimizer.bin, …}
Files diffusersRun(const Training &training);         // checkpoint-N/{unet, unet_ema, optimizer.bin, …}
Files splitRun(const Training &training);             // step_N/{model.pt, optim.pt, …} saved by a custom script
Files verlRun(const Training &training);              // global_step_N/actor/…, data.pt
Files colossalRun(const Training &training);          // epoch0-stepN/{modeling, optimizer}/…
Files mindformersRun(const Training &training);       // iteration_N/…
Files torchtuneRun(const Training &training);         // epoch_N/…, recipe_state/recipe_state.pt
Files distributedRun(const Training &training);       // step-N/{.metadata, __R_0.distcp}, as torchtitan's
Files distributedPartsRun(const Training &training);  // step_N/{model, optim}/…, FSDP2 saved by a script
Files paddleRun(const Training &training);            // checkpoint-N/…, unified

}  // namespace rankdeck::test
