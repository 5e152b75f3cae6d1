// SPDX-License-Identifier: GPL-3.0-or-later
// TensorFlow's checkpoints as sets: real files, damage by kills and copies, and the set that is chosen.
#include "tests/core/verdict/corpus.h"
#include "tests/testbed/paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace rankdeck::tensorflow_corpus_test {
namespace {

using test::Corpus;
using test::states;
using test::summary;

// A sample directory; every index is one second newer than its data.
struct Tensorflow : Corpus {
    void take(const std::string &sample, const std::string &as = {}, std::int64_t at = 100)
    {
        for (const auto &item : std::filesystem::directory_iterator(testData() + "/tensorflow/" + sample)) {
            const std::string base = item.path().filename().string();
            const bool index = item.path().extension() == ".index";
            put((as.empty() ? "" : as + "/") + base, test::readFile(item.path().string()), at + (index ? 1 : 0), 0644);
        }
    }
};

TEST(TensorflowCorpus, BothStepsOfSaverV2AreValid)
{
    Tensorflow c;
    c.take("saver-v2");
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report), "0:1300 VALID; 0:1200 VALID");
    EXPECT_EQ(report.recommended, "0:1300");
    EXPECT_EQ(c.judge().sets.front().members[0].level, EvidenceLevel::L3);
}

TEST(TensorflowCorpus, OneCheckpointServesAllRanks)
{
    for (const char *sample : {"saver-v1", "saver-v1-sharded", "saver-v2", "saver-v2-sharded"}) {
        Tensorflow c;
        c.expected.worldSize = 4;
        c.take(sample);
        const CheckpointReport report = c.judge();
        EXPECT_EQ(report.recommended, "0:1300") << sample << ": " << summary(report);
        EXPECT_EQ(states(report.sets.front()), "ok ok ok ok") << sample;
    }
}

TEST(TensorflowCorpus, Tf2NamesCountSavesAndTheContentHasTheStep)
{
    Tensorflow c;
    c.take("tf2-manager");
    const CheckpointReport report = c.judgeAll();
    for (const CheckpointSet &set : report.sets) EXPECT_EQ(set.verdict, Verdict::valid) << summary(set);
    EXPECT_EQ(report.sets.front().globalStep, 41200) << summary(report);
    // The same under a name that looks like a step.
    Tensorflow named;
    for (const char *end : {".index", ".data-00000-of-00001"})
        named.put(std::string("model.ckpt-2") + end, test::data(std::string("tensorflow/tf2-manager/ckpt-2") + end),
                  100);
    EXPECT_EQ(summary(named.judge()), "0:41200 VALID");
}

TEST(TensorflowCorpus, KerasBackupAndEstimatorAreValid)
{
    Tensorflow c;
    c.take("estimator");
    EXPECT_EQ(summary(c.judgeAll()), "0:160 VALID; 0:120 VALID");
    Tensorflow keras;
    keras.take("keras-backup/chief", "chief");
    EXPECT_EQ(keras.judge().sets.front().verdict, Verdict::valid) << summary(keras.judge());
}

TEST(TensorflowCorpus, F05_DamagedIndexOrDataFallsBackToThePreviousStep)
{
    const std::string index = "model.ckpt-1300.index", data = "model.ckpt-1300.data-00000-of-00001";
    const std::vector<std::pair<std::string, std::function<void(std::string &)>>> damages{
        {index, [](std::string &b) { b[b.size() - 8] = static_cast<char>(b[b.size() - 8] + 1); }},
        {index, [](std::string &b) { b[20] = static_cast<char>(b[20] ^ 1); }},
        {index, [](std::string &b) { b.resize(b.size() / 2); }},
        {data, [](std::string &b) { b.pop_back(); }},
        {data, [](std::string &b) { b.clear(); }},
        {data, [](std::string &b) { b += 'x'; }},
        {data, [](std::string &b) { b[3] = static_cast<char>(b[3] ^ 1); }}};
    for (std::size_t i = 0; i < damages.size(); ++i) {
        Tensorflow c;
        c.take("saver-v2");
        c.edit(damages[i].first, damages[i].second);
        const CheckpointReport report = c.judge();
        EXPECT_EQ(report.sets.front().verdict, Verdict::corrupt) << i << ": " << summary(report);
        EXPECT_EQ(report.recommended, "0:1200") << i;
    }
}

TEST(TensorflowCorpus, M01_DataWithoutIndexIsIncomplete)
{
    Tensorflow c;
    c.take("saver-v2-sharded");
    c.remove("model.ckpt-1300.index");
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:1300 INCOMPLETE commit_missing; 0:1200 VALID");
}

