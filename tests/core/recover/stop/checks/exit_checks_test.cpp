// SPDX-License-Identifier: GPL-3.0-or-later
// The exit's preflight as pure rules: one fact at a time, and its finding.
#include "core/base/text.h"
#include "core/recover/flag/config_named.h"
#include "core/recover/stop/checks/exit_preflight.h"
#include "core/recover/stop/checks/response_time.h"
#include "core/recover/stop/exit_proof.h"
#include "core/recover/stop_method.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace rankdeck::exit_checks_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Level = Finding::Result;

WallTime at(double seconds) { return wallFromNs(static_cast<std::int64_t>((1e9 + seconds) * 1e9)); }

// Two ranks on two nodes that train without problems and may be stopped.
struct Healthy {
    Healthy()
    {
        job.name = "j";
        job.worldSize = 2;
        job.gracefulExit.config = "/job/g.json";
        for (int rank = 0; rank < 2; ++rank) {
            const std::string node = "n" + std::to_string(rank);
            job.nodes.push_back({.name = node, .host = node, .ranks = {rank}});
            NodeStatus status{.name = node, .state = NodeState::live};
            status.facts.uid = 1000;
            status.facts.bootId = "boot-" + node;
            view.nodes.push_back(status);
            ProcessInfo process;
            process.id = {.pid = 100 + rank, .startTicks = 7};
            process.uid = 1000;
            process.state = 'S';
            process.env["MS_ENABLE_GRACEFUL_EXIT"] = "1";
            process.envReadable = true;
            process.argv = {"python", "train.py"};
            process.cwd = "/job";
            RankState state{.rank = rank, .node = node, .alive = true, .process = process};
            state.progress.position = 50;
            state.progress.heard = at(0);
            view.ranks.push_back(state);
            facts.processes.ranks.push_back({.rank = rank, .node = node, .alive = true, .process = process});
            ConfigCopy copy{.node = node, .path = "/job/g.json", .ranks = {rank}};
            copy.content =
                FileContent{.bytes = "{}", .sha256 = "x", .realPath = "/job/g.json", .stat = {}, .writable = true};
            copy.content->stat.inode = static_cast<std::uint64_t>(rank);
            copy.flag = FlagReading{};
            facts.copies.push_back(copy);
            facts.room[node] = {{.directory = "/job/ckpt", .exists = true, .writable = true, .freeBytes = 1u << 30}};
        }
        view.job = job;
        view.stepSeconds = 2;
        facts.way = StopMethod::config;
        facts.now = at(0.5);
    }
    [[nodiscard]] std::vector<Finding> findings()
    {
        view.job = job;
        facts.way = exitWayOf(job);
        return exitFindings(view, facts, {});
    }
    // part: a part of its text, needed if several findings have the code.
    [[nodiscard]] Finding of(FindingCode code, std::string_view part = {})
    {
        for (const Finding &finding : findings())
            if (finding.code == code && finding.text.find(part) != std::string::npos) return finding;
        return {.result = Level::ok, .code = {}, .text = ""};
    }
    Job job;
    JobState view;
    ExitFacts facts;
};

TEST(ExitChecks, HealthyJobHasNoRefusal)
{
    Healthy job;
    for (const Finding &finding : job.findings()) EXPECT_NE(finding.result, Level::refuse) << finding.text;
}

TEST(ExitChecks, VariableMissingOnOneRankIsEnoughToRefuse)
{
    Healthy job;
    job.facts.processes.ranks[1].process->env["MS_ENABLE_GRACEFUL_EXIT"] = "true";
    const Finding found = job.of("graceful_env");
    EXPECT_EQ(found.result, Level::refuse);
    EXPECT_THAT(found.text, AllOf(HasSubstr("rank 1"), HasSubstr("\"true\"")));
}

