// SPDX-License-Identifier: GPL-3.0-or-later
// One job, one attempt: consoles that know nothing of each other, runs that no process list shows, and the remains of a
// killed console.
#include "core/recover/forwarding_context.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/plan/plan_json.h"
#include "core/recover/plan/step_log.h"
#include "core/recover/resume/checks/resume_checks.h"
#include "tests/core/recover/refusals.h"
#include "tests/testbed/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <future>

namespace rankdeck::one_attempt_test {
namespace {

using ::testing::HasSubstr;

// A console with its own journal, which has never seen the ranks.
class Stranger : public ForwardingContext {
public:
    explicit Stranger(EngineHost &host) : ForwardingContext(host), m_journal(Journal::open(m_dir.file("state")).value())
    {}
    JobState view() const override
    {
        JobState state = m_host.view();
        for (RankState &rank : state.ranks) {
            rank.seenAlive = seen;
            if (rank.alive.isNo()) rank.alive.reset();
        }
        if (!jobName.empty()) state.job.name = jobName;
        if (!workdir.empty()) state.job.launch.workdir = workdir;
        return state;
    }
    NodeClient *node(const std::string &name) override { return dead ? nullptr : m_host.node(name); }
    Journal &journal() override { return *m_journal; }
    void attemptLaunched(WallTime, std::optional<std::int64_t>) override { ++launched; }
    void expectLoads(const std::map<int, std::vector<std::string>> &) override {}
    void refreshFlags() override {}
    bool seen = true;
    bool dead = false;  // its requests no longer reach a node
    int launched = 0;
    std::string jobName = {}, workdir = {};  // values of its own job file, if they differ

private:
    TempDir m_dir;
    std::unique_ptr<Journal> m_journal;
};

TEST(OneAttempt, ExactlyOneOfTwoSimultaneousResumesStarts)
{
    EngineHost host({{0}, {1}}, "command");
    host.crashLongAgo();
    host.catchUp();
    Stranger first(host), second(host);
    const auto resume = [](ActionContext &console) { return runResume(console, {.waitSeconds = 5}, {}); };
    auto one = std::async(std::launch::async, [&] { return resume(first); });
    auto other = std::async(std::launch::async, [&] { return resume(second); });
    const ResumeReport a = one.get(), b = other.get();
    EXPECT_EQ(first.launched + second.launched, 1) << a.text << "\n" << b.text;
    const ResumeReport &loser = first.launched == 1 ? b : a;
    EXPECT_EQ(loser.outcome, "refused") << loser.text;
    ASSERT_NE(find(loser.preflight, "attempt_running"), nullptr) << loser.text;
    EXPECT_TRUE(loser.left.empty()) << "it has touched nothing";
    EXPECT_EQ(host.pids().size(), 2u);
    for (const char *rank : {"0", "1"}) {
        const std::string log = std::string("job/log/worker_") + rank;
        EXPECT_TRUE(host.exists(log + ".attempt-0.log") && host.exists(log + ".log"));
    }
}

// Job files with other names and working directories over the same logs and checkpoints.
TEST(OneAttempt, ExactlyOneOfTwoJobFilesWithTheSameDirectoriesStarts)
{
    EngineHost host({{0}, {1}}, "command");
    host.crashLongAgo();
    host.catchUp();
    Stranger first(host), second(host);
    second.jobName = "another-name";
    second.workdir = host.file("elsewhere");
    std::filesystem::create_directories(second.workdir);
    const auto resume = [](ActionContext &console) { return runResume(console, {.waitSeconds = 5}, {}); };
    auto one = std::async(std::launch::async, [&] { return resume(first); });
    auto other = std::async(std::launch::async, [&] { return resume(second); });
    const ResumeReport a = one.get(), b = other.get();
    EXPECT_EQ(first.launched + second.launched, 1) << a.text << "\n" << b.text;
    const ResumeReport &loser = first.launched == 1 ? b : a;
    EXPECT_EQ(loser.outcome, "refused") << loser.text;
    EXPECT_TRUE(loser.left.empty()) << "it has touched nothing";
    EXPECT_EQ(host.pids().size(), 2u);
    for (const char *rank : {"0", "1"}) {
        const std::string log = std::string("job/log/worker_") + rank;
        EXPECT_TRUE(host.exists(log + ".attempt-0.log") && host.exists(log + ".log"));
    }
    Stranger third(host);
    third.jobName = "a-third-name";
    third.workdir = second.workdir;
    // The set is given by its id, because later saves of the attempt may not be read yet.
    const ResumeReport late = planResume(third, {.set = (first.launched == 1 ? a : b).set, .fixes = {"all"}});
    const Finding *finding = find(late.preflight, "attempt_running");
    ASSERT_NE(finding, nullptr) << late.text;
    EXPECT_THAT(finding->text, HasSubstr("whatever its job is called"));
}

// Ranks that another console starts between two process scans belong to this job, not to another one.
TEST(OneAttempt, RanksStartedDuringTheScanBelongToThisJob)
{
    EngineHost host({{0}, {1}}, "command");
    host.crashLongAgo();
    host.catchUp();
    ASSERT_EQ(runResume(host, {.waitSeconds = 60}, {}).outcome, "proven");
    const ProcessSnapshot before;  // as it was when none of them was there
    const LeftoverFacts facts =
        readLeftovers(host, host.view(), before, {}, std::chrono::steady_clock::now() + std::chrono::seconds(60));
    EXPECT_GE(facts.begun.size(), 2u) << "each rank, and who waits for it";
    EXPECT_TRUE(facts.sharing.empty());
    const std::vector<Finding> findings = leftoverFindings(facts, before, {}, {});
    const Finding *told = find(findings, "attempt_running");
    ASSERT_NE(told, nullptr);
    EXPECT_EQ(told->result, Finding::Result::refuse) << told->text;
}

// Releases the job of another action at the second request to a node.
class GoesAtTheSecondQuestion final : public ForwardingContext {
public:
    GoesAtTheSecondQuestion(EngineHost &host, Reservation &other) : ForwardingContext(host), m_other(other) {}
    NodeClient *node(const std::string &name) override
    {
        if (++m_asked == 2) m_other.release();
        return ForwardingContext::node(name);
    }

private:
    Reservation &m_other;
    int m_asked = 0;
};

// Regression: files were listed while another action still moved them, and the job's holder was queried only after that
// action had ended. The plan missed an old log that had been restored by then, and the new attempt appended to it.
TEST(OneAttempt, ChecksTheHolderOfTheJobBeforeListingItsFiles)
{
    EngineHost host({{0}}, "command");
    host.crashLongAgo();
    host.catchUp();
    const JobState view = host.view();
    const NodeSpec &spec = view.job.nodes[0];
    Reservation other(host);
    const JobClaim claim = jobReservation(view, &spec, "resume-1");
    ASSERT_TRUE(
        other.take({{.node = "n0", .claim = claim, .runDirectory = runDirectory(view.job, &spec)}}).has_value());
    GoesAtTheSecondQuestion context(host, other);
    const ResumeReport first = planResume(context, {});
    EXPECT_NE(find(first.preflight, "attempt_running"), nullptr) << first.text;
    EXPECT_EQ(find(planResume(host, {}).preflight, "attempt_running"), nullptr) << "it has gone";
}

// Regression: only the launch claimed the job, so a second console moved files of the first.
TEST(OneAttempt, KilledConsoleHoldsTheJobOnlyUntilItsConnectionEnds)
{
    EngineHost host({{0}, {1}}, "command");
    host.crashLongAgo();
    host.catchUp();
    struct Killed {};
    Stranger first(host);
    const auto killed = [&](const ResumeReport &report) {
        if (report.phase != "preparing") return;
        first.dead = true;
        throw Killed();
    };
    EXPECT_THROW(runResume(first, {.waitSeconds = 5}, killed), Killed);
    EXPECT_TRUE(host.pids().empty());

    Stranger second(host);
    const ResumeReport refused = runResume(second, {.waitSeconds = 5, .fixes = {"all"}}, [&](const ResumeReport &now) {
        if (now.phase == "preflight") host.clock.setPace(20);  // the job is not released
    });
    host.clock.setPace(1);
    EXPECT_TRUE(refusedWith(refused, "attempt_running"));
    EXPECT_THAT(refused.text, HasSubstr("reserved by"));
    EXPECT_TRUE(host.exists("job/log/worker_0.log"));

    host.closeEngine();  // ends the link of the killed console
    EXPECT_TRUE(host.waitFor([&] { return planResume(second, {}).outcome == "dry_run"; }));
    const ResumeReport resumed = runResume(second, {.waitSeconds = 60}, {});
    EXPECT_EQ(resumed.outcome, "proven") << resumed.text;
    EXPECT_EQ(host.pids().size(), 2u);
}

// The link is cut after the job was reserved. When it is back, another console may have the job.
TEST(OneAttempt, ConsoleThatLostItsReservationMakesNoSteps)
{
    EngineHost host({{0}}, "command");
    host.crashLongAgo();
    host.catchUp();
    Stranger console(host);
    bool cut = false;
    const ResumeReport report = runResume(console, {.waitSeconds = 5}, [&](const ResumeReport &now) {
        if (now.phase != "preparing" || cut) return;
        cut = true;
        host.closeEngine();  // the next question uses a new link
    });
    EXPECT_TRUE(cut);
    EXPECT_EQ(report.outcome, "failed") << report.text;
    EXPECT_THAT(report.text, HasSubstr("no longer reserved"));
    EXPECT_THAT(report.text, HasSubstr("All files are back"));
    EXPECT_TRUE(host.exists("job/log/worker_0.log"));
    EXPECT_EQ(console.launched, 0);
    EXPECT_TRUE(host.pids().empty());
}

// Slurm starts the ranks: one node submits, and the other nodes have files of the job that must be backed up.
class OneAttemptOfAnEngine : public testing::Test {
protected:
    OneAttemptOfAnEngine()
    {
        host.crashLongAgo();
        for (const char *program : {"sbatch", "squeue", "scancel"}) {
            host.write(std::string("job/bin/") + program, "#!/bin/sh\nexit 1\n");
            std::filesystem::permissions(host.file(std::string("job/bin/") + program),
                                         std::filesystem::perms::owner_all);
        }
        host.job.launch.recipe = "slurm";
        host.job.launch.env["PATH"] = host.file("job/bin") + ":/usr/bin:/bin";
        host.catchUp();
    }
    EngineHost host{{{0}, {1}}, "command"};
};

TEST_F(OneAttemptOfAnEngine, StepsOnOtherNodesAlsoRequireTheReservation)
{
    Stranger console(host);
    bool cut = false;
    const ResumeReport report = runResume(console, {.waitSeconds = 5}, [&](const ResumeReport &now) {
        if (now.phase != "preparing" || cut) return;
        cut = true;
        host.stopNode("n1");
        host.joinNode("n1");
        ASSERT_TRUE(host.waitFor([&] { return host.node("n1")->status().state == NodeState::live; }));
    });
    EXPECT_TRUE(cut);
    EXPECT_EQ(report.outcome, "failed") << report.text;
    EXPECT_THAT(report.text, testing::AllOf(HasSubstr("no longer reserved"), HasSubstr("worker_1.log")));
    EXPECT_THAT(report.text, HasSubstr("All files are back"));
    EXPECT_TRUE(host.exists("job/log/worker_0.log") && host.exists("job/log/worker_1.log"));
}

TEST_F(OneAttemptOfAnEngine, SkipsANodeThatCannotReserveTheJob)
{
    host.job.launch.workdir = host.file("{node}");
    std::filesystem::create_directories(host.file("n0"));
    host.write("n1", "a file where the directory would be");
    host.catchUp();
    Stranger console(host);
    const ResumeReport report = runResume(console, {.waitSeconds = 5}, {});
    EXPECT_THAT(report.text, testing::Not(HasSubstr("could not be reserved")));
    EXPECT_THAT(report.text, HasSubstr("squeue does not answer"));
    EXPECT_THAT(report.text, HasSubstr("All files are back"));
}

// The journal entry of a step names its action and its node.
TEST_F(OneAttemptOfAnEngine, JournalNamesTheStepsWithTheirNodes)
{
    Stranger console(host);
    const ResumeReport report = runResume(console, {.waitSeconds = 5}, {});
    std::string steps;
    for (const JournalEntry &entry : console.journal().read().value())
        if (entry.state == stepEntry) steps += entry.text + "\n";
    const std::string log = host.file("job/log/worker_");
    EXPECT_THAT(steps, HasSubstr("n0: move " + log + "0.log to " + log + "0.attempt-0.log: done")) << report.text;
    EXPECT_THAT(steps, HasSubstr("n1: move " + log + "1.log to " + log + "1.attempt-0.log: done"));
    EXPECT_THAT(steps, HasSubstr("n0: write " + host.file("job/.rankdeck/batch/" + report.journal)));
}

TEST(OneAttempt, SecondConsoleLearnsWhichConsoleRunsTheJob)
{
    EngineHost host({{0}}, "command");
    host.crashLongAgo();
    host.job.launch.env["FAKE_LAST"] = "27";
    const ResumeReport first = runResume(host, {.waitSeconds = 60}, {});
    ASSERT_EQ(first.outcome, "proven") << first.text;
    host.waitStep(27);
    host.allJudged();
    Stranger second(host);
    const ResumeReport refused = runResume(second, {.waitSeconds = 5, .fixes = {"all"}}, {});
    EXPECT_EQ(refused.outcome, "refused");
    const Finding *finding = find(refused.preflight, "attempt_running");
    ASSERT_NE(finding, nullptr) << refused.text;
    EXPECT_THAT(finding->text, HasSubstr("started by"));
    EXPECT_THAT(finding->text, HasSubstr(first.journal));
    EXPECT_EQ(host.pids().size(), 1u);
}

// A console that has not read the newest set yet, for the given number of checks.
class SlowReader : public Stranger {
public:
    SlowReader(EngineHost &host, int looks) : Stranger(host), m_looks(looks) {}
    JobState view() const override
    {
        JobState state = Stranger::view();
        if (m_looks-- <= 0) return state;
        CheckpointSet &newest = state.checkpoints.sets.front();
        newest.verdict = Verdict::unknown;
        newest.reasons = {{.code = "not_read", .text = "2 files were not read yet"}};
        state.checkpoints.settled = false;
        state.checkpoints.recommended = state.checkpoints.sets.at(1).id;
        return state;
    }

private:
    mutable int m_looks;
};

TEST(NewestSet, ResumeWaitsForItInsteadOfTakingAnOlderSet)
{
    EngineHost host({{0}}, "command");
    host.startFirst();
    host.waitStep(16);
    host.endLongAgo();
    host.catchUp();
    const CheckpointReport sets = host.view().checkpoints;
    ASSERT_GE(sets.sets.size(), 2u);
    ASSERT_EQ(sets.recommended, sets.sets.front().id);
    SlowReader never(host, 1000);
    const ResumeReport refused = planResume(never, {});
    EXPECT_TRUE(refusedWith(refused, "set_not_valid")) << refused.text;
    EXPECT_THAT(refused.text, HasSubstr("not read yet"));
    EXPECT_EQ(planResume(never, {.set = sets.sets.at(1).id}).outcome, "dry_run") << "named, it is taken";
    SlowReader late(host, 4);
    const ResumeReport report = runResume(late, {.waitSeconds = 60}, {});
    EXPECT_EQ(late.launched, 1) << report.text;
    EXPECT_EQ(report.set, *sets.recommended);
}

TEST(OneAttempt, GrowingLogIsARunUnlessEveryRankIsKnownToBeGone)
{
    EngineHost host({{0}}, "command");
    host.crashLongAgo();
    std::ofstream(host.file("job/log/worker_0.log"), std::ios::app) << "\n";
    host.catchUp();
    Stranger console(host);
    console.seen = false;
    const ResumeReport blind = planResume(console, {.fixes = {"all"}});
    EXPECT_EQ(blind.outcome, "refused") << blind.text;
    ASSERT_NE(find(blind.preflight, "run_moving"), nullptr) << blind.text;
    EXPECT_EQ(planResume(console, {.fixes = {"run_moving"}}).outcome, "dry_run") << "said so, by its own code";
    console.seen = true;
    EXPECT_EQ(find(planResume(console, {}).preflight, "run_moving"), nullptr) << "a death that was seen delays nothing";
}

// A log that has just ended: the resume waits to see whether it grows. The offset to the node's clock is measured
// repeatedly and varies a little.
TEST(OneAttempt, NewClockMeasurementDoesNotCountAsLogGrowth)
{
    EngineHost host({{0}}, "command", {.timing = {.heartbeat = std::chrono::milliseconds(50)}});
    host.crashLongAgo();
    std::filesystem::last_write_time(host.file("job/log/worker_0.log"),
                                     std::filesystem::file_time_type::clock::now() - std::chrono::seconds(52));
    host.catchUp();
    Stranger console(host);
    console.seen = false;
    bool waited = false;
    const ResumeReport report = runResume(console, {.waitSeconds = 5}, [&](const ResumeReport &now) {
        waited = waited || now.text.find("Waiting to see whether the run has ended") != std::string::npos;
    });
    EXPECT_TRUE(waited) << report.text;
    EXPECT_EQ(console.launched, 1) << report.text;
}

TEST(OneAttempt, StartedRunIsNeitherStoppedNorUndoneAfterAKill)
{
    EngineHost host({{0}}, "command");
    host.crashLongAgo();
    const ResumeReport report = runResume(host, {.waitSeconds = 60}, {});
    ASSERT_EQ(report.outcome, "proven") << report.text;
    const auto before = host.pids();
    ASSERT_EQ(before.size(), 1u);
    const auto killedAfter = [&](const std::vector<std::string> &states) {
        for (const std::string &state : states)
            ASSERT_TRUE(host.journal()
                            .append({.action = "resume-killed-" + states.back(),
                                     .job = host.job.name,
                                     .file = host.job.file,
                                     .kind = "resume",
                                     .state = state,
                                     .text = "",
                                     .data = planToJson(report.plan)})
                            .has_value());
        EXPECT_THAT(finishInterrupted(host), HasSubstr("after all commands had been started"));
        EXPECT_EQ(host.pids(), before);
        EXPECT_TRUE(host.exists("job/log/worker_0.log"));
        EXPECT_TRUE(host.journal().unfinished(host.job.name)->empty());
    };
    killedAfter({"planned", "preparing", "prepared", "launching"});  // the nodes still report what was started
    std::filesystem::remove_all(host.file("job/.rankdeck/runs"));
    killedAfter({"planned", "preparing", "prepared", "launching", "started"});
}

TEST(OneAttempt, LaunchesOfTwoNodesNeverHaveTheSameId)
{
    EXPECT_NE(launchId("resume-1", "节点一"), launchId("resume-1", "节点二"));
    EXPECT_NE(launchId("resume-1", "a 1"), launchId("resume-1", "a-1"));
    EXPECT_EQ(launchId("resume-1", "n0"), "resume-1.n0");
}

TEST(OneAttempt, ClaimIsTheSameForEveryRecipeAndConsole)
{
    JobState view;
    view.job.name = "llama";
    view.job.launch = {.recipe = "msrun", .workdir = "/job"};
    const JobClaim one = jobClaim(view, nullptr, "resume-1");
    view.job.launch.recipe = "slurm";
    EXPECT_EQ(jobClaim(view, nullptr, "resume-2").key, one.key);
    EXPECT_EQ(runDirectory(view.job), "/job/.rankdeck/runs");
    view.job.name = "other";
    EXPECT_NE(jobClaim(view, nullptr, "resume-2").key, one.key);
}

}  // namespace
}  // namespace rankdeck::one_attempt_test
