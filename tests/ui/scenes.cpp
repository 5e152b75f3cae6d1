// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/scenes.h"

#include "tests/ui/scene_clock.h"

#include <cmath>

namespace rankdeck::ui::scenes {

namespace {

constexpr int ranks = 8;
using std::chrono::milliseconds;
using std::chrono::seconds;

CheckpointSet setAt(std::int64_t step, Verdict verdict, int attempt = 2)
{
    CheckpointSet set;
    set.id = std::to_string(attempt) + ":" + std::to_string(step);
    set.attempt = attempt;
    set.globalStep = set.position = step;
    set.verdict = verdict;
    set.time = now() - seconds((lastStep - step) * 4);
    for (int rank = 0; rank < ranks; ++rank) {
        MemberVerdict member;
        member.rank = rank;
        member.node = rank < 4 ? "ascend-01" : "ascend-02";
        member.path = "/job/ckpt/rank_" + std::to_string(rank) + "/pangu-1_" + std::to_string(step) + ".ckpt";
        member.state = MemberState::ok;
        member.level = EvidenceLevel::L3;
        member.bytes = 494'000'128;
        member.time = set.time;
        set.members.push_back(member);
    }
    return set;
}

NodeStatus node(const std::string &name, NodeState state)
{
    NodeStatus status;
    status.name = name;
    status.state = state;
    status.lastContact = now() - milliseconds(400);
    status.since = now() - seconds(10'000);
    status.facts.roundTripSeconds = 0.041;
    status.facts.python = "3.11.2";
    return status;
}

Event event(std::uint64_t id, int secondsAgo, EventKind kind, int rank, std::int64_t step, const std::string &text)
{
    Event one;
    one.id = id;
    one.time = now() - seconds(secondsAgo);
    one.rank = rank;
    if (rank < 0) one.ranks = {0, 1, 2, 3, 4, 5, 6, 7};
    one.attempt = 2;
    one.kind = kind;
    one.position = step;
    one.text = text;
    if (rank >= 0) {
        one.logPath = "/job/msrun_log/worker_" + std::to_string(rank) + ".log";
        one.logOffset = rank == 5 ? workerLog(5).find("[ERROR]") : 2'000;
    }
    return one;
}

void setProgress(Snapshot &s, std::int64_t step, double secondsAgo)
{
    for (int rank = 0; rank < ranks; ++rank) {
        RankState state;
        state.rank = rank;
        state.node = rank < 4 ? "ascend-01" : "ascend-02";
        state.alive = true;
        state.process = ProcessInfo{};
        state.process->id.pid = 41'800 + rank;
        state.logPath = "/job/msrun_log/worker_" + std::to_string(rank) + ".log";
        state.progress.rank = rank;
        state.progress.attempt = 2;
        state.progress.position = rank == 6 ? step - 1 : step;
        state.progress.total = 60'000;
        state.progress.loss = 2.41 + 0.01 * (rank - 4);
        state.progress.hasLoss = true;
        state.progress.heard = now() - milliseconds(static_cast<int>(secondsAgo * 1000));
        s.view.ranks.push_back(state);
    }
}

void setLost(Snapshot &s, std::int64_t last)
{
    const std::int64_t steps = last - newestValidStep;
    s.view.lostWork = {steps, static_cast<double>(steps) * 4.21, static_cast<double>(steps) * 4.21 * ranks / 3600,
                       newestValidStep, true};
}

}  // namespace

namespace {
WallTime told = wallNow();
}

WallTime now() { return told; }

void tellNow() { told = wallNow(); }

void tellSecondsAgo(int ago) { told = wallNow() - seconds(ago); }

Finding finding(Finding::Result result, FindingCode code, const Message &text, const Message &fix)
{
    Finding one;
    one.result = result;
    one.code = code;
    one.text = text;
    one.fix = fix;
    return one;
}

void train(Run &run, std::int64_t to)
{
    run.beginAttempt(now() - seconds(80'000));
    run.beginAttempt(now() - seconds(40'000), 37'640);
    run.beginAttempt(now() - seconds(10'560), 38'200);
    run.setResumedFrom(1, 37'640);
    run.setResumedFrom(2, 38'200);
    const std::pair<std::int64_t, std::int64_t> spans[] = {{37'200, 37'700}, {37'641, 38'460}, {38'201, to}};
    for (int attempt = 0; attempt < 3; ++attempt) {
        for (int rank = 0; rank < ranks; ++rank) {
            std::vector<Sample> samples;
            for (std::int64_t step = spans[attempt].first; step <= spans[attempt].second; ++step) {
                Sample sample;
                sample.globalStep = step;
                const double noise = std::sin(static_cast<double>(step * 7 + rank * 131L)) * 0.03 +
                                     std::sin(static_cast<double>(step * 13 + rank * 17L) * 0.7) * 0.02;
                sample.loss = 2.3 + 4000.0 / static_cast<double>(step - 20'000) + noise +
                              (rank == 5 && step > 40'700 ? static_cast<double>(step - 40'700) * 4e-4 : 0);
                sample.offset = static_cast<std::uint64_t>((step - spans[attempt].first) * 24'000 /
                                                           (spans[attempt].second - spans[attempt].first));
                sample.learningRate = 3e-4 * (0.5 + 0.5 * std::cos(static_cast<double>(step) / 60'000.0 * 3.14159));
                sample.gradNorm = 1.1 + 8 * noise + (step % 400 == 37 ? 1.5 : 0);
                sample.stepMs = 4210 + 900 * noise + (step % 200 < 2 ? 2600 : 0);
                sample.throughput = 16'384 / (*sample.stepMs / 1000);
                sample.total = 60'000;
                samples.push_back(sample);
            }
            run.add(rank, attempt, samples, now() - seconds(1));
        }
    }
}

Snapshot healthy()
{
    Snapshot s;
    s.at = now();
    s.settled = true;
    s.view.job.name = "pangu-2.6b";
    s.view.job.worldSize = ranks;
    s.view.attempt = 2;
    s.view.stepSeconds = 4.21;
    s.view.stepsPerEpoch = 1875;
    s.view.kept = std::make_shared<const KeptSets>(KeptSets{.sets = {}, .listing = KeptListing::listed});
    for (int i = 0; i < 3; ++i) {
        AttemptInfo attempt;
        attempt.index = i;
        attempt.started = now() - seconds(10'560 + (2 - i) * 30'000);
        if (i > 0) attempt.resumedFrom = i == 1 ? 37'640 : 38'200;
        s.view.attempts.push_back(attempt);
    }
    s.view.nodes = {node("ascend-01", NodeState::live), node("ascend-02", NodeState::live)};
    setProgress(s, lastStep, 0.4);
    s.view.flags = {{"ascend-01", "/job/graceful.json", 0, false, {}},
                    {"ascend-02", "/job/graceful.json", 0, false, {}}};
    s.view.checkpoints.worldSize = ranks;
    s.view.checkpoints.settled = true;
    for (std::int64_t step = newestValidStep; step >= 38'200; step -= 200)
        s.view.checkpoints.sets.push_back(setAt(step, Verdict::valid));
    s.view.checkpoints.recommended = s.view.checkpoints.sets.front().id;
    setLost(s, lastStep);
    s.view.recentEvents = {
        event(1, 12'000, EventKind::attemptStarted, -1, 38'200, "attempt 3 from 38,200"),
        event(2, 480, EventKind::saved, -1, 40'600, "40,600: 8 files written in 11.8 s"),
        event(3, 470, EventKind::setJudged, -1, 40'600, "40,600 VALID: 8 of 8 files complete, same step")};
    s.exitPreflight.preflight = {
        finding(Finding::Result::ok, "config_named", "MS_ENABLE_GRACEFUL_EXIT=1 in all 8 processes"),
        finding(Finding::Result::ok, "disk_room", "211 GB free for 4 GB")};
    s.exitPreflightAt = now();
    s.bytesRead = 6'100'000;
    s.historySaved = now() - seconds(1);
    return s;
}

Snapshot died()
{
    Snapshot s = healthy();
    s.view.ranks.clear();
    setProgress(s, 41'037, 131);
    s.view.ranks[5].alive = false;
    s.view.ranks[5].exitCode = 1;
    s.view.ranks[5].error = RankError{now() - seconds(131), "UCE error 507053 on ascend-02, device 1", {}, 0};
    s.view.ranks[5].progress.loss = 2.531;
    s.view.nodes[0] = node("ascend-01", NodeState::stale);
    s.view.nodes[0].lastContact = now() - seconds(48);
    CheckpointSet torn = setAt(40'800, Verdict::corrupt);
    torn.members[2].state = MemberState::torn;
    torn.members[2].bytes = 481'810'432;
    torn.members[2].note = "12 MB short";
    torn.reasons = {{"torn", 2, "rank 2 ends 12,189,696 B early"}};
    CheckpointSet incomplete = setAt(41'000, Verdict::incomplete);
    incomplete.members[5].state = MemberState::missing;
    incomplete.members[5].note = ".tmp only";
    incomplete.reasons = {{"temp_file", 5, "rank 5 has only a .tmp, 212 of 494 MB"}};
    s.view.checkpoints.sets.insert(s.view.checkpoints.sets.begin(), {incomplete, torn});
    setLost(s, 41'037);
    s.view.recentEvents.push_back(
        event(4, 200, EventKind::setJudged, -1, 40'800, "40,800 CORRUPT: rank 2 ends 12,189,696 B early"));
    s.view.recentEvents.push_back(
        event(5, 131, EventKind::rankDied, 5, 41'037, "UCE error 507053 on ascend-02, device 1; exit code 1"));
    s.exitPreflight.preflight = {finding(Finding::Result::refuse, "rank_dead",
                                         "Rank 5 is dead. Expected all 8 ranks alive, found 7.", "Resume instead.")};
    return s;
}

std::vector<ExitRung> ladderOf(const Snapshot &s)
{
    ExitRung term{.name = "term", .available = true}, kill{.name = "kill", .available = true};
    for (const RankState &rank : s.view.ranks)
        term.targets.push_back({.node = rank.node,
                                .rank = rank.rank,
                                .process = {.pid = 4711 + rank.rank, .startTicks = 1},
                                .group = 4700,
                                .started = now() - seconds(3600),
                                .user = "hans",
                                .comm = "python3",
                                .command = "python3 train.py --rank " + std::to_string(rank.rank),
                                .log = rank.logPath});
    kill.targets = term.targets;
    kill.targets.push_back({.node = s.view.ranks.front().node,
                            .process = {.pid = 4700, .startTicks = 1},
                            .group = 4700,
                            .user = "hans",
                            .comm = "msrun",
                            .command = "msrun --worker_num 8 train.py"});
    return {{.name = "graceful", .available = true}, term, kill};
}

Snapshot stopping(int confirmed, int saved)
{
    Snapshot s = healthy();
    for (FlagState &flag : s.view.flags) {
        flag.value = 1;
        flag.armed = true;
    }
    ExitReport exit;
    exit.phase = confirmed > 0 ? ExitPhase("saving") : ExitPhase("armed");
    exit.preflight = s.exitPreflight.preflight;
    exit.started = now() - seconds(6);
    exit.cancellable = confirmed == 0;
    exit.ladder = ladderOf(s);
    for (int rank = 0; rank < ranks; ++rank) {
        RankExit one;
        one.rank = rank;
        one.armed = true;
        one.confirmed = rank < confirmed;
        if (one.confirmed) {
            one.confirmedAt = now() - milliseconds(2000 - rank * 60);
            one.savedPath = "/job/ckpt/rank_" + std::to_string(rank) + "/pangu_train.ckpt";
        }
        if (rank < saved) one.savedVerdict = Verdict::valid;
        exit.ranks.push_back(one);
    }
    s.exit = exit;
    return s;
}

Snapshot stoppingBySignal()
{
    Snapshot s = stopping(0, 0);
    s.view.flags = {};
    s.exit->way = StopMethod::signal;
    s.exit->cancellable = false;
    for (std::size_t rank = 0; rank < 2; ++rank) {
        s.exit->ranks[rank].exited = true;
        s.exit->ranks[rank].savedVerdict = Verdict::valid;
        s.exit->ranks[rank].savedPath = "/job/ckpt/step_40712/rank_" + std::to_string(rank) + ".pt";
        s.view.ranks[rank].alive = false;
        s.view.ranks[rank].leaving = true;
    }
    return s;
}

Snapshot stopped()
{
    Snapshot s = stopping(ranks, ranks);
    for (FlagState &flag : s.view.flags) {
        flag.value = 0;
        flag.armed = false;
    }
    for (RankState &rank : s.view.ranks) {
        rank.alive = false;
        rank.exitCode = 0;
        rank.gracefulExitSeen = true;
    }
    for (RankExit &rank : s.exit->ranks) {
        rank.exited = true;
        rank.exitCode = 0;
    }
    CheckpointSet own = setAt(lastStep, Verdict::valid);
    own.kind = CheckpointKind::graceful;
    s.view.checkpoints.sets.insert(s.view.checkpoints.sets.begin(), own);
    s.view.checkpoints.recommended = own.id;
    s.view.lostWork = {0, 0, 0, lastStep, true};
    s.exit->phase = "done";
    s.exit->outcome = "stopped";
    s.exit->flagReset = true;
    s.exit->set = own.id;
    s.exit->text = "All 8 ranks saved step 40,712, logged the exit and are gone. 31 s from click to proof.";
    return s;
}

Snapshot resumable()
{
    Snapshot s = died();
    for (RankState &rank : s.view.ranks) rank.alive = false;
    s.view.nodes[0] = node("ascend-01", NodeState::live);
    return s;
}

Snapshot proven()
{
    Snapshot s = healthy();
    ResumeReport report;
    report.phase = "done";
    report.outcome = "proven";
    report.set = "2:40600";
    report.text = "8 of 8 ranks loaded 40,600 and the loss joins.";
    report.started = now() - seconds(80);
    report.continues = true;
    for (int rank = 0; rank < ranks; ++rank) {
        RankProof proof;
        proof.rank = rank;
        proof.loadedGlobalStep = 40'600;
        proof.firstStep = 40'601;
        proof.firstLoss = 2.404 + rank * 0.004;
        proof.oldLoss = 2.408 + rank * 0.003;
        proof.proven = true;
        report.ranks.push_back(proof);
    }
    s.resume = report;
    return s;
}

Snapshot notProven()
{
    Snapshot s = proven();
    s.resume->outcome = "failed";
    s.resume->continues = false;
    s.resume->text = "Expected every rank to continue at 40,601; rank 6 started at step 1.";
    s.resume->ranks[6].proven = false;
    s.resume->ranks[6].firstStep = 1;
    s.resume->ranks[6].firstLoss = 6.9;
    s.resume->ranks[6].note = "starts from zero";
    return s;
}

Snapshot empty()
{
    Snapshot s;
    s.at = now();
    s.view.job.name = "pangu-2.6b";
    s.view.job.worldSize = ranks;
    s.view.nodes = {node("ascend-01", NodeState::connecting), node("ascend-02", NodeState::queued)};
    for (NodeStatus &one : s.view.nodes) one.lastContact = {};
    return s;
}

KeepReport plannedPutBack(KeepOutcome outcome)
{
    KeepReport report;
    report.outcome = outcome;
    report.set = "2:40200";
    for (int i = 0; i < 2; ++i) {
        NodePlan node;
        node.node = i == 0 ? "ascend-01" : "ascend-02";
        for (int rank = 4 * i; rank < 4 * i + 4; ++rank) {
            const std::string name = "/rank_" + std::to_string(rank) + "/pangu-22_825.ckpt";
            node.files.push_back(
                {FileAction::makeHardLink, "/job/ckpt" + name, "/job/ckpt.rankdeck-kept/2:40200" + name});
        }
        report.plan.nodes.push_back(std::move(node));
    }
    return report;
}

ResumeReport plannedResume(const ResumeOptions &options)
{
    ResumeReport report;
    report.phase = "preflight";
    report.set = options.set.value_or("");
    const bool fixed = std::find(options.fixes.begin(), options.fixes.end(), "stale_train_ckpt") != options.fixes.end();
    Finding stale = finding(fixed ? Finding::Result::ok : Finding::Result::refuse, "stale_train_ckpt",
                            "8 stale pangu_train.ckpt from 18:02. They would be loaded over the chosen step.",
                            "8 stale pangu_train.ckpt are moved aside.");
    stale.fixable = true;
    report.preflight = {
        stale,
        finding(Finding::Result::warn, "interrupted_action", "ascend-02, device 1 had UCE 507053. It is in the plan."),
        finding(Finding::Result::ok, "port", "port 8118 is free"),
        finding(Finding::Result::ok, "disk_room", "211 GB free")};
    for (int i = 0; i < 2; ++i) {
        NodePlan node;
        node.node = i == 0 ? "ascend-01" : "ascend-02";
        for (int rank = 0; rank < 8; ++rank)
            node.files.push_back({FileAction::makeLink, "/job/view-40600/rank_" + std::to_string(rank),
                                  "/job/ckpt/rank_" + std::to_string(rank) + "/pangu-1_40600.ckpt"});
        FileEdit edit;
        edit.path = "/job/pangu.yaml";
        edit.diff = "--- pangu.yaml\n+++ pangu.yaml\n@@ -1,2 +1,2 @@\n-load_checkpoint: ''\n+load_checkpoint: "
                    "/job/view-40600\n-resume_training: False\n+resume_training: True\n";
        node.edits = {edit};
        LaunchRequest launch;
        launch.argv = {"msrun",
                       "--worker_num=8",
                       "--local_worker_num=4",
                       "--node_rank=" + std::to_string(i),
                       "--master_addr=10.20.4.11",
                       "--master_port=8118",
                       "--log_dir=msrun_log.4",
                       "--join=True",
                       "python",
                       "train.py",
                       "--config",
                       "pangu.yaml"};
        launch.env = {{"MS_ENABLE_GRACEFUL_EXIT", "1"}};
        launch.workdir = "/job";
        launch.output = "/job/msrun_log.4/msrun.out";
        node.launches = {launch};
        report.plan.nodes.push_back(node);
    }
    return report;
}

Evidence tornEvidence()
{
    Evidence evidence;
    evidence.path = "/job/ckpt/rank_2/pangu-1_40800.ckpt";
    evidence.stat.size = 481'810'432;
    evidence.format = Format::mindsporeCkpt;
    evidence.level = EvidenceLevel::L1;
    evidence.complete = false;
    std::vector<TensorInfo> tensors;
    for (int i = 0; i < 16; ++i)
        tensors.push_back({"layers." + std::to_string(i) + ".mlp.w1.weight",
                           "Float16",
                           {2048, 8192},
                           33'554'432,
                           static_cast<std::uint64_t>(i) * 30'875'008});
    evidence.tensors = TensorList(std::move(tensors));
    evidence.problems = {{"torn", 481'810'432, "record 16 needs 33,554,432 B, has 18,685,312"}};
    evidence.bytesRead = 18'200;
    return evidence;
}

std::vector<PlacedPart> tornPlaces()
{
    return {{.node = "ascend-01",
             .path = "/job/ckpt/rank_2/pangu-1_40800.ckpt",
             .save = "2:40800",
             .rank = 2,
             .slot = "rank_#/pangu-#_#.ckpt",
             .certainty = PlacedPart::Certainty::inferred,
             .evidence = {message("rank %1 in its path", 2),
                          message("the number %1 in its path grows from save to save", "40,800")}}};
}

std::string workerLog(int rank)
{
    std::string log;
    for (int step = 1; step <= 400; ++step)
        log += "epoch: 22 step: " + std::to_string(step) + ", loss is 2.4" +
               std::to_string(10 + (step * 7 + rank) % 89) + ", per step time: 4210 ms\n";
    if (rank == 5)
        log += "[ERROR] RUNTIME(41805,python): UCEError error occurs when execute, error_code=507053\nTraceback (most "
               "recent call last):\n  File \"train.py\", line 214, in <module>\nRuntimeError: Sync stream failed: "
               "UCEError\n";
    return log;
}

std::vector<JournalEntry> journal()
{
    std::vector<JournalEntry> entries;
    for (const char *state : {"planned", "written", "armed", "stopped"}) {
        JournalEntry entry;
        entry.action = "exit-20261121-031207-4f2a91c0";
        entry.kind = "exit";
        entry.state = state;
        entry.user = "lin";
        entry.host = "desk-4";
        entry.text = "GracefulExit 0 → 1 on ascend-01 and ascend-02";
        entry.time = now() - seconds(60);
        entries.push_back(entry);
    }
    return entries;
}

}  // namespace rankdeck::ui::scenes
