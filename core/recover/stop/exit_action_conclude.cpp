// SPDX-License-Identifier: GPL-3.0-or-later
// End of an exit: the text of the proof, and the result of a cancel.
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/job/cluster_node.h"
#include "core/journal/journal.h"
#include "core/node/wait_for.h"
#include "core/recover/actions.h"
#include "core/recover/plan/plan_json.h"
#include "core/recover/stop/checks/response_time.h"
#include "core/recover/stop/escalate.h"
#include "core/recover/stop/exit_action.h"
#include "core/recover/stop/exit_facts.h"
#include "core/recover/stop_method.h"
#include "core/recover/wording.h"

#include <algorithm>
#include <thread>

namespace rankdeck {

namespace {

constexpr double mostSettleSeconds = 20;

Message unreadText(bool goesOn)
{
    return goesOn ? message("no rank had read the request, according to the logs; the run goes on.")
                  : message("no rank had read the request, according to the logs. A rank that read it after its last "
                            "log line shows that in its next line.");
}

}  // namespace

Message ExitAction::stoppedText() const
{
    const std::size_t ranks = m_proof.ranks.size();
    if (!m_proof.set)
        return message("All %1 ranks confirmed and are gone. No save was requested: the script's OnRequestExit has "
                       "save_ckpt=False.",
                       ranks);
    const Message set = m_proof.setStep ? terminalWords("set %1 of step %2", *m_proof.set, grouped(*m_proof.setStep))
                                        : message("set %1", *m_proof.set);
    if (isConfirmed(m_facts.way)) return message("All %1 ranks confirmed, saved %2 (VALID) and are gone.", ranks, set);
    return message("All %1 ranks saved %2 (VALID) and are gone; %3.", ranks, set, unprovableText(m_facts.way));
}

void ExitAction::conclude()
{
    if (m_proof.complete(m_facts.way) && m_escalated.empty()) {
        finish("stopped", joined({stoppedText(), m_flagLeft}));
        return;
    }
    const Message stillThere =
        m_stillThere.empty() ? Message() : message("May still be running: %1.", namesOf(m_stillThere));
    if (m_ladderEnded) {
        finish("cancel_too_late",
               joined({message("The stop was ended here; a signal that was already sent cannot be taken back."),
                       m_escalated, stillThere, m_flagLeft}));
        return;
    }
    std::vector<Message> text{missingText(m_proof, m_facts.way, secondsBetween(m_baseline.armedAt, wallNow()))};
    for (const RankExit &rank : m_proof.ranks)
        if (const auto unsent = m_baseline.unsent.find(rank.rank); unsent != m_baseline.unsent.end() && !rank.exited)
            text.push_back(message("Rank %1: %2.", rank.rank, unsent->second));
    text.push_back(m_escalated);
    text.push_back(stillThere);
    if (m_proof.allExited())
        text.push_back(
            message("All ranks are gone, but the stop is not proven: check the newest VALID set before resuming."));
    const auto holders = ranksThatMayHold(m_view, m_baseline);
    if (!m_proof.allExited() && !holders.empty()) {
        const Message who = ranksText(holders);
        text.push_back(
            !leavesAFile(m_facts.way) ? message("The signal cannot be taken back: %1 may still stop.", who)
            : m_flagLeft.empty()
                ? message("The stop request has been taken back, but %1 may still hold it.", who)
                : message("The stop request could not be taken back everywhere, and %1 may still hold it.", who));
    }
    text.push_back(m_flagLeft);
    finish("timed_out", joined(text));
}

// Another console or user has withdrawn the request before any rank answered. As after our own cancel, some ranks may
// have read the request.
void ExitAction::concludeTakenBack()
{
    m_armed = false;
    m_report.flagReset = true;
    record("taken_back", message("another program has taken the stop request back"));
    const Settled after = settleCancel();
    const Message taken = message("Another program or console has taken the request back while this console waited");
    if (m_proof.anyConfirmed())
        finish("cancel_too_late", message("%1, but ranks had already confirmed: the run is stopping.", taken));
    else if (after.holders.empty())
        finish("cancelled", message("%1: %2", taken, unreadText(after.goesOn)));
    else if (after.goesOn)
        finish("cancelled",
               message("%1; the run goes on, but %2 may still hold the request.", taken, ranksText(after.holders)));
    else
        finish("cancelled", message("%1; %2 may still hold the request.", taken, ranksText(after.holders)));
}

// Watches after the withdrawal until it is clear which ranks had read the request. goesOn: lines prove that the run
// continues. A rank that read the request between two of its lines shows this only with its next line. So a rank
// without new lines proves nothing.
ExitAction::Settled ExitAction::settleCancel()
{
    const JobState atReset = m_host.view();
    ExitBaseline since = m_baseline;
    since.positions.clear();
    for (const RankState &rank : atReset.ranks)
        if (rank.progress.position) since.positions[rank.rank] = *rank.progress.position;
    const double line = lineSeconds(atReset).value_or(1);
    const SteadyTime here = inSeconds(lineDelaySeconds);  // all lines written before the withdrawal have arrived
    const SteadyTime limit = inSeconds(std::clamp(3 * line + lineDelaySeconds, lineDelaySeconds, mostSettleSeconds));
    const auto isGone = [](const RankState &rank) { return rank.alive.isNo(); };
    Settled settled;
    for (bool first = true;; first = false) {
        m_view = m_host.view();
        m_proof = proveExit(m_view, m_baseline, wallNow(), m_proof.ranks);
        const SteadyTime now = steadyNow();
        if (first || now < here) settled.holders = ranksThatMayHold(m_view, m_baseline);
        if (first)
            for (const RankExit &rank : m_proof.ranks)
                if (rank.seen) settled.sure.insert(rank.rank);
        settled.goesOn = !std::all_of(m_view.ranks.begin(), m_view.ranks.end(), isGone) &&
                         std::all_of(m_view.ranks.begin(), m_view.ranks.end(), [&](const RankState &rank) {
                             return isGone(rank) || linesSince(m_view, rank, since).value_or(0) >= 3;
                         });
        if (m_proof.anyConfirmed() || settled.goesOn || now >= limit) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));  // waitForChange() returns at once after a stop
    }
    settled.goesOn = settled.goesOn && !m_proof.anyConfirmed();
    return settled;
}

