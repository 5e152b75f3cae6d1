// SPDX-License-Identifier: GPL-3.0-or-later
// Files of torch.save, one per rank or one for all: their rank, their run, and their faults.
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/torch_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>

namespace rankdeck::torch_ranks_corpus_test {
namespace {

namespace pkl = test::pkl;
using test::Corpus;
using test::states;
using test::summary;

std::string rankDirectory(int rank) { return "rank_" + std::to_string(rank) + "/"; }

// Real files of two data-parallel ranks of a script: only BatchNorm statistics and the best accuracy differ.
void putScript(Corpus &c, std::int64_t time = 100)
{
    for (int rank = 0; rank < 2; ++rank)
        c.put(rankDirectory(rank) + "checkpoint.pth.tar",
              test::data("torch/per_rank/" + rankDirectory(rank) + "checkpoint.pth.tar"), time, 0644);
}

struct Model {
    std::int64_t step = 300;
    std::string run = "alpha";
    float weight = 1, mean = 1;
    bool optimizer = true;
};

// A dictionary as a script saves it: two weights, a BatchNorm statistic, an optimizer, the arguments.
std::string modelFile(const Model &m)
{
    const auto values = [](float first) { return test::floatBytes({first, 2, 3, 4}); };
    std::vector<std::pair<std::string, std::string>> root{
        {"global_step", pkl::integer(m.step)},
        {"args", pkl::object("argparse", "Namespace",
                             {{"run_id", pkl::text(m.run)}, {"epochs", pkl::integer(9)}, {"rank", pkl::integer(0)}})},
        {"state_dict", pkl::dict({{"conv.weight", pkl::floats("0", 4)},
                                  {"fc.weight", pkl::floats("1", 4)},
                                  {"bn.running_mean", pkl::floats("2", 4)}})}};
    if (m.optimizer) root.emplace_back("optimizer", pkl::dict({{"momentum", pkl::floats("3", 4)}}));
    std::vector<test::TorchRecord> records{{"0", values(1)}, {"1", values(m.weight)}, {"2", values(m.mean)}};
    if (m.optimizer) records.push_back({"3", values(1)});
    return test::torchZip(pkl::whole(pkl::dict(root)), records);
}

void putRanks(Corpus &c, int ranks, const std::string &name = "step_300.pt")
{
    for (int rank = 0; rank < ranks; ++rank) c.put(rankDirectory(rank) + name, modelFile({}), 300, 0644);
}

const Reason *reason(const CheckpointSet &set, const std::string &code)
{
    for (const Reason &r : set.reasons)
        if (r.code == code) return &r;
    return nullptr;
}

// One file per node, rank % devices == 0, of a script without a known layout.
TEST(TorchRanksCorpus, RegularPatternInAllSetsIsUnprovenInsteadOfIncomplete)
{
    Corpus c;
    const auto saved = [&](std::int64_t step, const std::vector<int> &ranks) {
        for (const int rank : ranks)
            c.put(rankDirectory(rank) + "step_" + std::to_string(step) + ".pt", modelFile({.step = step}), 6 * step,
                  0644);
    };
    c.expected.worldSize = 4;
    c.expected.running = false;
    saved(100, {0, 2});
    EXPECT_EQ(c.judge().sets.front().verdict, Verdict::incomplete);  // one set shows no pattern
    saved(200, {0, 2});
    const CheckpointReport report = c.judge();
    ASSERT_EQ(report.sets.size(), 2u);
    for (const CheckpointSet &set : report.sets) {
        EXPECT_EQ(set.verdict, Verdict::validUnproven) << summary(report);
        EXPECT_EQ(set.members[3].fromRank, 2);
        ASSERT_FALSE(set.reasons.empty());
        EXPECT_EQ(set.reasons.front().code, ReasonCode("rank_unproven"));
        EXPECT_NE(set.reasons.front().text.find("checkpoints.saved_by"), std::string::npos);
        EXPECT_TRUE(set.facts.find("replica_groups") == set.facts.end());
    }
    EXPECT_FALSE(report.recommended);
    // A rank that was not listed since then, or could not be listed, may have saved, so the report makes no claim about
    // it.
    const auto judged = [&](const std::function<void(Inventory &)> &change) {
        Inventory inventory = c.inventory;
        for (int rank = 0; rank < 4; ++rank)
            inventory.listed[rank] = {.node = "n0", .asOf = wallFromNs(3600LL * 24 * 365 * 200 * 1000000000)};
        change(inventory);
        const auto known = [&](const Member &m) { return std::make_shared<const Evidence>(c.evidenceOf(m)); };
        return summary(rankdeck::judge(inventory, known, c.expected));
    };
    using testing::HasSubstr;
    EXPECT_THAT(judged([](Inventory &) {}), HasSubstr("rank_unproven"));
    EXPECT_THAT(judged([](Inventory &i) { i.listed[3].asOf = WallTime{}; }), testing::Not(HasSubstr("rank_unproven")));
    EXPECT_THAT(judged([](Inventory &i) { i.unlisted[3] = "no answer"; }), testing::Not(HasSubstr("rank_unproven")));
    EXPECT_THAT(judged([](Inventory &i) { i.stillChanging = true; }), testing::Not(HasSubstr("rank_unproven")));
    c.expected.completeBefore = {"0:0-50"};  // all ranks had saved before: now files are lost
    EXPECT_EQ(c.judge().sets.front().verdict, Verdict::incomplete);
    c.expected.completeBefore.clear();
    saved(200, {1});  // another pattern in one of the sets
    for (const CheckpointSet &set : c.judge().sets) EXPECT_EQ(set.verdict, Verdict::incomplete);
}

TEST(TorchRanksCorpus, F02_GarbageAfterTheEndIsTorn)
{
    Corpus c;
    putScript(c);
    c.edit("rank_1/checkpoint.pth.tar", [](std::string &bytes) { bytes += std::string(200'000, 'x'); });
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.sets[0].verdict, Verdict::corrupt);
    EXPECT_EQ(states(report.sets[0]), "ok torn");
    EXPECT_EQ(reason(report.sets[0], "torn")->rank, 1) << summary(report);
}

TEST(TorchRanksCorpus, F03_LegacyFileCutInAStorageIsCorrupt)
{
    Corpus c;
    const std::string whole = test::data("torch/whole/legacy.pt");
    c.put("rank_0/model.pt", whole, 100);
    c.put("rank_1/model.pt", whole.substr(0, whole.size() - 40), 100);
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report.sets[0]), "0:41200o CORRUPT torn(1)") << summary(report);
}

TEST(TorchRanksCorpus, F09_RecordWithAnotherSizeThanItsTensorIsCorrupt)
{
    Corpus c;
    putRanks(c, 2);
    const std::string pickle = pkl::whole(
        pkl::dict({{"global_step", pkl::integer(300)}, {"optimizer", pkl::dict({{"w", pkl::floats("0", 4)}})}}));
    c.put("rank_1/step_300.pt", test::torchZip(pickle, {{"0", test::floatBytes({1, 2, 3})}}), 300);
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.sets[0].verdict, Verdict::corrupt) << summary(report);
    EXPECT_NE(report.sets[0].reasons.front().text.find("12 bytes, but data.pkl needs 16"), std::string::npos)
        << report.sets[0].reasons.front().text;
}

TEST(TorchRanksCorpus, F12_HoleInASmallStorageFailsItsChecksum)
{
    Corpus c;
    putRanks(c, 2);
    c.edit("rank_1/step_300.pt", [](std::string &bytes) {
        const std::string momentum = test::floatBytes({1, 2, 3, 4});
        const std::size_t at = bytes.rfind(momentum);
        ASSERT_NE(at, std::string::npos);
        std::fill_n(bytes.begin() + std::ptrdiff_t(at), momentum.size(), '\0');
    });
    EXPECT_EQ(summary(c.judge()), "0:300o CORRUPT crc_bad(1)");
}

TEST(TorchRanksCorpus, F12_HoleBetweenTheSamplesIsMissedAndTheEvidenceLevelIsL3)
{
    Corpus c;
    const std::string pickle = pkl::whole(pkl::dict({{"global_step", pkl::integer(300)},
                                                     {"model", pkl::dict({{"w", pkl::floats("1", 4)}})},
                                                     {"optimizer", pkl::dict({{"m", pkl::floats("0", 20000)}})}}));
    std::string values(80000, '\x11');
    const std::string weights = test::floatBytes({1, 2, 3, 4});
    for (int rank = 0; rank < 2; ++rank)
        c.put(rankDirectory(rank) + "step_300.pt", test::torchZip(pickle, {{"0", values}, {"1", weights}}), 300, 0644);
    EXPECT_EQ(summary(c.judge()), "0:300o VALID");
    c.edit("rank_1/step_300.pt", [](std::string &bytes) {
        const std::size_t at = bytes.find(std::string(1000, '\x11'));
        std::fill_n(bytes.begin() + std::ptrdiff_t(at) + 16384, 2048, '\0');
    });
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.sets[0].verdict, Verdict::valid) << summary(report);
    for (const MemberVerdict &member : report.sets[0].members) EXPECT_EQ(member.level, EvidenceLevel::L3);
}

