// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/verdict/corpus.h"
#include "tests/testbed/paths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace rankdeck::huggingface_corpus_test {
namespace {

using test::Corpus;
using test::summary;

// Puts a real directory under another name; trainer_state.json is written last, as by the Trainer.
void putSample(Corpus &c, const std::string &sample, const std::string &as, std::int64_t time)
{
    for (const auto &item : std::filesystem::directory_iterator(testData() + "/huggingface/" + sample)) {
        const std::string base = item.path().filename().string();
        const bool rest = base == "trainer_state.json";
        c.put(as + "/" + base, test::readFile(item.path().string()), rest ? time + 1 : time, 0644);
    }
}

void putRun(Corpus &c)
{
    putSample(c, "trainer/checkpoint-16", "checkpoint-16", 1600);
    putSample(c, "trainer/checkpoint-24", "checkpoint-24", 2400);
}

void replace(Corpus &c, const std::string &path, const std::string &from, const std::string &to)
{
    c.edit(path, [&](std::string &bytes) {
        const std::size_t at = bytes.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        bytes.replace(at, from.size(), to);
    });
}

TEST(HuggingFaceCorpus, WholeRunIsValid)
{
    Corpus c;
    putRun(c);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report), "0:24 VALID; 0:16 VALID");
    EXPECT_EQ(report.worldSize, 2);  // number of random states
    EXPECT_EQ(report.worldSizeFrom, "metadata");
    EXPECT_EQ(report.framework, "pytorch");
    EXPECT_EQ(report.sets[0].globalStep, 24);
    EXPECT_EQ(report.recommended, "0:24");
}

TEST(HuggingFaceCorpus, ReadsASetInFewRoundTripsAndFewBytes)
{
    Corpus c;
    putRun(c);
    c.judge();
    EXPECT_LE(c.rounds, 2);
    EXPECT_LT(c.bytesRead(), 400'000u);  // includes the save before, to find files that were not saved again
}

TEST(HuggingFaceCorpus, C04_DirectoryThatContradictsTheTrainerStateIsInconsistent)
{
    Corpus c;
    putSample(c, "trainer/checkpoint-16", "checkpoint-500", 1600);
    const CheckpointReport report = c.judge();
    ASSERT_EQ(report.sets.size(), 1u);
    EXPECT_EQ(report.sets[0].verdict, Verdict::inconsistent) << summary(report);
    EXPECT_EQ(report.sets[0].reasons.front().code, ReasonCode("step_mismatch"));
    EXPECT_NE(report.sets[0].reasons.front().text.find("500"), std::string::npos);
    EXPECT_FALSE(report.recommended);
}

TEST(HuggingFaceCorpus, M01_SaveWithoutATrainerStateIsNotCommitted)
{
    Corpus c;
    putRun(c);
    c.remove("checkpoint-24/trainer_state.json");
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:24 INCOMPLETE commit_missing; 0:16 VALID");
    EXPECT_EQ(report.recommended, "0:16");
}

TEST(HuggingFaceCorpus, M04_CutTrainerStateIsCorrupt)
{
    Corpus c;
    putRun(c);
    c.edit("checkpoint-24/trainer_state.json", [](std::string &bytes) { bytes.resize(bytes.size() / 2); });
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:24 CORRUPT torn; 0:16 VALID");
    c.edit("checkpoint-24/trainer_state.json", [](std::string &bytes) { bytes.clear(); });
    EXPECT_EQ(summary(c.judge().sets[0]), "0:24 CORRUPT torn");
}

TEST(HuggingFaceCorpus, M03_DoubtsATrainerStateOlderThanTheWeights)
{
    Corpus c;
    putRun(c);
    c.touch("checkpoint-24/model.safetensors", 9000);
    const CheckpointReport report = c.judge();
    // A copy may also have such times, so they are a doubt and not a proof.
    EXPECT_EQ(summary(report), "0:24 VALID-UNPROVEN mark_older; 0:16 VALID");
    EXPECT_EQ(report.recommended, "0:16");
}

// Sets the times of the files of checkpoint-24 after its state: `first` seconds later for the first, then one every
// `pace` seconds.
void followTheState(Corpus &c, int first, int pace)
{
    int at = 3000;
    c.touch("checkpoint-24/trainer_state.json", at);
    at += first - pace;
    for (const char *name : {"model.safetensors", "config.json", "optimizer.pt", "rng_state_1.pth", "scheduler.pt",
                             "generation_config.json", "training_args.bin", "rng_state_0.pth"})
        c.touch("checkpoint-24/" + std::string(name), at += pace);
}

TEST(HuggingFaceCorpus, M03_CopyThatBeganWithTheTrainerStateCausesNoDoubt)
{
    Corpus copied;
    putRun(copied);
    followTheState(copied, 4, 3);
    EXPECT_EQ(summary(copied.judge()), "0:24 VALID; 0:16 VALID");
    Corpus cutOff;  // an unfinished save into the directory
    putRun(cutOff);
    followTheState(cutOff, 120, 3);
    EXPECT_EQ(summary(cutOff.judge()), "0:24 VALID-UNPROVEN mark_older; 0:16 VALID");
}

TEST(HuggingFaceCorpus, P02_TmpCheckpointIsInProgress)
{
    Corpus c;
    putRun(c);
    putSample(c, "trainer/checkpoint-24", "tmp-checkpoint-32", 3200);
    c.expected.now = wallFromNs(test::epoch0 + 3205 * test::second);
    c.expected.running = true;
    EXPECT_EQ(summary(c.judge().sets[0]), "0:32 IN-PROGRESS temp_file");
    c.expected.running = false;
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report.sets[0]), "0:32 INCOMPLETE temp_file");
    EXPECT_EQ(report.recommended, "0:24");
}

