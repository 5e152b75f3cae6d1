// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/alarm_json.h"

#include "core/base/text.h"

namespace rankdeck::ctl {

Json alarmJson(const Alarm &alarm)
{
    const Message text = printable(alarm.text());
    Json out{{"code", alarmCodeName(alarm.code)},
             {"severity", severityName(alarm.severity)},
             {"since", alarm.since ? Json(isoTime(*alarm.since)) : Json(nullptr)},
             {"ranks", alarm.ranks},
             {"nodes", Json::array()},
             {"text", text},
             {"fix", printable(alarm.fix)}};
    if (const std::string parts = text.encoded(); !parts.empty()) out["message"] = Json::parse(parts);
    for (const std::string &node : alarm.nodes) out["nodes"].push_back(validUtf8(node));
    if (!alarm.set.empty()) {
        out["set"] = validUtf8(alarm.set);
        out["set_kept"] = alarm.setKept;
        out["put_back"] = alarm.putBack;
    }
    if (alarm.cause != FailureCause::unknown) {
        const char *role = causeRoleName(causeRole(alarm.cause));
        out["cause"] = {{"code", causeCode(alarm.cause)},
                        {"role", role ? Json(role) : Json(nullptr)},
                        {"waited_for", alarm.waitedFor}};
    }
    if (alarm.noticed) out["noticed"] = isoTime(*alarm.noticed);
    return out;
}

}  // namespace rankdeck::ctl
