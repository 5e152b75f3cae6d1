// SPDX-License-Identifier: GPL-3.0-or-later
// Changes that others make between an action's check and its first step. A resume repeats its checks after it has
// reserved the job, and an exit checks after it has asked the ranks to stop.
#include "core/recover/forwarding_context.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/plan/reservation.h"
#include "tests/core/recover/refusals.h"
#include "tests/testbed/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::held_look_test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

// A console with its own journal. The callback runs once, when the plan is made and nothing is done yet.
class Meanwhile : public ForwardingContext {
public:
    Meanwhile(EngineHost &host, std::function<void()> happens)
        : ForwardingContext(host), m_journal(Journal::open(m_dir.file("state")).value()), m_happens(std::move(happens))
    {}
    Journal &journal() override { return *m_journal; }
    bool stopRequested() const override
    {
        if (m_happens && !states().empty()) std::exchange(m_happens, nullptr)();
        return false;
    }
    [[nodiscard]] std::vector<std::string> states() const
    {
        std::vector<std::string> all;
        for (const JournalEntry &entry : m_journal->read().value()) all.push_back(entry.state);
        return all;
    }

private:
    TempDir m_dir;
    std::unique_ptr<Journal> m_journal;
    mutable std::function<void()> m_happens;
};

// Regression: the plan of the first check was carried out, and renamed old logs to a name that the other attempt had
// already taken.
TEST(ReservedCheck, PlanIncludesAnAttemptOfAnotherConsole)
{
    EngineHost host({{0}, {1}}, "command");
    host.crashLongAgo();
    host.catchUp();
    std::optional<std::string> saved;
    Meanwhile console(host, [&] {
        ASSERT_EQ(runResume(host, {.waitSeconds = 60}, {}).outcome, "proven");
        host.waitStep(30);
        host.endAll();
        host.catchUp();
        saved = host.view().checkpoints.recommended;
    });
    const ResumeReport report = runResume(console, {.waitSeconds = 60}, {});
    EXPECT_EQ(report.outcome, "proven") << report.text;
    ASSERT_TRUE(saved.has_value());
    EXPECT_EQ(report.set, *saved) << "what the other attempt has saved is not trained again";
    for (const char *rank : {"0", "1"}) {
        const std::string log = std::string("job/log/worker_") + rank;
        EXPECT_TRUE(host.exists(log + ".attempt-0.log") && host.exists(log + ".attempt-1.log")) << rank;
    }
    EXPECT_EQ(host.pids().size(), 2u);
}

// Starts a run like a user who uses no console: nothing of the job is claimed.
void startByHand(EngineHost &host)
{
    Job plain = host.job;
    plain.launch.command.resize(2);
    const JobState picture{.job = plain};
    const auto plan = findRecipe("command")->plan({.view = picture, .set = CheckpointSet(), .id = "by-hand"});
    for (const NodePlan &part : plan.nodes)
        for (const LaunchRequest &launch : part.launches)
            ASSERT_TRUE(host.node(part.node)->launch(launch).get().has_value());
    ASSERT_TRUE(host.waitFor([&] { return host.pids().size() == 2; }));
    host.catchUp();
}

// Regression: the logs were moved away while the run was using them.
TEST(ReservedCheck, DoesNotTouchARunStartedByHandAfterTheCheck)
{
    EngineHost host({{0}, {1}}, "command");
    host.crashLongAgo();
    host.catchUp();
    std::vector<int> running;
    Meanwhile console(host, [&] {
        startByHand(host);
        running = host.pids();
    });
    const ResumeReport report = runResume(console, {.waitSeconds = 5}, {});
    EXPECT_EQ(report.outcome, "refused") << report.text;
    EXPECT_THAT(console.states(), Not(Contains("preparing")));
    EXPECT_EQ(host.pids(), running);
    EXPECT_TRUE(host.exists("job/log/worker_0.log") && host.exists("job/log/worker_1.log"));
    const NodeSpec &spec = host.job.nodes[0];
    Reservation next(host);
    EXPECT_TRUE(next.take({{.node = "n0",
                            .claim = jobReservation(host.view(), &spec, "resume-next"),
                            .runDirectory = runDirectory(host.job, &spec)}})
                    .has_value())
        << "who was refused holds nothing";
}

class HeldByAResume : public testing::Test {
protected:
    HeldByAResume() { host.startFirst(); }
    void reserve()
    {
        const JobState view = host.view();
        const NodeSpec &spec = view.job.nodes[0];
        ASSERT_TRUE(resume
                        .take({{.node = "n0",
                                .claim = jobReservation(view, &spec, "resume-other"),
                                .runDirectory = runDirectory(view.job, &spec)}})
                        .has_value());
    }
    EngineHost host{{{0}, {1}}, "command"};
    Reservation resume{host};
};

// Regression: if the console of a resume uses another journal, nodes did not report that resume to an exit.
TEST_F(HeldByAResume, ExitIsRefusedIfNodesReportIt)
{
    reserve();
    const ExitReport refused = runExit(host, {.waitSeconds = 5}, {});
    EXPECT_TRUE(refusedWith(refused, "other_console"));
    EXPECT_THAT(refused.text, HasSubstr("reserved by"));
    EXPECT_THAT(host.read("job/graceful.json"), HasSubstr("\"GracefulExit\": 0"));
    resume.release();
    EXPECT_EQ(find(planExit(host, {}).preflight, "other_console"), nullptr);
}

// Regression: the ranks that the resume was about to start would have exited at their first step.
TEST_F(HeldByAResume, OverlappingExitWithdrawsItsRequest)
{
    Meanwhile console(host, [&] { reserve(); });
    const ExitReport refused = runExit(console, {.waitSeconds = 5}, {});
    EXPECT_TRUE(refusedWith(refused, "other_console"));
    EXPECT_THAT(refused.text, HasSubstr("taken back at once"));
    EXPECT_TRUE(refused.flagReset);
    EXPECT_THAT(host.read("job/graceful.json"), HasSubstr("\"GracefulExit\": 0"));
    EXPECT_EQ(console.states().back(), "refused");
}

}  // namespace
}  // namespace rankdeck::held_look_test