// MindFormers sets the variable itself: the initial environment of a process proves nothing, but its checkpoints do.
TEST(ExitChecks, RecognisesGracefulExitOfMindFormersByItsCheckpoints)
{
    Healthy job;
    for (RankProcess &rank : job.facts.processes.ranks) {
        rank.process->env.clear();
        rank.process->argv = {"python", "run_mindformer.py", "--config", "llama.yaml"};
    }
    EXPECT_EQ(job.of("graceful_env", "use_graceful_exit").result, Level::warn);
    EXPECT_EQ(job.of("graceful_env", "expected MS_ENABLE_GRACEFUL_EXIT=1").text, "") << "the script sets it itself";
    job.facts.gracefulReady = true;
    EXPECT_EQ(job.of("graceful_env").result, Level::ok);
    EXPECT_THAT(job.of("graceful_env").text, HasSubstr("use_graceful_exit is on"));
}

TEST(ExitChecks, WarnsOfATrainCellThatWouldNeverStop)
{
    Healthy job;
    job.facts.gracefulReady = false;
    EXPECT_EQ(job.of("graceful_tags_missing").result, Level::warn);
    EXPECT_THAT(job.of("graceful_tags_missing").text, HasSubstr("never stop"));
}

// The files that OnRequestExit saves determine the disk space, and whether a stop can be proven.
TEST(ExitChecks, CountsTheFilesThatTheCallbackSaves)
{
    const std::string plain = "cb = OnRequestExit(file_name='LeNet', config_file=reset_json)\n";
    ASSERT_TRUE(exitCallbackOf(plain).has_value());
    EXPECT_TRUE(exitCallbackOf(plain)->savesCheckpoint && exitCallbackOf(plain)->savesMindir);
    EXPECT_FALSE(exitCallbackOf("OnRequestExit( save_mindir = False)\n")->savesMindir);
    EXPECT_FALSE(exitCallbackOf("from mindspore.train.callback import OnRequestExit\n").has_value());

    Healthy job;
    CheckpointSet set{.id = "0:3-10", .verdict = Verdict::valid};
    for (int rank = 0; rank < 2; ++rank)
        set.members.push_back(
            {.rank = rank, .node = "n" + std::to_string(rank), .path = "x.ckpt", .bytes = 100'000'000});
    job.view.checkpoints.sets = {set};
    EXPECT_THAT(job.of("disk_room").text, HasSubstr("about 200 MB"));
    job.facts.callback = exitCallbackOf(plain);
    EXPECT_THAT(job.of("disk_room").text, AllOf(HasSubstr("about 300 MB"), HasSubstr("two checkpoints and a .mindir")));
    EXPECT_EQ(job.of("saves_nothing").text, "");
    job.facts.callback = exitCallbackOf("OnRequestExit(save_ckpt=False, save_mindir=False)\n");
    EXPECT_THAT(job.of("disk_room").text, HasSubstr("about 100 MB"));
    EXPECT_EQ(job.of("saves_nothing").result, Level::warn);
    job.view.lostWork = {.steps = 40, .known = true};
    EXPECT_THAT(job.of("saves_nothing").text, HasSubstr("40 steps since the newest VALID set are lost"));
}

TEST(ExitChecks, StatesWhatAStopSavesWithoutAValidSet)
{
    Healthy job;
    EXPECT_THAT(job.of("no_valid_set").fix, HasSubstr("a graceful stop saves"));
    job.facts.callback = exitCallbackOf("OnRequestExit(save_ckpt=False)\n");
    EXPECT_THAT(job.of("no_valid_set").fix, AllOf(HasSubstr("a stop would lose"), Not(HasSubstr("saves"))));
    job.view.ranks[1].progress.hasLoss = true;
    job.view.ranks[1].progress.attempt = job.view.attempt;
    job.view.ranks[1].progress.loss = std::numeric_limits<double>::infinity();
    EXPECT_THAT(job.of("no_valid_set").fix, AllOf(HasSubstr("NaN or Inf"), Not(HasSubstr("stop saves"))));
}

