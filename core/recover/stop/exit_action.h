// SPDX-License-Identifier: GPL-3.0-or-later
// One graceful exit from the click to the outcome: preflight, request, watch, escalation if requested, withdrawal of
// the request, proof. Runs on the action's own thread. Every state is recorded in the journal before and after it is
// reached. Errors are in the outcome and the text of its report; missing answers are reported as unknown.
#pragma once

#include "core/journal/journal.h"
#include "core/recover/action_context.h"
#include "core/recover/exit_report.h"
#include "core/recover/flag/config_copies.h"
#include "core/recover/flag/flag_write.h"
#include "core/recover/plan.h"
#include "core/recover/stop/checks/exit_preflight.h"
#include "core/recover/stop/exit_proof.h"

#include <set>
#include <string>
#include <vector>

namespace rankdeck {

inline constexpr double questionSeconds = 20;  // limit of the nodes for one round of questions

class ExitAction {
public:
    ExitAction(ActionContext &host, ExitOptions options, ExitProgress progress);

    ExitReport plan();  // read-only
    ExitReport run();
    ExitReport cancel();  // withdraws every stop request, whichever console or user made it

private:
    // exit_action.cpp
    void look();  // view, config copies, processes, findings
    [[nodiscard]] JournalEntry entryOf(const std::string &state, const Message &text,
                                       const std::string &data = {}) const;
    bool record(const std::string &state, const Message &text, const std::string &data = {});
    void tell(ExitPhase phase);
    void watch();
    bool watchOnce();
    void takeDelivered();
    void takeMounted();
    void takeObeyed();
    void setUnseen(std::set<int> unseen);
    [[nodiscard]] bool mayBeCancelled() const;
    void recordChanges(const std::vector<RankExit> &before);
    [[nodiscard]] bool takenBackByOthers();
    ExitReport finish(ExitOutcome outcome, const Message &text);
    // exit_action_arm.cpp
    void finishWhatWasLeft();
    bool arm();
    void takeBaseline();
    bool mayArm();
    [[nodiscard]] bool mayEscalate() const;
    void adopt();
    bool armByFile();
    bool resumedMeanwhile();
    bool armBySignal();
    bool armByScancel();
    void requestedAt(const std::string &node, std::int64_t ns);
    void armed(const Message &how, const std::string &data);
    bool notArmed(const Message &why, const std::string &data);
    void putBack();
    // exit_ladder.cpp
    void refreshLadder();
    void escalate();
    bool takeRung(Signal signal, std::vector<ProcessTarget> list);
    bool waitGone(std::vector<ProcessTarget> list, double seconds);
    Message newerAttempt() const;
    [[nodiscard]] std::vector<ProcessTarget> currentTargets(Signal signal);
    // exit_action_conclude.cpp
    [[nodiscard]] Message stoppedText() const;
    void conclude();
    void concludeTakenBack();
    ExitReport concludeCancel();
    struct Settled {
        bool goesOn = false;
        std::vector<int> holders = {};  // ranks that may have written a line before the withdrawal
        std::set<int> sure = {};        // ranks that had written two lines
    };
    Settled settleCancel();

    ActionContext &m_host;
    ExitOptions m_options;
    ExitProgress m_progress;
    ExitReport m_report;
    JobState m_view;
    ExitFacts m_facts;
    ExitBaseline m_baseline;
    ExitProof m_proof;
    SteadyTime m_begun = {};
    SteadyTime m_linesDue = {};  // time by which all lines written before the request have arrived
    std::string m_kind = "exit";
    std::string m_told;                            // last reported progress
    Message m_flagLeft;                            // files in which the flag may still be 1, as a sentence
    std::set<std::string> m_attempts = {};         // actions that launched the processes that this exit asked to stop
    Message m_escalated;                           // effects of the escalation, as a sentence
    std::optional<ConfirmedRung> m_rung = {};      // confirmed force stop, to be done next
    std::vector<ProcessTarget> m_stillThere = {};  // signalled processes that may still run
    bool m_ladderEnded = false;                    // the operator ended the escalation
    SteadyTime m_ladderDue = {};                   // time of the next read of the process list
    bool m_armed = false;
    bool m_sawArmed = false;             // the nodes' own files have shown the request since it was written
    bool m_takenBack = false;            // another console or user has withdrawn the request
    std::vector<std::string> m_adopted;  // exits of killed consoles, which this one ends
};

}  // namespace rankdeck
