// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/fault_scenes.h"

#include <limits>

namespace rankdeck::ui::scenes {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

void die(Snapshot &s, int rank, int code, int secondsAgo, const std::string &error = {})
{
    RankState &state = s.view.ranks[static_cast<std::size_t>(rank)];
    state.alive = false;
    state.seenAlive = true;
    state.exitCode = code;
    state.goneSince = now() - seconds(secondsAgo);
    state.progress.heard = now() - seconds(secondsAgo) - milliseconds(400);
    state.process.reset();
    if (!error.empty()) state.error = RankError{now() - seconds(secondsAgo), error, state.logPath, 24'000};
    Event event;
    event.id = 100 + static_cast<std::uint64_t>(rank);
    event.time = now() - seconds(secondsAgo);
    event.rank = rank;
    event.attempt = s.view.attempt;
    event.kind = EventKind::rankDied;
    event.position = state.progress.position;
    event.node = state.node;
    event.text = error.empty() ? "signal 9 (SIGKILL)" : error;
    event.logPath = "/job/msrun_log/worker_" + std::to_string(rank) + ".log";
    event.logOffset = 24'000;
    s.view.recentEvents.push_back(event);
    s.exitPreflight.preflight = {finding(Finding::Result::refuse, "rank_dead",
                                         "Rank " + std::to_string(rank) + " is dead. Expected all 8 ranks alive.",
                                         "Resume instead.")};
}

}  // namespace

void killOne(Snapshot &s) { die(s, 5, -9, 4); }

void killAll(Snapshot &s)
{
    s.view.ranks[7].progress.position = lastStep - 2;
    for (int rank = 7; rank >= 0; --rank) die(s, rank, -9, rank == 7 ? 9 : 4);
}

void hang(Snapshot &s)
{
    for (RankState &rank : s.view.ranks) {
        rank.progress.usualSilence = 4.3;
        rank.progress.stepSeconds = 4.21;
        rank.progress.heard = now() - seconds(41);
        ProcessInfo process;
        process.state = rank.rank == 6 ? 'T' : 'S';
        rank.process = process;
    }
}

void nan(Snapshot &s)
{
    for (RankState &rank : s.view.ranks) {
        rank.progress.loss = std::numeric_limits<double>::quiet_NaN();
        rank.progress.hasLoss = true;
        rank.firstNonFinite = now() - seconds(rank.rank == 3 ? 9 : 5);
        rank.firstNonFiniteStep = rank.rank == 3 ? lastStep - 2 : lastStep - 1;
    }
}

void tear(Snapshot &s)
{
    CheckpointSet torn = s.view.checkpoints.sets.front();
    torn.id = "2:40700";
    torn.globalStep = torn.position = 40'700;
    torn.verdict = Verdict::corrupt;
    torn.reasons = {{"torn", 2, "rank 2 ends 12,189,696 B early"}};
    torn.members[2].state = MemberState::torn;
    torn.members[2].note = "12 MB short";
    s.view.checkpoints.sets.insert(s.view.checkpoints.sets.begin(), torn);
}

void cut(Snapshot &s)
{
    NodeStatus &node = s.view.nodes[1];
    node.state = NodeState::stale;
    node.lastContact = now() - seconds(40);
    for (RankState &rank : s.view.ranks)
        if (rank.rank >= 4) rank.progress.heard = now() - seconds(40);
    s.view.lostWork.atMost = true;
    s.view.checkpoints.unlistedNodes = {"ascend-02"};
    s.view.checkpoints.unlistedSince = now() - seconds(40);
}

void cutAll(Snapshot &s)
{
    for (NodeStatus &node : s.view.nodes) {
        node.state = NodeState::lost;
        node.reason = node.name +
                      " (10.0.0.1:22) ended the connection before the login: Connection reset by peer. A busy "
                      "sshd does that (MaxStartups); Rankdeck tries again.";
        node.lastContact = now() - seconds(90);
        node.retryInSeconds = 24;
    }
    for (RankState &rank : s.view.ranks) {
        rank.alive = Known::unknown;
        rank.progress.heard = now() - seconds(90);
    }
    s.view.lostWork.atMost = true;
    s.view.checkpoints.unlistedNodes = {"ascend-01", "ascend-02"};
    s.view.checkpoints.unlistedSince = now() - seconds(90);
}

void killAndCut(Snapshot &s)
{
    cut(s);
    die(s, 1, -9, 4);
}

void fullDisk(Snapshot &s)
{
    s.view.ranks[7].progress.position = lastStep - 2;
    const std::string error = "OSError: [Errno 28] No space left on device while saving pangu-1_40700.ckpt";
    for (int rank = 7; rank >= 0; --rank) die(s, rank, 1, rank == 7 ? 6 : 5, error);
}

void nanInOne(Snapshot &s)
{
    RankState &rank = s.view.ranks[3];
    rank.progress.loss = std::numeric_limits<double>::quiet_NaN();
    rank.firstNonFinite = now() - seconds(5);
    rank.firstNonFiniteStep = lastStep - 1;
}

void nanStop(Snapshot &s)
{
    nan(s);
    for (int rank = 7; rank >= 0; --rank)
        die(s, rank, 1, rank == 3 ? 4 : 3, "ValueError: loss is NaN at step 40711, training is stopped");
}

void stopThenDie(Snapshot &s)
{
    for (const std::size_t rank : {0, 1, 2}) {
        RankState &state = s.view.ranks[rank];
        state.alive = false;
        state.seenAlive = true;
        state.gracefulExitSeen = true;
        state.gracefulExitTime = now() - seconds(5);
        state.goneSince = now() - seconds(3);
        state.process.reset();
        if (!s.exit) continue;
        RankExit &exit = s.exit->ranks[rank];
        exit.confirmed = exit.exited = true;
        exit.confirmedAt = now() - seconds(5);
        s.exit->phase = "saving";
        s.exit->cancellable = false;
    }
    die(s, 5, -9, 4);
}

void killTwo(Snapshot &s)
{
    die(s, 1, -9, 4);
    die(s, 6, -9, 4);
}

void hangAndCut(Snapshot &s)
{
    cut(s);
    hang(s);
    s.view.ranks[6].process->state = 'S';
    s.view.ranks[2].process->state = 'T';
}

void nanAndKill(Snapshot &s)
{
    nan(s);
    die(s, 5, -9, 4);
}

void reboot(Snapshot &s)
{
    for (int rank = 4; rank < 8; ++rank) {
        die(s, rank, 0, 40);
        s.view.ranks[static_cast<std::size_t>(rank)].exitCode.reset();
    }
    for (Event &event : s.view.recentEvents)
        if (event.kind == EventKind::rankDied) event.text = "its process ended; its log shows no reason";
}

void nanAndNothingLeft(Snapshot &s)
{
    nan(s);
    for (CheckpointSet &set : s.view.checkpoints.sets) {
        set.verdict = Verdict::corrupt;
        set.reasons = {{"nan_weights", 3, "rank 3: fc1.weight: 1024 of 1024 values looked at are NaN"}};
    }
    s.view.checkpoints.recommended.reset();
    s.view.lostWork = {
        .steps = lastStep, .seconds = 4.21 * lastStep, .deviceHours = 4.21 * lastStep / 450, .known = true};
}

void nanAndKept(Snapshot &s)
{
    nanAndNothingLeft(s);
    const std::int64_t since = 40'200;
    std::vector<CheckpointSet> left;
    for (const CheckpointSet &set : s.view.checkpoints.sets)
        if (set.position > since) left.push_back(set);
    s.view.checkpoints.sets = left;
    KeptSet kept{.id = "2:40200",
                 .nodes = {{"ascend-01", std::vector<std::string>(4), 1'976'000'000},
                           {"ascend-02", std::vector<std::string>(4), 1'976'000'000}},
                 .attempt = 2,
                 .position = since,
                 .time = now() - seconds(1'800),
                 .whole = true};
    s.view.kept = std::make_shared<const KeptSets>(KeptSets{.sets = {kept}, .listing = KeptListing::listed});
    s.view.lostWork.since = since;
    s.view.lostWork.fromKept = true;
    s.view.lostWork.steps = lastStep - since;
    s.view.lostWork.seconds = 4.21 * static_cast<double>(s.view.lostWork.steps);
    s.view.lostWork.deviceHours = s.view.lostWork.seconds / 450;
}

void leftEarly(Snapshot &s)
{
    for (RankState &rank : s.view.ranks) {
        rank.progress.usualSilence = 4.3;
        rank.progress.stepSeconds = 4.21;
        rank.progress.heard = now() - seconds(41);
    }
    RankState &left = s.view.ranks[3];
    left.alive = false;
    left.exitCode = 0;
    left.goneSince = now() - seconds(40);
    left.process.reset();
}

// Times of a node are by its own clock, for example the start times of its processes. The engine's times are already by
// the console's clock.
void clocksApart(Snapshot &s)
{
    s.view.nodes[0].facts.clockSkewSeconds = -2 * 3600;
    s.view.nodes[1].facts.clockSkewSeconds = 3 * 3600;
    for (RankState &rank : s.view.ranks)
        if (rank.process) rank.process->started += std::chrono::hours(rank.rank < 4 ? -2 : 3);
}

void clocksApartAndKill(Snapshot &s)
{
    clocksApart(s);
    die(s, 5, -9, 4);
}

void comesLate(Snapshot &s)
{
    for (RankState &rank : s.view.ranks) {
        rank.alive = Known::unknown;
        rank.process.reset();
        rank.progress.usualSilence = 4.3;
        rank.progress.silenceHeard = true;
        rank.progress.stepSeconds = 4.21;
        rank.progress.heard = now() - seconds(90);
    }
}

}  // namespace rankdeck::ui::scenes