TEST(ExitChecks, WarnsOfAFaultToleranceController)
{
    Healthy job;
    EXPECT_EQ(job.of("fault_tolerance").text, "");
    job.facts.processes.ranks[1].process->env["MS_ENABLE_TFT"] = "{TRE:1}";
    EXPECT_EQ(job.of("fault_tolerance").text, "") << "repeating a step needs no controller";
    job.facts.processes.ranks[1].process->env["MS_ENABLE_TFT"] = "{TTP:1,UCE:1}";
    EXPECT_EQ(job.of("fault_tolerance").result, Level::warn);
    EXPECT_THAT(job.of("fault_tolerance").text, AllOf(HasSubstr("rank 1"), HasSubstr("{TTP:1,UCE:1}")));
}

TEST(ExitChecks, StatesWhenTheNextStepEnds)
{
    Healthy job;
    job.view.stepSeconds = 50;
    job.facts.now = at(10);
    EXPECT_THAT(job.of("step_time").text, HasSubstr("the next one ends in about 40 s"));
    EXPECT_EQ(answerSeconds(job.view, at(10)), 40);
    EXPECT_EQ(answerSeconds(job.view, at(70)), 0);
    EXPECT_EQ(job.of("step_time").result, Level::ok);
    job.view.stepSeconds = 300;
    EXPECT_EQ(job.of("step_time").result, Level::warn);
}

// Volcano kills the pods that it moves after 15 minutes, and Slurm ends a job at its time limit.
TEST(ExitChecks, ComparesAForcedEndWithTheNextStep)
{
    Healthy job;
    job.view.stepSeconds = 50;
    job.facts.now = at(10);
    job.facts.ends = at(310);
    EXPECT_THAT(job.of("step_time", "by force").text, HasSubstr("in 5 min"));
    EXPECT_EQ(job.of("step_time", "by force").result, Level::ok);
    job.facts.ends = at(30);
    EXPECT_THAT(job.of("step_time", "by force").text, HasSubstr("the next step ends in about 40 s"));
    EXPECT_EQ(job.of("step_time", "by force").result, Level::warn);
    job.facts.ends = at(0);  // the time limit has passed
    EXPECT_EQ(job.of("step_time", "by force").text, "");
}

TEST(ExitChecks, DetectsASinkFromTheStepsBetweenLines)
{
    Healthy job;
    job.view.stepSeconds = 1;
    for (RankState &rank : job.view.ranks)
        for (std::int64_t step = 100; step <= 500; step += 100) rank.firstSamples.push_back({.step = step, .loss = 1});
    EXPECT_EQ(stepsPerLine(job.view), 100);
    EXPECT_EQ(lineSeconds(job.view), 100);
    const Finding found = job.of("step_time");
    EXPECT_EQ(found.result, Level::warn);
    EXPECT_THAT(found.text, HasSubstr("every 100 steps"));
}

TEST(ExitChecks, ReportsSilentStoppedAndDeadRanks)
{
    Healthy job;
    job.facts.now = at(500);
    EXPECT_EQ(job.of("rank_silent").result, Level::warn);
    job.facts.processes.ranks[1].process->state = 'T';
    EXPECT_THAT(job.of("rank_silent", "state T").text, HasSubstr("rank 1"));
    EXPECT_THAT(job.of("rank_silent", "state T").fix, HasSubstr("kill -CONT"));
    job.facts.processes.ranks[0].alive = false;  // then the ranks cannot agree, whatever else happens
    EXPECT_THAT(job.of("rank_silent", "state T").fix, AllOf(HasSubstr("end it with SIGKILL"), Not(HasSubstr("-CONT"))));
    EXPECT_EQ(job.of("rank_dead").result, Level::refuse);
}

