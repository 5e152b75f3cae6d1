// SPDX-License-Identifier: GPL-3.0-or-later
// One job, one attempt: consoles that know nothing of each other, runs that no list of processes shows, and what a
// killed console left.
#include "core/recover/launch/recipe.h"
#include "core/recover/plan/plan_json.h"
#include "tests/core/recover/test_host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <future>

namespace rankdeck {
namespace {

using ::testing::HasSubstr;

// A console with a journal of its own, which has never seen the ranks.
class Stranger final : public ActionContext {
public:
    explicit Stranger(TestHost &host) : m_host(host), m_journal(Journal::open(m_dir.file("state")).value()) {}
    JobState view() const override
    {
        JobState state = m_host.view();
        for (RankState &rank : state.ranks) {
            rank.seenAlive = seen;
            if (rank.alive.isNo()) rank.alive.reset();
        }
        return state;
    }
    void waitForChange(SteadyTime deadline) override { m_host.waitForChange(deadline); }
    NodeClient *node(const std::string &name) override { return m_host.node(name); }
    Journal &journal() override { return *m_journal; }
    void attemptLaunched(WallTime, std::optional<std::int64_t>) override { ++launched; }
    void refreshFlags() override {}
    bool stopRequested() const override { return false; }
    bool seen = true;
    int launched = 0;

private:
    TestHost &m_host;
    TempDir m_dir;
    std::unique_ptr<Journal> m_journal;
};

const Finding *find(const std::vector<Finding> &findings, FindingCode code)
{
    for (const Finding &finding : findings)
        if (finding.code == code) return &finding;
    return nullptr;
}

TEST(OneAttempt, OfTwoConsolesThatResumeAtOnceOneStarts)
{
    TestHost host({{0}, {1}}, "command");
    host.startFirst();
    host.endAll();
    std::filesystem::remove_all(host.file("job/log"));  // nothing that the two could quarrel about before the launch
    Stranger first(host), second(host);
    const auto resume = [](ActionContext &console) { return runResume(console, {.waitSeconds = 5}, {}); };
    auto one = std::async(std::launch::async, [&] { return resume(first); });
    auto other = std::async(std::launch::async, [&] { return resume(second); });
    const ResumeReport a = one.get(), b = other.get();
    EXPECT_EQ(first.launched + second.launched, 1) << a.text << "\n" << b.text;
    const ResumeReport &loser = first.launched == 1 ? b : a;
    EXPECT_TRUE(loser.outcome == "refused" || loser.outcome == "failed") << loser.text;
    EXPECT_EQ(host.pids().size(), 2u);
}

TEST(OneAttempt, ASecondConsoleIsToldWhoRunsIt)
{
    TestHost host({{0}}, "command");
    host.startFirst();
    host.endAll();
    const ResumeReport first = runResume(host, {.waitSeconds = 60}, {});
    ASSERT_EQ(first.outcome, "proven") << first.text;
    Stranger second(host);
    const ResumeReport refused = runResume(second, {.waitSeconds = 5, .fixes = {"all"}}, {});
    EXPECT_EQ(refused.outcome, "refused");
    const Finding *finding = find(refused.preflight, "attempt_running");
    ASSERT_NE(finding, nullptr) << refused.text;
    EXPECT_THAT(finding->text, HasSubstr("started by"));
    EXPECT_THAT(finding->text, HasSubstr(first.journal));
    EXPECT_EQ(host.pids().size(), 1u);
}

TEST(OneAttempt, ALogThatGrewIsARunUnlessEveryRankIsKnownToBeGone)
{
    TestHost host({{0}}, "command");
    host.startFirst();
    host.endAll();
    std::ofstream(host.file("job/log/worker_0.log"), std::ios::app) << "\n";
    Stranger console(host);
    console.seen = false;
    const ResumeReport blind = planResume(console, {.fixes = {"all"}});
    EXPECT_EQ(blind.outcome, "refused") << blind.text;
    ASSERT_NE(find(blind.preflight, "run_moving"), nullptr) << blind.text;
    EXPECT_EQ(planResume(console, {.fixes = {"run_moving"}}).outcome, "dry_run") << "said so, by its own code";
    console.seen = true;
    EXPECT_EQ(find(planResume(console, {}).preflight, "run_moving"), nullptr) << "a death that was seen delays nothing";
}

TEST(OneAttempt, AStartedRunIsNeitherStoppedNorUndoneWhateverItsRecordsSay)
{
    TestHost host({{0}}, "command");
    host.startFirst();
    host.endAll();
    const ResumeReport report = runResume(host, {.waitSeconds = 60}, {});
    ASSERT_EQ(report.outcome, "proven") << report.text;
    for (const char *state : {"planned", "preparing", "prepared", "launching", "started"})
        ASSERT_TRUE(host.journal()
                        .append({.action = "resume-killed",
                                 .job = host.job.name,
                                 .file = host.job.file,
                                 .kind = "resume",
                                 .state = state,
                                 .text = "",
                                 .data = planToJson(report.plan)})
                        .ok());
    std::filesystem::remove_all(host.file("job/.rankdeck/runs"));
    const auto before = host.pids();
    ASSERT_EQ(before.size(), 1u);
    EXPECT_THAT(finishInterrupted(host), HasSubstr("after all commands had been started"));
    EXPECT_EQ(host.pids(), before);
    EXPECT_TRUE(host.exists("job/log/worker_0.log"));
    EXPECT_TRUE(host.journal().unfinished(host.job.name)->empty());
}

TEST(OneAttempt, LaunchesOfTwoNodesNeverHaveOneId)
{
    EXPECT_NE(launchId("resume-1", "节点一"), launchId("resume-1", "节点二"));
    EXPECT_NE(launchId("resume-1", "a 1"), launchId("resume-1", "a-1"));
    EXPECT_EQ(launchId("resume-1", "n0"), "resume-1.n0");
}

TEST(OneAttempt, TheClaimIsTheSameForEveryRecipeAndConsole)
{
    JobState view;
    view.job.name = "llama";
    view.job.launch = {.recipe = "msrun", .workdir = "/job"};
    const JobClaim one = jobClaim(view, "resume-1");
    view.job.launch.recipe = "slurm";
    EXPECT_EQ(jobClaim(view, "resume-2").key, one.key);
    EXPECT_EQ(runDirectory(view.job), "/job/.rankdeck/runs");
    view.job.name = "other";
    EXPECT_NE(jobClaim(view, "resume-2").key, one.key);
}

}  // namespace
}  // namespace rankdeck
