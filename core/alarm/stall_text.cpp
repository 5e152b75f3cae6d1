// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences about ranks that are silent: how the suspects differ from the others, or why there are none.
#include "core/alarm/silence.h"

#include "core/base/text.h"

namespace rankdeck::alarm {
namespace {

// The suspects wait elsewhere than the others, or compute while these wait.
Message differText(const Stall &stall, const Message &who, bool one)
{
    if (stall.where.empty())
        return one ? message("%1 is computing, the others are waiting in %2: it may hang or be evaluating.", who,
                             stall.othersWhere)
                   : message("%1 are computing, the others are waiting in %2: they may hang or be evaluating.", who,
                             stall.othersWhere);
    if (stall.othersWhere.empty())
        return one ? message("%1 is waiting in %2, the others are computing: it may hang.", who, stall.where)
                   : message("%1 are waiting in %2, the others are computing: they may hang.", who, stall.where);
    return one ? message("%1 is waiting in %2, the others in %3: it may hang.", who, stall.where, stall.othersWhere)
               : message("%1 are waiting in %2, the others in %3: they may hang.", who, stall.where, stall.othersWhere);
}

Message suspectText(const Stall &stall, int all)
{
    const bool one = stall.suspects.size() == 1;
    const Message who = ranksStart(stall.suspects, all);
    const std::string at = grouped(stall.behindAt.value_or(0)), othersAt = grouped(stall.othersAt.value_or(0));
    switch (stall.which) {
    case AlarmCase::isStopped:
        return one ? message("%1 is stopped by a signal (state T): it hangs.", who)
                   : message("%1 are stopped by a signal (state T): they hang.", who);
    case AlarmCase::waitsForDisk:
        return one ? message("%1 is waiting for its disk or file server (state D): it hangs.", who)
                   : message("%1 are waiting for their disk or file server (state D): they hang.", who);
    case AlarmCase::isBehind:
        return one ? message("%1 is at step %2, the others at %3: it hangs.", who, at, othersAt)
                   : message("%1 are at step %2, the others at %3: they hang.", who, at, othersAt);
    case AlarmCase::differs: return differText(stall, who, one);
    case AlarmCase::wasGivenUp:
        return one ? message("%1 is still running, and the others gave up waiting for it: it hangs.", who)
                   : message("%1 are still running, and the others gave up waiting for them: they hang.", who);
    default: return {};
    }
}

}  // namespace

Message stallText(const Stall &stall, const Alarm &alarm, bool mayGoOn)
{
    if (stall.which == AlarmCase::isDeserted)
        return message(
            "No rank is running: no process of the job is left on its nodes, and no log ends with an exit line.");
    if (stall.which == AlarmCase::isUnseen)
        return message("No rank process found; cannot tell whether the job is running.");
    if (!stall.suspects.empty())
        return joined({suspectText(stall, alarm.of), stall.which == AlarmCase::isStopped && mayGoOn
                                                         ? message("SIGCONT lets it continue, and nothing is lost.")
                                                         : Message()});
    if (alarm.which == AlarmCase::peersLeft) {
        const Message who = ranksStart(alarm.waitedFor, alarm.of);
        return alarm.waitedFor.size() == 1
                   ? message("%1 has exited; the remaining ranks may be waiting for it.", who)
                   : message("%1 have exited; the remaining ranks may be waiting for them.", who);
    }
    if (!alarm.waitedFor.empty())
        return message("Surviving ranks are waiting for %1, which died.", ranksText(alarm.waitedFor, alarm.of));
    if (!alarm.silentNodes.empty() || stall.silent.size() < 2) return {};
    if (!stall.looked) return message("No rank stands out yet.");
    return stall.someCompute ? message("Some ranks are computing; none stands out. They may be evaluating, or their "
                                       "logs are no longer written.")
                             : message("All ranks are waiting; none stands out.");
}

}  // namespace rankdeck::alarm
