// SPDX-License-Identifier: GPL-3.0-or-later
// One resume, from the plan to the outcome. Its steps: preflight, reservation of the job and repeated checks, edits and
// file steps, launch on all nodes or none, proof. A resume that does not start leaves everything as it was. Runs on the
// action's own thread.
#pragma once

#include "core/journal/journal.h"
#include "core/recover/action_context.h"
#include "core/recover/launch/cluster/pod_stand_ins.h"
#include "core/recover/plan.h"
#include "core/recover/plan/plan_runner.h"
#include "core/recover/resume/resume_plan.h"
#include "core/recover/resume/resume_proof.h"
#include "core/recover/resume_report.h"

#include <string>
#include <vector>

namespace rankdeck {

class ResumeAction {
public:
    ResumeAction(ActionContext &host, ResumeOptions options, ResumeProgress progress);

    ResumeReport plan();  // read-only
    ResumeReport run();

private:
    void look(const std::string &id);
    void checkRoom();
    void checkEnds();
    [[nodiscard]] Message whoRuns() const;
    void lookUntilQuiet(const std::string &id);
    [[nodiscard]] const KeptSet *wantedBack() const;
    void planPutBack();
    bool putBack();
    [[nodiscard]] bool isRefused(FindingCode code) const;
    [[nodiscard]] bool collecting() const;
    [[nodiscard]] double worthWaiting() const;
    void sayWhatEnds();
    bool record(const std::string &state, const Message &text, const std::string &data = {});
    void tell(ResumePhase phase);
    [[nodiscard]] JournalEntry entryOf(const std::string &state, const Message &text,
                                       const std::string &data = {}) const;
    // left: files that could not be put back.
    ResumeReport finish(ResumeOutcome outcome, const Message &text, const Message &left = {});
    [[nodiscard]] std::map<int, std::vector<std::string>> expectedPaths() const;
    ResumeReport rollBack(const Message &why);
    ResumeReport launchRefused(const Error &held);
    bool otherConsole();
    bool launchProblems(std::vector<Message> &problems);
    Status checkPinned();
    bool reserve();
    bool lookWhileHeld();
    bool prepare();
    bool launch();
    void takeBaseline();
    ResumeReport prove();
    ResumeReport alarm(const ResumeProof &proof);
    Message endedEarly();
    Message lastWords(const Started &one);
    [[nodiscard]] bool allEnded() const;

    WithStandIns m_pods;
    ActionContext &m_host;  // with them
    ResumeOptions m_options;
    ResumeProgress m_progress;
    ResumeReport m_report;
    JobState m_view;
    ResumeFacts m_facts;
    ResumeBaseline m_baseline;
    std::vector<Started> m_started;
    StepLog m_steps;
    Reservation m_reservation;  // held from the preflight to the launch
    std::string m_told;
};

}  // namespace rankdeck
