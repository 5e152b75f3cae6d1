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
    alarm.text = "The resume is not proven";
    if (picture.resume->unprovenRank >= 0) {
        alarm.ranks = {picture.resume->unprovenRank};
        alarm.step = picture.resume->unprovenStep;
        alarm.text = "Not proven: rank " + std::to_string(alarm.ranks.front()) +
                     (alarm.step ? " started at step " + grouped(*alarm.step) : " shows no step yet");
    }
    alarm.detail = printable(picture.resume->text);
    if (!alarm.detail.empty()) alarm.text += ". " + alarm.detail;
    alarm.fix = "Stop it gracefully, and check its log.";
    alarm.acts = {AlarmAct::stop, AlarmAct::showLog};
    return {alarm};
}

}  // namespace rankdeck