TEST(TorchRanksCorpus, N05_ReportsAFileOfAnotherRun)
{
    Corpus c;
    putRanks(c, 4);
    EXPECT_EQ(summary(c.judge()), "0:300o VALID");
    Model other;
    other.run = "beta";
    c.put("rank_2/step_300.pt", modelFile(other), 300);
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:300o INCONSISTENT run_mismatch(2)");
    EXPECT_NE(report.sets[0].reasons.front().text.find("run_id beta"), std::string::npos);
    EXPECT_EQ(states(report.sets[0]), "ok ok mismatch ok");
    EXPECT_FALSE(report.recommended);
}

TEST(TorchRanksCorpus, N07_ReportsAFileOfAnotherWorldSizeAndDegrees)
{
    const auto file = [](std::int64_t world, std::int64_t tensor) {
        return test::torchZip(
            pkl::whole(pkl::dict({{"iteration", pkl::integer(300)},
                                  {"args", pkl::object("argparse", "Namespace",
                                                       {{"world_size", pkl::integer(world)},
                                                        {"tensor_model_parallel_size", pkl::integer(tensor)}})},
                                  {"optimizer", pkl::dict({{"w", pkl::floats("0", 2)}})}})),
            {{"0", test::floatBytes({1, 2})}});
    };
    Corpus c;
    c.expected.worldSize = 4;
    for (int rank = 0; rank < 4; ++rank) c.put(rankDirectory(rank) + "step_300.pt", file(4, 2), 300);
    EXPECT_EQ(summary(c.judge()), "0:300o VALID");
    c.put("rank_3/step_300.pt", file(8, 4), 300);
    EXPECT_EQ(summary(c.judge()), "0:300o INCONSISTENT world_size_mismatch(3) degrees_mismatch(3)");
}

