// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine.h"
#include "core/recover/stop_method.h"

namespace rankdeck {
namespace {

StopPicture stopOf(const ExitReport &exit)
{
    StopPicture stop;
    stop.running = exit.outcome.empty();
    stop.provenStopped = exit.outcome == "stopped";
    stop.timedOut = exit.outcome == "timed_out";
    stop.leavesLines = exit.way == StopMethod::none || isConfirmed(exit.way);
    stop.mayBeCancelled = exit.cancellable;
    stop.started = exit.started;
    stop.ranks = static_cast<int>(exit.ranks.size());
    for (const RankExit &rank : exit.ranks) {
        stop.confirmed += rank.confirmed ? 1 : 0;
        stop.exited += rank.exited ? 1 : 0;
    }
    return stop;
}

ResumePicture resumeOf(const ResumeReport &report, const JobState &view)
{
    ResumePicture resume;
    resume.running = report.outcome.empty();
    resume.launched = report.started && !view.attempts.empty() && view.attempts.back().started >= *report.started;
    resume.notProven = !resume.running && report.continues.isNo();
    resume.text = report.text;
    for (const RankProof &rank : report.ranks) {
        if (rank.proven) continue;
        resume.unprovenRank = rank.rank;
        resume.unprovenStep = rank.firstStep;
        break;
    }
    return resume;
}

}  // namespace

const ExitReport *exitOfAttempt(const Snapshot &snapshot)
{
    if (!snapshot.exit) return nullptr;
    const std::vector<AttemptInfo> &attempts = snapshot.view.attempts;
    const bool over = snapshot.exit->started && !attempts.empty() && attempts.back().started > *snapshot.exit->started;
    return over ? nullptr : &*snapshot.exit;
}

Picture pictureOf(const Snapshot &snapshot, WallTime now)
{
    Picture picture{.view = snapshot.view, .now = now};
    picture.scheduler = snapshot.scheduler.get();
    picture.hangScan = snapshot.hangScan.get();
    Excuse excuse = Excuse::none;
    if (const ExitReport *exit = exitOfAttempt(snapshot)) {
        picture.stop = stopOf(*exit);
        if (picture.stop->provenStopped)
            excuse = Excuse::proven;
        else if (picture.stop->running && !picture.stop->leavesLines)
            excuse = Excuse::pending;
    }
    if (snapshot.resume) picture.resume = resumeOf(*snapshot.resume, snapshot.view);
    if (!snapshot.unfinished.empty()) picture.notes.push_back(snapshot.unfinished);
    picture.notes.insert(picture.notes.end(), snapshot.messages.begin(), snapshot.messages.end());
    picture.settled = snapshot.settled;
    for (const Finding &finding : snapshot.exitPreflight.preflight)
        if (finding.code == "disk_full" && finding.result == Finding::Result::refuse) picture.fullDisk = finding.text;
    picture.stoppedElsewhere = snapshot.stoppedElsewhere;
    picture.fates = fatesOf(snapshot.view, excuse);
    return picture;
}

}  // namespace rankdeck
