// SPDX-License-Identifier: GPL-3.0-or-later
// Alarm about a resume whose new curve does not continue from the saved set.
#include "core/alarm/rules.h"

#include "core/base/text.h"

namespace rankdeck {

std::vector<Alarm> notProvenAlarms(const Picture &picture)
{
    if (!picture.resume || !picture.resume->notProven) return {};
    Alarm alarm{.code = AlarmCode::notProven, .severity = Severity::alarm};
    alarm.of = static_cast<int>(picture.view.ranks.size());
    alarm.fact = message("The resume is not proven");
    if (picture.resume->unprovenRank >= 0) {
        alarm.ranks = {picture.resume->unprovenRank};
        alarm.step = picture.resume->unprovenStep;
        const int rank = picture.resume->unprovenRank;
        alarm.fact = alarm.step ? message("Not proven: rank %1 started at step %2", rank, grouped(*alarm.step))
                                : message("Not proven: rank %1 shows no step yet", rank);
    }
    alarm.rest = alarm::sentence(picture.resume->text);
    alarm.fix = "Stop it gracefully, and check its log.";
    alarm.acts = {AlarmAct::stop, AlarmAct::showLog};
    return {alarm};
}

}  // namespace rankdeck