TEST(TorchRanksCorpus, N05_ReportsARealScriptFileOfAnotherModel)
{
    Corpus c;
    putScript(c);
    c.edit("rank_1/checkpoint.pth.tar", [](std::string &bytes) {
        const std::size_t at = bytes.find("tiny");
        ASSERT_NE(at, std::string::npos);
        bytes.replace(at, 4, "huge");
    });
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.sets[0].verdict, Verdict::inconsistent);
    ASSERT_NE(reason(report.sets[0], "run_mismatch"), nullptr) << summary(report);
}

TEST(TorchRanksCorpus, N08_ReportsAReplicaThatDiffersInOneTensor)
{
    Corpus c;
    c.expected.replicaGroups = {{0, 1, 2, 3}};
    putRanks(c, 4);
    Model damaged;
    damaged.weight = 1.5;
    c.put("rank_3/step_300.pt", modelFile(damaged), 300);
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:300o INCONSISTENT replica_mismatch(3)");
    EXPECT_NE(report.sets[0].reasons.front().text.find("'state_dict.fc.weight'"), std::string::npos)
        << report.sets[0].reasons.front().text;
    EXPECT_FALSE(report.recommended);
}

TEST(TorchRanksCorpus, N08_RanksMayDifferWithoutProofThatTheyAreReplicas)
{
    Corpus c;
    putRanks(c, 2);
    Model other;  // as tensor-parallel ranks differ
    other.weight = 1.5;
    c.put("rank_1/step_300.pt", modelFile(other), 300);
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:300o VALID");
    EXPECT_EQ(report.recommended, "0:300o");
}

