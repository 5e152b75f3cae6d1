// SPDX-License-Identifier: GPL-3.0-or-later
// Stop methods of frameworks without a config file. Real processes.
#include "tests/core/recover/refusals.h"
#include "tests/testbed/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace rankdeck::exit_ways_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

TEST(ExitWays, StopBySignalIsProvenByTheSavesAlone)
{
    EngineHost host({{0, 1}}, "command");
    host.job.gracefulExit = {.signal = "USR1"};
    host.job.launch.env["FAKE_STOP"] = "USR1";
    host.startFirst();
    int cancellable = 0;
    const ExitReport report = runExit(host, {.waitSeconds = 60}, [&](const ExitReport &now) {
        if (now.phase == "armed" || now.phase == "proving") cancellable += now.cancellable ? 1 : 0;
    });
    ASSERT_EQ(report.outcome, "stopped") << report.text;
    EXPECT_EQ(cancellable, 0) << "what was sent is there";
    EXPECT_THAT(report.text, HasSubstr("no log line confirms the signal"));
    EXPECT_EQ(report.way, StopMethod::signal);
    EXPECT_NE(find(report.preflight, "signal_handler", "has a handler"), nullptr);
    EXPECT_NE(find(report.preflight, "not_confirmed"), nullptr);
    EXPECT_TRUE(report.plan.nodes.empty());
    for (const RankExit &rank : report.ranks) {
        EXPECT_TRUE(rank.armed && rank.exited && !rank.confirmed) << rank.rank;
        EXPECT_EQ(rank.savedVerdict, Verdict::valid);
    }
    EXPECT_TRUE(host.pids().empty());
}

TEST(ExitWays, RefusesASignalWithoutAHandler)
{
    EngineHost host({{0, 1}}, "command");
    host.job.gracefulExit = {.signal = "USR2"};
    host.job.launch.env["FAKE_STOP"] = "USR1";
    host.startFirst();
    const ExitReport report = runExit(host, {.waitSeconds = 20}, {});
    EXPECT_EQ(report.outcome, "refused");
    ASSERT_NE(find(report.preflight, "signal_handler", "end the process at once"), nullptr) << report.text;
    EXPECT_EQ(host.pids().size(), 2u);
}

TEST(ExitWays, StopFileIsCreatedAndRemoved)
{
    EngineHost host({{0}, {1}}, "command");
    host.job.gracefulExit = {.stopFile = host.file("job/STOP")};
    host.job.launch.env["FAKE_STOP"] = host.file("job/STOP");
    host.startFirst();
    EXPECT_EQ(cancelExit(host, {}).text, "No node has the stop file: there is nothing to cancel.");
    const ExitReport dry = planExit(host, {});
    EXPECT_EQ(dry.outcome, "dry_run") << dry.text;
    ASSERT_FALSE(dry.plan.nodes.empty());
    EXPECT_THAT(dry.plan.nodes.front().edits.front().diff, HasSubstr("an empty file is created"));
    EXPECT_FALSE(host.exists("job/STOP"));
    const ExitReport report = runExit(host, {.waitSeconds = 60}, {});
    EXPECT_EQ(report.outcome, "stopped") << report.text;
    EXPECT_TRUE(report.flagReset);
    EXPECT_FALSE(host.exists("job/STOP"));
}

TEST(ExitWays, RunsScancelOnTheNodeWithTheSlurmJobOfTheRanks)
{
    EngineHost host({{0, 1}}, "command");
    host.job.gracefulExit = {.scancel = "USR1"};
    host.job.launch.env["FAKE_STOP"] = "USR1";
    host.job.launch.env["SLURM_JOB_ID"] = "4711";
    // A fake scancel that signals the two ranks if they belong to this job.
    host.write("bin/scancel",
               "#!/bin/sh\necho \"$@\" > '" + host.file("job/asked") +
                   "'\n"
                   "[ \"$1 $2\" = '--signal=USR1 4711' ] || { echo 'Invalid job id specified' >&2; exit 1; }\n"
                   "for e in /proc/[0-9]*/environ; do tr '\\0' '\\n' < $e 2>/dev/null | grep -qx 'FAKE_JOB=" +
                   host.file("job") +
                   "' && tr '\\0' '\\n' < $e | grep -qx MS_ROLE=MS_WORKER && kill -USR1 $(basename $(dirname $e)); "
                   "done\nexit 0\n");
    fs::permissions(host.file("bin/scancel"), fs::perms::owner_all);
    host.startFirst();
    host.putBehind("n0", {"env", "PATH=" + host.file("bin") + ":" + std::getenv("PATH")});
    const ExitReport report = runExit(host, {.waitSeconds = 60}, {});
    EXPECT_EQ(report.outcome, "stopped") << report.text;
    EXPECT_THAT(find(report.preflight, "slurm_job")->text, HasSubstr("4711"));
    EXPECT_EQ(host.read("job/asked"), "--signal=USR1 4711\n");
}

}  // namespace
}  // namespace rankdeck::exit_ways_test