TEST(HuggingFaceCorpus, Z01_EmptyFilesAreCorrupt)
{
    for (const char *name : {"model.safetensors", "optimizer.pt", "scheduler.pt"}) {
        Corpus c;
        putRun(c);
        c.edit(std::string("checkpoint-24/") + name, [](std::string &bytes) { bytes.clear(); });
        const CheckpointReport report = c.judge();
        EXPECT_EQ(report.sets[0].verdict, Verdict::corrupt) << name << ": " << summary(report);
        EXPECT_EQ(report.sets[0].reasons.front().code, ReasonCode("torn")) << name;
        EXPECT_EQ(report.recommended, "0:16") << name;
    }
}

TEST(HuggingFaceCorpus, Z02_TwoNewestSavesWithEmptyFilesAreCorrupt)
{
    Corpus c;
    putRun(c);
    for (const char *directory : {"checkpoint-32", "checkpoint-40"}) {
        putSample(c, "trainer/checkpoint-24", directory, 4000);
        for (const char *name : {"model.safetensors", "optimizer.pt", "scheduler.pt", "rng_state_0.pth",
                                 "rng_state_1.pth", "trainer_state.json"})
            c.edit(std::string(directory) + "/" + name, [](std::string &bytes) { bytes.clear(); });
    }
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.recommended, "0:24") << summary(report);
    EXPECT_EQ(report.sets[0].verdict, Verdict::corrupt);
    EXPECT_EQ(report.sets[1].verdict, Verdict::corrupt);
}

TEST(HuggingFaceCorpus, F11_ReportsPreallocatedWeightsThatWereNotWritten)
{
    Corpus c;
    putRun(c);
    c.edit("checkpoint-24/model.safetensors",
           [](std::string &bytes) { std::fill(bytes.begin() + std::ptrdiff_t(bytes.size() / 2), bytes.end(), '\0'); });
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.sets[0].verdict, Verdict::corrupt) << summary(report);
    EXPECT_EQ(report.sets[0].reasons.front().code, ReasonCode("zero_tail"));
}

TEST(HuggingFaceCorpus, V01_ShowsNaNInTheHistory)
{
    Corpus c;
    putRun(c);
    replace(c, "checkpoint-24/trainer_state.json", "\"loss\": 4.1295,", "\"loss\": NaN,");
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.sets[0].globalStep, 24);
    EXPECT_EQ(report.sets[0].reasons.front().code, ReasonCode("loss_not_finite"));
    EXPECT_EQ(report.sets[0].verdict, Verdict::valid) << summary(report);
    EXPECT_EQ(report.recommended, report.sets[0].id);
}

