// SPDX-License-Identifier: GPL-3.0-or-later
// A process that is gone without its graceful-exit line or exit code 0 has died, whoever else died.
#include "core/alarm/rules.h"

#include "core/base/text.h"

#include <algorithm>

namespace rankdeck {
namespace {

// "7 ranks gave up waiting for rank 6": when all who died were victims and somebody still runs.
std::string waitedFor(const Picture &picture, const Fates &fates)
{
    const bool allVictims = std::all_of(fates.died.begin(), fates.died.end(), [&](int rank) {
        const RankState *state = alarm::stateOf(picture, rank);
        return state && isConsequence(causeOf(*state));
    });
    if (!allVictims || fates.running.empty()) return {};
    const int all = static_cast<int>(picture.view.ranks.size());
    return " They gave up waiting for " + alarm::ranksText(fates.running, all) + ", which still " +
           (fates.running.size() == 1 ? "runs and hangs." : "run.");
}

std::string whatHappened(const Alarm &alarm)
{
    std::string text = alarm.detail;
    if (const std::string cause = causeText(alarm.cause); !cause.empty())
        text += text.empty() ? cause : " (" + cause + ")";
    return text;
}

std::string othersText(const Picture &picture, const Fates &fates)
{
    if (fates.died.size() == picture.view.ranks.size() || !fates.running.size()) return {};
    const bool one = fates.running.size() == 1;
    return " " + std::to_string(fates.running.size()) + (one ? " other rank still runs." : " other ranks still run.");
}

std::string headline(const Picture &picture, const Alarm &alarm)
{
    const std::string first = std::to_string(alarm.ranks.front());
    std::string text;
    if (alarm.ranks.size() == 1)
        text = "Rank " + first + " died";
    else if (alarm.code == AlarmCode::jobDied && static_cast<int>(alarm.ranks.size()) == alarm.of)
        text = "All " + std::to_string(alarm.of) + " ranks died";
    else
        text = std::to_string(alarm.ranks.size()) + " of " + std::to_string(alarm.of) + " ranks died";
    if (alarm.step) text += " at step " + grouped(*alarm.step);
    const std::string happened = whatHappened(alarm);
    if (!happened.empty()) text += ": " + happened;
    if (alarm.ranks.size() > 1) text += ", rank " + first + " first";
    const bool told = !happened.empty() || picture.fates.running.empty();
    return text + (told ? "." : " without a word in its log.");
}

}  // namespace

std::vector<Alarm> diedAlarms(const Picture &picture)
{
    const Fates &fates = picture.fates;
    const bool ofTheAttemptBefore = picture.resume && picture.resume->running && !picture.resume->launched;
    if (fates.died.empty() || ofTheAttemptBefore) return {};
    Alarm alarm{.code = fates.allDied() ? AlarmCode::jobDied : AlarmCode::rankDied, .severity = Severity::alarm};
    alarm.ranks = fates.died;
    alarm.of = static_cast<int>(picture.view.ranks.size());
    alarm.stillRun = static_cast<int>(fates.running.size());
    if (const RankState *first = alarm::stateOf(picture, fates.died.front())) {
        alarm.since = lastSign(*first);
        alarm.noticed = first->goneSince;
        alarm.step = first->progress.position;
        alarm.detail = printable(howItDied(*first));
        alarm.cause = causeOf(*first);
    }
    for (int rank : fates.died)
        if (const RankState *state = alarm::stateOf(picture, rank);
            state && std::find(alarm.nodes.begin(), alarm.nodes.end(), state->node) == alarm.nodes.end())
            alarm.nodes.push_back(state->node);
    const std::string waited = waitedFor(picture, fates);
    alarm.text = headline(picture, alarm) + (waited.empty() ? othersText(picture, fates) : waited);
    alarm.fix = alarm::resumeFix(picture);
    alarm.acts = {AlarmAct::showMoment, AlarmAct::resume};
    return {alarm};
}

}  // namespace rankdeck
