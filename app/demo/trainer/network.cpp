// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/trainer/network.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rankdeck::demo {
namespace {

constexpr std::array<int, 4> widths = {pictureSize, 128, 64, classCount};
constexpr std::size_t layers = widths.size() - 1;

struct Layer {
    int in, out;
    std::size_t weight, bias;  // offsets in the vector of all weights
};

std::array<Layer, layers> shape()
{
    std::array<Layer, layers> result{};
    std::size_t at = 0;
    for (std::size_t i = 0; i < layers; ++i) {
        result[i] = {widths[i], widths[i + 1], at, at + static_cast<std::size_t>(widths[i]) * widths[i + 1]};
        at = result[i].bias + static_cast<std::size_t>(widths[i + 1]);
    }
    return result;
}

void forward(const Layer &layer, const std::vector<float> &all, const float *input, float *output, bool relu)
{
    for (int o = 0; o < layer.out; ++o) {
        const float *row = all.data() + layer.weight + static_cast<std::size_t>(o) * layer.in;
        float sum = all[layer.bias + static_cast<std::size_t>(o)];
        for (int k = 0; k < layer.in; ++k) sum += row[k] * input[k];
        output[o] = relu && sum < 0 ? 0.0F : sum;
    }
}

// delta: gradient at this layer's output. Fills inputDelta (unless null) and adds to gradients.
void backward(const Layer &layer, const std::vector<float> &all, const float *input, const float *delta,
              float *inputDelta, std::vector<float> &gradients)
{
    if (inputDelta) std::fill(inputDelta, inputDelta + layer.in, 0.0F);
    for (int o = 0; o < layer.out; ++o) {
        const std::size_t row = layer.weight + static_cast<std::size_t>(o) * layer.in;
        for (int k = 0; k < layer.in; ++k) gradients[row + k] += delta[o] * input[k];
        gradients[layer.bias + static_cast<std::size_t>(o)] += delta[o];
        if (inputDelta)
            for (int k = 0; k < layer.in; ++k) inputDelta[k] += delta[o] * all[row + k];
    }
    if (inputDelta)
        for (int k = 0; k < layer.in; ++k)
            if (input[k] == 0.0F) inputDelta[k] = 0.0F;  // input is the ReLU of the layer before
}

// Turns logits into the derivative of the mean loss; returns the loss of this picture.
double softmaxLoss(float *logits, int label, int batch)
{
    const float top = *std::max_element(logits, logits + classCount);
    double sum = 0;
    for (int i = 0; i < classCount; ++i) sum += std::exp(static_cast<double>(logits[i]) - top);
    const double loss = std::log(sum) - (static_cast<double>(logits[label]) - top);
    for (int i = 0; i < classCount; ++i) {
        const double share = std::exp(static_cast<double>(logits[i]) - top) / sum;
        logits[i] = static_cast<float>((share - (i == label ? 1.0 : 0.0)) / batch);
    }
    return loss;
}

}  // namespace

Network::Network(std::uint64_t seed)
{
    Draws draws(seed ^ 0x77656967687473ULL);
    for (std::size_t i = 0; i < layers; ++i) {
        const Layer layer = shape()[i];
        const std::string name = "fc" + std::to_string(i + 1);
        m_parameters.push_back({name + ".weight", {layer.out, layer.in}, layer.weight, layer.bias - layer.weight});
        m_parameters.push_back({name + ".bias", {layer.out}, layer.bias, static_cast<std::size_t>(layer.out)});
        const double scale = std::sqrt(1.0 / layer.in);
        for (std::size_t k = layer.weight; k < layer.bias; ++k)
            m_weights.push_back(static_cast<float>(scale * draws.normal()));
        m_weights.resize(m_weights.size() + static_cast<std::size_t>(layer.out), 0.0F);
    }
}

float Network::lossAndGradients(const Batch &batch, std::vector<float> &gradients) const
{
    const auto net = shape();
    gradients.assign(m_weights.size(), 0.0F);
    std::array<std::vector<float>, layers> outputs, deltas;
    for (std::size_t i = 0; i < layers; ++i) {
        outputs[i].resize(static_cast<std::size_t>(net[i].out));
        deltas[i].resize(static_cast<std::size_t>(net[i].out));
    }
    double loss = 0;
    const auto count = static_cast<int>(batch.labels.size());
    for (int n = 0; n < count; ++n) {
        const float *picture = batch.pictures.data() + static_cast<std::size_t>(n) * pictureSize;
        for (std::size_t i = 0; i < layers; ++i)
            forward(net[i], m_weights, i == 0 ? picture : outputs[i - 1].data(), outputs[i].data(), i + 1 < layers);
        deltas[layers - 1] = outputs[layers - 1];
        loss += softmaxLoss(deltas[layers - 1].data(), batch.labels[static_cast<std::size_t>(n)], count);
        for (std::size_t i = layers; i-- > 0;)
            backward(net[i], m_weights, i == 0 ? picture : outputs[i - 1].data(), deltas[i].data(),
                     i == 0 ? nullptr : deltas[i - 1].data(), gradients);
    }
    return static_cast<float>(loss / count);
}

void Optimizer::apply(std::vector<float> &weights, const std::vector<float> &gradients)
{
    moments.resize(weights.size(), 0.0F);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        moments[i] = moments[i] * momentum + gradients[i];
        weights[i] -= learningRate * moments[i];
    }
    ++globalStep;
}

}  // namespace rankdeck::demo
