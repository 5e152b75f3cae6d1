// SPDX-License-Identifier: GPL-3.0-or-later
// Faults: their grammar, and their effect on a rank and its peers.
#include "tests/app/demo/demo_fixture.h"

#include "app/demo/trainer/fault.h"

#include <csignal>
#include <filesystem>

namespace rankdeck::demo::fault_test {
namespace {

class FaultTest : public DemoTest {
protected:
    void SetUp() override
    {
        DemoTest::SetUp();
        std::filesystem::create_directory(at("faults"));
    }
    void drop(int rank, const std::string &text)
    {
        const auto fault = parseFault(text);
        ASSERT_TRUE(fault.has_value()) << fault.error().message;
        ASSERT_TRUE(dropFault(at("faults"), "rank_" + std::to_string(rank), fault.value()).has_value());
    }
    [[nodiscard]] std::vector<std::string> arguments() const
    {
        return {"--out",
                at("out"),
                "--faults",
                at("faults"),
                "--no-loss-monitor",
                "--epochs",
                "4",
                "--steps",
                "10",
                "--save-steps",
                "5",
                "--keep",
                "50",
                "--step-seconds",
                "0.02",
                "--collective-seconds",
                "3"};
    }
};

TEST(FaultGrammarTest, everyFaultKindRoundTripsThroughText)
{
    for (const std::string text : {"kill:3", "hang:0", "raise:2", "nan:2", "tear:5@40", "full", "full:1",
                                   "full:node1@7", "slow:node1=250", "cut:node0", "hole:node1@3", "heal:node1"}) {
        const auto fault = parseFault(text);
        ASSERT_TRUE(fault.has_value()) << fault.error().message;
        EXPECT_EQ(faultText(fault.value()), text);
    }
    EXPECT_EQ(parseFault("slow:node1").value().milliseconds, 300);
    EXPECT_EQ(parseFault("kill:3").value().atStep, std::nullopt);
}

TEST(FaultGrammarTest, invalidFaultIsRefusedWithAListOfValidKinds)
{
    for (const std::string text :
         {"", "kill", "kill:", "kill:x", "kill:-1", "kill:3@", "kill:3@x", "kill:3=5", "slow", "slow:3", "slow:node1=x",
          "slow:node1=99999999", "explode:3", "kill:999999999999999999999"}) {
        const auto fault = parseFault(text);
        ASSERT_FALSE(fault.has_value()) << text;
        EXPECT_EQ(fault.error().kind, ErrorKind::invalid);
        EXPECT_NE(fault.error().message.find("slow:node1=300"), std::string::npos);
    }
}

TEST_F(FaultTest, inboxDeliversEachFaultOnceToItsRank)
{
    drop(1, "kill:1");
    drop(10, "hang:10@5");
    writeFile(at("faults/rank_1-7"), "no fault");
    const auto taken = takeFaults(at("faults"), "rank_1");
    ASSERT_EQ(taken.size(), 1u);
    EXPECT_EQ(taken[0].kind, FaultKind::kill);
    EXPECT_TRUE(takeFaults(at("faults"), "rank_1").empty());
    EXPECT_EQ(takeFaults(at("faults"), "rank_10").size(), 1u);
    EXPECT_TRUE(namesIn(at("faults")).empty());
}

TEST_F(FaultTest, killedRankMakesTheOtherRanksTimeOut)
{
    drop(2, "kill:2@13");
    startRanks(4, arguments());
    EXPECT_EQ(waitRank(2), -SIGKILL);
    for (std::size_t rank : {0u, 1u, 3u}) {
        EXPECT_EQ(waitRank(rank), 1);
        EXPECT_NE(logOf(rank).find("[ERROR] KERNEL("), std::string::npos);
        EXPECT_NE(
            logOf(rank).find("RuntimeError: \n----------------------------------------------------\n- Kernel error:\n"),
            std::string::npos);
        EXPECT_EQ(lossesIn(logOf(rank)).size(), 13u);
    }
    EXPECT_NE(logOf(0).find("Client connected end of file!"), std::string::npos);
    EXPECT_TRUE(logOf(2).ends_with("\n"));
    EXPECT_EQ(logOf(2).find("Error"), std::string::npos);
    EXPECT_EQ(namesIn(at("out/rank_2")), namesIn(at("out/rank_0")));
}

TEST_F(FaultTest, deathOfTheFirstRankIsNoticedToo)
{
    drop(0, "kill:0@3");
    startRanks(2, arguments());
    EXPECT_EQ(waitRank(0), -SIGKILL);
    EXPECT_EQ(waitRank(1), 1);
    EXPECT_NE(logOf(1).find("RunRingAllReduce]"), std::string::npos);
}

TEST_F(FaultTest, hungRankStaysAliveAndSilentWhileTheOtherRanksFail)
{
    drop(1, "hang:1@6");
    startRanks(3, arguments());
    EXPECT_EQ(waitRank(0), 1);
    EXPECT_EQ(waitRank(2), 1);
    EXPECT_EQ(waitRank(1, 0.2), std::nullopt);
    EXPECT_TRUE(logOf(1).find("epoch: 1 step: 6,") != std::string::npos && logOf(1).find("ERROR") == std::string::npos);
    drop(1, "kill:1");
    EXPECT_EQ(waitRank(1), -SIGKILL);
}

TEST_F(FaultTest, rankThatHangsWhileWaitingForAHungPeerLogsNoError)
{
    drop(0, "hang:0@6");
    startRanks(3, arguments());
    ASSERT_TRUE(waitForLine(1, "epoch: 1 step: 6,"));
    drop(1, "hang:1");
    EXPECT_EQ(waitRank(2), 1);
    EXPECT_EQ(waitRank(1, 0.2), std::nullopt);
    EXPECT_EQ(logOf(1).find("ERROR"), std::string::npos) << logOf(1);
    for (const int rank : {0, 1}) {
        drop(rank, "kill:" + std::to_string(rank));
        EXPECT_EQ(waitRank(rank), -SIGKILL);
    }
}

TEST_F(FaultTest, nanSpreadsFromOneRankToAllRanksAndCheckpoints)
{
    drop(1, "nan:1@7");
    startRanks(3, arguments());
    expectAllExit(0);
    EXPECT_NE(logOf(1).find("epoch: 1 step: 8, loss is nan\n"), std::string::npos);
    EXPECT_EQ(logOf(0).find("epoch: 1 step: 8, loss is nan\n"), std::string::npos);
    EXPECT_NE(logOf(0).find("epoch: 1 step: 9, loss is nan\n"), std::string::npos);
    const auto weights = findTensor(recordsOf(at("out/rank_0/lenet-1_10.ckpt")), "fc3.bias")->bytes;
    EXPECT_NE(weights, findTensor(recordsOf(at("out/rank_0/lenet-1_5.ckpt")), "fc3.bias")->bytes);
    float value = 0;
    std::copy_n(weights.data(), sizeof value, reinterpret_cast<char *>(&value));
    EXPECT_NE(value, value);
}

TEST_F(FaultTest, lossMonitorRaisesOnNan)
{
    drop(0, "nan:0@2");
    auto strict = arguments();
    std::erase(strict, "--no-loss-monitor");
    startRank(0, 1, strict);
    EXPECT_EQ(waitRank(0), 1);
    EXPECT_NE(logOf(0).find("\nValueError: In epoch: 1 step: 3, loss is NAN or INF, training process cannot continue, "
                            "terminating training.\n"),
              std::string::npos);
    EXPECT_EQ(logOf(0).find("loss is nan\n"), std::string::npos);
}

TEST_F(FaultTest, tornCheckpointKeepsItsFinalNameAndLaterSavesAreWhole)
{
    drop(1, "tear:1@6");
    startRanks(2, arguments());
    expectAllExit(0);
    const std::string torn = readFile(at("out/rank_1/lenet-1_10.ckpt")),
                      good = readFile(at("out/rank_0/lenet-1_10.ckpt"));
    EXPECT_EQ(torn, good.substr(0, good.size() * 3 / 5));
    EXPECT_FALSE(decodeTensors(torn, "torn").has_value());
    EXPECT_EQ(readFile(at("out/rank_1/lenet-2_5.ckpt")), readFile(at("out/rank_0/lenet-2_5.ckpt")));
}

TEST_F(FaultTest, fullDiskLogsCriticalAndLeavesTheTemporaryFile)
{
    drop(0, "full:0@6");
    startRank(0, 1, arguments());
    EXPECT_EQ(waitRank(0), 1);
    EXPECT_NE(logOf(0).find("[CRITICAL] ME("), std::string::npos);
    EXPECT_NE(logOf(0).find(
                  "Failed to save the checkpoint file " + at("out/rank_0/lenet-1_10.ckpt") +
                  ". Maybe don't have the permission to write files, or the disk space is insufficient and so on.\n"),
              std::string::npos);
    EXPECT_NE(logOf(0).find("\nOSError: [Errno "), std::string::npos);
    EXPECT_EQ(namesIn(at("out/rank_0")), (std::vector<std::string>{"lenet-1_10.tmp", "lenet-1_5.ckpt"}));
}

TEST_F(FaultTest, injectedExceptionIsATracebackInThatRankOnly)
{
    drop(1, "raise:1@4");
    startRanks(2, arguments());
    EXPECT_EQ(waitRank(1), 1);
    EXPECT_EQ(waitRank(0), 1);
    EXPECT_NE(logOf(1).find("Traceback (most recent call last):\n"), std::string::npos);
    EXPECT_NE(logOf(1).find("\nRuntimeError: injected failure:\nsecond line of the message\n"), std::string::npos);
    EXPECT_EQ(logOf(0).find("injected"), std::string::npos);
}

TEST_F(FaultTest, secondAttemptIsRejectedWhileTheFirstRuns)
{
    auto endless = arguments();
    endless.insert(endless.end(), {"--epochs", "100000"});
    std::erase(endless, "4");
    endless.erase(std::find(endless.begin(), endless.end(), "--epochs"));
    startRanks(2, endless);
    ASSERT_TRUE(waitForLine(1, "epoch: 1 step: 2,")) << logOf(1);
    startRank(0, 2, endless, {}, "_again");
    startRank(1, 2, endless, {}, "_again");
    EXPECT_EQ(waitRank(2), 1);
    EXPECT_EQ(waitRank(3), 1);
    EXPECT_NE(logOf(2).find("Failed to init the tcp server. The port " + std::to_string(m_port)), std::string::npos)
        << logOf(2);
    EXPECT_NE(logOf(3).find("Repeated registration node: 1."), std::string::npos) << logOf(3);
    EXPECT_EQ(waitRank(0, 0.05), std::nullopt) << logOf(0);
}

}  // namespace
}  // namespace rankdeck::demo::fault_test