TEST(HuggingFaceCorpus, V02_ShowsAJumpOfTheLossWithoutBlocking)
{
    Corpus c;
    putRun(c);
    c.edit("checkpoint-24/trainer_state.json", [](std::string &bytes) {
        const std::size_t at = bytes.rfind("\"loss\": ");
        ASSERT_NE(at, std::string::npos);
        bytes.replace(at + 8, bytes.find_first_of(",\n", at) - at - 8, "41.6");
    });
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report.sets[0]), "0:24 VALID loss_jump");
    EXPECT_EQ(report.recommended, "0:24");
}

TEST(HuggingFaceCorpus, R01_SaveWithoutAnOptimizerIsNotResumable)
{
    Corpus c;
    putRun(c);
    c.remove("checkpoint-24/optimizer.pt");
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report.sets[0]), "0:24 VALID-UNPROVEN weights_only");
    EXPECT_EQ(report.recommended, "0:16");
    Corpus exported;
    putSample(exported, "sharded", "final", 100);
    const CheckpointReport weights = exported.judgeAll();
    ASSERT_EQ(weights.sets.size(), 1u);
    EXPECT_EQ(weights.sets[0].verdict, Verdict::validUnproven) << summary(weights);
    EXPECT_NE(summary(weights).find("weights_only"), std::string::npos);
    EXPECT_FALSE(weights.recommended);
}

TEST(HuggingFaceCorpus, R02_MissingRandomStateOrSchedulerIsReportedButResumable)
{
    Corpus c;
    putRun(c);
    c.remove("checkpoint-24/scheduler.pt");
    EXPECT_EQ(summary(c.judge().sets[0]), "0:24 VALID no_scheduler");
    c.remove("checkpoint-24/rng_state_0.pth");
    CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report.sets[0]), "0:24 VALID no_scheduler no_rng(0)");
    EXPECT_NE(report.sets[0].reasons.front().text.find("resumable with loss"), std::string::npos);
    c.remove("checkpoint-24/rng_state_1.pth");
    report = c.judge();
    EXPECT_EQ(summary(report.sets[0]), "0:24 VALID no_scheduler no_rng");
}

TEST(HuggingFaceCorpus, S01_ReportsAMissingShardThatTheIndexNames)
{
    Corpus c;
    putRun(c);
    putSample(c, "sharded", "checkpoint-24", 2400);
    c.remove("checkpoint-24/model.safetensors");
    EXPECT_EQ(summary(c.judge().sets[0]), "0:24 VALID");
    c.remove("checkpoint-24/model-00002-of-00003.safetensors");
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report.sets[0]), "0:24 INCOMPLETE shard_missing");
    EXPECT_NE(report.sets[0].reasons.front().text.find("model-00002-of-00003.safetensors"), std::string::npos);
    EXPECT_EQ(report.recommended, "0:16");
}

// S08: the time of a leftover file says nothing about the save.
TEST(HuggingFaceCorpus, S07_ShardOfAnOlderLayoutIsALeftover)
{
    for (const std::int64_t time : {10LL, -7LL * 86400}) {
        Corpus c;
        putRun(c);
        putSample(c, "sharded", "checkpoint-24", 2400);
        c.remove("checkpoint-24/model.safetensors");
        c.put("checkpoint-24/model-00004-of-00004.safetensors",
              test::data("huggingface/sharded/model-00003-of-00003.safetensors"), time);
        const CheckpointReport report = c.judgeAll();
        EXPECT_EQ(summary(report.sets[0]), "0:24 VALID leftover");
        EXPECT_NE(report.sets[0].reasons.front().text.find("model-00004-of-00004"), std::string::npos);
        EXPECT_EQ(report.recommended, "0:24");
    }
}

TEST(HuggingFaceCorpus, N06_ReportsAShardOfAnotherSave)
{
    Corpus c;
    putSample(c, "sharded", "checkpoint-24", 2400);
    c.put("checkpoint-24/trainer_state.json", test::data("huggingface/trainer/checkpoint-24/trainer_state.json"), 2401);
    c.put("checkpoint-24/model-00002-of-00003.safetensors",
          test::data("huggingface/sharded/model-00003-of-00003.safetensors"), 2400);
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.sets[0].verdict, Verdict::inconsistent) << summary(report);
    EXPECT_EQ(report.sets[0].reasons.front().code, ReasonCode("index_mismatch"));
}

