// SPDX-License-Identifier: GPL-3.0-or-later
// Signs of some weights. They hardly change from one save to the next, and half of them agree with those of another run,
// of another rank's piece or of another tensor. So it is with which of an optimizer's second moments are the large ones.
// Pure; what is no weight or too short gives none.
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
    // As the evidence has them, for a file of that name: the second moments behind a name of their own.
    void takeInto(std::map<std::string, WeightSigns> &all, const std::string &name) const;
    // Of one file alone; nullptr: there are none.
    [[nodiscard]] std::shared_ptr<const std::map<std::string, WeightSigns>> ofFile() const;

private:
    WeightSigns m_signs, m_moments;
};

}  // namespace rankdeck
