// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/stop/exit_action.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/journal/journal.h"
#include "core/node/wait_for.h"
#include "core/recover/actions.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/plan/plan_json.h"
#include "core/recover/stop/checks/response_time.h"
#include "core/recover/stop/escalate.h"
#include "core/recover/stop/exit_consoles.h"
#include "core/recover/stop/exit_facts.h"
#include "core/recover/stop/exit_plan.h"
#include "core/recover/stop_method.h"
#include "core/recover/wording.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace rankdeck {

namespace {

constexpr double proofSeconds = 45;    // after the end of the last process: time to read its log and judge its files
constexpr double lastSaveSeconds = 6;  // time for a later save, after the exit's own file has completed the proof

std::string fingerprint(const ExitReport &report)
{
    std::string print = std::string(report.phase.word()) + "|" + report.outcome.word() + "|" + report.set.value_or("") +
                        "|" + report.text;
    for (const ExitRung &rung : report.ladder)
        for (const ProcessTarget &target : rung.targets)
            print += "|" + std::to_string(target.process.pid) + "." + std::to_string(target.process.startTicks);
    for (const RankExit &rank : report.ranks)
        print += "|" + std::to_string(rank.armed) + std::to_string(rank.seen) + std::to_string(rank.confirmed) +
                 std::to_string(rank.exited) + rank.savedPath +
                 std::to_string(rank.savedVerdict ? static_cast<int>(*rank.savedVerdict) : -1) + rank.note;
    return print;
}

// Describes how a rank has changed; empty: it has not.
Message changeOf(const RankExit &now, const RankExit &before)
{
    Message text;
    const auto add = [&](bool is, bool was, const Message &what, const Message &by) {
        if (!is || was) return;
        const Message change = by.empty() ? what : message("%1 (%2)", what, by);
        text = text.empty() ? change : message("%1, %2", text, change);
    };
    add(now.seen, before.seen, message("has read the request"), now.seenBy);
    add(now.confirmed, before.confirmed, message("confirmed"), now.confirmedBy);
    add(!now.savedPath.empty() && now.savedPath != before.savedPath, false, message("saved"), now.savedBy);
    add(now.exited, before.exited, message("gone"), now.exitedBy);
    return text;
}

}  // namespace

ExitAction::ExitAction(ActionContext &host, ExitOptions options, ExitProgress progress)
    : m_host(host), m_options(std::move(options)), m_progress(std::move(progress))
{
    m_report.started = wallNow();
}

void ExitAction::tell(ExitPhase phase)
{
    m_report.phase = phase;
    const std::string print = fingerprint(m_report);
    if (print == m_told || !m_progress) return;
    m_told = print;
    m_progress(m_report);
}

JournalEntry ExitAction::entryOf(const std::string &state, const Message &text, const std::string &data) const
{
    return {.action = m_report.journal,
            .job = m_view.job.name,
            .file = m_view.job.file,
            .kind = m_kind,
            .state = state,
            .text = text,
            .data = data};
}

bool ExitAction::record(const std::string &state, const Message &text, const std::string &data)
{
    const Status kept = m_host.journal().append(entryOf(state, text, data));
    if (!kept)
        m_report.preflight.push_back(
            refusal("journal", kept.error().message,
                    message("make the journal writable, then try again; Rankdeck records every write there")));
    return kept.has_value();
}

ExitReport ExitAction::finish(ExitOutcome outcome, const Message &text)
{
    m_report.outcome = outcome;
    m_report.text = text;
    m_report.cancellable = false;
    if (!m_report.journal.empty() && m_flagLeft.empty()) record(outcome.word(), text);
    // The entry about the flag comes last, so that the next console finds it and finishes the work.
    if (!m_report.journal.empty() && !m_flagLeft.empty())
        if (const Status kept =
                m_host.journal().appendBoth(entryOf(outcome.word(), text), entryOf("flag_left", m_flagLeft));
            !kept)
            m_report.preflight.push_back(
                refusal("journal", kept.error().message,
                        message("make the journal writable, then try again; Rankdeck records every write there")));
    tell("done");
    return m_report;
}

void ExitAction::look()
{
    m_view = m_host.view();
    auto facts = readExitFacts(m_host, m_view, m_report.journal, inSeconds(questionSeconds));
    if (!facts) {
        m_report.preflight.push_back(
            refusal("job_file", facts.error().message, message("correct the path in the job file")));
        return;
    }
    m_facts = std::move(facts.value());
    std::vector<Finding> findings = exitFindings(m_view, m_facts, m_options);
    m_report.way = m_facts.way;
    m_report.price = m_view.lostWork;
    m_report.answerSeconds = answerSeconds(m_view, m_facts.now);
    m_report.elsewhere = m_facts.consoles;
    m_report.ladder = exitLadder(m_view, m_facts, findings);
    std::move(findings.begin(), findings.end(), std::back_inserter(m_report.preflight));
    m_report.plan = exitPlan(m_view.job, m_facts);
    for (const RankState &rank : m_view.ranks) m_report.ranks.push_back({.rank = rank.rank});
}