// A rank without a process may have obeyed a request that is already set, unless it failed.
TEST(ExitChecks, DeadRankIsAWarningIfItMayHaveObeyedARequest)
{
    Healthy job;
    job.facts.processes.ranks[1].alive = false;
    EXPECT_EQ(job.of("rank_dead").result, Level::refuse);
    job.facts.copies[0].flag->armed = true;
    EXPECT_EQ(job.of("rank_dead").result, Level::refuse) << "its own config has no request";
    job.facts.copies[1].flag->armed = true;
    EXPECT_EQ(job.of("rank_dead").result, Level::warn);
    job.view.ranks[0].exitCode = 1;  // of another rank
    EXPECT_EQ(job.of("rank_dead").result, Level::warn);
    job.view.ranks[1].exitCode = 0;
    EXPECT_EQ(job.of("rank_dead").result, Level::warn);
    job.view.ranks[1].exitCode = 1;
    EXPECT_EQ(job.of("rank_dead").result, Level::refuse);
    job.view.ranks[1].exitCode.reset();
    job.view.ranks[1].error = RankError{.time = at(0), .text = "ValueError: boom"};
    EXPECT_EQ(job.of("rank_dead").result, Level::refuse);
    job.view.ranks[1].error.reset();
    job.facts.copies[1].flag.reset();  // unreadable: whether the rank had a request is unknown
    EXPECT_EQ(job.of("rank_dead").result, Level::refuse);
}

CheckpointSet setAt(std::int64_t position, std::uint64_t bytes)
{
    CheckpointSet set;
    set.id = "0:" + std::to_string(position);
    set.kind = CheckpointKind::periodic;
    set.verdict = Verdict::valid;
    set.position = set.globalStep = position;
    for (int rank = 0; rank < 2; ++rank)
        set.members.push_back(
            {.rank = rank, .node = "n" + std::to_string(rank), .path = "", .state = MemberState::ok, .bytes = bytes});
    return set;
}

TEST(ExitChecks, ChecksRoomForTwoFilesPerRankBySizesOfFinishedSaves)
{
    Healthy job;
    job.view.checkpoints.sets = {setAt(20, 10), setAt(10, 400u << 20)};  // the newest is still being written
    job.view.checkpoints.recommended = "0:20";
    EXPECT_EQ(job.of("disk_room").result, Level::ok);
    job.facts.room["n1"].front().freeBytes = 700u << 20;
    const Finding found = job.of("disk_full");
    EXPECT_EQ(found.result, Level::refuse);
    EXPECT_EQ(found.node, "n1");
    job.job.pathsShared = true;  // all ranks save into one place: four files
    job.facts.room = {{"n0", {{.directory = "/job/ckpt", .exists = true, .writable = true, .freeBytes = 1500u << 20}}}};
    EXPECT_EQ(job.of("disk_full").node, "n0");
}

TEST(ExitChecks, ChecksWritePermissionOfTheTrainingUser)
{
    Healthy job;
    job.facts.room["n0"].front().writable = false;
    EXPECT_EQ(job.of("save_not_writable").result, Level::refuse);
    job.facts.processes.ranks[0].process->uid =
        2000;  // another user trains: our lack of permission does not affect him
    EXPECT_EQ(job.of("save_not_writable").result, Level::warn);
    job.facts.room["n0"].front().error = "Permission denied";
    EXPECT_EQ(job.of("save_not_writable", "cannot be checked: Permission denied").result, Level::warn);
}

TEST(ExitChecks, ReportsThatTheNewestCheckpointIsManyStepsOld)
{
    Healthy job;
    job.view.checkpoints.sets = {setAt(300, 1), setAt(200, 1), setAt(100, 1)};
    job.view.lostWork = {.steps = 150, .since = 300, .known = true};
    EXPECT_EQ(job.of("checkpoint_old").text, "");
    job.view.lostWork.steps = 450;
    EXPECT_THAT(job.of("checkpoint_old").text, AllOf(HasSubstr("450 steps ago"), HasSubstr("every 100 steps")));
}

