// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/lines/sample.h"

namespace rankdeck {

const char *eventKindName(EventKind kind)
{
    switch (kind) {
    case EventKind::error: return "error";
    case EventKind::warning: return "warning";
    case EventKind::nan: return "nan";
    case EventKind::gracefulExit: return "graceful_exit";
    case EventKind::resumed: return "resumed";
    case EventKind::uce: return "uce";
    case EventKind::hcce: return "hcce";
    case EventKind::ttp: return "ttp";
    case EventKind::repaired: return "repaired";
    case EventKind::epochTime: return "epoch_time";
    case EventKind::waits: return "waits";
    case EventKind::started: return "started";
    case EventKind::rankDied: return "rank_died";
    case EventKind::saved: return "saved";
    case EventKind::setJudged: return "set_judged";
    case EventKind::nodeChanged: return "node_changed";
    case EventKind::attemptStarted: return "attempt_started";
    case EventKind::alarm: return "alarm";
    case EventKind::action: return "action";
    }
    return "error";
}

}  // namespace rankdeck
