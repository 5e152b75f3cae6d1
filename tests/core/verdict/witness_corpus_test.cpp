// SPDX-License-Identifier: GPL-3.0-or-later
// Statements in files with names of plain scripts: the rank that saved them, the count of their optimizer, the epoch.
// They are compared with names, folders and times.
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/dcp_files.h"
#include "tests/core/verdict/torch_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::witness_corpus_test {
namespace {

namespace pkl = test::pkl;
using test::Corpus;
using test::DcpFiles;
using test::summary;

std::string n(std::int64_t number) { return std::to_string(number); }

using Items = std::vector<std::pair<std::string, std::string>>;

// A model and an optimizer with this count, and other values of the script.
std::string scriptFile(std::int64_t counted, Items more = {})
{
    const std::string state = "}(" + pkl::integer(0) + pkl::dict({{"step", pkl::integer(counted)}}) + "u";
    more.emplace_back("model", pkl::dict({{"w", pkl::floats("0", 4)}}));
    more.emplace_back("optimizer", pkl::dict({{"state", state}}));
    return test::torchZip(pkl::whole(pkl::dict(more)), {{"0", test::floatBytes({1, 2, 3, float(counted)})}});
}

Items rankAndStep(int rank, std::int64_t step) { return {{"rank", pkl::integer(rank)}, {"step", pkl::integer(step)}}; }

// A tensor with its own attributes is still a tensor: ZeRO-3 of DeepSpeed 0.19 stores its weights in this form.
TEST(EvidenceCorpus, ReadsATensorWithAttributes)
{
    Corpus c;
    c.put("step_30.pt",
          test::torchZip(pkl::whole(pkl::dict(
                             {{"fp32_flat_groups", pkl::list({pkl::attributed("0", 4)})}, {"step", pkl::integer(30)}})),
                         {{"0", test::floatBytes({1, 2, 3, 4})}}),
          30);
    c.judgeAll();
    const Evidence evidence = c.evidenceOf("step_30.pt");
    ASSERT_EQ(evidence.tensors.size(), 1u);
    EXPECT_EQ(evidence.tensors[0].name, "fp32_flat_groups.0");
    EXPECT_EQ(evidence.tensors[0].shape, std::vector<std::int64_t>{4});
}

TEST(EvidenceCorpus, N05_ReportsAFileWhoseContentNamesAnotherRank)
{
    Corpus c;
    for (int rank = 0; rank < 4; ++rank)
        c.put("step_30_rank_" + n(rank) + ".pt", scriptFile(30, rankAndStep(rank, 30)), 30);
    EXPECT_EQ(summary(c.judgeAll()), "0:30o VALID");
    c.put("step_30_rank_0.pt", scriptFile(30, rankAndStep(1, 30)), 30);
    EXPECT_EQ(summary(c.judgeAll()), "0:30o INCONSISTENT rank_mismatch(0)");
    Corpus same;  // rank 0's file for all: saved so by a script, or copied
    for (int rank = 0; rank < 2; ++rank)
        same.put("step_30_rank_" + n(rank) + ".pt", scriptFile(30, rankAndStep(0, 30)), 30);
    EXPECT_EQ(summary(same.judgeAll()), "0:30o VALID-UNPROVEN rank_unproven(1)");
}

TEST(EvidenceCorpus, OptimizersProveTheStepInTheFolderName)
{
    Corpus c;
    for (const std::int64_t step : {20, 30})
        for (int rank = 0; rank < 2; ++rank)
            c.put("step_" + n(step) + "/rank_" + n(rank) + ".pt", scriptFile(step), step);
    EXPECT_EQ(summary(c.judgeAll()), "0:30o VALID; 0:20o VALID");
    c.put("step_30/rank_1.pt", scriptFile(20), 30);
    EXPECT_EQ(summary(c.judgeAll().sets[0]), "0:30o INCONSISTENT step_mismatch(1) step_unproven");
    Corpus other;  // an optimizer that has counted something else than the name
    for (int rank = 0; rank < 2; ++rank) other.put("step_30/rank_" + n(rank) + ".pt", scriptFile(120), 30);
    EXPECT_EQ(summary(other.judgeAll().sets[0]), "0:30o VALID-UNPROVEN step_unproven");
    Corpus saves;  // the fifth save, at any step of the training
    for (int rank = 0; rank < 2; ++rank)
        saves.put("checkpoint_5/rank_" + n(rank) + ".pt", scriptFile(500, {{"step", pkl::integer(500)}}), 30);
    EXPECT_EQ(summary(saves.judgeAll().sets[0]), "0:500o VALID");
}

TEST(EvidenceCorpus, ReadsTheStepCountsOfComposerAndFairseq)
{
    Corpus composer;
    composer.expected.worldSize = 1;  // its name may be one of several
    const std::string stamp = pkl::dict({{"epoch", pkl::integer(3)}, {"batch", pkl::integer(30)}});
    composer.put("ep3-ba30-rank0.pt",
                 scriptFile(30, {{"state", pkl::dict({{"timestamp", pkl::dict({{"Timestamp", stamp}})}})}}), 30);
    EXPECT_EQ(composer.judgeAll().sets[0].verdict, Verdict::valid) << summary(composer.judgeAll());
    Corpus fairseq;
    for (const int epoch : {1, 2})
        fairseq.put("checkpoint" + n(epoch) + ".pt",
                    scriptFile(0, {{"optimizer_history",
                                    pkl::list({pkl::dict({{"num_updates", pkl::integer(10)}}),
                                               pkl::dict({{"num_updates", pkl::integer(epoch * 100L)}})})}}),
                    epoch);
    EXPECT_EQ(fairseq.judgeAll().sets[0].globalStep, 200) << summary(fairseq.judgeAll());
}

// Composer's files have the random states of all ranks, and therefore show the number of ranks.
TEST(EvidenceCorpus, ReadsTheNumberOfRanksFromComposerFiles)
{
    for (const int world : {2, 3, 8})
        for (int kept = 1; kept <= world; ++kept) {
            Corpus c;
            for (const int batch : {10, 20})
                for (int rank = 0; rank < kept; ++rank) {
                    const std::string stamp = pkl::dict({{"epoch", pkl::integer(1)}, {"batch", pkl::integer(batch)}});
                    std::vector<std::string> random(static_cast<std::size_t>(world), pkl::dict({}));
                    c.put("ep1-ba" + n(batch) + "-rank" + n(rank) + ".pt",
                          scriptFile(batch, {{"state", pkl::dict({{"timestamp", pkl::dict({{"Timestamp", stamp}})}})},
                                             {"rng", pkl::list(random)}}),
                          batch);
                }
            const CheckpointReport report = c.judgeAll();
            // Rank 0 may be the only rank that saves.
            EXPECT_EQ(report.sets.front().verdict, kept == world ? Verdict::valid
                                                   : kept == 1   ? Verdict::validUnproven
                                                                 : Verdict::incomplete)
                << kept << " of " << world << ": " << summary(report);
        }
}

void putEpoch(Corpus &c, int named, int held)
{
    c.put("epoch_" + n(named) + ".pt",
          scriptFile(held * 10L, {{"epoch", pkl::integer(held)}, {"global_step", pkl::integer(held * 10L)}}), named);
}

TEST(EvidenceCorpus, C04_ReportsAnEpochThatDiffersFromItsNameUnlikeTheOthers)
{
    for (const int offset : {-1, 0, 1}) {  // epochs counted from 0, from 1, or the next epoch
        Corpus c;
        for (const int epoch : {1, 2, 3}) putEpoch(c, epoch, epoch + offset);
        for (const CheckpointSet &set : c.judgeAll().sets) EXPECT_EQ(set.verdict, Verdict::valid) << offset;
        putEpoch(c, 3, 2 + offset);
        for (const CheckpointSet &set : c.judgeAll().sets) {
            const bool third = set.members.front().path.ends_with("epoch_3.pt");
            EXPECT_EQ(set.verdict, third ? Verdict::inconsistent : Verdict::valid) << offset << ": " << summary(set);
        }
    }
}

DcpFiles sharded(std::int64_t step, int shards)
{
    DcpFiles dcp;
    for (int i = 0; i < shards; ++i) {
        const std::string file = "__" + n(i) + "_0.distcp", layer = "l" + n(i);
        std::vector<float> values(64, float(step + i));
        dcp.addFloats("model." + layer, file, values);
        dcp.addFloats("optim.state." + layer + ".exp_avg", file, values);
    }
    dcp.addInt32("train_state.step", "__0_0.distcp", static_cast<std::int32_t>(step));
    return dcp;
}

void put(Corpus &c, const std::string &directory, const DcpFiles &dcp, std::int64_t at)
{
    for (const auto &[name, bytes] : dcp.files())
        c.put(directory + "/" + name, bytes, at + (name == ".metadata" ? 1 : 0), 0644);
}

TEST(EvidenceCorpus, Q01_NestedClassIsHarmlessAndAFunctionIsDangerous)
{
    const auto with = [](const std::string &outer, const std::string &inner) {
        Corpus c;
        const std::string got = "c__builtin__\ngetattr\nc" + outer + "\n" + pkl::text(inner) + "\x86R";
        c.put("step_30.pt", scriptFile(30, {{"step", pkl::integer(30)}, {"held", got}}), 30);
        return summary(c.judgeAll());
    };
    EXPECT_EQ(with("torch.distributed._shard.sharded_tensor.api\nShardedTensor", "ProcessGroupState"), "0:30o VALID");
    EXPECT_EQ(with("some.module\nMode", "train"), "0:30o VALID") << "a member of an enum, which nothing calls";
    for (const auto &[outer, inner] :
         {std::pair("torch.serialization\nos", "system"), std::pair("torch\nTensor", "__reduce__"),
          std::pair("some.module\nthing", "Inner"), std::pair("torch.hub\nload", "Inner")})
        EXPECT_NE(with(outer, inner).find("dangerous_pickle"), std::string::npos) << outer << " " << inner;
}

TEST(EvidenceCorpus, N01_ReportsAShardOfThePreviousSaveWithoutACount)
{
    Corpus c;
    const DcpFiles before = sharded(20, 4);
    DcpFiles stale = sharded(30, 4);
    stale.replaceShard("__2_0.distcp", before);
    put(c, "step-20", before, 20);
    put(c, "step-30", stale, 30);
    EXPECT_EQ(summary(c.judgeAll()), "0:30 VALID-UNPROVEN values_repeated; 0:20 VALID");
}

TEST(EvidenceCorpus, C07_CopiesWithoutTimesAreValidAndShardsOfLastWeekAreNot)
{
    Corpus copied;  // copied in the order of names: the mark first
    put(copied, "step-30", sharded(30, 4), 30);
    copied.touch("step-30/.metadata", 29);
    EXPECT_EQ(summary(copied.judgeAll()), "0:30 VALID");
    Corpus mixed;  // the mark between the shards: an interrupted save into the directory, or such a copy
    put(mixed, "step-30", sharded(30, 4), 30);
    mixed.touch("step-30/__3_0.distcp", 400);
    EXPECT_EQ(summary(mixed.judgeAll()), "0:30 VALID-UNPROVEN mark_older");
    Corpus shuffled;  // a copy in any order, at an even pace
    put(shuffled, "step-30", sharded(30, 4), 30);
    for (const auto &[file, at] : {std::pair<std::string, int>{"__1_0.distcp", 40},
                                   {".metadata", 42},
                                   {"__3_0.distcp", 43},
                                   {"__0_0.distcp", 47},
                                   {"__2_0.distcp", 50}})
        shuffled.touch("step-30/" + file, at);
    EXPECT_EQ(summary(shuffled.judgeAll()), "0:30 VALID");
    Corpus old;
    old.expected.now = wallFromNs(test::epoch0 + 8L * 86400 * test::second);
    put(old, "step-30", sharded(30, 4), 7L * 86400);
    old.touch("step-30/__3_0.distcp", 30);
    EXPECT_EQ(summary(old.judgeAll()), "0:30 VALID-UNPROVEN times_apart");
}

TEST(EvidenceCorpus, S02_OptimizerWithOnlyItsRecipeIsNotACheckpoint)
{
    Corpus c;
    const std::string optimizer = pkl::dict({{"exp_avg", pkl::floats("0", 32)}});
    c.put("recipe_state.pt",
          test::torchZip(pkl::whole(pkl::dict({{"optimizer", optimizer}, {"epochs_run", pkl::integer(3)}})),
                         {{"0", test::floatBytes(std::vector<float>(32, 1))}}),
          30);
    EXPECT_EQ(c.judgeAll().sets[0].verdict, Verdict::incomplete) << summary(c.judgeAll());
}

TEST(EvidenceCorpus, ItemsOfAnotherFormAreUnprovenAndNotTorn)
{
    Corpus compressed;
    DcpFiles zstd = sharded(30, 2);
    zstd.setTransform("stream.zstd/1");
    for (auto [name, bytes] : zstd.files()) {
        if (name != ".metadata") bytes.assign(bytes.size(), 'z');
        compressed.put("step-30/" + name, bytes, 30, 0644);
    }
    EXPECT_EQ(summary(compressed.judgeAll()), "0:30 VALID-UNPROVEN content_unproven step_unproven");
    compressed.edit("step-30/__1_0.distcp", [](std::string &bytes) { bytes.pop_back(); });
    EXPECT_EQ(summary(compressed.judgeAll()), "0:30 CORRUPT size_mismatch");
    Corpus safe;
    for (auto [name, bytes] : sharded(30, 2).files()) {
        if (name != ".metadata") bytes.insert(0, std::string("\x08\0\0\0\0\0\0\0{}      ", 16));
        safe.put("step-30/" + name, bytes, 30, 0644);
    }
    EXPECT_EQ(summary(safe.judgeAll()), "0:30 VALID-UNPROVEN content_unproven step_unproven");
    safe.edit("step-30/__1_0.distcp", [](std::string &bytes) { bytes.pop_back(); });
    EXPECT_EQ(safe.judgeAll().sets[0].verdict, Verdict::corrupt) << summary(safe.judgeAll());
}

TEST(EvidenceCorpus, S01_ReportsAMissingStateFileOfTheLastRank)
{
    Corpus c;
    put(c, "step30/model_and_optim", sharded(30, 4), 30);
    for (int rank = 0; rank < 4; ++rank)
        c.put("step30/train/rank" + n(rank) + ".pt",
              test::torchZip(pkl::whole(pkl::dict({{"global_step", pkl::integer(30)}})), {}), 30);
    EXPECT_EQ(summary(c.judgeAll()), "0:30 VALID");
    c.remove("step30/train/rank3.pt");
    EXPECT_EQ(c.judgeAll().sets[0].verdict, Verdict::incomplete) << summary(c.judgeAll());
}

std::string partFile(int iteration, int rank, float value)
{
    const std::string arguments = pkl::object("argparse", "Namespace",
                                              {{"tensor_model_parallel_size", pkl::integer(2)},
                                               {"world_size", pkl::integer(2)},
                                               {"rank", pkl::integer(rank)}});
    std::vector<float> values(32, value);
    return test::torchZip(pkl::whole(pkl::dict({{"args", arguments},
                                                {"iteration", pkl::integer(iteration)},
                                                {"model", pkl::dict({{"w", pkl::floats("0", 32)}})},
                                                {"optimizer", pkl::dict({{"state", pkl::dict({})}})},
                                                {"rng_state", pkl::list({pkl::integer(1)})}})),
                          {{"0", test::floatBytes(values)}});
}

TEST(EvidenceCorpus, N05_ReportsAModelParallelPartOfAnotherRank)
{
    const auto path = [](int tp) { return "iter_0000100/mp_rank_0" + n(tp) + "/model_optim_rng.pt"; };
    Corpus c;
    for (int tp = 0; tp < 2; ++tp) c.put(path(tp), partFile(100, tp, float(tp + 1)), 100);
    EXPECT_EQ(summary(c.judgeAll()), "0:100 VALID");
    c.put(path(0), partFile(100, 1, 2), 100);
    EXPECT_EQ(c.judgeAll().sets[0].verdict, Verdict::inconsistent) << summary(c.judgeAll());
    c.put(path(0), partFile(100, 0, 1), 100);
    c.put(path(1), partFile(100, 0, 1), 100);  // a converter would name all like this, but the values are the same
    EXPECT_EQ(summary(c.judgeAll()), "0:100 VALID-UNPROVEN rank_unproven(1)");
    c.put(path(1), partFile(100, 0, 2), 100);
    EXPECT_EQ(summary(c.judgeAll()), "0:100 VALID");
}

}  // namespace
}  // namespace rankdeck::witness_corpus_test