TEST(ExitChecks, ReportsCopiesThatDiffer)
{
    Healthy job;
    job.facts.copies[1].content->bytes = R"({"other": 1})";
    EXPECT_EQ(job.of("copies_differ").result, Level::warn);
}

TEST(ExitChecks, ReportsAStaleSaveThatWillBeOverwritten)
{
    Healthy job;
    job.facts.staleSaves[1] = "/job/rank_1/Net_train.ckpt";
    EXPECT_THAT(job.of("stale_train_ckpt").text, HasSubstr("/job/rank_1/Net_train.ckpt"));
    EXPECT_THAT(job.of("stale_train_ckpt").fix, HasSubstr("overwrites"));
}

TEST(ExitChecks, SignalNeedsAHandlerInEveryRank)
{
    Healthy job;
    job.job.gracefulExit = {.signal = "USR1"};
    job.facts.copies.clear();
    EXPECT_EQ(job.of("signal_handler", "cannot tell from /proc").result, Level::warn);
    job.facts.looks[0] = signalMasks("Name:\tpython\nSigIgn:\t0000000000001000\nSigCgt:\t0000000180000200\n");
    job.facts.looks[1] = signalMasks("SigIgn:\t0000000000001000\nSigCgt:\t0000000180000002\n");
    EXPECT_EQ(job.facts.looks[0].catches(10), true);
    EXPECT_EQ(job.facts.looks[0].ignores(13), true);
    EXPECT_THAT(job.of("signal_handler", "has a handler for").text, HasSubstr("rank 0"));
    EXPECT_EQ(job.of("signal_handler", "end the process at once").result, Level::refuse);
    EXPECT_THAT(job.of("signal_handler", "end the process at once").text, HasSubstr("rank 1"));
    job.facts.looks[1] = signalMasks("SigIgn:\t0000000000000200\nSigCgt:\t0000000000000000\n");
    EXPECT_EQ(job.of("signal_handler", "ignores SIGUSR1").result, Level::refuse);
    EXPECT_EQ(signalMasks("SigCgt: nonsense").catches(10), std::nullopt);
}

TEST(ExitChecks, RefusesAnUnreadableConfigWithAMatchingCode)
{
    const auto bytes = [](const char *text) {
        FileContent content;
        content.bytes = text;
        return Result<FileContent>(content);
    };
    const struct {
        Result<FileContent> answer;
        FindingCode code;
        const char *fix;
    } answers[] = {{bytes("{\"GracefulExit\": "), "config_invalid", "repair it by hand"},
                   {bytes("[1]"), "config_invalid", "make it an object"},
                   {bytes(""), "config_invalid", "write {} into it"},
                   {fail(ErrorKind::notFound, "No such file or directory"), "config_missing", "create it there"},
                   {fail(ErrorKind::invalid, "Is a directory"), "config_unreadable", "log in as the user"}};
    for (const auto &[answer, code, fix] : answers) {
        Healthy job;
        takeContent(job.facts.copies[0], answer);
        EXPECT_EQ(job.of(code).result, Level::refuse) << std::string(code.word());
        EXPECT_THAT(job.of(code).fix, HasSubstr(fix)) << std::string(code.word());
    }
}

TEST(ExitChecks, OnlyEscalationIsPossibleWithoutAStopMethod)
{
    Healthy job;
    job.job.gracefulExit = {};
    job.facts.copies.clear();
    EXPECT_EQ(job.of("no_graceful_config").result, Level::refuse);
    EXPECT_TRUE(onlyGracefulIsImpossible(job.findings()));
}

// ---- the file that the ranks read