ExitReport ExitAction::concludeCancel()
{
    putBack();
    if (!leavesAFile(m_facts.way))
        return finish("cancel_too_late", message("A signal that has reached a process cannot be taken back. The script "
                                                 "decides whether the ranks stop."));
    auto [goesOn, holders, sure] = settleCancel();
    std::vector<int> confirmed;
    bool anyRuns = false, allSure = true;
    for (const RankExit &rank : m_proof.ranks) {
        if (rank.confirmed) confirmed.push_back(rank.rank);
        anyRuns = anyRuns || !rank.exited;
        allSure = allSure && (rank.exited || sure.contains(rank.rank));
    }
    // A single process ends as soon as it has read the request. If it goes on, it has not read it.
    const bool unread = goesOn && m_view.ranks.size() == 1;
    if (unread) holders.clear();
    for (RankExit &rank : m_proof.ranks)
        rank.note = rank.confirmed ? message("had read the request and stops")
                    : rank.exited  ? message("was already gone")
                    : std::find(holders.begin(), holders.end(), rank.rank) != holders.end()
                        ? message("may still hold the request")
                    : unread ? message("had not read the request")
                             : message("no sign that it had read the request");
    m_report.ranks = m_proof.ranks;
    const Message takenBack = requestWords(m_facts.way).takenBack;
    const Message again = m_flagLeft.empty() ? message("%1.", takenBack) : m_flagLeft;
    if (!confirmed.empty()) {
        const bool all = confirmed.size() == m_proof.ranks.size();
        return finish(
            "cancel_too_late",
            joined({all ? message("All ranks had already confirmed the stop: the run is stopping.")
                        : message("%1 had already confirmed the stop: the run is stopping.", ranksText(confirmed)),
                    again}));
    }
    if (holders.empty())
        return finish("cancelled", joined({unread ? message("Cancelled: no rank had read the request; the run goes on.")
                                                  : message("Cancelled: %1", unreadText(goesOn)),
                                           m_flagLeft}));
    if (!goesOn && anyRuns && allSure)
        return finish("cancel_too_late", joined({message("All ranks had read the request, and MindSpore never drops a "
                                                         "request: the run stops at one of its next steps."),
                                                 again}));
    const Message reset = m_flagLeft.empty() ? takenBack : message("Not every request could be taken back");
    const Message who = ranksText(holders);
    return finish(
        "cancelled",
        joined(
            {goesOn
                 ? message("%1 and the run goes on, but %2 may still hold the request. The run stops as soon as every "
                           "rank has one.",
                           reset, who)
                 : message("%1, but %2 may still hold the request. The run stops as soon as every rank has one.", reset,
                           who),
             m_flagLeft}));
}

