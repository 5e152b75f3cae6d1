// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks with the same parameters, according to group files and MindX DL's variables, and the sets that these ranks
// complete.
#include "core/checkpoint/formats/mindspore/strategy_file.h"
#include "core/verdict/replica_groups.h"
#include "tests/core/verdict/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::replica_corpus_test {
namespace {

using test::Corpus;
using test::states;
using test::summary;
using testing::HasSubstr;

// ParallelGroupMap: one named group, then the list of ranks to restore from.
std::string groupFile(const std::vector<int> &ranks, bool packed = false)
{
    std::string dims;
    for (const int rank : ranks) dims += (packed ? "" : "\x08") + std::string(1, static_cast<char>(rank));
    if (packed) dims = "\x0a" + std::string(1, static_cast<char>(dims.size())) + dims;
    const std::string named("\x0a\x0b\x0a\x05hccl0\x12\x02\x08\x01", 13);
    return named + "\x12" + std::string(1, static_cast<char>(dims.size())) + dims;
}

std::string part(int stage, std::int64_t step, bool breakpoint = false)
{
    return test::record("layer" + std::to_string(stage) + ".weight", "Float32", {4}, std::string(16, '\x3c')) +
           test::int64Record("epoch_num", breakpoint ? 2 : 1) + test::int64Record("step_num", breakpoint ? 3 : step);
}

std::string rankFile(int rank, const std::string &name) { return "rank_" + std::to_string(rank) + "/" + name; }

// Pangu on four ranks: two pipeline stages, each on two ranks; {0, 2} and {1, 3} are replicas.
struct Pangu : Corpus {
    explicit Pangu(bool groups = true)
    {
        for (int rank = 0; rank < 4; ++rank) {
            put(rankFile(rank, "pangu" + std::to_string(rank) + "-1_10.ckpt"), part(rank % 2, 10), 600 + rank);
            if (groups)
                put("device" + std::to_string(rank) + "/group_info.pb", groupFile({rank % 2, rank % 2 + 2}), 10, 0600);
        }
    }
};

TEST(ReplicaCorpus, ParsesAllFormsOfGroupFiles)
{
    EXPECT_EQ(*parseGroupInfo(groupFile({0, 2})), (std::vector<int>{0, 2}));
    EXPECT_EQ(*parseGroupInfo(groupFile({7, 3, 5}, true)), (std::vector<int>{3, 5, 7}));
    EXPECT_EQ(parseGroupInfo(groupFile({0}).substr(0, 13)).error().kind, ErrorKind::unsupported);
    const std::string whole = groupFile({0, 2});
    for (std::size_t length = 0; length < whole.size(); ++length)
        EXPECT_FALSE(parseGroupInfo(whole.substr(0, length)).has_value()) << length;
    EXPECT_FALSE(parseGroupInfo(std::string("\x12\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 13)).has_value());
    EXPECT_FALSE(parseGroupInfo(std::string("\x12\xff\xff\xff\xff\x0f", 6)).has_value());
}

TEST(ReplicaCorpus, AcceptsOnlyConsistentGroups)
{
    // A substring search would also find rank 1 in {10, 2}.
    const ReplicaGroups good = agreeOnGroups({{1, {1, 9}}, {9, {1, 9}}, {10, {2, 10}}, {2, {2, 10}}}, 16);
    EXPECT_EQ(good.groups, (std::vector<std::vector<int>>{{1, 9}, {2, 10}}));
    EXPECT_TRUE(good.notes.empty());
    // One group file was lost with its node.
    EXPECT_EQ(agreeOnGroups({{1, {1, 9}}}, 16).groups.size(), 1u);
    const ReplicaGroups overlap = agreeOnGroups({{0, {0, 1}}, {2, {1, 2}}}, 4);
    EXPECT_TRUE(overlap.groups.empty());
    EXPECT_THAT(overlap.notes.front(), HasSubstr("rank 1 is also in another group"));
    EXPECT_TRUE(agreeOnGroups({{0, {0, 1}}, {1, {1}}}, 4).groups.empty());
    EXPECT_TRUE(agreeOnGroups({{0, {0, 8}}}, 4).groups.empty());
}

// A plan moves the set's files. A rank that never had its own file causes no doubt as long as its replica's file is
// there.
TEST(ReplicaCorpus, RankServedByAReplicaIsKnownWhileAPlanMovesTheSet)
{
    Pangu c;
    for (const int rank : {0, 3})
        c.put(rankFile(rank, "pangu" + std::to_string(rank) + "-2_3_breakpoint.ckpt"), part(rank % 2, 13, true), 900);
    c.judgeAll();  // the group files were read before the plan began
    c.expected.moving = {"0:2-3b"};
    const CheckpointReport served = c.judgeAll();
    ASSERT_NE(served.find("0:2-3b"), nullptr) << summary(served);
    EXPECT_EQ(states(*served.find("0:2-3b")), "ok replica replica ok") << summary(served);
    EXPECT_EQ(served.find("0:2-3b")->verdict, Verdict::valid);
    c.remove(rankFile(3, "pangu3-2_3_breakpoint.ckpt"));
    const CheckpointReport moved = c.judgeAll();
    EXPECT_EQ(summary(*moved.find("0:2-3b")), "0:2-3b UNKNOWN not_listed(1) not_listed(3)");
}

TEST(ReplicaCorpus, ParsesAllFormsOfRestoreVariables)
{
    const auto map = parseRestoreMap(R"({"0,8": 8, "1,9": 1})");
    ASSERT_TRUE(map.has_value());
    EXPECT_EQ(map->groups, (std::vector<std::vector<int>>{{0, 8}, {1, 9}}));
    EXPECT_EQ(map->source.at(0), 8);
    EXPECT_EQ(parseRestoreMap(R"({"8": 0})")->groups, (std::vector<std::vector<int>>{{0, 8}}));
    EXPECT_EQ(restoreRanks(map->source), "1,8");
    EXPECT_EQ(restoreRanksMap(map->source), R"({"0,8": 8, "1,9": 1})");
    EXPECT_EQ(parseRestoreMap(restoreRanksMap(map->source))->source, map->source);
    for (const char *bad :
         {"", "[]", "{\"0,1\": [0]}", "{\"a\": 0}", "{\"0,1\": 0, \"1\": 1}", "{\"0\": -1}", "{\"-1\": 0}"})
        EXPECT_FALSE(parseRestoreMap(bad).has_value()) << bad;
    EXPECT_TRUE(parseRestoreRanks("-1")->empty());
    EXPECT_EQ(*parseRestoreRanks("0,1,2,3"), (std::vector<int>{0, 1, 2, 3}));
    EXPECT_FALSE(parseRestoreRanks("0,x").has_value());
}

TEST(ReplicaCorpus, GroupFilesMakeAnEmergencyCheckpointOfOneRankPerGroupValid)
{
    Pangu c;
    for (const int rank : {0, 3})
        c.put(rankFile(rank, "pangu" + std::to_string(rank) + "-2_3_breakpoint.ckpt"), part(rank % 2, 13, true), 900);
    const CheckpointReport report = c.judgeAll();
    const CheckpointSet *gasp = nullptr;
    for (const CheckpointSet &set : report.sets)
        if (set.kind == CheckpointKind::breakpoint && !gasp) gasp = &set;
    ASSERT_NE(gasp, nullptr) << summary(report);
    EXPECT_EQ(states(*gasp), "ok replica replica ok") << summary(report);
    EXPECT_EQ(gasp->verdict, Verdict::valid) << summary(report);
    EXPECT_EQ(report.recommended, gasp->id);
    EXPECT_EQ(gasp->members[1].fromRank, 3);
    EXPECT_EQ(gasp->members[2].fromRank, 0);
    EXPECT_EQ(restoreRanksMap(restoreSources(*gasp)), R"({"0,2": 0, "1,3": 3})");
}

// The example of the corpus: names without the rank in the prefix.
struct Groups : Corpus {
    Groups()
    {
        for (int rank = 0; rank < 4; ++rank) {
            for (const std::int64_t step : {5, 10})
                put(rankFile(rank, "net-1_" + std::to_string(step) + ".ckpt"), part(rank % 2, step), 60 * step + rank);
            put(rankFile(rank, "group_info.pb"), groupFile({rank % 2, rank % 2 + 2}), 10, 0600);
        }
    }
};

TEST(ReplicaCorpus, N13_ProvenReplicaReplacesAMissingRank)
{
    Groups c;
    c.remove(rankFile(3, "net-1_10.ckpt"));
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report.sets.front()), "0:1-10 VALID replica_used(3)") << summary(report);
    EXPECT_EQ(report.recommended, "0:1-10");
    EXPECT_EQ(states(report.sets.front()), "ok ok ok replica");
    EXPECT_EQ(report.sets.front().members[3].fromRank, 1);
    EXPECT_THAT(report.sets.front().members[3].path, HasSubstr("rank_1/net-1_10.ckpt"));
    EXPECT_EQ(restoreRanks(restoreSources(report.sets.front())), "0,1,2");
    EXPECT_EQ(restoreRanksMap(restoreSources(report.sets.front())), R"({"0": 0, "1,3": 1, "2": 2})");
}

TEST(ReplicaCorpus, N13_MissingRankWithoutAProvenReplicaIsIncomplete)
{
    Groups c;
    c.remove(rankFile(3, "net-1_10.ckpt"));
    for (int rank = 0; rank < 4; ++rank) c.remove(rankFile(rank, "group_info.pb"));
    EXPECT_EQ(c.judge().sets.front().verdict, Verdict::incomplete);
    // The only other file of the group is lost, too.
    Groups both;
    for (const int rank : {1, 3}) both.remove(rankFile(rank, "net-1_10.ckpt"));
    const CheckpointReport report = both.judge();
    EXPECT_EQ(report.sets.front().verdict, Verdict::incomplete) << summary(report);
    EXPECT_EQ(report.recommended, "0:1-5") << summary(report);
    // The group files contradict each other.
    Groups doubt;
    doubt.remove(rankFile(3, "net-1_10.ckpt"));
    doubt.put(rankFile(1, "group_info.pb"), groupFile({1, 2}), 10, 0600);
    EXPECT_EQ(doubt.judge().sets.front().verdict, Verdict::incomplete);
    EXPECT_FALSE(doubt.judge().notes.empty());
}

TEST(ReplicaCorpus, N13_ReplicaWithOtherTensorsIsNotUsed)
{
    Groups c;
    for (int rank = 0; rank < 4; ++rank) c.put(rankFile(rank, "group_info.pb"), groupFile({0, 1, 2, 3}), 10, 0600);
    c.remove(rankFile(3, "net-1_10.ckpt"));
    c.judgeAll();
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.sets.front().members[3].fromRank, 1) << summary(report);
}

TEST(ReplicaCorpus, N13_ReplicaOfAnotherStepIsNotUsed)
{
    Groups c;
    c.remove(rankFile(3, "net-1_10.ckpt"));
    c.put(rankFile(1, "net-1_10.ckpt"), part(1, 5), 601);
    const CheckpointReport report = c.judge();
    EXPECT_NE(report.sets.front().verdict, Verdict::valid) << summary(report);
    EXPECT_EQ(report.recommended, "0:1-5") << summary(report);
}

TEST(ReplicaCorpus, S06_EquivalentReplicaIsUsedIfTheMappedRankHasNoFile)
{
    Corpus c;
    c.expected.worldSize = 8;
    c.job.launch.env["RESTORE_RANKS_MAP"] = R"({"0,1,2,3": 0, "4,5,6,7": 4})";
    const auto gasp = [&](int rank) {
        c.put(rankFile(rank, "net-2_3_breakpoint.ckpt"), part(rank / 4, 13, true), 900);
    };
    gasp(0);
    EXPECT_EQ(c.judge().sets.front().verdict, Verdict::incomplete);
    EXPECT_THAT(summary(c.judge()), HasSubstr("replica_missing"));
    gasp(4);
    EXPECT_EQ(states(c.judgeAll().sets.front()), "ok replica replica replica ok replica replica replica");
    EXPECT_EQ(summary(c.judgeAll()), "0:2-3b VALID");
    c.remove(rankFile(4, "net-2_3_breakpoint.ckpt"));
    gasp(6);  // not the rank that the map names, but equivalent
    EXPECT_EQ(c.judgeAll().sets.front().members[4].fromRank, 6);
    c.job.launch.env["RESTORE_RANKS_MAP"] = "0-7";
    EXPECT_EQ(c.judgeAll().sets.front().verdict, Verdict::incomplete);
    EXPECT_THAT(c.judgeAll().notes, testing::Contains(HasSubstr("RESTORE_RANKS_MAP of the job")));
}

TEST(ReplicaCorpus, ListsOnlyTheGroupFilesOfTheLaunchEnvironment)
{
    Job job;
    NodeSpec node;
    node.name = "n0";
    node.host = "local";
    node.ranks = {0, 1};
    job.nodes = {node};
    job.checkpoints.path = "/data/ckpt/rank_{rank}";
    job.launch.env["GROUP_INFO_FILE"] = "/job/device{rank}/group_info.pb";
    const std::vector<ListRequest> roots = checkpointRoots(job, node);
    ASSERT_EQ(roots.size(), 2u);
    EXPECT_EQ(roots[1].root, "/job");
    EXPECT_EQ(roots[1].depth, 2);
    Listing listing;
    listing.root = "/job";
    for (const char *path : {"/job/device0/group_info.pb", "/job/device1/group_info.pb", "/job/device0/net-1_10.ckpt"})
        listing.entries.push_back({path, {}});
    const Inventory inventory = buildInventory(job, {{"n0", listing}});
    EXPECT_TRUE(inventory.members.empty());
    ASSERT_EQ(inventory.groupFiles.size(), 2u);
    EXPECT_EQ(inventory.groupFiles[1].rank, 1);
    job.launch.env["GROUP_INFO_FILE"] = "/job/device0/group_info.pb";
    EXPECT_EQ(checkpointRoots(job, node)[1].root, "/job");
}

Job twoNodes()
{
    Job job;
    job.worldSize = 4;
    job.nodes = {{.name = "a", .host = "a", .ranks = {0, 1}}, {.name = "b", .host = "b", .ranks = {2, 3}}};
    return job;
}

TEST(ReplicaCorpus, OneFilePerNodeIsASetIfTheJobSavesThatWay)
{
    Corpus c;
    for (const int rank : {0, 2}) c.put(rankFile(rank, "net-1_10.ckpt"), part(0, 10), 600 + rank);
    c.expected.worldSize = 4;
    EXPECT_EQ(c.judge().sets.front().verdict, Verdict::incomplete);
    Job job = twoNodes();
    job.checkpoints.savedBy = SavedBy::firstOfNode;
    takeReplicas(job, c.expected);
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:1-10 VALID");
    EXPECT_EQ(report.sets.front().members[1].fromRank, 0);
    EXPECT_EQ(report.sets.front().members[3].fromRank, 2);
    c.remove(rankFile(2, "net-1_10.ckpt"));
    EXPECT_EQ(c.judge().sets.front().verdict, Verdict::incomplete);
    job.checkpoints.savedBy = SavedBy::rank0;
    takeReplicas(job, c.expected);
    EXPECT_EQ(summary(c.judge()), "0:1-10 VALID");
}

TEST(ReplicaCorpus, NamesTheSourceOfGroupsAndTrustsLogsLeast)
{
    Corpus c;
    for (const int rank : {0, 1}) c.put(rankFile(rank, "net-1_10.ckpt"), part(rank, 10), 600 + rank);
    c.expected.worldSize = 4;
    for (int rank = 0; rank < 4; ++rank) c.expected.loggedReplicas[rank] = {rank % 2, rank % 2 + 2};
    const auto reasons = [&c] {
        std::string text;
        const CheckpointReport report = c.judge();
        for (const Reason &reason : report.sets.front().reasons) text += reason.text + "; ";
        return verdictName(report.sets.front().verdict) + (": " + text);
    };
    EXPECT_THAT(reasons(), testing::StartsWith("VALID: "));
    EXPECT_THAT(reasons(),
                HasSubstr("the file of rank 0 is used instead: it has the same parameters, as the logs of the "
                          "ranks say"));
    Job job = twoNodes();
    job.checkpoints.replicaGroups = {{0, 2}, {1, 3}};
    takeReplicas(job, c.expected);
    EXPECT_THAT(reasons(), HasSubstr("as checkpoints.replica_groups says"));
    c.expected.replicaGroups.clear();
    c.expected.replicaSource.clear();
    c.expected.loggedReplicas = {{0, {0, 1}}, {1, {1, 2}}};  // they contradict each other
    EXPECT_THAT(reasons(), testing::StartsWith("INCOMPLETE"));
}

// ParallelStrategyMap: for each parameter, the matrix of devices and the dimensions that split the tensor.
struct Cut {
    std::string parameter;
    std::vector<int> devices, map;
    int optimizerShards = 0;
};

std::string field(int number, const std::string &bytes)
{
    return std::string(1, static_cast<char>(number * 8 + 2)) + std::string(1, static_cast<char>(bytes.size())) + bytes;
}

std::string dims(const std::vector<int> &values)
{
    std::string out;
    for (const int value : values)
        out += value < 0 ? "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
                         : "\x08" + std::string(1, static_cast<char>(value));
    return out;
}

std::string strategyFile(int stage, const std::vector<Cut> &cuts)
{
    std::string out = "\x08" + std::string(1, static_cast<char>(stage));
    for (const Cut &cut : cuts) {
        const std::string layout = field(1, dims(cut.devices)) + field(2, dims(cut.map)) +
                                   std::string("\x28\0\x30\0\x38", 5) +
                                   std::string(1, static_cast<char>(cut.optimizerShards));
        out += field(3, field(1, cut.parameter) + field(2, layout));
    }
    return out;
}

using Ranks = std::vector<std::vector<int>>;

TEST(ReplicaCorpus, StrategyFilesNameTheRanksWithTheSameParameters)
{
    EXPECT_EQ(parseStrategyRanks(strategyFile(0, {{"w", {2, 2}, {0, -1}}}))->replicas, (Ranks{{0, 2}, {1, 3}}));
    EXPECT_EQ(parseStrategyRanks(strategyFile(0, {{"w", {2, 2}, {1, -1}}}))->replicas, (Ranks{{0, 1}, {2, 3}}));
    EXPECT_EQ(parseStrategyRanks(strategyFile(0, {{"w", {4}, {-1}}}))->replicas, (Ranks{{0, 1, 2, 3}}));
    EXPECT_EQ(parseStrategyRanks(strategyFile(1, {{"w", {2, 2}, {0}}}))->replicas, (Ranks{{4, 6}, {5, 7}}));
    // A dimension that any parameter splits counts as split.
    EXPECT_EQ(parseStrategyRanks(strategyFile(0, {{"a", {2, 2}, {0}}, {"b", {2, 2}, {1}}}))->replicas, Ranks{});
    EXPECT_EQ(parseStrategyRanks(strategyFile(0, {{"a", {2, 2}, {0}}, {"accu_grads.a", {2, 2}, {1}}}))->replicas,
              (Ranks{{0, 2}, {1, 3}}));
    EXPECT_EQ(parseStrategyRanks(strategyFile(0, {{"w", {2, 2}, {0}, 2}}))->replicas, Ranks{});
    EXPECT_EQ(parseStrategyRanks(test::data("mindspore/strategy/ckpt_strategy_rank_0.ckpt"))->replicas, Ranks{});
    EXPECT_FALSE(parseStrategyRanks(strategyFile(0, {{"a", {2, 2}, {0}}, {"b", {4, 2}, {0}}})).has_value());
    EXPECT_FALSE(parseStrategyRanks(strategyFile(0, {{"a", {2, 2}, {2}}})).has_value());
    const std::string whole = strategyFile(0, {{"w", {2, 2}, {0, -1}}});
    for (std::size_t length = 3; length < whole.size(); ++length)
        EXPECT_FALSE(parseStrategyRanks(whole.substr(0, length)).has_value()) << length;
}

TEST(ReplicaCorpus, N13_StrategyFilesCompleteAnEmergencyCheckpoint)
{
    for (const bool onePerRank : {true, false}) {
        Pangu c(false);
        const std::string stage = strategyFile(0, {{"layer.weight", {2, 2}, {0}}});
        for (int rank = 0; rank < 4; ++rank) {
            if (onePerRank) c.put("strategy/ckpt_strategy_rank_" + std::to_string(rank) + ".ckpt", stage, 5);
            if (rank != 2)
                c.put(rankFile(rank, "pangu" + std::to_string(rank) + "-2_3_breakpoint.ckpt"), part(rank % 2, 3, true),
                      700);
        }
        if (!onePerRank) c.put("src_strategy.ckpt", stage, 5);
        const CheckpointReport report = c.judgeAll();
        const CheckpointReport asked = c.judge();
        EXPECT_EQ(asked.sets.front().verdict, Verdict::valid) << summary(asked);
        EXPECT_EQ(asked.sets.front().members[2].fromRank, 0);
        EXPECT_EQ(report.sets.front().kind, CheckpointKind::breakpoint);
    }
}

// A strategy counts the ranks of its stage: ranks whose files are lost are missing, even the last ones.
TEST(ReplicaCorpus, RankCountedByTheStrategyButWithoutAFileIsMissing)
{
    for (const int stages : {1, 2})
        for (const int perStage : {2, 4})
            for (int kept = 1; kept <= stages * perStage; ++kept) {
                Corpus c;
                for (int stage = 0; stage < stages; ++stage)
                    c.put("strategy/src_strategy_" + std::to_string(stage) + ".ckpt",
                          strategyFile(stage, {{"w", {perStage}, {0}}}), 5);
                for (const int step : {5, 10})
                    for (int rank = 0; rank < kept; ++rank)
                        c.put(rankFile(rank, "lenet-1_" + std::to_string(step) + ".ckpt"), part(rank, step), step);
                const CheckpointReport report = c.judgeAll();
                EXPECT_EQ(report.worldSize, stages * perStage) << summary(report);
                EXPECT_EQ(report.sets.front().verdict, kept == stages * perStage ? Verdict::valid : Verdict::incomplete)
                    << kept << ": " << summary(report);
            }
}

}  // namespace
}  // namespace rankdeck::replica_corpus_test