TEST(TorchRanksCorpus, N08_OneTensorThatDiffersIsOnlyAHint)
{
    Corpus c;
    const auto many = [](float last) {
        std::vector<std::pair<std::string, std::string>> tensors;
        std::vector<test::TorchRecord> records;
        for (int i = 0; i < 30; ++i) {
            tensors.emplace_back("layer" + std::to_string(i), pkl::floats(std::to_string(i), 2));
            records.push_back({std::to_string(i), test::floatBytes({1, i == 29 ? last : 2})});
        }
        return test::torchZip(pkl::whole(pkl::dict({{"global_step", pkl::integer(300)},
                                                    {"optimizer", pkl::dict({})},
                                                    {"state_dict", pkl::dict(tensors)}})),
                              records);
    };
    c.put("rank_0/step_300.pt", many(2), 300);
    c.put("rank_1/step_300.pt", many(3), 300);
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:300o VALID replica_differs(1)");
    EXPECT_NE(report.sets[0].reasons.front().text.find("layer29"), std::string::npos);
}

TEST(TorchRanksCorpus, N09_BatchStatisticsOfReplicasMayDiffer)
{
    Corpus c;
    c.expected.replicaGroups = {{0, 1}};
    putRanks(c, 2);
    Model own;
    own.mean = 7;
    c.put("rank_1/step_300.pt", modelFile(own), 300);
    EXPECT_EQ(summary(c.judge()), "0:300o VALID");

    Corpus real;
    real.expected.replicaGroups = {{0, 1}};
    putScript(real);
    EXPECT_EQ(real.judge().sets[0].verdict, Verdict::valid) << summary(real.judge());
}

// Ultralytics leaves such a last.pt after a finished run.
TEST(TorchRanksCorpus, R01_OptimizerWithoutStateDoesNotCount)
{
    Corpus c;
    c.put("step_400.pt",
          test::torchZip(pkl::whole(pkl::dict({{"step", pkl::integer(400)},
                                               {"model", pkl::dict({{"w", pkl::floats("0", 4)}})},
                                               {"optimizer", "N"}})),
                         {{"0", test::floatBytes({1, 2, 3, 4})}}),
          400);
    EXPECT_EQ(summary(c.judge()), "0:400o VALID-UNPROVEN weights_only");
}

// Files such as OLMo's train.pt, which has the step and nothing else. Also {"optimizer": …, "step": …} beside weights
// in their own file: neither file alone is complete.
TEST(TorchRanksCorpus, R06_OptimizerAloneIsNotACheckpoint)
{
    const std::string moments = pkl::dict({{"exp_avg", pkl::floats("0", 32)}});
    const std::string group = pkl::list({pkl::dict({{"lr", pkl::integer(1)}})});
    const std::pair<std::string, std::string> files[] = {
        {"optimizer_300.pt", pkl::dict({{"optimizer", moments}, {"step", pkl::integer(300)}})},
        {"optimizer_300.pt", pkl::dict({{"optim_state_dict", moments}, {"step", pkl::integer(300)}})},
        {"model_optim_step_300.pt", pkl::dict({{"state", moments}, {"param_groups", group}})}};
    for (const auto &[name, state] : files) {
        Corpus c;
        c.put(name, test::torchZip(pkl::whole(state), {{"0", test::floatBytes(std::vector<float>(32, 0.5f))}}), 300);
        const CheckpointReport report = c.judgeAll();
        ASSERT_EQ(report.sets.size(), 1u);
        EXPECT_EQ(report.sets[0].verdict, Verdict::incomplete) << summary(report);
        EXPECT_TRUE(reason(report.sets[0], "weights_missing")) << summary(report);
    }
}

TEST(TorchRanksCorpus, CountersAloneAreNotACheckpoint)
{
    Corpus c;
    c.put("step_400/train.pt", test::torchZip(pkl::whole(pkl::dict({{"global_step", pkl::integer(400)}})), {}), 400);
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:400o INCOMPLETE weights_missing(0)");
    EXPECT_FALSE(report.recommended);
}

