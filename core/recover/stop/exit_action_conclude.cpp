// SPDX-License-Identifier: GPL-3.0-or-later
// End of an exit: the proof in words, and the result of a cancel.
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

std::string unreadText(bool goesOn)
{
    return std::string("no rank had read it, according to the logs") +
           (goesOn ? "; the run goes on."
                   : "; a rank that read it after its last log line shows that in its next one.");
}

}  // namespace

Message ExitAction::stoppedText(const std::string &left) const
{
    const std::size_t ranks = m_proof.ranks.size();
    if (!m_proof.set)
        return message("All %1 ranks confirmed and are gone. No save was requested: the script's OnRequestExit has "
                       "save_ckpt=False.%2",
                       ranks, left);
    const Message set = m_proof.setStep ? terminalWords("set %1 of step %2", *m_proof.set, grouped(*m_proof.setStep))
                                        : message("set %1", *m_proof.set);
    if (isConfirmed(m_facts.way))
        return message("All %1 ranks confirmed, saved %2 (VALID) and are gone.%3", ranks, set, left);
    return message("All %1 ranks saved %2 (VALID) and are gone. %3.%4", ranks, set, unprovableText(m_facts.way), left);
}

void ExitAction::conclude()
{
    const double waited = secondsBetween(m_baseline.armedAt, wallNow());
    const std::string left = m_flagLeft.empty() ? "" : " " + m_flagLeft;
    if (m_proof.complete(m_facts.way) && m_escalated.empty()) {
        finish("stopped", stoppedText(left));
        return;
    }
    std::string text = missingText(m_proof, m_facts.way, waited);
    for (const RankExit &rank : m_proof.ranks)
        if (const auto unsent = m_baseline.unsent.find(rank.rank); unsent != m_baseline.unsent.end() && !rank.exited)
            text += " Rank " + std::to_string(rank.rank) + ": " + unsent->second + ".";
    text += m_escalated;
    if (!m_stillThere.empty()) text += " May still be running: " + namesOf(m_stillThere) + ".";
    if (m_ladderEnded) {
        finish("cancel_too_late",
               "The stop ended at this point; a signal that was sent cannot be taken back." + m_escalated +
                   (m_stillThere.empty() ? "" : " May still be running: " + namesOf(m_stillThere) + ".") + left);
        return;
    }
    if (m_proof.allExited())
        text += " All ranks are gone, but the stop is not proven: check the newest VALID set before resuming.";
    const auto holders = ranksThatMayHold(m_view, m_baseline);
    if (!m_proof.allExited() && !holders.empty())
        text += leavesAFile(m_facts.way)
                    ? (m_flagLeft.empty() ? " The flag has been taken back, but "
                                          : " The flag should have been taken back, and ") +
                          ranksText(holders) + " may still hold the request."
                    : " What was sent cannot be taken back: " + ranksText(holders) + " may still stop.";
    finish("timed_out", text + left);
}

// Another console or user has withdrawn the request before any rank answered: the same question as after our own
// cancel.
void ExitAction::concludeTakenBack()
{
    m_armed = false;
    m_report.flagReset = true;
    record("taken_back", "another program has put the flag back");
    const Settled after = settleCancel();
    const std::string text = "Another program or console has taken the request back while this one waited";
    if (m_proof.anyConfirmed()) {
        finish("cancel_too_late", text + ", but ranks had already confirmed: the run is stopping.");
        return;
    }
    finish("cancelled", text + (after.holders.empty() ? ": " + unreadText(after.goesOn)
                                                      : (after.goesOn ? "; the run goes on, but " : "; ") +
                                                            ranksText(after.holders) + " may still hold the request."));
}

