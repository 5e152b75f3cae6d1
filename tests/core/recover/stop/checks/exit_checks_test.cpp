// SPDX-License-Identifier: GPL-3.0-or-later
// The exit's preflight as pure rules: one fact at a time, and its finding.
#include "core/base/text.h"
#include "core/recover/stop/checks/response_time.h"
#include "tests/core/recover/stop/checks/healthy_exit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace rankdeck::exit_checks_test {
namespace {

using test::at;
using test::HealthyExit;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Level = Finding::Result;

TEST(ExitChecks, HealthyJobHasNoRefusal)
{
    HealthyExit job;
    for (const Finding &finding : job.findings()) EXPECT_NE(finding.result, Level::refuse) << finding.text;
}

TEST(ExitChecks, VariableMissingOnOneRankIsEnoughToRefuse)
{
    HealthyExit job;
    job.facts.processes.ranks[1].process->env["MS_ENABLE_GRACEFUL_EXIT"] = "true";
    const Finding found = job.of("graceful_env");
    EXPECT_EQ(found.result, Level::refuse);
    EXPECT_THAT(found.text, AllOf(HasSubstr("rank 1"), HasSubstr("\"true\"")));
}

// MindFormers sets the variable itself: the initial environment of a process proves nothing, but its checkpoints do.
TEST(ExitChecks, RecognisesGracefulExitOfMindFormersByItsCheckpoints)
{
    HealthyExit job;
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
    HealthyExit job;
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

    HealthyExit job;
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
    HealthyExit job;
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
    HealthyExit job;
    EXPECT_EQ(job.of("fault_tolerance").text, "");
    job.facts.processes.ranks[1].process->env["MS_ENABLE_TFT"] = "{TRE:1}";
    EXPECT_EQ(job.of("fault_tolerance").text, "") << "repeating a step needs no controller";
    job.facts.processes.ranks[1].process->env["MS_ENABLE_TFT"] = "{TTP:1,UCE:1}";
    EXPECT_EQ(job.of("fault_tolerance").result, Level::warn);
    EXPECT_THAT(job.of("fault_tolerance").text, AllOf(HasSubstr("rank 1"), HasSubstr("{TTP:1,UCE:1}")));
}

TEST(ExitChecks, StatesWhenTheNextStepEnds)
{
    HealthyExit job;
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
    HealthyExit job;
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
    HealthyExit job;
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
    HealthyExit job;
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
    HealthyExit job;
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
    HealthyExit job;
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
    HealthyExit job;
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
    HealthyExit job;
    job.view.checkpoints.sets = {setAt(300, 1), setAt(200, 1), setAt(100, 1)};
    job.view.lostWork = {.steps = 150, .since = 300, .known = true};
    EXPECT_EQ(job.of("checkpoint_old").text, "");
    job.view.lostWork.steps = 450;
    EXPECT_THAT(job.of("checkpoint_old").text, AllOf(HasSubstr("450 steps ago"), HasSubstr("every 100 steps")));
}

TEST(ExitChecks, ReportsCopiesThatDiffer)
{
    HealthyExit job;
    job.facts.copies[1].content->bytes = R"({"other": 1})";
    EXPECT_EQ(job.of("copies_differ").result, Level::warn);
}

TEST(ExitChecks, ReportsAStaleSaveThatWillBeOverwritten)
{
    HealthyExit job;
    job.facts.staleSaves[1] = "/job/rank_1/Net_train.ckpt";
    EXPECT_THAT(job.of("stale_train_ckpt").text, HasSubstr("/job/rank_1/Net_train.ckpt"));
    EXPECT_THAT(job.of("stale_train_ckpt").fix, HasSubstr("overwrites"));
}

TEST(ExitChecks, SignalNeedsAHandlerInEveryRank)
{
    HealthyExit job;
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
        HealthyExit job;
        takeContent(job.facts.copies[0], answer);
        EXPECT_EQ(job.of(code).result, Level::refuse) << std::string(code.word());
        EXPECT_THAT(job.of(code).fix, HasSubstr(fix)) << std::string(code.word());
    }
}

TEST(ExitChecks, OnlyEscalationIsPossibleWithoutAStopMethod)
{
    HealthyExit job;
    job.job.gracefulExit = {};
    job.facts.copies.clear();
    EXPECT_EQ(job.of("no_graceful_config").result, Level::refuse);
    EXPECT_TRUE(onlyGracefulIsImpossible(job.findings()));
}

TEST(ExitChecks, NamesANodeThatCannotReportTheHolderOfTheJob)
{
    HealthyExit job;
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
