// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/read/weight_signs.h"

#include "core/checkpoint/read/weight_sample.h"

#include "core/checkpoint/codec/bytes.h"
#include "core/checkpoint/thresholds.h"

#include <algorithm>
#include <vector>

namespace rankdeck {
namespace {

constexpr std::size_t maxSignedTensors = 16, maxMoments = 8, maxSigns = 64;

char signOf(std::string_view value)
{
    const auto top = static_cast<unsigned char>(value.back());
    const bool zero = (top & 0x7f) == 0 && value.find_first_not_of('\0') >= value.size() - 1;
    return zero ? '0' : top & 0x80 ? '-' : '+';
}

// A vector may be a scale, whose values all have one sign and prove nothing. It may also be weights that a framework
// keeps in one flat tensor.
bool isMixed(std::string_view signs)
{
    const auto plus = std::size_t(std::count(signs.begin(), signs.end(), '+'));
    const auto minus = std::size_t(std::count(signs.begin(), signs.end(), '-'));
    return signs.size() >= threshold::fewestOfVector && 4 * std::min(plus, minus) >= signs.size();
}

// True for weights whose names look like an optimizer's. ZeRO keeps its own copy of the weights beside its moments. In
// a Keras model that was saved with its optimizer, TensorFlow finds the weights under the optimizer first.
bool areWeights(std::string_view name)
{
    for (const std::string_view part :
         {"fp32_flat_groups", "single_partition_of_fp32_groups", "optimizer/_trainable_variables/"})
        if (name.find(part) != std::string_view::npos) return true;
    return !mayHoldZeros(name);
}

// Adam's mean of squared gradients, by the names of torch, MindSpore, Paddle and TensorFlow.
bool isSecondMoment(std::string_view name)
{
    for (const std::string_view part : {"exp_avg_sq", "adam_v.", "moment2"})
        if (name.find(part) != std::string_view::npos) return true;
    return name.ends_with("/Adam_1") || name.ends_with("/v/.ATTRIBUTES/VARIABLE_VALUE");
}

// For each value, on which side of the median it is. The bit patterns of non-negative values have the same order as the
// values. Empty: too few values, or one is negative.
std::string sidesOfMiddle(const std::vector<std::string_view> &values)
{
    std::vector<std::uint64_t> all;
    for (const std::string_view value : values) {
        const std::uint64_t bits = littleEndian(value, 0, value.size()).value_or(0);
        if ((bits >> (8 * value.size() - 1)) != 0) return {};
        all.push_back(bits);
    }
    std::vector<std::uint64_t> ordered;
    std::copy_if(all.begin(), all.end(), std::back_inserter(ordered), [](std::uint64_t bits) { return bits != 0; });
    if (ordered.size() < threshold::fewestOfVector) return {};
    const auto middle = ordered.begin() + std::ptrdiff_t(ordered.size() / 2);
    std::nth_element(ordered.begin(), middle, ordered.end());
    if (*std::min_element(ordered.begin(), middle) == *middle) return {};  // practically equal: no order to compare
    std::string sides;
    for (const std::uint64_t bits : all) sides += bits == 0 ? '0' : bits >= *middle ? '+' : '-';
    return sides;
}

}  // namespace

// First moments of optimizers change their signs all the time; biases begin at zero.
void SignSample::add(std::string_view name, std::string_view type, std::uint64_t rowBytes, std::string_view values)
{
    const std::size_t width = floatWidth(type);
    const std::size_t count = width == 0 ? 0 : values.size() / width;
    if (count == 0) return;
    const std::size_t wanted = std::min(count, maxSigns);
    const auto valueAt = [&](std::size_t i) { return values.substr(i * count / wanted * width, width); };
    if (isSecondMoment(name) && m_moments.size() < maxMoments) {
        std::vector<std::string_view> all;
        for (std::size_t i = 0; i < wanted; ++i) all.push_back(valueAt(i));
        if (std::string sides = sidesOfMiddle(all); !sides.empty())
            m_moments.emplace(std::string(name) + " " + std::to_string(values.size()), std::move(sides));
    }
    if (m_signs.size() >= maxSignedTensors || !areWeights(name)) return;
    std::string signs;
    for (std::size_t i = 0; i < wanted; ++i) signs += signOf(valueAt(i));
    if (rowBytes == 0 && !isMixed(signs)) return;
    m_signs.emplace(std::string(name) + " " + std::to_string(values.size()), std::move(signs));
}

void SignSample::takeInto(std::map<std::string, WeightSigns> &all, const std::string &name) const
{
    if (!m_signs.empty()) all.emplace(name, m_signs);
    if (!m_moments.empty()) all.emplace(name + secondMoments, m_moments);
}

std::shared_ptr<const std::map<std::string, WeightSigns>> SignSample::ofFile() const
{
    std::map<std::string, WeightSigns> all;
    takeInto(all, {});
    return all.empty() ? nullptr : std::make_shared<const std::map<std::string, WeightSigns>>(std::move(all));
}

}  // namespace rankdeck