TEST(NamedConfig, IsFoundInArgumentsSourcesAndOpenFiles)
{
    ProcessInfo process;
    process.cwd = "/job";
    process.argv = {"python",
                    "./train.py",
                    "--graceful",
                    "a/../g_{rank}.json",
                    "--ds_config=ds.json",
                    "--graceful-exit-config=/etc/x.json",
                    "--graceful-name",
                    "LeNet5"};
    EXPECT_EQ(sourcesOf(process), std::vector<std::string>{"/job/./train.py"});
    ProcDetails look;
    look.openJson = {"/data/labels.json", "/other/g.json"};
    look.texts["/job/train.py"] = "cb = OnRequestExit(file_name='N', config_file = \"./s.json\")\n"
                                  "other = OnRequestExit(config_file=path)\n"
                                  "third = OnRequestExit(config_file=f'/x/{node}.json')\n";
    look.texts["/job/run.yaml"] = "callbacks:\n  - type: OnRequestExit\n    config_file: /y/g.json # here\n";
    look.texts["/job/no.py"] = "config_file='/z.json'\n";  // config_file of another object
    std::vector<std::string> paths;
    for (const NamedConfig &named : namedConfigs(process, look, 3, "/job/g.json")) paths.push_back(named.path);
    EXPECT_THAT(paths, testing::UnorderedElementsAre("/other/g.json", "/job/g_3.json", "/etc/x.json", "/job/s.json",
                                                     "/y/g.json"));
}

TEST(NamedConfig, InAnOpenFileOrArgumentRefusesButInASourceOnlyWarns)
{
    Healthy job;
    job.facts.elsewhere = {{.rank = 0,
                            .named = {.by = NamedConfig::By::source, .path = "/a.json", .where = "config_file in t.py"},
                            .configured = "/job/g.json"}};
    EXPECT_EQ(job.of("config_named").result, Level::warn);
    job.facts.elsewhere.front().named.by = NamedConfig::By::open;
    EXPECT_EQ(job.of("config_named").result, Level::refuse);
}

// ---- shared or per node

TEST(Sharing, IsDetectedFromFileIdentities)
{
    Healthy job;
    auto &copies = job.facts.copies;
    copies[1].content->stat = copies[0].content->stat;
    findShared(copies, job.view);
    EXPECT_EQ(copies[1].sameAs, "") << "cloned machines: equal numbers on disks of their own";
    copies[0].content->fileSystem = copies[1].content->fileSystem = "nfs4";
    findShared(copies, job.view);
    EXPECT_EQ(copies[1].sameAs, "n0");
    copies[1].content->stat.inode = 99;
    findShared(copies, job.view);
    EXPECT_EQ(copies[1].sameAs, "");
}

TEST(Sharing, DifferentContentsOverrideTheJobFile)
{
    Healthy job;
    job.view.job.pathsShared = true;
    findShared(job.facts.copies, job.view);
    EXPECT_EQ(job.facts.copies[1].sameAs, "n0");
    job.facts.copies[1].content->sha256 = "y";
    findShared(job.facts.copies, job.view);
    EXPECT_EQ(job.facts.copies[1].sameAs, "");
}

// ---- proof by log lines

TEST(SeenByLines, RankMayHoldTheRequestAfterOneLineAndHoldsItAfterTwo)
{
    Healthy job;
    ExitBaseline baseline{.armedAt = at(0), .armedRanks = {0, 1}, .positions = {{0, 50}, {1, 50}}};
    EXPECT_TRUE(ranksThatMayHold(job.view, baseline).empty());
    job.view.ranks[0].progress.position = 51;
    EXPECT_EQ(ranksThatMayHold(job.view, baseline), std::vector<int>{0});
    EXPECT_FALSE(proveExit(job.view, baseline, at(1)).ranks[0].seen);
    job.view.ranks[0].progress.position = 52;
    const ExitProof proof = proveExit(job.view, baseline, at(1));
    EXPECT_TRUE(proof.ranks[0].seen);
    EXPECT_EQ(proof.ranks[0].seenAt, at(1));
    EXPECT_EQ(proveExit(job.view, baseline, at(9), proof.ranks).ranks[0].seenAt, at(1)) << "the first time is kept";
    job.view.ranks[1].alive = false;
    EXPECT_EQ(ranksThatMayHold(job.view, baseline), std::vector<int>{0}) << "who is gone holds nothing";
}

