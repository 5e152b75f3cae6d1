// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/framework/frameworks.h"

#include <gmock/gmock.h>

namespace rankdeck::frameworks_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::Not;

TEST(Frameworks, NamesOfTheJobFileRoundTrip)
{
    EXPECT_THAT(frameworkNames(), ElementsAre("auto", "mindspore", "mindformers", "pytorch", "tensorflow", "deepspeed",
                                              "megatron", "safetensors"));
    for (const std::string &name : frameworkNames()) EXPECT_EQ(frameworkName(frameworkFromName(name).value()), name);
    EXPECT_FALSE(frameworkFromName("jax").has_value());  // its checkpoints are judged, but no job file can name it
    EXPECT_FALSE(frameworkFromName("").has_value());
    EXPECT_EQ(frameworkInfo(Framework::automatic), nullptr);
}

TEST(Frameworks, NamesFormatsAndTrackersBelongToOneFrameworkEach)
{
    std::map<std::string_view, int> names, formats, trackers;
    for (const FrameworkInfo *info : allFrameworks()) {
        ++names[info->name];
        for (const std::string_view format : info->formats) ++formats[format];
        for (const std::string_view tracker : info->tracker) ++trackers[tracker];
    }
    for (const auto &counts : {names, formats, trackers})
        for (const auto &[name, count] : counts) EXPECT_EQ(count, 1) << name;
}

TEST(Frameworks, RecognisesRanksOfMsrun)
{
    Environment rank{{"MS_ROLE", "MS_WORKER"}, {"MS_NODE_ID", "0"}, {"RANK_ID", "3"}};
    EXPECT_EQ(rankByLauncher(rank), 3);
    EXPECT_FALSE(isScheduler(rank));
    rank.erase("MS_NODE_ID");  // msrun without --node_rank: RANK_ID is 0 for all
    EXPECT_EQ(rankByLauncher(rank), std::nullopt);
    EXPECT_TRUE(hasRankVariables(rank));
    const Environment scheduler{{"MS_ROLE", "MS_SCHED"}, {"MS_NODE_ID", "0"}, {"RANK_ID", "3"}};
    EXPECT_EQ(rankByLauncher(scheduler), std::nullopt);
    EXPECT_TRUE(isScheduler(scheduler));
}

TEST(Frameworks, RecognisesRanksOfTorchrun)
{
    EXPECT_EQ(rankByLauncher({{"RANK", "5"}, {"LOCAL_RANK", "1"}}), 5);
    EXPECT_EQ(rankByLauncher({{"RANK", "5"}}), std::nullopt);
    EXPECT_FALSE(hasRankVariables({{"RANK", "5"}}));
    // If a process has a role, MindSpore decides its rank, whatever the other variables say.
    EXPECT_EQ(rankByLauncher({{"RANK", "5"}, {"LOCAL_RANK", "1"}, {"MS_ROLE", "MS_SCHED"}}), std::nullopt);
    EXPECT_EQ(rankByLauncher({{"RANK", "5x"}, {"LOCAL_RANK", "1"}}), std::nullopt);
}

TEST(Frameworks, RecognisesRanksOfMpirunIfNoOtherVariableNamesThem)
{
    const Environment rank{{"OMPI_COMM_WORLD_RANK", "5"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "1"}};
    EXPECT_EQ(rankByLauncher(rank), 5);
    EXPECT_EQ(frameworkOfProcess(rank)->launcher.program, "mpirun");
    Environment torch = rank;
    torch.insert({{"RANK", "5"}, {"LOCAL_RANK", "1"}});  // set by the script from those of Open MPI
    EXPECT_EQ(frameworkOfProcess(torch)->name, "pytorch");
    EXPECT_TRUE(isToldAnew("OMPI_MCA_ess", false));
}

TEST(Frameworks, RecognisesRanksOfHandWrittenLaunchers)
{
    EXPECT_EQ(rankByScript({{"RANK_ID", "2"}, {"RANK_SIZE", "8"}}), 2);
    EXPECT_EQ(rankByScript({{"RANK_ID", "2"}}), std::nullopt);
}

TEST(Frameworks, ReadsTheRankFromALogName)
{
    EXPECT_EQ(rankByLogName("worker_12.log"), 12);
    EXPECT_EQ(rankByLogName("worker_.log"), std::nullopt);
    EXPECT_EQ(rankByLogName("worker_-1.log"), std::nullopt);
    EXPECT_EQ(rankByLogName("worker_1.log.1"), std::nullopt);
    EXPECT_EQ(rankByLogName("scheduler.log"), std::nullopt);
}

TEST(Frameworks, LauncherVariablesAreNotPassedOn)
{
    EXPECT_TRUE(isToldAnew("RANK_ID", false));
    EXPECT_TRUE(isToldAnew("TORCHELASTIC_RESTART_COUNT", false));
    EXPECT_FALSE(isToldAnew("MASTER_PORT", false));
    EXPECT_TRUE(isToldAnew("MASTER_PORT", true));
    EXPECT_FALSE(isToldAnew("MS_ENABLE_GRACEFUL_EXIT", true));
}

TEST(Frameworks, QueriesEachRankVariableOnce)
{
    const std::vector<std::string> names = namesOf(&RankVariables::telling);
    EXPECT_THAT(names, IsSupersetOf({"MS_ROLE", "RANK_ID", "RANK", "LOCAL_RANK", "MS_ENABLE_GRACEFUL_EXIT"}));
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
    EXPECT_THAT(names, Not(Contains("")));
}

}  // namespace
}  // namespace rankdeck::frameworks_test
