// SPDX-License-Identifier: GPL-3.0-or-later
// Signs of some weights. They hardly change from one save to the next, and half of them agree with those of another run,
// of another rank's piece or of another tensor. Pure; what is no weight or too short gives none.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace rankdeck {

class SignSample {
public:
    // A run of values of that tensor; of each tensor and length the first one counts. rowBytes: as in WeightSpan.
    void add(std::string_view name, std::string_view type, std::uint64_t rowBytes, std::string_view values);
    [[nodiscard]] const WeightSigns &signs() const { return m_signs; }
    // As the evidence of one file has them; nullptr: there are none.
    [[nodiscard]] std::shared_ptr<const std::map<std::string, WeightSigns>> ofFile() const;

private:
    WeightSigns m_signs;
};

}  // namespace rankdeck
