// SPDX-License-Identifier: GPL-3.0-or-later
// Signs of some weights. Between two saves they hardly change. Compared with another run, another rank's piece or
// another tensor, only half of them agree. Whether an optimizer's second moment is large behaves in the same way. Pure;
// short tensors and tensors that are not weights give no signs.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace rankdeck {

class SignSample {
public:
    // Adds a run of values of that tensor; only the first run of each tensor and length counts. rowBytes: as in
    // WeightSpan.
    void add(std::string_view name, std::string_view type, std::uint64_t rowBytes, std::string_view values);
    // Adds the signs to the evidence's map, for a file of that name; second moments get a separate name.
    void takeInto(std::map<std::string, WeightSigns> &all, const std::string &name) const;
    // Signs of one file alone; nullptr: none.
    [[nodiscard]] std::shared_ptr<const std::map<std::string, WeightSigns>> ofFile() const;

private:
    WeightSigns m_signs, m_moments;
};

}  // namespace rankdeck