TEST(TensorflowCorpus, S03_MissingShardThatTheIndexNamesIsIncomplete)
{
    Tensorflow c;
    c.take("saver-v2-sharded");
    c.remove("model.ckpt-1300.data-00001-of-00002");
    EXPECT_EQ(summary(c.judge()), "0:1300 INCOMPLETE shard_missing; 0:1200 VALID");
    Tensorflow old;
    old.take("saver-v1-sharded");
    old.remove("model.ckpt-1300-00000-of-00002");
    EXPECT_EQ(summary(old.judge()), "0:1300 INCOMPLETE shard_missing; 0:1200 VALID");
}

TEST(TensorflowCorpus, M03_DetectsASaveUnderTheSameNameThatWasKilled)
{
    Tensorflow c;
    c.take("saver-v2");
    c.put("model.ckpt-1200.data-00000-of-00001", c.bytes("model.ckpt-1300.data-00000-of-00001"), 500);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(*report.find("0:1200")), "0:1200 INCONSISTENT commit_stale");
    EXPECT_EQ(report.recommended, "0:1300");
}

TEST(TensorflowCorpus, C04_NameWithAnotherStepIsInconsistent)
{
    Tensorflow c;
    for (const char *end : {".index", ".data-00000-of-00001"})
        c.put(std::string("model.ckpt-9000") + end,
              test::data(std::string("tensorflow/saver-v2/model.ckpt-1300") + end), 100);
    EXPECT_EQ(c.judge().sets.front().verdict, Verdict::inconsistent) << summary(c.judge());
}

TEST(TensorflowCorpus, P02_TempStateAndUnmergedPartsAreInProgressOrIncomplete)
{
    for (const char *name :
         {"model.ckpt-1400.data-00000-of-00001.tempstate123",
          "model.ckpt-1400_temp/part-00000-of-00001.data-00000-of-00001.tempstate5", "model.ckpt-1400.tempstate9"}) {
        Tensorflow c;
        c.take("saver-v2");
        c.put(name, "half of it", 1000);
        c.expected.running = true;
        c.expected.now = wallFromNs(test::epoch0 + 1010 * test::second);
        EXPECT_EQ(c.judge().sets.front().verdict, Verdict::inProgress) << name << ": " << summary(c.judge());
        EXPECT_EQ(c.judge().sets.front().globalStep, 1400);
        EXPECT_EQ(c.judge().recommended, "0:1300");
        c.expected.running = false;
        EXPECT_EQ(c.judge().sets.front().verdict, Verdict::incomplete) << name << ": " << summary(c.judge());
    }
}

TEST(TensorflowCorpus, C06_C07_OrderDoesNotDependOnTimes)
{
    Tensorflow c;
    c.take("saver-v2");
    for (const char *end : {".index", ".data-00000-of-00001"}) {
        c.touch(std::string("model.ckpt-1200") + end, 9'000'000);
        c.touch(std::string("model.ckpt-1300") + end, -1'300'000'000);
    }
    EXPECT_EQ(c.judge().recommended, "0:1300");
}

TEST(TensorflowCorpus, Z02_RecommendsTheThirdSaveIfTheTwoNewestAreEmpty)
{
    Tensorflow c;
    c.take("saver-v2");
    c.take("estimator", "", 50);
    for (const char *end : {".index", ".data-00000-of-00001"})
        for (const char *step : {"1300", "1200"})
            c.edit(std::string("model.ckpt-") + step + end, [](std::string &b) { b.clear(); });
    EXPECT_EQ(c.judge().recommended, "0:160");
}

TEST(TensorflowCorpus, U01_UnreadableShardIsUnknown)
{
    Tensorflow c;
    c.take("saver-v2");
    c.refuse("model.ckpt-1300.data-00000-of-00001", "Permission denied");
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.sets.front().verdict, Verdict::unknown) << summary(report);
    EXPECT_EQ(report.sets.front().reasons.front().code, ReasonCode("unreadable"));
    EXPECT_EQ(report.recommended, "0:1200");
}

// One process per card, each with its own folder.
TEST(TensorflowCorpus, N01_FallsBackToTheCommonStepOfFoldersPerCard)
{
    Tensorflow c;
    for (const char *card : {"ckpt0", "ckpt1"}) c.take("saver-v2", card);
    CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.worldSize, 2);
    EXPECT_EQ(summary(report), "0:1300 VALID; 0:1200 VALID");
    for (const char *end : {".index", ".data-00000-of-00001"}) c.remove(std::string("ckpt1/model.ckpt-1300") + end);
    report = c.judgeAll();
    EXPECT_EQ(summary(report), "0:1300 INCOMPLETE rank_missing(1); 0:1200 VALID");
    EXPECT_EQ(report.recommended, "0:1200");
}

