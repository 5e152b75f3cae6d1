// SPDX-License-Identifier: GPL-3.0-or-later
// Force stops of an exit. The list in the report is exactly the list that is signalled.
#include "core/base/deadline.h"
#include "core/base/text.h"
#include "core/recover/host/proc_details.h"
#include "core/recover/stop/escalate.h"
#include "core/recover/stop/exit_action.h"
#include "core/recover/stop_method.h"
#include "core/recover/wording.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr double listSeconds = 3;  // time limit for the list while the exit waits; it is read again
constexpr double listEverySeconds = 5;
constexpr double termSeconds = 30;
constexpr double killSeconds = 15;
constexpr double lastWordsSeconds = 5;

Message lostWorkText(const LostWork &lost)
{
    if (!lost.known) return message("the lost work is unknown");
    return message("this loses %1 steps (%2)", grouped(lost.steps), durationText(lost.seconds));
}

ExitRung *rungOf(ExitReport &report, Signal signal)
{
    const std::string name = signal == Signal::kill ? "kill" : "term";
    const auto rung = std::find_if(report.ladder.begin(), report.ladder.end(),
                                   [&](const ExitRung &other) { return other.name == name; });
    return rung == report.ladder.end() ? nullptr : &*rung;
}

// A process on a node that did not answer keeps its last state: unknown is not gone.
void keepUnanswered(ProcessSnapshot &now, const ProcessSnapshot &before)
{
    for (auto &[name, node] : now.nodes) {
        const auto last = before.nodes.find(name);
        if (!node.problem || last == before.nodes.end()) continue;
        node = last->second;
        for (RankProcess &rank : now.ranks)
            for (const RankProcess &known : before.ranks)
                if (rank.node == name && known.rank == rank.rank) rank = known;
    }
}

}  // namespace

// Updates the target processes while the exit waits, so that the list that the operator confirms matches the running
// processes.
void ExitAction::refreshLadder()
{
    m_ladderDue = inSeconds(listEverySeconds);
    ProcessSnapshot now = askProcesses(m_host, m_view, inSeconds(listSeconds));
    keepUnanswered(now, m_facts.processes);
    m_facts.processes = std::move(now);
    std::vector<ExitRung> ladder = exitLadder(m_view, m_facts, {});
    if (!m_report.ladder.empty()) ladder.front() = m_report.ladder.front();
    m_report.ladder = std::move(ladder);
}

std::vector<ProcessTarget> ExitAction::currentTargets(Signal signal)
{
    refreshLadder();
    const ExitRung *rung = rungOf(m_report, signal);
    return rung ? rung->targets : std::vector<ProcessTarget>{};
}

// Carries out force stops: those that the operator confirms one by one, otherwise those in the options, the gentlest
// first.
void ExitAction::escalate()
{
    while (m_rung) {
        ConfirmedRung rung = *std::exchange(m_rung, {});
        if (!takeRung(rung.signal, std::move(rung.targets))) return;
    }
    if (m_options.escalate.empty()) return;
    std::vector<Signal> signals{Signal::term};
    if (m_options.escalate == "kill") signals.push_back(Signal::kill);
    for (const Signal signal : signals) {
        if (m_proof.complete(m_facts.way) || m_proof.allExited()) return;
        std::vector<ProcessTarget> list = currentTargets(signal);
        if (const Message other = newerAttempt(); !other.empty()) {
            record("ladder_ended", other);
            m_escalated = joined({m_escalated, other});
            return;
        }
        if (!takeRung(signal, std::move(list))) return;
    }
}

// The confirmation does not cover a later attempt: that needs its own list and its own click.
Message ExitAction::newerAttempt() const
{
    for (const RankProcess &rank : m_facts.processes.ranks) {
        if (!rank.alive.isYes() || !rank.process || rank.process->launchId.empty()) continue;
        const std::string action = launchingAction(*rank.process);
        if (!m_attempts.empty() && !m_attempts.contains(action))
            return message("Another attempt of this job has been started since (%1, rank %2, pid %3): no signal was "
                           "sent.",
                           printable(action), rank.rank, rank.process->id.pid);
    }
    return {};
}

// False if the operator has ended the escalation at this point.
bool ExitAction::takeRung(Signal signal, std::vector<ProcessTarget> list)
{
    if (list.empty()) return true;
    const auto appeared = appearedSince(list, currentTargets(signal));
    if (ExitRung *rung = rungOf(m_report, signal)) {
        rung->targets = list;
        for (const Finding &finding : rung->findings) m_report.preflight.push_back(finding);
    }
    tell("escalating");
    const Message price = lostWorkText(m_view.lostWork);
    if (!record("escalating", message("%1; %2", signalledText(list, signal), price), targetsJson(list))) return false;
    sendSignals(m_host, list, signal, inSeconds(questionSeconds));
    record("signalled", signalledText(list, signal), targetsJson(list));
    m_escalated = joined({m_escalated, message("%1; %2.", signalledText(list, signal), price)});
    if (!appeared.empty())
        m_escalated =
            joined({m_escalated, message("No signal was sent to processes that appeared after the list was made: %1.",
                                         namesOf(appeared))});
    m_report.cancellable = false;
    m_report.text = m_escalated;
    tell("escalating");
    if (!waitGone(std::move(list), signal == Signal::kill ? killSeconds : termSeconds)) return m_rung.has_value();
    // Collects the ranks' last output.
    const SteadyTime until = inSeconds(lastWordsSeconds);
    while (watchOnce() && !m_proof.allExited() && steadyNow() < until)
        m_host.waitForChange(std::min(until, inSeconds(1)));
    return true;
}

// Waits until none of the processes runs or the time is over: returns true. Returns false if the operator ends the wait
// or confirms another force stop.
bool ExitAction::waitGone(std::vector<ProcessTarget> list, double seconds)
{
    const SteadyTime deadline = inSeconds(seconds);
    while (true) {
        eraseGone(m_host, list);
        m_stillThere = list;
        if (list.empty() || steadyNow() >= deadline) return true;
        if ((m_rung = m_host.takeConfirmedRung())) return false;
        if (m_host.stopRequested()) {
            m_ladderEnded = true;
            record("ladder_ended", message("may still be running: %1", namesOf(list)), targetsJson(list));
            return false;
        }
        m_host.waitForChange(std::min(deadline, inSeconds(0.5)));
    }
}

}  // namespace rankdeck
