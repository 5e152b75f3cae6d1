// SPDX-License-Identifier: GPL-3.0-or-later
// A three-layer perceptron (64 → 128 → 64 → 10, 17,226 weights, ReLU, softmax cross entropy) and a momentum optimizer.
// Parameter names, Dense layout ([out, in]) and optimizer formula are MindSpore's. Arithmetic has a fixed order: the
// same weights and data give the same bits. Cannot fail; NaN is passed on.
#pragma once

#include "app/demo/trainer/dataset.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rankdeck::demo {

struct Parameter {
    std::string name;
    std::vector<std::int64_t> dims;
    std::size_t offset = 0;  // in the flat vector of all weights
    std::size_t count = 0;
};

class Network {
public:
    explicit Network(std::uint64_t seed);
    [[nodiscard]] const std::vector<Parameter> &parameters() const { return m_parameters; }
    [[nodiscard]] std::vector<float> &weights() { return m_weights; }
    [[nodiscard]] const std::vector<float> &weights() const { return m_weights; }
    // Returns the mean loss of the batch; overwrites gradients.
    float lossAndGradients(const Batch &batch, std::vector<float> &gradients) const;

private:
    std::vector<Parameter> m_parameters;
    std::vector<float> m_weights;
};

struct Optimizer {
    float learningRate = 0.01F;
    float momentum = 0.9F;
    std::int32_t globalStep = 0;
    std::vector<float> moments = {};
    void apply(std::vector<float> &weights, const std::vector<float> &gradients);
};

}  // namespace rankdeck::demo