// A script handles a signal without a new step. So a rank that has written no line since the signal may stop as well.
TEST(SeenByLines, ASignalMayStopARankThatWroteNoLineSince)
{
    Healthy job;
    for (const StopMethod way : {StopMethod::signal, StopMethod::scancel, StopMethod::config, StopMethod::stopFile}) {
        const ExitBaseline baseline{
            .way = way, .armedAt = at(0), .armedRanks = {0, 1}, .positions = {{0, 50}, {1, 50}}};
        EXPECT_EQ(ranksThatMayHold(job.view, baseline).size(), leavesAFile(way) ? 0u : 2u);
    }
}

TEST(SeenByLines, LinesAlreadyInTransitProveNothing)
{
    Healthy job;
    ExitBaseline baseline{.armedAt = at(0), .armedRanks = {0, 1}, .positions = {{0, 50}}, .delivered = {{0, 60}}};
    job.view.ranks[0].progress.position = 61;
    EXPECT_FALSE(proveExit(job.view, baseline, at(3)).ranks[0].seen);
    EXPECT_EQ(ranksThatMayHold(job.view, baseline).front(), 0) << "it may have, all the same";
    job.view.ranks[0].progress.position = 62;
    EXPECT_TRUE(proveExit(job.view, baseline, at(3)).ranks[0].seen);
}

TEST(SeenByLines, RankIsLateIfItIsBehindTheOthersOrTheStepTime)
{
    Healthy job;
    ExitBaseline baseline{.armedAt = at(0), .answer = 4, .armedRanks = {0, 1}, .positions = {{0, 50}, {1, 50}}};
    EXPECT_EQ(proveExit(job.view, baseline, at(6)).ranks[1].note, "");
    EXPECT_THAT(proveExit(job.view, baseline, at(20)).ranks[1].note, HasSubstr("13 s late"));
    job.view.ranks[0].gracefulExitSeen = true;
    job.view.ranks[0].gracefulExitTime = at(5);
    const ExitProof proof = proveExit(job.view, baseline, at(19));
    EXPECT_EQ(proof.ranks[0].note, "");
    EXPECT_THAT(proof.ranks[1].note, HasSubstr("12 s late"));
    EXPECT_EQ(proof.ranks[1].lateSeconds, 12);
}

TEST(ExitChecks, NamesANodeThatCannotReportTheHolderOfTheJob)
{
    Healthy job;
    job.facts.claims = {{.node = "n0", .held = Known::no}, {.node = "n1", .problem = "Permission denied"}};
    EXPECT_EQ(job.of("other_console").result, Level::warn);
    EXPECT_THAT(job.of("other_console").text, AllOf(HasSubstr("n1"), HasSubstr("Permission denied")));
    job.facts.claims[1] = {.node = "n1", .held = Known::no};
    EXPECT_EQ(job.of("other_console").result, Level::ok);
}

// A resume that has begun on that node since then would be invisible: without an answer, another console may have the
// job.
TEST(ExitChecks, ReportsANodeThatFellSilentAfterTheRequest)
{
    const std::vector<ClaimFact> before{{.node = "n0", .held = Known::no}, {.node = "n1", .held = Known::no}};
    EXPECT_TRUE(silentSince(before, before).empty());
    EXPECT_TRUE(silentSince({{.node = "n1"}}, {}).empty());  // it had not answered before either
    const auto gone = silentSince(before, {{.node = "n0", .held = Known::no}});
    ASSERT_EQ(gone.size(), 1u);
    EXPECT_EQ(gone[0].result, Level::warn);
    EXPECT_THAT(gone[0].text, HasSubstr("n1"));
    EXPECT_EQ(silentSince(before, {{.node = "n0"}, {.node = "n1", .held = Known::yes}}).size(), 1u);
}

}  // namespace
}  // namespace rankdeck::exit_checks_test
