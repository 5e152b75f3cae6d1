// SPDX-License-Identifier: GPL-3.0-or-later
// Median and the limits of the middle 80 % of one value per rank, with linear interpolation. Pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace rankdeck {

struct Quantiles {
    float median = 0, low = 0, high = 0;
};

// values: finite, at least one. Reorders them.
inline Quantiles quantilesOf(std::vector<float> &values)
{
    auto from = values.begin();  // no value before it is larger
    const auto percentile = [&](double share) {
        const double at = share * static_cast<double>(values.size() - 1);
        const auto below = static_cast<std::size_t>(at);
        const float rest = static_cast<float>(at - static_cast<double>(below));
        const auto place = values.begin() + static_cast<std::ptrdiff_t>(below);
        if (place >= from) {
            std::nth_element(from, place, values.end());
            from = place + 1;
        }
        if (rest == 0 || from == values.end()) return *place;
        return *place + (*std::min_element(from, values.end()) - *place) * rest;
    };
    Quantiles quantiles;
    quantiles.low = percentile(0.1);
    quantiles.median = percentile(0.5);
    quantiles.high = percentile(0.9);
    return quantiles;
}

}  // namespace rankdeck
