// SPDX-License-Identifier: GPL-3.0-or-later
// Which alarms hold, from look to look: what began and what ended is told once, and a hang again when it is known who hangs. What stops for a moment, as when a set is
// being judged, neither ends nor begins anew. Pure; never fails.
#pragma once

#include "core/engine.h"

#include <optional>
#include <vector>

namespace rankdeck {

class StandingAlarms {
public:
    std::vector<AlarmChange> look(const std::vector<Alarm> &alarms, WallTime now);
    // Whether one does not hold that has not ended yet: then time alone can end it, with the next look.
    [[nodiscard]] bool awaitEnds() const;

private:
    struct Standing {
        Alarm alarm;
        WallTime seen = {};
        std::optional<WallTime> missed = {};  // since when it does not hold
    };
    [[nodiscard]] static AlarmChange endOf(const Standing &one);
    bool nowNamesSuspects(const Alarm &alarm);

    std::vector<Standing> m_standing;
};

}  // namespace rankdeck
