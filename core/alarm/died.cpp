// SPDX-License-Identifier: GPL-3.0-or-later
// Alarm about dead ranks: a process that ended without its graceful-exit line or exit code 0 has died, even if other
// ranks died as well.
#include "core/alarm/rules.h"
#include "core/alarm/silence.h"

#include "core/base/text.h"

#include <algorithm>
#include <utility>

namespace rankdeck {
namespace {

// True if the scheduler ended all other ranks because of the first ones.
bool areCancelled(const Picture &picture, const std::vector<int> &first, const std::vector<int> &died)
{
    if (died.size() <= first.size()) return false;
    return std::all_of(died.begin() + static_cast<std::ptrdiff_t>(first.size()), died.end(), [&](int rank) {
        const RankState *state = alarm::stateOf(picture, rank);
        return state && causeRole(causeOf(*state)) == CauseRole::scheduler;
    });
}

// The headline about dead ranks. Ranks that died at the same time have no order.
Message diedFact(const Alarm &alarm, const Picture &picture)
{
    const std::size_t count = alarm.ranks.size();
    const Message who = count == 1 ? message("Rank %1 died", alarm.ranks.front())
                        : alarm.code == AlarmCode::jobDied && static_cast<int>(count) == alarm.of
                            ? message("All %1 ranks died", count)
                            : message("%1 of %2 ranks died", count, alarm.of);
    const bool notYet = picture.view.attempt > 0 && !alarm::lastStep(picture);
    const Message fact = alarm.step ? message("%1 at step %2", who, grouped(*alarm.step))
                         : notYet   ? message("%1 before the first step of attempt %2", who, picture.view.attempt + 1)
                                    : who;
    const std::vector<int> &first = picture.fates.diedFirst;
    return first.size() < count ? message("%1, %2 first", fact, alarm::ranksText(first, alarm.of)) : fact;
}

// The headline about victims of a rank that may still run: that rank is not known to have died.
Message gaveUpFact(const Alarm &alarm, double waited)
{
    const Message who = alarm::ranksStart(alarm.ranks, alarm.of), whom = alarm::ranksText(alarm.waitedFor, alarm.of);
    const Message fact = waited > 0 ? message("%1 gave up waiting for %2 after %3", who, whom, durationText(waited))
                                    : message("%1 gave up waiting for %2", who, whom);
    return message("%1 and ended", alarm.step ? message("%1 at step %2", fact, grouped(*alarm.step)) : fact);
}

Message silentText(const Alarm &alarm)
{
    const Message who = alarm::ranksStart(alarm.waitedFor, alarm.of);
    return alarm.waitedFor.size() == 1 ? message("%1 is silent and reports no error: check it first.", who)
                                       : message("%1 are silent and report no error: check them first.", who);
}

Message reasonText(const Alarm &alarm)
{
    const Message cause = causeText(alarm.cause);
    const Message &known = alarm.detail.empty() ? cause : alarm.detail;
    if (known.empty()) return {};
    if (alarm.detail.empty() || cause.empty()) return message("Reason: %1.", known);
    return isTellingSignal(alarm.cause) ? message("Reason: %1, %2.", alarm.detail, cause)
                                        : message("Reason: %1 (%2).", alarm.detail, cause);
}

// Text about the ranks that still run.
Message othersText(const Alarm &alarm)
{
    const Message culprits = alarm::ranksText(alarm.waitedFor, alarm.of);
    if (alarm.waitedFor.size() == 1)
        return message("They gave up waiting for %1, which is still running and hangs.", culprits);
    if (!alarm.waitedFor.empty()) return message("They gave up waiting for %1, which are still running.", culprits);
    if (alarm.stillRun == 0) return {};
    return alarm.stillRun == 1 ? message("1 other rank is still running.")
                               : message("%1 other ranks are still running.", alarm.stillRun);
}

// True if all of these ranks report the same text: then the text needs no rank.
bool sayTheSame(const Picture &picture, const std::vector<int> &ranks, const std::string &words)
{
    return std::all_of(ranks.begin(), ranks.end(), [&](int rank) {
        const RankState *state = alarm::stateOf(picture, rank);
        return state && printable(howItDied(*state)) == words;
    });
}

// True if no log shows how these ranks died. If a last line may still arrive, the answer is false.
bool areWithoutReason(const Picture &picture, const std::vector<int> &ranks)
{
    return std::all_of(ranks.begin(), ranks.end(), [&](int rank) {
        const RankState *state = alarm::stateOf(picture, rank);
        return state && howItDied(*state).empty() && !mayStillSpeak(*state, picture.now);
    });
}

// Text about the death of the newest attempt that had made steps. It stays visible after a failed start.
Message deathBefore(const Picture &picture)
{
    const JobState &view = picture.view;
    if (view.attempt < 1 || alarm::lastStep(picture)) return {};
    const auto followed = [](const Event &event) { return isConsequence(causeOf(event.text, std::nullopt)); };
    const Event *first = nullptr;
    for (const Event &event : view.recentEvents) {
        if (event.kind != EventKind::rankDied || event.rank < 0 || event.attempt >= view.attempt || !event.position)
            continue;
        const bool newer = first && event.attempt > first->attempt;
        const bool sooner = first && event.attempt == first->attempt &&
                            std::pair(followed(event), event.time) < std::pair(followed(*first), first->time);
        if (!first || newer || sooner) first = &event;
    }
    if (!first) return {};
    return message("Attempt %1 had died at step %2, at %3: rank %4, %5.", first->attempt + 1, grouped(*first->position),
                   clockTime(first->time), first->rank, alarm::firstLine(first->text));
}

// waitedForSilent: it is unknown whether the ranks run for which the others waited.
void setTexts(Alarm &alarm, const Picture &picture, const alarm::Contacts &heard, bool waitedForSilent)
{
    const std::vector<int> &first = picture.fates.diedFirst;
    const RankState *state = alarm::stateOf(picture, alarm.ranks.front());
    if (waitedForSilent) {
        const double waited = state && state->error ? waitedSeconds(state->error->text).value_or(0) : 0;
        alarm.fact = gaveUpFact(alarm, waited);
        alarm.rest = joined({silentText(alarm), heard.silentNodes.empty() ? Message() : alarm::unknownRanks(heard),
                             deathBefore(picture)});
        return;
    }
    alarm.fact = diedFact(alarm, picture);
    Message reason = reasonText(alarm);
    if (reason.empty() && areWithoutReason(picture, first))
        reason = first.size() == 1 ? message("Its log shows no reason.") : message("Their logs show no reason.");
    alarm.rest = joined(
        {reason, areCancelled(picture, first, alarm.ranks) ? message("The scheduler cancelled the others.") : Message(),
         othersText(alarm), alarm::unknownRanks(heard), deathBefore(picture)});
}

}  // namespace

std::vector<Alarm> diedAlarms(const Picture &picture)
{
    const Fates &fates = picture.fates;
    const bool ofTheAttemptBefore = picture.resume && picture.resume->running && !picture.resume->launched;
    if (fates.died.empty() || ofTheAttemptBefore) return {};
    Alarm alarm{.code = fates.allDied() ? AlarmCode::jobDied : AlarmCode::rankDied, .severity = Severity::alarm};
    alarm.ranks = fates.died;
    alarm.confirmed = static_cast<int>(fates.diedFirst.size());
    alarm.of = static_cast<int>(picture.view.ranks.size());
    alarm::Contacts heard = alarm::heardOf(picture);
    alarm.stillRun = static_cast<int>(heard.running.size());
    if (const RankState *first = alarm::stateOf(picture, fates.died.front())) {
        const bool stepped =
            first->progress.attempt == picture.view.attempt;  // otherwise its last step is from an earlier attempt
        alarm.since = stepped ? lastSign(*first) : first->goneSince;
        alarm.noticed = first->goneSince;
        if (stepped) alarm.step = first->progress.position;
        alarm.detail = printable(howItDied(*first));
        alarm.cause = causeOf(*first);
    }
    if (!alarm.detail.empty() && !sayTheSame(picture, fates.diedFirst, alarm.detail))
        alarm.detail = message("rank %1: %2", alarm.ranks.front(), alarm.detail);
    for (int rank : fates.died)
        if (const RankState *state = alarm::stateOf(picture, rank);
            state && std::find(alarm.nodes.begin(), alarm.nodes.end(), state->node) == alarm.nodes.end())
            alarm.nodes.push_back(state->node);
    alarm.waitedFor = alarm::givenUp(picture, heard);
    const bool noneRuns = alarm.waitedFor.empty();
    if (noneRuns) alarm.waitedFor = alarm::silentCulprits(picture);
    setTexts(alarm, picture, heard, noneRuns && !alarm.waitedFor.empty());
    alarm::takeUnknown(alarm, std::move(heard));
    alarm.fix = alarm::resumeFix(picture);
    alarm.acts = {AlarmAct::showFailure, AlarmAct::resume};
    return {alarm};
}

}  // namespace rankdeck
