// SPDX-License-Identifier: GPL-3.0-or-later
// One graceful exit from the click to the outcome: preflight, ask, watch, escalate when asked to, take the request back,
// say what is proven. Lives on the action's own thread; every state goes to the journal before and after it is true.
// What goes wrong is the outcome and the text of its report; what a node did not answer is told as not known.
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

inline constexpr double questionSeconds = 20;  // of the nodes, for one round of questions

class ExitAction {
public:
    ExitAction(ActionContext &host, ExitOptions options, ExitProgress progress);

    ExitReport plan();  // read-only
    ExitReport run();
    ExitReport cancel();  // takes back what any console, or anybody, has asked for

private:
    // exit_action.cpp
    void look();  // view, config copies, processes, findings
    [[nodiscard]] JournalEntry entryOf(const std::string &state, const std::string &text,
                                       const std::string &data = {}) const;
    bool record(const std::string &state, const std::string &text, const std::string &data = {});
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
    ExitReport finish(ExitOutcome outcome, const std::string &text);
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
    void armed(const std::string &how, const std::string &data);
    bool notArmed(const std::string &why, const std::string &data);
    void putBack();
    // exit_ladder.cpp
    void refreshLadder();
    void escalate();
    bool takeRung(Signal signal, std::vector<ProcessTarget> list);
    bool waitGone(std::vector<ProcessTarget> list, double seconds);
    std::string newerAttempt() const;
    [[nodiscard]] std::vector<ProcessTarget> currentTargets(Signal signal);
    // exit_action_conclude.cpp
    void conclude();
    void concludeTakenBack();
    ExitReport concludeCancel();
    struct Settled {
        bool goesOn = false;
        std::vector<int> holders = {};  // may have written a line before it was taken back
        std::set<int> sure = {};        // had written two
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
    SteadyTime m_linesDue = {};  // by when every line has come that was written before the request
    std::string m_kind = "exit";
    std::string m_told;                            // what progress was told last
    std::string m_flagLeft;                        // where the flag may still be 1, as a sentence
    std::set<std::string> m_attempts = {};         // actions that had launched what ran when the ranks were asked
    std::string m_escalated;                       // what the escalation did, as a sentence
    std::optional<ConfirmedRung> m_rung = {};      // confirmed, to be taken next
    std::vector<ProcessTarget> m_stillThere = {};  // were signalled and are not known to be gone
    bool m_ladderEnded = false;                    // the operator ended it where it stood
    SteadyTime m_ladderDue = {};                   // when the list of processes is to be read again
    bool m_armed = false;
    bool m_sawArmed = false;             // the nodes' own files said so since
    bool m_takenBack = false;            // by somebody else
    std::vector<std::string> m_adopted;  // exits of consoles that were killed, which this one ends
};

}  // namespace rankdeck