// LitGPT names its directories by step_count; iter_num counts micro-batches.
TEST(TorchRanksCorpus, PrefersTheOptimizerStepCountToTheMicroBatchCount)
{
    Corpus c;
    c.put("step-00000400/lit_model.pth",
          test::torchZip(pkl::whole(pkl::dict({{"model", pkl::dict({{"w", pkl::floats("0", 4)}})},
                                               {"optimizer", pkl::dict({{"m", pkl::floats("1", 4)}})},
                                               {"iter_num", pkl::integer(1600)},
                                               {"step_count", pkl::integer(400)}})),
                         {{"0", test::floatBytes({1, 2, 3, 4})}, {"1", test::floatBytes({1, 2, 3, 4})}}),
          400);
    EXPECT_EQ(summary(c.judge()), "0:400o VALID");
}

// The names do not depend on the order of the sets, which the next save changes.
TEST(TorchRanksCorpus, SetsWithOnlyAnEpochAreNamedByIt)
{
    Corpus c;
    for (std::int64_t epoch = 1; epoch <= 2; ++epoch)
        c.put("epoch_" + std::to_string(epoch) + ".pth",
              test::torchZip(pkl::whole(pkl::dict({{"epoch", pkl::integer(epoch)},
                                                   {"model", pkl::dict({{"w", pkl::floats("0", 4)}})},
                                                   {"optimizer", pkl::dict({{"m", pkl::floats("1", 4)}})}})),
                             {{"0", test::floatBytes({1, 2, 3, float(epoch)})}, {"1", test::floatBytes({1, 2, 3, 4})}}),
              epoch * 100);
    EXPECT_EQ(summary(c.judgeAll()), "0:e2o VALID; 0:e1o VALID");
}

TEST(TorchRanksCorpus, R01_WeightsWithoutAnOptimizerAreNotRecommended)
{
    Corpus c;
    putRanks(c, 2);
    Model weights;
    weights.optimizer = false;
    weights.step = 400;
    for (int rank = 0; rank < 2; ++rank) c.put(rankDirectory(rank) + "step_400.pt", modelFile(weights), 400);
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report.sets[0]), "0:400o VALID-UNPROVEN weights_only") << summary(report);
    EXPECT_EQ(report.recommended, report.sets[1].id);
}

TEST(TorchRanksCorpus, Q01_HostilePickleIsFlaggedAndNotRecommended)
{
    Corpus c;
    putRanks(c, 2);
    const std::string call = "cposix\nsystem\n" + pkl::text("true") + "\x85R";
    const std::string pickle = pkl::whole(pkl::dict(
        {{"global_step", pkl::integer(300)}, {"x", call}, {"optimizer", pkl::dict({{"w", pkl::floats("0", 1)}})}}));
    for (int rank = 0; rank < 2; ++rank)
        c.put(rankDirectory(rank) + "step_300.pt", test::torchZip(pickle, {{"0", test::floatBytes({1})}}), 300);
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.sets[0].verdict, Verdict::validUnproven) << summary(report);
    ASSERT_NE(reason(report.sets[0], "dangerous_pickle"), nullptr) << summary(report);
    EXPECT_NE(reason(report.sets[0], "dangerous_pickle")->text.find("posix.system"), std::string::npos);
    EXPECT_FALSE(report.recommended);
}

TEST(TorchRanksCorpus, Q02_PickleThatClaimsFourGigabytesIsTorn)
{
    Corpus c;
    putRanks(c, 2);
    const std::string pickle = std::string("\x80\x02") + "}X" + std::string("\xff\xff\xff\xff", 4) + "abc";
    c.put("rank_1/step_300.pt", test::torchZip(pickle, {}), 300);
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:300o CORRUPT torn(1)") << summary(report);
}

