// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/launch/checkpoint_staging.h"
#include "core/recover/resume/checks/resume_checks.h"
#include "core/recover/wording.h"

#include <iterator>

namespace rankdeck {

namespace {

// Reports ranks that run. Without a chosen set no node is asked, but running ranks prevent a resume from any set.
void checkRanksSeen(Findings &into, const JobState &view)
{
    std::vector<int> alive;
    for (const RankState &rank : view.ranks)
        if (rank.alive.isYes()) alive.push_back(rank.rank);
    if (!alive.empty())
        into.push_back(refusal("survivors",
                               message("expected no process of the old attempt, found %1 alive", ranksText(alive)),
                               message("stop the run first%1", terminalWords(" (exit)"))));
}

}  // namespace

std::vector<Finding> resumeFindings(const ResumeFacts &facts)
{
    Findings findings = facts.choice.findings;
    if (!facts.choice.fit()) {
        checkRanksSeen(findings, facts.view);
        checkNodes(findings, facts);  // often the reason why no set is chosen
        return findings;
    }
    const auto take = [&findings](Findings more) { std::move(more.begin(), more.end(), std::back_inserter(findings)); };
    const CheckpointSet &set = *facts.choice.set;
    const ResumeLayout &layout = facts.layout;
    take(layout.launch.findings);
    take(facts.choice.script.findings);
    checkLaunchPrograms(findings, facts);
    checkNodes(findings, facts);
    checkMachines(findings, facts);
    checkDevices(findings, facts);
    take(runningFindings(facts.view, facts.book, facts.processes, facts.running, facts.options));
    take(leftoverFindings(facts.survivors, facts.processes, layout.launch, facts.options));
    take(logoutFindings(facts.logouts, facts.options));
    checkMembers(findings, facts);
    take(degreeFindings(facts.view.job, set, facts.programs.pythonVersions));
    checkPrograms(findings, facts);
    checkFlag(findings, facts);
    checkGracefulSet(findings, facts);
    take(placeFindings(facts.view, set, facts.places, facts.options));
    checkOutputs(findings, facts);
    checkLaunchedTwice(findings, facts);
    checkStart(findings, facts);
    checkEmergencyCheckpoints(findings, facts);
    checkRankFolders(findings, facts);
    checkSaving(findings, facts);
    checkProtection(findings, facts);
    checkStrategy(findings, facts);
    take(layout.saves.findings);
    take(layout.newer.findings);
    take(layout.logs.findings);
    take(scriptConfigEdits(facts.scriptConfigs).findings);
    if (!layout.viewDirectories.empty()) take(viewFindings(facts.view.job, layout.viewDirectories));
    return findings;
}

}  // namespace rankdeck
