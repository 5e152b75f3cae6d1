// SPDX-License-Identifier: GPL-3.0-or-later
// Alarms that last from check to check. Each begin and end is reported once; a hang is reported a second time when the
// hanging ranks become known. An alarm that disappears only briefly, for example while a set is being judged, does not
// end. Pure; never fails.
#pragma once

#include "core/engine.h"

#include <optional>
#include <vector>

namespace rankdeck {

class StandingAlarms {
public:
    std::vector<AlarmChange> look(const std::vector<Alarm> &alarms, WallTime now);
    // True if an alarm has disappeared but has not ended yet: then the next check may end it, even without news.
    [[nodiscard]] bool awaitEnds() const;

private:
    struct Standing {
        Alarm alarm;
        WallTime seen = {};
        std::optional<WallTime> missed = {};  // time since when the alarm is no longer raised
    };
    [[nodiscard]] static AlarmChange endOf(const Standing &one);
    bool nowNamesSuspects(const Alarm &alarm);

    std::vector<Standing> m_standing;
};

}  // namespace rankdeck
