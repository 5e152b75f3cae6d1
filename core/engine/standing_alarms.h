// SPDX-License-Identifier: GPL-3.0-or-later
// Current alarms, from check to check. Each begin and end is reported once, and a hang a second time when the hanging
// ranks are known. An alarm that disappears only for a short time, for example while a set is being judged, neither
// ends nor begins again. Pure; never fails.
#pragma once

#include "core/engine.h"

#include <optional>
#include <vector>

namespace rankdeck {

class StandingAlarms {
public:
    std::vector<AlarmChange> look(const std::vector<Alarm> &alarms, WallTime now);
    // Whether an alarm has disappeared but not ended yet: then time alone can end it, with the next check.
    [[nodiscard]] bool awaitEnds() const;

private:
    struct Standing {
        Alarm alarm;
        WallTime seen = {};
        std::optional<WallTime> missed = {};  // time since when it is not raised any more
    };
    [[nodiscard]] static AlarmChange endOf(const Standing &one);
    bool nowNamesSuspects(const Alarm &alarm);

    std::vector<Standing> m_standing;
};

}  // namespace rankdeck
