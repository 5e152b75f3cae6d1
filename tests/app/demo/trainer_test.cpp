// SPDX-License-Identifier: GPL-3.0-or-later
// One rank, or a few, as processes: what they learn, write and keep, and from where they continue.
#include "tests/app/demo/demo_fixture.h"
#include "tests/testbed/paths.h"

#include <gmock/gmock.h>
#include <numeric>
#include <sys/stat.h>

namespace rankdeck::demo::trainer_test {
namespace {

class TrainerTest : public DemoTest {
protected:
    static double mean(const std::vector<double> &values, std::size_t from, std::size_t count)
    {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(from);
        return std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(count), 0.0) / static_cast<double>(count);
    }
};

TEST_F(TrainerTest, lossFallsDuringTraining)
{
    startRank(0, 1, {"--out", at("out"), "--epochs", "3", "--steps", "100", "--step-seconds", "0"});
    ASSERT_EQ(waitRank(0), 0) << logOf(0);
    const auto losses = lossesIn(logOf(0));
    ASSERT_EQ(losses.size(), 300u);
    EXPECT_GT(mean(losses, 0, 20), 1.8);
    EXPECT_LT(mean(losses, 280, 20), 0.6 * mean(losses, 0, 20));
}

TEST_F(TrainerTest, logLinesHaveTheFormatOfMindSpore)
{
    startRank(0, 1, {"--out", at("out"), "--epochs", "2", "--steps", "3", "--step-seconds", "0"});
    ASSERT_EQ(waitRank(0), 0);
    const std::string log = logOf(0);
    // POSIX patterns, because std::regex takes many minutes in a sanitized build.
    EXPECT_THAT(log, testing::ContainsRegex("(^|\n)epoch: 1 step: 1, loss is [0-9.]+\nepoch: 1 step: 2, loss is "));
    EXPECT_THAT(
        log,
        testing::ContainsRegex(
            "\nTrain epoch time: +[0-9]+\\.[0-9]{3} ms, per step time: +[0-9]+\\.[0-9]{3} ms\nepoch: 2 step: 1, "));
    EXPECT_THAT(log, testing::ContainsRegex("^\\[WARNING\\] ME\\(" + std::to_string(m_ranks[0].pid) +
                                            ":[0-9]+,MainProcess\\):[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9:]{8}\\.[0-9]{3}\\.["
                                            "0-9]{3} \\[mindspore/[^ ]+\\.py:[0-9]+\\] "));
    EXPECT_TRUE(log.ends_with("done\n"));
}

TEST_F(TrainerTest, checkpointHasTheRecordsOfMindSporeInTheirOrder)
{
    startRank(0, 1, {"--out", at("out"), "--epochs", "2", "--steps", "10", "--save-steps", "5", "--step-seconds", "0"});
    ASSERT_EQ(waitRank(0), 0);
    const std::string path = at("out/rank_0/lenet-2_5.ckpt");
    const auto records = recordsOf(path);
    std::string names;
    for (const auto &record : records) names += record.name + " ";
    EXPECT_EQ(
        names,
        "fc1.weight fc1.bias fc2.weight fc2.bias fc3.weight fc3.bias global_step learning_rate momentum "
        "moments.fc1.weight "
        "moments.fc1.bias moments.fc2.weight moments.fc2.bias moments.fc3.weight moments.fc3.bias epoch_num step_num ");
    EXPECT_EQ(findTensor(records, "fc1.weight")->dims, (std::vector<std::int64_t>{128, 64}));
    EXPECT_EQ(*findTensor(records, "global_step"), int32Vector("global_step", 15));
    // The last bytes of the file as MindSpore writes them, byte for byte.
    const std::string tail{"\x0a\x1e\x0a\x09"
                           "epoch_num\x12\x11\x12\x05Int64\x1a\x08\x02\0\0\0\0\0\0\0\x0a\x1d\x0a\x08step_"
                           "num\x12\x11\x12\x05Int64\x1a\x08\x0f\0\0\0\0\0\0\0",
                           63};
    EXPECT_TRUE(readFile(path).ends_with(tail));
    struct stat found {};
    ASSERT_EQ(stat(path.c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 07777, 0400u);
}

TEST_F(TrainerTest, oldestFilesAreRemovedAndTheLastStepIsAlwaysSaved)
{
    startRank(0, 1,
              {"--out", at("out"), "--epochs", "2", "--steps", "11", "--save-steps", "4", "--keep", "3",
               "--step-seconds", "0"});
    ASSERT_EQ(waitRank(0), 0);
    EXPECT_EQ(namesIn(at("out/rank_0")),
              (std::vector<std::string>{"lenet-2_11.ckpt", "lenet-2_5.ckpt", "lenet-2_9.ckpt"}));
}

TEST_F(TrainerTest, resumedRanksContinueBitForBit)
{
    const std::vector<std::string> common = {"--steps",        "10", "--save-steps", "5", "--keep", "50",
                                             "--step-seconds", "0",  "--epochs",     "4"};
    auto whole = common, rest = common;
    whole.insert(whole.end(), {"--out", at("whole")});
    startRanks(3, whole);
    expectAllExit(0);
    rest.insert(rest.end(), {"--out", at("rest"), "--resume", at("whole/rank_{rank}/lenet-2_5.ckpt")});
    startRanks(3, rest, {}, "_rest");
    expectAllExit(0);
    for (std::size_t rank = 0; rank < 3; ++rank) {
        const auto before = lossesIn(logOf(rank)), after = lossesIn(logOf(rank + 3));
        ASSERT_EQ(before.size(), 40u);
        EXPECT_EQ(after, std::vector<double>(before.begin() + 15, before.end())) << rank;
        const std::string name = "/rank_" + std::to_string(rank) + "/lenet-4_10.ckpt";
        EXPECT_EQ(readFile(at("whole") + name), readFile(at("rest") + name));
        EXPECT_NE(logOf(rank + 3).find("\nresume from " + at("whole/rank_" + std::to_string(rank) + "/lenet-2_5.ckpt") +
                                       ": epoch 2, step 15, global_step 15\nepoch: 2 step: 6, loss is "),
                  std::string::npos);
    }
}

TEST_F(TrainerTest, ranksTrainOnDifferentDataAndShareTheirWeights)
{
    startRanks(3, {"--out", at("out"), "--epochs", "1", "--steps", "8", "--save-steps", "8", "--step-seconds", "0"});
    expectAllExit(0);
    EXPECT_NE(lossesIn(logOf(0)), lossesIn(logOf(1)));
    EXPECT_NE(lossesIn(logOf(1)), lossesIn(logOf(2)));
    const std::string first = readFile(at("out/rank_0/lenet-1_8.ckpt"));
    EXPECT_FALSE(first.empty());
    EXPECT_EQ(first, readFile(at("out/rank_1/lenet-1_8.ckpt")));
    EXPECT_EQ(first, readFile(at("out/rank_2/lenet-1_8.ckpt")));
    // Averaged gradients are not those of one rank alone.
    startRank(0, 1, {"--out", at("alone"), "--epochs", "1", "--steps", "8", "--save-steps", "8", "--step-seconds", "0"},
              {}, "_alone");
    ASSERT_EQ(waitRank(3), 0);
    EXPECT_NE(first, readFile(at("alone/rank_0/lenet-1_8.ckpt")));
}

TEST_F(TrainerTest, secondRunTakesTheNextRerunNumber)
{
    for (int run = 0; run < 3; ++run) {
        startRank(0, 1,
                  {"--out", at("out"), "--epochs", "1", "--steps", "5", "--save-steps", "5", "--step-seconds", "0"});
        ASSERT_EQ(waitRank(static_cast<std::size_t>(run)), 0);
    }
    EXPECT_EQ(namesIn(at("out/rank_0")),
              (std::vector<std::string>{"lenet-1_5.ckpt", "lenet_1-1_5.ckpt", "lenet_2-1_5.ckpt"}));
}

TEST_F(TrainerTest, tornOrMissingCheckpointEndsTheResumeWithTheErrorOfMindSpore)
{
    writeFile(at("torn.ckpt"), readFile(testData() + "/demo/lenet-2_4.ckpt").substr(0, 1000));
    startRank(0, 1, {"--out", at("out"), "--resume", at("torn.ckpt")});
    startRank(1, 2, {"--rank", "0", "--world", "1", "--out", at("out"), "--resume", at("absent.ckpt")});
    expectAllExit(1);
    EXPECT_NE(logOf(0).find("ValueError: Failed to read the checkpoint file " + at("torn.ckpt") +
                            ". The file may be corrupted, and the content cannot be parsed."),
              std::string::npos);
    EXPECT_NE(logOf(1).find("ValueError: For 'load_checkpoint', the checkpoint file: " + at("absent.ckpt") +
                            " does not exist"),
              std::string::npos);
}

TEST_F(TrainerTest, checkpointOfAnotherNetworkIsRefused)
{
    auto records = std::vector<TensorRecord>{floatTensor("fc1.weight", {2, 2}, std::vector<float>(4).data(), 4),
                                             int32Vector("global_step", 4), int64Scalar("epoch_num", 1),
                                             int64Scalar("step_num", 4)};
    writeFile(at("other.ckpt"), encodeTensors(records));
    startRank(0, 1, {"--out", at("out"), "--resume", at("other.ckpt")});
    ASSERT_EQ(waitRank(0), 1);
    EXPECT_NE(
        logOf(0).find(
            "RuntimeError: For 'load_param_into_net', fc1.weight in the argument 'net' should have the same shape"),
        std::string::npos);
}

}  // namespace
}  // namespace rankdeck::demo::trainer_test