TEST(TorchRanksCorpus, Q03_ZipDirectoriesWithFalseValuesAreNotRecommended)
{
    const std::string whole = modelFile({});
    const auto withEnd = [&](std::size_t field, std::uint64_t value, int width) {
        std::string bytes = whole;
        for (int i = 0; i < width; ++i)
            bytes[bytes.size() - 22 + field + std::size_t(i)] = static_cast<char>(value >> (8 * i));
        return bytes;
    };
    const std::string twice = test::torchZip(pkl::whole(pkl::dict({})), {{"0", "aaaa"}, {"0", "bbbb"}});
    const std::string climbing = test::torchZip(pkl::whole(pkl::dict({})), {{"../../../etc/passwd", "aaaa"}});
    int number = 0;
    for (const std::string &bytes :
         {withEnd(10, 1, 2), withEnd(10, 65535, 2), withEnd(12, 3, 4), withEnd(16, 0xfffffff0u, 4), twice}) {
        Corpus c;
        putRanks(c, 2);
        c.put("rank_1/step_300.pt", bytes, 300);
        EXPECT_EQ(c.judge().sets[0].verdict, Verdict::corrupt) << number << summary(c.judge());
        ++number;
    }
    Corpus c;
    putRanks(c, 2);
    c.put("rank_1/step_300.pt", climbing, 300);
    EXPECT_FALSE(c.judge().recommended);  // no tensors, and another structure; archives are never unpacked
}

TEST(TorchRanksCorpus, H01_EachNodeHasItsOwnRanks)
{
    Corpus c;
    for (int rank = 0; rank < 2; ++rank) c.put(rankDirectory(rank) + "step_300.pt", modelFile({}), 300, 0644);
    c.job.nodes.push_back(c.job.nodes.front());
    c.job.nodes[1].name = "n1";
    c.job.nodes[0].ranks = {0};
    c.job.nodes[1].ranks = {1};
    c.job.checkpoints.path = "/job/ckpt/rank_{rank}";
    const auto only = [&](const std::string &part) {
        Listing out = c.listing();
        out.entries.erase(std::remove_if(out.entries.begin(), out.entries.end(),
                                         [&](const FileEntry &e) { return e.path.find(part) == std::string::npos; }),
                          out.entries.end());
        return out;
    };
    const Inventory both = buildInventory(c.job, {{"n0", only("rank_0")}, {"n1", only("rank_1")}});
    const auto known = [&](const Member &m) { return std::make_shared<const Evidence>(c.evidenceOf(m)); };
    c.expected.worldSize = 2;
    const CheckpointReport report = judge(both, known, c.expected);
    ASSERT_EQ(report.sets.size(), 1u);
    EXPECT_EQ(report.sets[0].verdict, Verdict::valid) << summary(report);
    EXPECT_EQ(report.sets[0].members[0].node, "n0");
    EXPECT_EQ(report.sets[0].members[1].node, "n1");
    const Inventory half = buildInventory(c.job, {{"n0", only("rank_0")}, {"n1", only("nothing")}});
    EXPECT_EQ(summary(judge(half, known, c.expected).sets[0]).find("0:300"), 0u);
    EXPECT_EQ(judge(half, known, c.expected).sets[0].verdict, Verdict::incomplete);
}

TEST(LightningCorpus, OneFileServesAllRanksUnderAnyExtension)
{
    Corpus c;
    c.expected.worldSize = 4;
    const std::string bytes = test::data("torch/whole/zip-stream.pt");  // epoch 7, step 41,200
    c.put("epoch=7-step=41200.ckpt", bytes, 100);
    c.put("hpc_ckpt_2.ckpt", bytes, 110);
    c.put("last.ckpt", bytes, 120);  // a copy, reported once
    const CheckpointReport report = c.judgeAll();
    ASSERT_EQ(report.sets.size(), 2u) << summary(report);
    for (const CheckpointSet &set : report.sets) {
        EXPECT_EQ(set.verdict, Verdict::valid) << summary(set);
        EXPECT_EQ(set.globalStep, 41200);
        EXPECT_EQ(set.epoch, 7);
        EXPECT_EQ(states(set), "ok ok ok ok");
    }
    EXPECT_TRUE(report.recommended);
}

TEST(LightningCorpus, C04_NameWithAnotherStepIsInconsistent)
{
    for (const char *name : {"epoch=7-step=50000.ckpt", "step=50000.ckpt", "net-step=50000-val_loss=0.10.ckpt"}) {
        Corpus c;
        c.put(name, test::data("torch/whole/zip-stream.pt"), 100);
        const CheckpointReport report = c.judge();
        EXPECT_EQ(report.sets[0].verdict, Verdict::inconsistent) << summary(report);
        EXPECT_EQ(report.sets[0].reasons.front().code, ReasonCode("step_mismatch")) << name;
    }
}