TEST(HuggingFaceCorpus, Q04_RefusesAnIndexThatLeavesItsDirectory)
{
    for (const char *name : {"../../etc/x.safetensors", "/etc/passwd"}) {
        Corpus c;
        putRun(c);
        putSample(c, "sharded", "checkpoint-24", 2400);
        c.remove("checkpoint-24/model.safetensors");
        replace(c, "checkpoint-24/model.safetensors.index.json", "model-00001-of-00003.safetensors", name);
        const CheckpointReport report = c.judge();
        EXPECT_EQ(report.sets[0].verdict, Verdict::corrupt) << name << summary(report);
        EXPECT_EQ(report.sets[0].reasons.front().code, ReasonCode("path_refused")) << name;
        EXPECT_EQ(report.recommended, "0:16");
    }
}

TEST(HuggingFaceCorpus, U01_UnreadablePartIsUnknown)
{
    Corpus c;
    putRun(c);
    c.entry("checkpoint-24/optimizer.pt").error = "Permission denied";
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.sets[0].verdict, Verdict::unknown) << summary(report);
    EXPECT_EQ(report.sets[0].reasons.front().code, ReasonCode("unreadable"));
    EXPECT_EQ(report.recommended, "0:16");
}

TEST(HuggingFaceCorpus, ReadsFsdpPartsAsDistributedDirectories)
{
    Corpus c;
    for (const char *name : {"rng_state_0.pth", "rng_state_1.pth"})
        c.put(std::string("checkpoint-100/") + name,
              test::data(std::string("huggingface/trainer/checkpoint-24/") + name), 2400);
    c.put("checkpoint-100/trainer_state.json", R"({"global_step": 100, "log_history": []})", 2402);
    for (const char *part : {"pytorch_model_fsdp_0", "optimizer_0"})
        for (const char *file : {".metadata", "__0_0.distcp", "__1_0.distcp"})
            c.put(std::string("checkpoint-100/") + part + "/" + file,
                  test::data(std::string("torch/dcp/step-100/") + file), file[0] == '.' ? 2401 : 2400);
    EXPECT_EQ(summary(c.judge()), "0:100 VALID no_scheduler");
    c.put("checkpoint-100/trainer_state.json", R"({"global_step": 124, "log_history": []})", 2403);
    EXPECT_EQ(c.judge().sets[0].verdict, Verdict::inconsistent) << "the parts within are of another step";
    c.put("checkpoint-100/trainer_state.json", R"({"global_step": 100, "log_history": []})", 2404);
    c.remove("checkpoint-100/pytorch_model_fsdp_0/__1_0.distcp");
    CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:100 INCOMPLETE shard_missing no_scheduler");
    c.remove("checkpoint-100/pytorch_model_fsdp_0/.metadata");
    report = c.judge();
    EXPECT_EQ(summary(report), "0:100 INCOMPLETE commit_missing no_scheduler");
}

// Steps and losses of a trainer_state.json of another run than the sample's.
void rename(Corpus &c, const std::string &directory, int from, int to)
{
    replace(c, directory + "/trainer_state.json", "\"global_step\": " + std::to_string(from),
            "\"global_step\": " + std::to_string(to));
}

TEST(HuggingFaceCorpus, C03_ReportsALargerNumberOfAnOlderRun)
{
    for (const bool otherLosses : {true, false}) {
        Corpus c;
        putSample(c, "trainer/checkpoint-24", "checkpoint-700", 1000);
        rename(c, "checkpoint-700", 24, 700);
        putSample(c, "trainer/checkpoint-16", "checkpoint-100", 90000);
        rename(c, "checkpoint-100", 16, 100);
        if (otherLosses) replace(c, "checkpoint-700/trainer_state.json", "4.162", "5.432");
        c.touch("checkpoint-700/trainer_state.json", 1001);
        c.touch("checkpoint-100/trainer_state.json", 90001);
        for (const CheckpointReport &report : {c.judge(), c.judgeAll()}) {
            EXPECT_EQ(report.recommended, "1:100") << summary(report);
            ASSERT_EQ(report.sets.size(), 2u);
            EXPECT_EQ(report.sets[1].id, "0:700");
            EXPECT_EQ(report.sets[1].verdict, Verdict::valid);
            EXPECT_NE(report.recommendedText.find("0:700"), std::string::npos) << report.recommendedText;
        }
    }
}