ExitReport ExitAction::plan()
{
    look();
    m_report.outcome = anyRefusal(m_report.preflight) ? ExitOutcome("refused") : ExitOutcome("dry_run");
    m_report.text = anyRefusal(m_report.preflight) ? refusalsText(m_report.preflight)
                                                   : message("%1. Nothing was written.", m_report.plan.summary);
    m_report.cancellable = false;
    m_report.phase = "done";
    return m_report;
}

ExitReport ExitAction::run()
{
    if (m_options.dryRun) return plan();
    tell("preflight");
    m_report.journal = Journal::newActionId("exit");
    finishWhatWasLeft();
    look();
    m_report.plan.id = m_report.journal;
    if (!record("planned", m_report.plan.summary, planToJson(m_report.plan)))
        return finish("refused", refusalsText(m_report.preflight));
    if (m_host.stopRequested()) return finish("cancelled", message("Cancelled before anything was written."));
    m_begun = steadyNow();
    if (m_options.confirmed) {
        if (!mayEscalate()) return finish("refused", refusalsText(m_report.preflight));
        m_rung = std::move(m_options.confirmed);
        takeBaseline();
        adopt();
    } else if (anyRefusal(m_report.preflight)) {
        if (m_options.escalate.empty() || !onlyGracefulIsImpossible(m_report.preflight)) {
            finishWhatWasLeft();  // ranks that ran at the first check may have stopped since
            return finish("refused", refusalsText(m_report.preflight));
        }
        takeBaseline();
    } else {
        if (!arm()) return m_report;
        watch();
        if (m_takenBack) {
            concludeTakenBack();
            return m_report;
        }
        if (m_host.stopRequested() && !m_proof.complete(m_facts.way)) return concludeCancel();
    }
    escalate();
    putBack();
    conclude();
    return m_report;
}

void ExitAction::watch()
{
    const SteadyTime deadline = m_begun + (inSeconds(m_options.waitSeconds) - steadyNow());
    bool confirmed = false;
    SteadyTime settled = deadline;
    while (watchOnce()) {
        if (m_proof.allConfirmed() && !confirmed) {
            confirmed = true;
            record("confirmed", message("all ranks logged the exit"));
        }
        if ((m_takenBack = takenBackByOthers())) return;
        const bool proven = m_proof.complete(m_facts.way);
        if (m_proof.allExited()) settled = std::min(settled, inSeconds(proven ? lastSaveSeconds : proofSeconds));
        const SteadyTime now = steadyNow();
        if (now >= deadline || (m_proof.allExited() && now >= settled)) return;
        if ((m_rung = m_host.takeConfirmedRung())) return;
        if (now >= m_ladderDue) refreshLadder();
        m_host.waitForChange(std::min({deadline, settled, inSeconds(1)}));
    }
}

// A rank can read a ConfigMap only after its pod sees the new content, so earlier lines prove nothing.
void ExitAction::takeMounted()
{
    if (m_baseline.unseen.empty()) return;
    std::set<int> unseen;
    for (const FlagState &flag : m_view.mountedFlags)
        for (const ConfigCopy &copy : m_facts.mounted)
            if (copy.node == flag.node && copy.path == flag.path && !flag.armed)
                unseen.insert(copy.ranks.begin(), copy.ranks.end());
    if (m_facts.mounted.empty() || m_view.mountedFlags.size() < m_facts.mounted.size()) unseen = m_baseline.unseen;
    for (const RankState &rank : m_view.ranks)
        if (unseen.contains(rank.rank) && rank.progress.position)
            m_baseline.delivered[rank.rank] = *rank.progress.position;
    setUnseen(std::move(unseen));
}

// A rank that obeys has read the request, even if the file in its pod could not be read in time.
void ExitAction::takeObeyed()
{
    std::set<int> unseen = m_baseline.unseen;
    for (const RankExit &rank : m_proof.ranks)
        if (rank.confirmed) unseen.erase(rank.rank);
    setUnseen(std::move(unseen));
}

