// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/read/weight_signs.h"

#include "core/checkpoint/read/weight_sample.h"

#include <algorithm>

namespace rankdeck {
namespace {

constexpr std::size_t maxSignedTensors = 16, maxSigns = 64;

char signOf(std::string_view value)
{
    const auto top = static_cast<unsigned char>(value.back());
    const bool zero = (top & 0x7f) == 0 && value.find_first_not_of('\0') >= value.size() - 1;
    return zero ? '0' : top & 0x80 ? '-' : '+';
}

}  // namespace

// Vectors are biases and scales, which have one sign; moments of optimizers change theirs all the time.
void SignSample::add(std::string_view name, std::string_view type, std::uint64_t rowBytes, std::string_view values)
{
    const std::size_t width = floatWidth(type);
    const std::size_t count = width == 0 ? 0 : values.size() / width;
    if (count == 0 || rowBytes == 0 || m_signs.size() >= maxSignedTensors || mayHoldZeros(name)) return;
    const auto [at, added] = m_signs.emplace(std::string(name) + " " + std::to_string(values.size()), std::string());
    if (!added) return;
    const std::size_t wanted = std::min(count, maxSigns);
    for (std::size_t i = 0; i < wanted; ++i) at->second += signOf(values.substr(i * count / wanted * width, width));
}

std::shared_ptr<const std::map<std::string, WeightSigns>> SignSample::ofFile() const
{
    if (m_signs.empty()) return nullptr;
    return std::make_shared<const std::map<std::string, WeightSigns>>(
        std::map<std::string, WeightSigns>{{std::string(), m_signs}});
}

}  // namespace rankdeck