constexpr const char *bundleEnds[] = {".data-00000-of-00001", ".index"};

// Three saves of one run, half an hour apart, with the checkpoint manager's record of them.
struct ThreeSaves : Tensorflow {
    ThreeSaves()
    {
        take("keras3-manager");
        for (const std::int64_t step : {10, 20, 30})
            for (const char *end : bundleEnds) touch("ckpt-" + std::to_string(step) + end, step * 180);
        put("checkpoint", "model_checkpoint_path: \"ckpt-30\"\n", 5400, 0644);
    }
};

TEST(TensorflowCorpus, DetectsABundleOfAnotherRunByItsValues)
{
    ThreeSaves c;
    EXPECT_EQ(summary(c.judgeAll()), "0:30 VALID; 0:20 VALID; 0:10 VALID");
    for (const char *end : bundleEnds)
        c.put(std::string("ckpt-30") + end, test::data(std::string("tensorflow/keras3-other-run/ckpt-30") + end), 5400);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report), "0:30 VALID-UNPROVEN values_apart; 0:20 VALID; 0:10 VALID");
    EXPECT_EQ(report.recommended, "0:20");
}

// A folder for each worker: index and data of one worker are from another run. With two saves, nothing shows which one.
TEST(TensorflowCorpus, DetectsAWorkerBundleOfAnotherRunByItsValues)
{
    for (const bool three : {true, false}) {
        Tensorflow c;
        for (const char *worker : {"ckpt0", "ckpt1"}) {
            c.take("keras3-manager", worker);
            for (const char *end : bundleEnds)
                if (!three) c.remove(std::string(worker) + "/ckpt-10" + end);
        }
        EXPECT_EQ(c.judgeAll().recommended, "0:30") << summary(c.judgeAll());
        for (const char *end : bundleEnds)
            c.put(std::string("ckpt1/ckpt-30") + end,
                  test::data(std::string("tensorflow/keras3-other-run/ckpt-30") + end), 100);
        const CheckpointReport report = c.judgeAll();
        EXPECT_EQ(report.recommended.value_or("none"), three ? "0:20" : "none") << summary(report);
        EXPECT_NE(report.find("0:30")->verdict, Verdict::valid) << summary(report);
    }
}

TEST(TensorflowCorpus, DetectsAnOlderBundleUnderANewerName)
{
    ThreeSaves c;
    for (const char *end : bundleEnds)
        c.put(std::string("ckpt-30") + end, test::data(std::string("tensorflow/keras3-manager/ckpt-20") + end), 5400);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report), "0:20 VALID; 0:20.2 INCONSISTENT step_mismatch; 0:10 VALID");
    ASSERT_EQ(report.trackers.size(), 1U);
    EXPECT_EQ(report.trackers[0].code, ReasonCode("tracker_not_valid")) << report.trackers[0].text;
    // With two saves, nothing shows which name is right, because the manager's numbers may count anything.
    for (const char *end : bundleEnds) c.remove(std::string("ckpt-10") + end);
    const CheckpointReport two = c.judgeAll();
    EXPECT_EQ(summary(two), "0:20 VALID-UNPROVEN step_mismatch; 0:20.2 VALID-UNPROVEN step_mismatch");
    ASSERT_EQ(two.trackers.size(), 1U);
    EXPECT_FALSE(two.trackers[0].code) << two.trackers[0].text;
}

// Names as the manager makes them by default: they count saves. A save may be at any step, and two saves at the same
// step.
TEST(TensorflowCorpus, NamesThatCountSavesAreNotSteps)
{
    Tensorflow c;
    c.take("tf2-manager");
    for (const char *end : bundleEnds)
        c.put(std::string("ckpt-3") + end, c.bytes(std::string("ckpt-2") + end), 500, 0644);
    const CheckpointReport report = c.judgeAll();
    for (const CheckpointSet &set : report.sets) EXPECT_EQ(set.globalStep, 41200) << summary(set);
    EXPECT_EQ(report.sets.front().verdict, Verdict::valid) << summary(report);
    const auto copies = std::count_if(report.sets.begin(), report.sets.end(),
                                      [](const CheckpointSet &set) { return set.verdict == Verdict::inconsistent; });
    EXPECT_EQ(copies, 1) << summary(report);
}

}  // namespace
}  // namespace rankdeck::tensorflow_corpus_test