void ExitAction::setUnseen(std::set<int> unseen)
{
    if (unseen.empty() && !m_baseline.unseen.empty())
        record("progress", message("all pods see the ConfigMap %1 after it was written",
                                   durationText(secondsBetween(m_baseline.armedAt, wallNow()))));
    m_baseline.unseen = std::move(unseen);
}

// Lines that were still on their way when the request was written prove nothing.
void ExitAction::takeDelivered()
{
    if (steadyNow() >= m_linesDue) return;
    for (const RankState &rank : m_view.ranks)
        if (rank.progress.position) m_baseline.delivered[rank.rank] = *rank.progress.position;
}

// False: there is nothing more to wait for.
bool ExitAction::watchOnce()
{
    m_view = m_host.view();
    takeDelivered();
    takeMounted();
    const std::vector<RankExit> before = std::move(m_proof.ranks);
    m_proof = proveExit(m_view, m_baseline, wallNow(), before);
    takeObeyed();
    recordChanges(before);
    m_report.ranks = m_proof.ranks;
    m_report.set = m_proof.set;
    m_report.price = m_view.lostWork;
    m_report.cancellable = mayBeCancelled();
    const auto count = [&](bool RankExit::*done) {
        return message("%1 of %2", m_proof.ranks.size() - m_proof.missing(done).size(), m_proof.ranks.size());
    };
    const Message gone = count(&RankExit::exited);
    std::vector<Message> clauses{isConfirmed(m_facts.way)
                                     ? message("%1 ranks confirmed, %2 are gone", count(&RankExit::confirmed), gone)
                                     : message("%1 are gone", gone)};
    for (const RankExit &rank : m_proof.ranks)
        if (!rank.note.empty()) clauses.push_back(message("rank %1: %2", rank.rank, rank.note));
    m_report.text = listed(clauses);
    if (!m_escalated.empty()) {
        m_report.text = m_escalated;
        tell("escalating");
    } else {
        tell(m_proof.allExited()      ? ExitPhase("proving")
             : m_proof.anyConfirmed() ? ExitPhase("saving")
                                      : ExitPhase("armed"));
    }
    return (!m_proof.complete(m_facts.way) || m_proof.mayBeMore) && !m_host.stopRequested();
}

// A signal cannot be taken back. A rank that has confirmed has read the request. So has a rank that ended, if the stop
// method has no confirming line.
bool ExitAction::mayBeCancelled() const
{
    const bool obeyed = isConfirmed(m_facts.way) ? m_proof.anyConfirmed() : m_proof.anyExited();
    return leavesAFile(m_facts.way) && !obeyed && m_escalated.empty();
}

// One entry for all changes since the last check.
void ExitAction::recordChanges(const std::vector<RankExit> &before)
{
    nlohmann::ordered_json changes = nlohmann::ordered_json::array();
    Message text;
    for (const RankExit &rank : m_proof.ranks) {
        const auto last =
            std::find_if(before.begin(), before.end(), [&](const RankExit &other) { return other.rank == rank.rank; });
        const Message change = changeOf(rank, last == before.end() ? RankExit{} : *last);
        if (change.empty()) continue;
        changes.push_back({{"rank", rank.rank}, {"text", validUtf8(change)}});
        if (changes.size() == 1) text = message("rank %1: %2", rank.rank, change);
    }
    if (changes.empty()) return;
    if (changes.size() > 1) text = message("%1; and %2 more", text, changes.size() - 1);
    record("progress", text, changes.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

// True if the files contained the request and no longer contain it, although no rank has confirmed.
bool ExitAction::takenBackByOthers()
{
    if (!leavesAFile(m_facts.way) || m_proof.anyConfirmed() || m_proof.allExited()) return false;
    const Known stands = requestStands(m_view, m_facts.copies);
    m_sawArmed = m_sawArmed || stands.isYes();
    if (!m_sawArmed || !stands.isNo()) return false;
    if (m_facts.way != StopMethod::stopFile) return true;
    readConfigs(m_host, m_facts.copies, inSeconds(questionSeconds));  // the directory itself may be gone
    return std::all_of(m_facts.copies.begin(), m_facts.copies.end(),
                       [](const ConfigCopy &copy) { return !copy.asked || (copy.flag && !copy.flag->armed); });
}

ExitReport planExit(ActionContext &host, const ExitOptions &options) { return ExitAction(host, options, {}).plan(); }

ExitReport runExit(ActionContext &host, const ExitOptions &options, const ExitProgress &progress)
{
    return ExitAction(host, options, progress).run();
}

ExitReport cancelExit(ActionContext &host, const ExitProgress &progress)
{
    return ExitAction(host, {}, progress).cancel();
}

}  // namespace rankdeck