ExitReport ExitAction::cancel()
{
    m_kind = "cancel";
    m_view = m_host.view();
    m_report.journal = Journal::newActionId("cancel");
    auto facts = readExitFacts(m_host, m_view, m_report.journal, inSeconds(questionSeconds));
    if (!facts) return finish("refused", facts.error().message);
    m_facts = std::move(facts.value());
    m_report.way = m_baseline.way = m_facts.way;
    if (!leavesAFile(m_facts.way) && m_facts.way != StopMethod::none)
        return finish("refused", message("This job is stopped with a signal, which cannot be taken back."));
    // A file that is missing now may have been written by another console.
    const bool others = std::any_of(m_facts.consoles.begin(), m_facts.consoles.end(),
                                    [](const ExitElsewhere &other) { return other.kind == "exit"; });
    for (ConfigCopy &copy : m_facts.copies) copy.asked = others && !copy.flag;
    const auto [armed, unknown, problem] = requestsOf(m_facts.copies);
    if (armed.empty() && !unknown.empty())
        return finish("refused", message("Nothing was taken back: %1 on %2%3.", requestWords(m_facts.way).mayStand,
                                         namesText(unknown), problem));
    for (ConfigCopy &copy : m_facts.copies) {
        copy.asked = !copy.flag || copy.flag->armed;
        if (!copy.flag || !copy.flag->armed) continue;
        m_baseline.armedRanks.insert(copy.ranks.begin(), copy.ranks.end());
        if (copy.content) m_baseline.armedNs[copy.node] = copy.content->stat.mtimeNs;
    }
    if (armed.empty())
        return finish("cancelled", message("%1: there is nothing to cancel.", requestWords(m_facts.way).nowhere));
    if (auto plan = planFlag(m_facts.copies, false)) m_report.plan.nodes = std::move(plan.value());
    if (!record("planned", message("the request has been taken back on %1", namesText(armed)),
                planToJson(m_report.plan)))
        return finish("refused", refusalsText(m_report.preflight));
    m_armed = true;
    // Ranks that began a step after the file was written, by the node's clock, may have read the request.
    const double line = std::max(lineSeconds(m_view).value_or(1), 0.001);
    const std::int64_t gap = std::max<std::int64_t>(1, stepsPerLine(m_view));
    for (const RankState &rank : m_view.ranks)
        if (const auto since =
                m_baseline.armedNs.find(m_facts.way == StopMethod::configMap ? clusterNodeName : rank.node);
            since != m_baseline.armedNs.end() && rank.progress.position) {
            const double trained = secondsBetween(wallFromNs(since->second), rank.progress.heard);
            const auto lines = trained <= 0 ? 0 : std::max<std::int64_t>(1, static_cast<std::int64_t>(trained / line));
            m_baseline.positions[rank.rank] = *rank.progress.position - lines * gap;
        }
    return concludeCancel();
}

}  // namespace rankdeck