TEST(LightningCorpus, ScriptFileWithoutARankIsUnproven)
{
    Corpus c;
    c.expected.worldSize = 4;
    Model m;
    c.put("step_300.pt", modelFile(m), 100);
    const CheckpointReport report = c.judge();
    ASSERT_EQ(report.sets.size(), 1u) << summary(report);
    EXPECT_EQ(report.sets[0].verdict, Verdict::validUnproven);
    EXPECT_EQ(report.sets[0].reasons.front().code, ReasonCode("one_file")) << summary(report);
    EXPECT_FALSE(report.recommended);
}

TEST(LightningCorpus, L01_ReportsADanglingLastLink)
{
    Corpus c;
    c.put("epoch=7-step=41200.ckpt", test::data("torch/whole/zip-stream.pt"), 100);
    FileEntry last;
    last.path = "/job/ckpt/last.ckpt";
    last.linkTarget = "epoch=8-step=47000.ckpt";
    last.stat.kind = 'l';
    c.addEntry(last);
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.sets.size(), 1u) << summary(report);
    EXPECT_TRUE(report.recommended);
    ASSERT_FALSE(report.notes.empty());
    EXPECT_NE(report.notes.front().find("does not exist"), std::string::npos) << report.notes.front();
}

TEST(AccelerateCorpus, N04_RandomStateCountsMustAgreeAndAreNotSteps)
{
    const auto random = [](std::int64_t step) {
        return test::torchZip(pkl::whole(pkl::dict({{"step", pkl::integer(step)}, {"x", pkl::floats("0", 2)}})),
                              {{"0", test::floatBytes({1, 2})}});
    };
    Corpus c;
    c.put("checkpoint_0/model.safetensors", test::data("huggingface/trainer/checkpoint-16/model.safetensors"), 10);
    c.put("checkpoint_0/optimizer.bin", test::data("huggingface/trainer/checkpoint-16/optimizer.pt"), 10);
    c.put("checkpoint_0/random_states_0.pkl", random(500), 10);
    c.put("checkpoint_0/random_states_1.pkl", random(500), 10);
    CheckpointReport report = c.judge();
    ASSERT_EQ(report.sets.size(), 1u) << summary(report);
    EXPECT_EQ(report.sets[0].verdict, Verdict::valid) << summary(report);
    EXPECT_EQ(report.sets[0].globalStep, 16) << "the random states count batches of the epoch, the optimizer steps";
    EXPECT_EQ(report.worldSize, 2);
    c.put("checkpoint_0/random_states_1.pkl", random(400), 11);
    report = c.judge();
    EXPECT_EQ(report.sets[0].verdict, Verdict::inconsistent) << summary(report);
    EXPECT_NE(reason(report.sets[0], "step_mismatch"), nullptr);
}

// Four ranks continued after eight: the older files are leftovers of a larger world, not four missing ranks.
TEST(TorchRanksCorpus, S05_UsesTheWorldSizeOfTheNewestFiles)
{
    Corpus c;
    const auto file = [](int step, int world) {
        return test::torchZip(
            pkl::whole(pkl::dict({{"global_step", pkl::integer(step)},
                                  {"args", pkl::object("argparse", "Namespace", {{"world_size", pkl::integer(world)}})},
                                  {"model", pkl::dict({{"w", pkl::floats("0", 4)}})},
                                  {"optimizer", pkl::dict({{"m", pkl::floats("0", 4)}})}})),
            {{"0", test::floatBytes({1, 2, 3, 4})}});
    };
    for (int rank = 0; rank < 8; ++rank) c.put(rankDirectory(rank) + "step_100.pt", file(100, 8), 100, 0644);
    for (int rank = 0; rank < 4; ++rank) c.put(rankDirectory(rank) + "step_200.pt", file(200, 4), 200, 0644);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.worldSize, 4) << summary(report);
    EXPECT_EQ(report.worldSizeFrom, "metadata");
    EXPECT_EQ(report.sets.front().globalStep, 200);
    EXPECT_EQ(report.sets.front().verdict, Verdict::valid) << summary(report);
}

}  // namespace
}  // namespace rankdeck::torch_ranks_corpus_test
