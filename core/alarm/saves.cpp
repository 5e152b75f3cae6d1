// SPDX-License-Identifier: GPL-3.0-or-later
// Alarms about saves that fail, and saves that are overdue.
#include "core/alarm/rules.h"

#include "core/base/text.h"

#include <algorithm>

namespace rankdeck {
namespace {

bool saysFull(const Event &event) { return causeOf(event.text, std::nullopt) == FailureCause::diskFull; }

bool failsToSave(const Event &event, int attempt)
{
    return event.kind == EventKind::error && event.attempt == attempt && event.rank >= 0 &&
           (saysFull(event) || isOfASave(event.text));
}

// Ranks that failed to save at that step, ascending; independent of the order in which their events were read.
std::vector<int> whoFailed(const Picture &picture, const Event &first)
{
    std::vector<int> ranks;
    for (const Event &event : picture.view.recentEvents)
        if (failsToSave(event, first.attempt) && event.position == first.position) ranks.push_back(event.rank);
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

Alarm failedSave(const Picture &picture, const Event &event, bool full)
{
    Alarm alarm{.code = full ? AlarmCode::diskFull : AlarmCode::saveFailed, .severity = Severity::alarm};
    alarm.since = event.time;
    alarm.of = static_cast<int>(picture.view.ranks.size());
    alarm.ranks = whoFailed(picture, event);
    for (int rank : alarm.ranks)
        if (const RankState *state = alarm::stateOf(picture, rank);
            state && std::find(alarm.nodes.begin(), alarm.nodes.end(), state->node) == alarm.nodes.end())
            alarm.nodes.push_back(state->node);
    alarm.step = event.position;
    alarm.detail = alarm::firstLine(event.text);
    alarm.cause = full ? FailureCause::diskFull : FailureCause::unknown;
    alarm.fact = message("%1, %2", full ? message("The disk is full") : message("A save failed"),
                         alarm::ranksText(alarm.ranks, alarm.of));
    if (alarm.nodes.size() == 1) alarm.fact = message("%1 on %2", alarm.fact, printable(alarm.nodes.front()));
    if (alarm.step) alarm.fact = message("%1 at step %2", alarm.fact, grouped(*alarm.step));
    if (!alarm.detail.empty()) alarm.rest = message("Reason: %1.", alarm.detail);
    alarm.fix = full ? "Free space there before the next save; the file being written is incomplete."
                     : "Check its log; the file being written may be incomplete.";
    alarm.acts = {AlarmAct::showLog};
    return alarm;
}

// A console that started after a resume counts only the attempts that it saw, while the files may show more. Therefore
// a set with a higher attempt number does not belong to an earlier attempt.
bool isOfThisAttempt(const Picture &picture, const CheckpointSet &set) { return set.attempt >= picture.view.attempt; }

// The first failed save of this attempt that no complete set has followed.
std::vector<Alarm> failedSaves(const Picture &picture)
{
    std::optional<std::int64_t> good;
    for (const CheckpointSet &set : picture.view.checkpoints.sets)
        if (isOfThisAttempt(picture, set) && set.verdict == Verdict::valid && set.position)
            good = std::max(good.value_or(*set.position), *set.position);
    const Event *first = nullptr;
    for (const Event &event : picture.view.recentEvents) {
        if (!failsToSave(event, picture.view.attempt) || (event.position && good && *good > *event.position)) continue;
        if (first && (event.position != first->position || saysFull(*first))) continue;
        if (!first || saysFull(event)) first = &event;  // among the events of one save, the event that names the cause
    }
    if (first) return {failedSave(picture, *first, saysFull(*first))};
    return {};
}

// The next save may have no room, and the rank that saves would then die. As long as the run trains, the operator can
// still make room.
std::vector<Alarm> roomlessSaves(const Picture &picture)
{
    if (picture.fullDisk.empty() || !picture.fates.anyRuns()) return {};
    Alarm alarm{.code = AlarmCode::diskFull, .which = AlarmCase::nextSave, .severity = Severity::warn};
    alarm.of = static_cast<int>(picture.view.ranks.size());
    alarm.step = alarm::lastStep(picture);
    alarm.fact = message("The next save may run out of space");
    alarm.rest = message("Reason: %1.", alarm::firstLine(picture.fullDisk));
    alarm.fix = "Free space there before the next save; a rank that cannot save dies.";
    alarm.acts = {AlarmAct::showStop};
    return {alarm};
}

// The usual distance between the saves of this attempt: the median of the newest; empty until there are three saves.
std::optional<std::int64_t> usualDistance(const Picture &picture, std::int64_t &newest)
{
    std::vector<std::int64_t> at;
    for (const CheckpointSet &set : picture.view.checkpoints.sets)
        if (isOfThisAttempt(picture, set) && set.kind == CheckpointKind::periodic && set.position)
            at.push_back(*set.position);
    std::sort(at.begin(), at.end());
    at.erase(std::unique(at.begin(), at.end()), at.end());
    if (at.size() < 3) return std::nullopt;
    newest = at.back();
    std::vector<std::int64_t> apart;
    for (std::size_t i = at.size() > 6 ? at.size() - 6 : 1; i < at.size(); ++i) apart.push_back(at[i] - at[i - 1]);
    std::sort(apart.begin(), apart.end());
    return apart[apart.size() / 2];
}

std::vector<Alarm> overdueSaves(const Picture &picture)
{
    if (!picture.settled || !picture.fates.anyRuns() || !picture.view.checkpoints.settled) return {};
    // A node that is not listed may have the set that seems to be missing.
    for (const NodeStatus &node : picture.view.nodes)
        if (node.state != NodeState::live) return {};
    std::int64_t newest = 0;
    const std::optional<std::int64_t> apart = usualDistance(picture, newest);
    const std::optional<std::int64_t> last = alarm::lastStep(picture);
    if (!apart || !last || *last - newest <= 2 * *apart + *apart / 2) return {};
    Alarm alarm{.code = AlarmCode::saveOverdue};
    alarm.of = static_cast<int>(picture.view.ranks.size());
    alarm.step = newest;
    alarm.seconds = static_cast<double>(*last - newest) * picture.view.stepSeconds.value_or(0);
    alarm.fact = message("No save since step %1, %2 steps ago", grouped(newest), grouped(*last - newest));
    alarm.rest = message("Usually there is one every %1 steps.", grouped(*apart));
    alarm.fix = "Check the logs and the disk.";
    alarm.acts = {AlarmAct::showLog};
    return {alarm};
}

}  // namespace

std::vector<Alarm> saveAlarms(const Picture &picture)
{
    std::vector<Alarm> all = failedSaves(picture);
    if (all.empty()) all = roomlessSaves(picture);
    for (Alarm &alarm : overdueSaves(picture)) all.push_back(std::move(alarm));
    return all;
}

}  // namespace rankdeck
