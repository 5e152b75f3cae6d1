// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/output/status_words.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace rankdeck::ctl {

std::string deviceTimeText(double hours)
{
    const double seconds = std::max(0.0, hours) * 3600;
    if (seconds < 94.5) return std::to_string(std::llround(seconds)) + " device-seconds";
    if (hours < 0.95) return std::to_string(std::llround(seconds / 60)) + " device-minutes";
    char text[32];
    std::snprintf(text, sizeof text, "%.1f device-hours", hours);
    return text;
}

std::string alarmText(const Alarm &alarm)
{
    const char *const head = alarm.severity == Severity::alarm  ? "ALARM: "
                             : alarm.severity == Severity::warn ? "warning: "
                                                                : "note: ";
    return head + printable(alarm.text()) + (alarm.fix.empty() ? "" : " " + printable(alarm.fix));
}

std::string lostText(const LostWork &lost)
{
    if (!lost.known) return "not known yet";
    const bool timed = lost.seconds > 0 || lost.steps == 0;  // else the duration of a step is unknown
    const std::string asOf = lost.asOf ? ", at the last contact, " + clockTime(*lost.asOf) : "";
    return (lost.atMost && !lost.asOf ? "at most " : "") + grouped(lost.steps) +
           (lost.steps == 1 ? " step" : " steps") +
           (timed ? ", " + durationText(lost.seconds) + ", " + deviceTimeText(lost.deviceHours) : "") +
           (lost.since    ? " since step " + grouped(*lost.since) + (lost.fromKept ? ", which is kept" : "")
            : lost.atMost ? ": no set is known to be VALID"
                          : ": nothing VALID to go back to") +
           asOf;
}

const char *lostCaption(const Picture &picture)
{
    const Fates &fates = picture.fates;
    if (fates.running.empty() && fates.unknown.empty() && fates.leaving.empty())
        return picture.view.lostWork.fromKept           ? "lost with the newest kept set"
               : picture.view.checkpoints.newestValid() ? "lost with the newest VALID set"
                                                        : "lost";
    if (!fates.died.empty()) return "lost already";
    if (fates.running.empty() && fates.leaving.empty()) return "lost if it has died";
    for (const RankState &rank : picture.view.ranks) {
        if (rank.progress.attempt == picture.view.attempt && isBroken(rank.progress))
            return "lost already";  // sets saved from now on contain the damage, too
    }
    return "lost if it dies now";
}

// The addition for nodes that cannot be listed: ", newer sets are unknown: node0 not listed since 04:59:48".
std::string unlistedText(const CheckpointReport &report)
{
    if (report.unlistedNodes.empty() || !report.unlistedSince) return {};
    std::string nodes;
    for (const std::string &node : report.unlistedNodes) nodes += (nodes.empty() ? "" : ", ") + printable(node);
    return ", newer sets are unknown: " + nodes + " not listed since " + clockTime(*report.unlistedSince);
}

std::vector<std::string> keptLines(const KeptSets &kept)
{
    std::vector<std::string> lines;
    for (const KeptSet &set : kept.sets)
        lines.push_back("kept: " + printable(set.id) + (set.position ? ", step " + grouped(*set.position) : "") + ", " +
                        bytesText(bytesOf(set)) +
                        (set.whole.isYes()  ? ", complete"
                         : set.whole.isNo() ? ", incomplete: " + printable(set.problem)
                                            : ", may be incomplete: " + printable(set.problem)));
    if (kept.listing != KeptListing::listed)
        lines.push_back("kept: the list is incomplete: " + printable(kept.problem));
    return lines;
}

const char *fateText(Fate fate)
{
    switch (fate) {
    case Fate::unknown: return "process unknown";
    case Fate::leaving: return "gone, waiting for its last lines";
    case Fate::ended: return "not running";
    default: return fateName(fate);
    }
}

}  // namespace rankdeck::ctl