TEST(HuggingFaceCorpus, ReportsATrainerStateWithTheLossesOfAnotherRun)
{
    Corpus c;
    putRun(c);
    EXPECT_EQ(summary(c.judgeAll()), "0:24 VALID; 0:16 VALID");
    replace(c, "checkpoint-24/trainer_state.json", "4.162", "5.432");
    c.touch("checkpoint-24/trainer_state.json", 2401);
    CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report), "1:24 VALID-UNPROVEN run_mismatch; 0:16 VALID");
    EXPECT_EQ(report.recommended, "0:16");
    putSample(c, "trainer/checkpoint-24", "checkpoint-32",
              3200);  // the run goes on: only the middle one is inconsistent
    rename(c, "checkpoint-32", 24, 32);
    c.touch("checkpoint-32/trainer_state.json", 3201);
    report = c.judgeAll();
    EXPECT_EQ(report.recommended, "0:32") << summary(report);
    EXPECT_EQ(summary(report.sets[0]), "1:24 VALID-UNPROVEN run_mismatch");
}

TEST(HuggingFaceCorpus, RunResumedFromAnEarlierSaveMayRepeatItsHistory)
{
    Corpus c;
    putRun(c);
    putSample(c, "trainer/checkpoint-24", "checkpoint-32", 3200);  // resumed from 16, with other losses after it
    rename(c, "checkpoint-32", 24, 32);
    replace(c, "checkpoint-32/trainer_state.json", "4.1356", "4.1222");
    c.touch("checkpoint-32/trainer_state.json", 3201);
    EXPECT_EQ(summary(c.judgeAll()).find("run_mismatch"), std::string::npos) << summary(c.judgeAll());
}

TEST(HuggingFaceCorpus, ByteOrderMarkMakesASaveUnloadable)
{
    Corpus c;
    putRun(c);
    c.edit("checkpoint-24/trainer_state.json", [](std::string &bytes) { bytes.insert(0, "\xef\xbb\xbf"); });
    c.touch("checkpoint-24/trainer_state.json", 2401);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.sets[0].verdict, Verdict::corrupt) << summary(report);
    EXPECT_NE(report.sets[0].reasons[0].text.find("byte order mark"), std::string::npos);
    EXPECT_EQ(report.recommended, "0:16");
}

TEST(HuggingFaceCorpus, C06_CopiedCheckpointIsNotANewRun)
{
    Corpus c;
    putRun(c);
    putSample(c, "trainer/checkpoint-16", "checkpoint-16", 9000);
    EXPECT_EQ(c.judge().recommended, "0:24");
    EXPECT_EQ(summary(c.judgeAll()), "0:24 VALID; 0:16 VALID");
}

TEST(HuggingFaceCorpus, N12_ReportsAnOptimizerOrSchedulerOfAnotherSave)
{
    for (const char *file : {"optimizer.pt", "scheduler.pt"}) {
        Corpus c;
        putRun(c);
        c.put(std::string("checkpoint-24/") + file,
              test::data(std::string("huggingface/trainer/checkpoint-16/") + file), 2400);
        c.put(std::string("checkpoint-16/") + file,
              test::data(std::string("huggingface/trainer/checkpoint-24/") + file), 1600);
        EXPECT_EQ(summary(c.judgeAll()), "0:24 INCONSISTENT step_mismatch; 0:16 INCONSISTENT step_mismatch") << file;
    }
}

TEST(HuggingFaceCorpus, N12_AcceptsSkippedScalerStepsAndAResetOptimizer)
{
    Corpus c;
    putSample(c, "trainer/checkpoint-24", "checkpoint-24", 2400);
    c.put("checkpoint-24/optimizer.pt", test::data("huggingface/trainer/checkpoint-16/optimizer.pt"), 2400);
    EXPECT_EQ(c.judge().sets[0].verdict, Verdict::inconsistent);
    c.put("checkpoint-24/scaler.pt", test::data("huggingface/trainer/checkpoint-16/rng_state_0.pth"), 2400);
    EXPECT_EQ(c.judge().sets[0].verdict, Verdict::valid) << summary(c.judge());
    c.remove("checkpoint-24/scaler.pt");
    c.put("checkpoint-24/scheduler.pt", test::data("huggingface/trainer/checkpoint-16/scheduler.pt"), 2400);
    EXPECT_EQ(summary(c.judge().sets[0]), "0:24 VALID optimizer_anew");
}

}  // namespace
}  // namespace rankdeck::huggingface_corpus_test