// Watches after the withdrawal until it is clear which ranks had read the request. goesOn: the run demonstrably
// continues. A rank that read it between two of its lines shows that only with its next line; no line proves nothing.
ExitAction::Settled ExitAction::settleCancel()
{
    const JobState atReset = m_host.view();
    ExitBaseline since = m_baseline;
    since.positions.clear();
    for (const RankState &rank : atReset.ranks)
        if (rank.progress.position) since.positions[rank.rank] = *rank.progress.position;
    const double line = lineSeconds(atReset).value_or(1);
    const SteadyTime here = inSeconds(lineDelaySeconds);  // for everything written before the withdrawal
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
        return finish("cancel_too_late", "A signal that has reached a process cannot be taken back. "
                                         "The script decides whether the ranks stop.");
    auto [goesOn, holders, sure] = settleCancel();
    std::vector<int> confirmed;
    bool anyRuns = false, allSure = true;
    for (const RankExit &rank : m_proof.ranks) {
        if (rank.confirmed) confirmed.push_back(rank.rank);
        anyRuns = anyRuns || !rank.exited;
        allSure = allSure && (rank.exited || sure.contains(rank.rank));
    }
    // A single process ends as soon as it has read the request: if it goes on, it has not.
    const bool unread = goesOn && m_view.ranks.size() == 1;
    if (unread) holders.clear();
    for (RankExit &rank : m_proof.ranks)
        rank.note = rank.confirmed ? "had read it, and stops"
                    : rank.exited  ? "was already gone"
                    : std::find(holders.begin(), holders.end(), rank.rank) != holders.end()
                        ? "may still hold the request"
                    : unread ? "had not read it"
                             : "no sign that it had read it";
    m_report.ranks = m_proof.ranks;
    const std::string left = m_flagLeft.empty() ? "" : " " + m_flagLeft;
    const std::string takenBack = requestWords(m_facts.way).takenBack;
    const std::string again = m_flagLeft.empty() ? " " + takenBack + "." : left;
    if (!confirmed.empty())
        return finish("cancel_too_late",
                      (confirmed.size() == m_proof.ranks.size() ? "All ranks" : ranksText(confirmed)) +
                          " had already confirmed the stop: the run is stopping." + again);
    if (holders.empty())
        return finish("cancelled",
                      "Cancelled: " + (unread ? "no rank had read it; the run goes on." : unreadText(goesOn)) + left);
    if (!goesOn && anyRuns && allSure)
        return finish(
            "cancel_too_late",
            "All ranks had read it, and MindSpore does not forget a request: the run stops at one of its next steps." +
                again);
    const std::string reset = m_flagLeft.empty() ? takenBack : "Not every request could be taken back";
    return finish("cancelled",
                  reset + (goesOn ? " and the run goes on, but " : ", but ") + ranksText(holders) +
                      " may still hold the request: when the other ranks are armed again, the run stops at once." +
                      left);
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
        return finish("refused", "This job is stopped with a signal, which cannot be taken back.");
    // A missing file may be one that another console has written to.
    const bool others = std::any_of(m_facts.consoles.begin(), m_facts.consoles.end(),
                                    [](const ExitElsewhere &other) { return other.kind == "exit"; });
    for (ConfigCopy &copy : m_facts.copies) copy.asked = others && !copy.flag;
    const auto [armed, unknown, problem] = requestsOf(m_facts.copies);
    if (armed.empty() && !unknown.empty())
        return finish("refused", std::string("Nothing was taken back: ") + requestWords(m_facts.way).mayStand + " on " +
                                     namesText(unknown) + problem + ".");
    for (ConfigCopy &copy : m_facts.copies) {
        copy.asked = !copy.flag || copy.flag->armed;
        if (!copy.flag || !copy.flag->armed) continue;
        m_baseline.armedRanks.insert(copy.ranks.begin(), copy.ranks.end());
        if (copy.content) m_baseline.armedNs[copy.node] = copy.content->stat.mtimeNs;
    }
    if (armed.empty())
        return finish("cancelled", std::string(requestWords(m_facts.way).nowhere) + ": there is nothing to cancel.");
    if (auto plan = planFlag(m_facts.copies, false)) m_report.plan.nodes = std::move(plan.value());
    if (!record("planned", "the request has been taken back on " + namesText(armed), planToJson(m_report.plan)))
        return finish("refused", refusalsText(m_report.preflight));
    m_armed = true;
    // Ranks that took a step after the file was written, by the node's clock, may have read it.
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
