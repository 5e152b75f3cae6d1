// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/read/weight_signs.h"

#include "core/checkpoint/read/weight_sample.h"

#include <algorithm>

namespace rankdeck {
namespace {

constexpr std::size_t maxSignedTensors = 16, maxSigns = 64, fewestOfVector = 32;

char signOf(std::string_view value)
{
    const auto top = static_cast<unsigned char>(value.back());
    const bool zero = (top & 0x7f) == 0 && value.find_first_not_of('\0') >= value.size() - 1;
    return zero ? '0' : top & 0x80 ? '-' : '+';
}

// A vector may be a scale, which has one sign and says nothing, or weights that a framework keeps in one flat piece.
bool isMixed(std::string_view signs)
{
    const auto plus = std::size_t(std::count(signs.begin(), signs.end(), '+'));
    const auto minus = std::size_t(std::count(signs.begin(), signs.end(), '-'));
    return signs.size() >= fewestOfVector && 4 * std::min(plus, minus) >= signs.size();
}

// The weights themselves under an optimizer's name: ZeRO keeps a copy of its own beside its moments, and of a Keras model
// that is saved with its optimizer TensorFlow finds the weights there first.
bool areWeights(std::string_view name)
{
    for (const std::string_view part :
         {"fp32_flat_groups", "single_partition_of_fp32_groups", "optimizer/_trainable_variables/"})
        if (name.find(part) != std::string_view::npos) return true;
    return !mayHoldZeros(name);
}

}  // namespace

// Moments of optimizers change their signs all the time; biases begin at zero.
void SignSample::add(std::string_view name, std::string_view type, std::uint64_t rowBytes, std::string_view values)
{
    const std::size_t width = floatWidth(type);
    const std::size_t count = width == 0 ? 0 : values.size() / width;
    if (count == 0 || m_signs.size() >= maxSignedTensors || !areWeights(name)) return;
    std::string signs;
    const std::size_t wanted = std::min(count, maxSigns);
    for (std::size_t i = 0; i < wanted; ++i) signs += signOf(values.substr(i * count / wanted * width, width));
    if (rowBytes == 0 && !isMixed(signs)) return;
    m_signs.emplace(std::string(name) + " " + std::to_string(values.size()), std::move(signs));
}

std::shared_ptr<const std::map<std::string, WeightSigns>> SignSample::ofFile() const
{
    if (m_signs.empty()) return nullptr;
    return std::make_shared<const std::map<std::string, WeightSigns>>(
        std::map<std::string, WeightSigns>{{std::string(), m_signs}});
}

}  // namespace rankdeck
