// SPDX-License-Identifier: GPL-3.0-or-later
// Alarm about dead ranks: a process that ended without its graceful-exit line or exit code 0 has died, even if other
// ranks died as well.
#include "core/alarm/rules.h"
#include "core/alarm/silence.h"

#include "core/base/text.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace rankdeck {
namespace {

std::string capital(std::string text)
{
    if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

// Headline if the dead ranks are victims of a rank that may still run: that rank is not known to have died.
std::string gaveUpText(const Alarm &alarm)
{
    std::vector<int> victims = alarm.ranks;
    std::sort(victims.begin(), victims.end());
    const std::string culprits = alarm::ranksText(alarm.waitedFor, alarm.of);
    const bool one = alarm.waitedFor.size() == 1;
    return capital(alarm::ranksText(victims, alarm.of)) + " gave up waiting for " + culprits +
           (alarm.seconds > 0 ? " after " + durationText(alarm.seconds) : std::string()) +
           (alarm.step ? " at step " + grouped(*alarm.step) : std::string()) + " and ended. " + capital(culprits) +
           (one ? " is silent and reports no error: check it first."
                : " are silent and report no error: check them first.");
}

// True if the scheduler ended all other ranks because of the first ones.
bool areCancelled(const Picture &picture, const std::vector<int> &first, const std::vector<int> &died)
{
    if (died.size() <= first.size()) return false;
    return std::all_of(died.begin() + static_cast<std::ptrdiff_t>(first.size()), died.end(), [&](int rank) {
        const RankState *state = alarm::stateOf(picture, rank);
        return state && causeRole(causeOf(*state)) == CauseRole::scheduler;
    });
}

std::string waitedText(const Alarm &alarm)
{
    return " They gave up waiting for " + alarm::ranksText(alarm.waitedFor, alarm.of) + ", which " +
           (alarm.waitedFor.size() == 1 ? "is still running and hangs." : "are still running.");
}

std::string whatHappened(const Alarm &alarm)
{
    const std::string cause = causeText(alarm.cause);
    if (alarm.detail.empty() || cause.empty()) return alarm.detail + cause;
    return alarm.detail + (isTellingSignal(alarm.cause) ? ", " + cause : " (" + cause + ")");
}

std::string runningText(const alarm::Contacts &heard)
{
    if (heard.running.empty()) return {};
    const bool one = heard.running.size() == 1;
    return " " + std::to_string(heard.running.size()) +
           (one ? " other rank is still running." : " other ranks are still running.");
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

// The death of the newest attempt that had made steps. It stays visible after a failed start.
std::optional<EarlierDeath> deathBefore(const Picture &picture)
{
    const JobState &view = picture.view;
    if (view.attempt < 1 || alarm::lastStep(picture)) return std::nullopt;
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
    if (!first) return std::nullopt;
    return EarlierDeath{first->attempt, first->rank, first->position, first->time, alarm::firstLine(first->text)};
}

std::string beforeText(const EarlierDeath &before)
{
    return " Attempt " + std::to_string(before.attempt + 1) + " had died at step " + grouped(before.step.value_or(0)) +
           ": rank " + std::to_string(before.rank) + ", " + before.how + ".";
}

std::string headline(const Picture &picture, Alarm &alarm)
{
    const std::vector<int> &first = picture.fates.diedFirst;
    const std::string rank = std::to_string(alarm.ranks.front());
    std::string text;
    if (alarm.ranks.size() == 1)
        text = "Rank " + rank + " died";
    else if (alarm.code == AlarmCode::jobDied && static_cast<int>(alarm.ranks.size()) == alarm.of)
        text = "All " + std::to_string(alarm.of) + " ranks died";
    else
        text = std::to_string(alarm.ranks.size()) + " of " + std::to_string(alarm.of) + " ranks died";
    if (alarm.step)
        text += " at step " + grouped(*alarm.step);
    else if (picture.view.attempt > 0 && alarm::lastStep(picture) == std::nullopt)
        text += " before the first step of this attempt";
    const std::string happened = whatHappened(alarm);
    if (!happened.empty()) text += ": " + happened;
    // Ranks that died at the same time have no order.
    const bool someFirst = first.size() < alarm.ranks.size();
    if (someFirst) text += ", " + alarm::ranksText(first, alarm.of) + " first";
    alarm.withoutReason = happened.empty() && areWithoutReason(picture, first);
    if (!alarm.withoutReason) return withoutStop(text) + ".";
    return text + (first.size() == 1 ? "; its log shows no reason." : "; their logs show no reason.");
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
        alarm.detail = "rank " + std::to_string(alarm.ranks.front()) + ": " + alarm.detail;
    for (int rank : fates.died)
        if (const RankState *state = alarm::stateOf(picture, rank);
            state && std::find(alarm.nodes.begin(), alarm.nodes.end(), state->node) == alarm.nodes.end())
            alarm.nodes.push_back(state->node);
    alarm.waitedFor = alarm::givenUp(picture, heard);
    if (alarm.waitedFor.empty()) {
        alarm.waitedFor = alarm::silentCulprits(picture);
        alarm.waitedForSilent = !alarm.waitedFor.empty();
    }
    if (const RankState *first = alarm::stateOf(picture, fates.died.front()); first && first->error)
        alarm.seconds = waitedSeconds(first->error->text).value_or(0);
    alarm.othersCancelled = areCancelled(picture, fates.diedFirst, fates.died);
    if (alarm.waitedForSilent)
        alarm.text = gaveUpText(alarm) + (heard.silentNodes.empty() ? std::string() : alarm::unknownRanksText(heard));
    else
        alarm.text = headline(picture, alarm) + (alarm.othersCancelled ? " The scheduler cancelled the others." : "") +
                     (alarm.waitedFor.empty() ? runningText(heard) : waitedText(alarm)) +
                     alarm::unknownRanksText(heard);
    alarm.before = deathBefore(picture);
    if (alarm.before) alarm.text += beforeText(*alarm.before);
    alarm.unheard = std::move(heard.unheard);
    alarm.silentNodes = std::move(heard.silentNodes);
    alarm.silentSeconds = heard.silentSeconds;
    alarm.fix = alarm::resumeFix(picture);
    alarm.acts = {AlarmAct::showFailure, AlarmAct::resume};
    return {alarm};
}

}  // namespace rankdeck
