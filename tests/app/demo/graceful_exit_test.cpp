// SPDX-License-Identifier: GPL-3.0-or-later
// The contract of OnRequestExit, with its traps.
#include "tests/app/demo/demo_fixture.h"

#include <csignal>
#include <filesystem>

namespace rankdeck::demo::graceful_exit_test {
namespace {

class GracefulExitTest : public DemoTest {
protected:
    const std::map<std::string, std::string> enabled = {{"MS_ENABLE_GRACEFUL_EXIT", "1"}};
    [[nodiscard]] std::vector<std::string> arguments(const std::string &config = "graceful.json") const
    {
        return {"--out",
                at("out"),
                "--graceful",
                at(config),
                "--epochs",
                "100000",
                "--steps",
                "10",
                "--save-steps",
                "1000",
                "--step-seconds",
                "0.02",
                "--collective-seconds",
                "3"};
    }
    [[nodiscard]] std::string exitSave(int rank) const
    {
        return at("out/rank_" + std::to_string(rank) + "/LeNet5_train.ckpt");
    }
};

TEST_F(GracefulExitTest, allRanksStopAtOneStepSaveAndExitWithZero)
{
    writeFile(at("graceful.json"), "{\"GracefulExit\": 0, \"other\": [1]}");
    startRanks(4, arguments(), enabled);
    ASSERT_TRUE(waitForLine(3, "epoch: 1 step: 3,"));
    writeFile(at("graceful.json"), "{\"GracefulExit\": 1, \"other\": [1]}");
    expectAllExit(0);
    const auto first = recordsOf(exitSave(0));
    const std::int64_t step = numberIn(first, "step_num");
    EXPECT_GE(step, 3);
    for (int rank = 0; rank < 4; ++rank) {
        EXPECT_EQ(lossesIn(logOf(static_cast<std::size_t>(rank))).size(), static_cast<std::size_t>(step));
        EXPECT_NE(logOf(static_cast<std::size_t>(rank))
                      .find("[mindspore/train/callback/_on_request_exit.py:240] Graceful exit is triggered, stop "
                            "training.\nTrain epoch time: "),
                  std::string::npos);
        const auto saved = recordsOf(exitSave(rank));
        EXPECT_EQ(*findTensor(saved, "global_step"), int64Scalar("global_step", step));
        EXPECT_EQ(*findTensor(saved, "graceful_exit"), boolScalar("graceful_exit", true));
        EXPECT_EQ(*findTensor(saved, "graceful_init"), int32Vector("graceful_init", 1));
        EXPECT_EQ(saved.back(), int64Scalar("batch_num", 10));
        const std::string end =
            at("out/rank_" + std::to_string(rank) + "/lenet-" + std::to_string((step - 1) / 10 + 1) + "_" +
               std::to_string((step - 1) % 10 + 1) + ".ckpt");
        EXPECT_EQ(*findTensor(recordsOf(end), "global_step"),
                  int32Vector("global_step", static_cast<std::int32_t>(step)));
    }
}

TEST_F(GracefulExitTest, stopRequestOfOneRankIsNotObeyedAndCannotBeWithdrawn)
{
    for (int rank = 0; rank < 3; ++rank) writeFile(at("g" + std::to_string(rank)), "{\"GracefulExit\": 0}");
    startRanks(3, arguments("g{rank}"), enabled);
    ASSERT_TRUE(waitForLine(0, "epoch: 1 step: 2,"));
    writeFile(at("g0"), "{\"GracefulExit\": 1}");
    const auto seen = lossesIn(logOf(0)).size();
    ASSERT_TRUE(waitUntil([&] { return lossesIn(logOf(0)).size() > seen + 8; }));
    writeFile(at("g0"), "{\"GracefulExit\": 0}");
    for (const auto *other : {"g1", "g2"}) writeFile(at(other), "{\"GracefulExit\": 1.0}");
    expectAllExit(0);
    EXPECT_EQ(lossesIn(logOf(0)).size(), lossesIn(logOf(2)).size());
    EXPECT_TRUE(exists(exitSave(0)));
}

TEST_F(GracefulExitTest, flagIsIgnoredUnlessTheSwitchIsExactlyOne)
{
    writeFile(at("graceful.json"), "{\"GracefulExit\": 1}");
    startRank(
        0, 1,
        {"--out", at("out"), "--graceful", at("graceful.json"), "--epochs", "1", "--steps", "5", "--step-seconds", "0"},
        {{"MS_ENABLE_GRACEFUL_EXIT", "true"}});
    ASSERT_EQ(waitRank(0), 0);
    EXPECT_EQ(lossesIn(logOf(0)).size(), 5u);
    EXPECT_FALSE(exists(exitSave(0)));
    EXPECT_EQ(findTensor(recordsOf(at("out/rank_0/lenet-1_5.ckpt")), "graceful_exit"), nullptr);
}

TEST_F(GracefulExitTest, relaunchWithTheFlagStillSetStopsAfterOneStep)
{
    writeFile(at("graceful.json"), "{\"GracefulExit\": true}");
    startRank(0, 1, arguments(), enabled);
    ASSERT_EQ(waitRank(0), 0);
    EXPECT_EQ(lossesIn(logOf(0)).size(), 1u);
    EXPECT_EQ(namesIn(at("out/rank_0")), (std::vector<std::string>{"LeNet5_train.ckpt", "lenet-1_1.ckpt"}));
}

TEST_F(GracefulExitTest, relaunchOverAStaleExitSaveFailsAsInMindSpore)
{
    writeFile(at("graceful.json"), "{\"GracefulExit\": 1}");
    startRanks(2, arguments(), enabled);
    expectAllExit(0);
    writeFile(at("graceful.json"), "{\"GracefulExit\": 0}");
    startRanks(2, arguments(), enabled, "_again");
    EXPECT_EQ(waitRank(2), 1);
    EXPECT_EQ(waitRank(3), 1);
    for (std::size_t i : {2u, 3u}) {
        EXPECT_NE(logOf(i).find("[CRITICAL] ME("), std::string::npos);
        EXPECT_NE(logOf(i).find("RuntimeError: For 'load_param_into_net', global_step in the argument 'net' should "
                                "have the same shape as global_step in the argument "
                                "'parameter_dict'. But got its shape (1,) in the argument 'net' and shape () in the "
                                "argument 'parameter_dict'."),
                  std::string::npos)
            << logOf(i);
    }
}

TEST_F(GracefulExitTest, malformedConfigLogsAWarningAtEachStep)
{
    for (const std::string text :
         {"", "{\"GracefulExit\": 1", "{\"GracefulExit\": 1} x", "\xef\xbb\xbf{\"GracefulExit\": 1}"}) {
        writeFile(at("graceful.json"), text);
        startRank(0, 1,
                  {"--out", at("out"), "--graceful", at("graceful.json"), "--epochs", "1", "--steps", "3",
                   "--step-seconds", "0"},
                  enabled, "_" + std::to_string(m_ranks.size()));
        const std::size_t index = m_ranks.size() - 1;
        ASSERT_EQ(waitRank(index), 0) << text;
        const std::string log = logOf(index);
        std::size_t warnings = 0;
        for (auto found = log.find("Parse json file failed: "); found != std::string::npos;
             found = log.find("Parse json file failed: ", found + 1))
            ++warnings;
        EXPECT_EQ(warnings, 3u) << text;
        EXPECT_EQ(lossesIn(log).size(), 3u);
    }
}

TEST_F(GracefulExitTest, unusableConfigEndsTheTrainingWithAnException)
{
    const std::map<std::string, std::string> cases = {
        {"1", "TypeError: argument of type 'int' is not iterable"},
        {"null", "TypeError: argument of type 'NoneType' is not iterable"},
        {"[\"GracefulExit\"]", "TypeError: list indices must be integers or slices, not str"},
        {"\"GracefulExit\"", "TypeError: string indices must be integers"},
        {"{\"GracefulExit\": \"\xff\"}", "UnicodeDecodeError: "}};
    for (const auto &[text, expected] : cases) {
        writeFile(at("graceful.json"), text);
        startRank(0, 1, arguments(), enabled, "_" + std::to_string(m_ranks.size()));
        EXPECT_EQ(waitRank(m_ranks.size() - 1), 1) << text;
        EXPECT_NE(logOf(m_ranks.size() - 1).find("\n" + expected), std::string::npos) << logOf(m_ranks.size() - 1);
    }
    std::filesystem::create_directory(at("folder"));
    startRank(0, 1, arguments("folder"), enabled, "_folder");
    EXPECT_EQ(waitRank(m_ranks.size() - 1), 1);
    EXPECT_NE(logOf(m_ranks.size() - 1).find("\nIsADirectoryError: "), std::string::npos);
}

TEST_F(GracefulExitTest, missingFileAndValuesOtherThanOneAreIgnored)
{
    for (const std::string text : {"{}", "{\"GracefulExit\": \"1\"}", "{\"GracefulExit\": 2}", "[]", "\"text\"", ""}) {
        if (text.empty())
            std::filesystem::remove(at("graceful.json"));
        else
            writeFile(at("graceful.json"), text);
        startRank(0, 1,
                  {"--out", at("out"), "--graceful", at("graceful.json"), "--epochs", "1", "--steps", "2",
                   "--step-seconds", "0"},
                  enabled, "_" + std::to_string(m_ranks.size()));
        ASSERT_EQ(waitRank(m_ranks.size() - 1), 0) << text;
        EXPECT_EQ(lossesIn(logOf(m_ranks.size() - 1)).size(), 2u) << text;
        EXPECT_EQ(logOf(m_ranks.size() - 1).find("Parse json"), std::string::npos) << text;
    }
}

TEST_F(GracefulExitTest, sigtermStopsAfterTheStepAndSavesWithoutAnEpoch)
{
    startRanks(2, arguments("absent.json"), enabled);
    ASSERT_TRUE(waitForLine(1, "epoch: 1 step: 2,"));
    for (const auto &rank : m_ranks) kill(rank.pid, SIGTERM);
    expectAllExit(0);
    const auto saved = recordsOf(exitSave(0));
    EXPECT_EQ(findTensor(saved, "epoch_num"), nullptr);
    EXPECT_EQ(findTensor(saved, "global_step")->type, "Int32");
}

TEST_F(GracefulExitTest, sigtermIsIgnoredWithoutTheSwitch)
{
    startRank(0, 1,
              {"--out", at("out"), "--graceful", at("absent.json"), "--epochs", "1", "--steps", "30", "--step-seconds",
               "0.02"});
    ASSERT_TRUE(waitForLine(0, "epoch: 1 step: 2,"));
    kill(m_ranks[0].pid, SIGTERM);
    ASSERT_EQ(waitRank(0), 0);
    EXPECT_EQ(lossesIn(logOf(0)).size(), 30u);
}

TEST_F(GracefulExitTest, flagsLoadedFromAnExitSaveMakeOneRankLeaveAlone)
{
    startRanks(2, arguments("g{rank}"), enabled);
    ASSERT_TRUE(waitForLine(1, "epoch: 1 step: 2,"));
    for (const auto &rank : m_ranks) kill(rank.pid, SIGTERM);
    expectAllExit(0);
    startRanks(2, arguments("g{rank}"), enabled, "_again");
    ASSERT_TRUE(waitForLine(3, "epoch: 1 step: 2,")) << logOf(3);
    writeFile(at("g0"), "{\"GracefulExit\": 1}");
    EXPECT_EQ(waitRank(2), 0) << logOf(2);
    EXPECT_EQ(waitRank(3), 1) << logOf(3);
    EXPECT_NE(logOf(3).find("RunRingAllReduce] Ring ReduceScatter wait "), std::string::npos);
}

}  // namespace
}  // namespace rankdeck::demo::graceful_exit_test
