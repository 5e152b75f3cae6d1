// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a checkpoint without their own step that come from another save: they contain the values of that save.
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/dcp_files.h"
#include "tests/core/verdict/torch_files.h"
#include "tests/testbed/paths.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace rankdeck::copies_corpus_test {
namespace {

using test::Corpus;
using test::summary;
namespace pkl = test::pkl;

void putTrainer(Corpus &c, int step)
{
    const std::string name = "checkpoint-" + std::to_string(step);
    for (const auto &item : std::filesystem::directory_iterator(testData() + "/huggingface/trainer/" + name)) {
        const std::string base = item.path().filename().string();
        c.put(name + "/" + base, test::readFile(item.path().string()),
              step * 100 + (base == "trainer_state.json" ? 1 : 0), 0644);
    }
}

Corpus trainers()
{
    Corpus c;
    putTrainer(c, 16);
    putTrainer(c, 24);
    return c;
}

void overwrite(Corpus &c, const std::string &path, const std::string &with, std::int64_t at)
{
    c.put(path, c.bytes(with), at, 0644);
}

TEST(CopiesCorpus, N12_ModelOfThePreviousSaveIsNotProven)
{
    for (const std::int64_t at : {1600, 2400, 9000}) {  // its old time, the time of the other files, a new time
        Corpus c = trainers();
        overwrite(c, "checkpoint-24/model.safetensors", "checkpoint-16/model.safetensors", at);
        const CheckpointReport report = c.judgeAll();
        EXPECT_EQ(report.recommended, "0:16") << at << ": " << summary(report);
        EXPECT_NE(summary(report).find("values_repeated"), std::string::npos) << at << ": " << summary(report);
    }
}

TEST(CopiesCorpus, N12_OlderSaveIsDoubtedIfTheCopyIsThere)
{
    Corpus c = trainers();
    overwrite(c, "checkpoint-16/model.safetensors", "checkpoint-24/model.safetensors", 2400);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.recommended, "0:24") << summary(report);
    EXPECT_EQ(report.sets.at(1).verdict, Verdict::validUnproven) << summary(report);
}

// The whole directory was copied without its times: nothing shows to which of the two saves the file belongs.
TEST(CopiesCorpus, N12_BothSavesAreDoubtedIfTimesAreUnknown)
{
    for (const bool newerIsMixed : {true, false}) {
        Corpus c = trainers();
        const std::string older = "checkpoint-16/model.safetensors", newer = "checkpoint-24/model.safetensors";
        overwrite(c, newerIsMixed ? newer : older, newerIsMixed ? older : newer, 9000);
        for (const FileEntry &entry : c.listing().entries)
            if (entry.stat.kind == 'f') c.touch(entry.path.substr(std::string("/job/ckpt/").size()), 9000);
        const CheckpointReport report = c.judgeAll();
        EXPECT_FALSE(report.recommended) << summary(report);
        for (const CheckpointSet &set : report.sets)
            EXPECT_EQ(set.reasons.back().code, ReasonCode("values_repeated")) << summary(report);
    }
}

TEST(CopiesCorpus, N12_NewestSaveIsNotRecommendedBeforeItsPredecessorIsRead)
{
    Corpus c = trainers();
    overwrite(c, "checkpoint-24/model.safetensors", "checkpoint-16/model.safetensors", 2400);
    EXPECT_EQ(c.judge().recommended, "0:16");
}

std::string weights(const std::string &module, float value)
{
    const std::vector<float> values{value, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
    return test::torchZip(pkl::whole(pkl::dict({{module, pkl::floats("0", 20)}})), {{"0", test::floatBytes(values)}});
}

// Two models in one save, as Accelerate makes it; the second model does not change.
void putSave(Corpus &c, int step, float second)
{
    const std::string at = "step_" + std::to_string(step) + "/";
    const std::string groups = pkl::list({pkl::dict({{"step", pkl::integer(step)}})});
    c.put(at + "pytorch_model.bin", weights("a.weight", float(step)), step);
    c.put(at + "pytorch_model_1.bin", weights("b.weight", second), step);
    c.put(at + "optimizer.bin",
          test::torchZip(pkl::whole(pkl::dict({{"state", pkl::dict({})}, {"param_groups", groups}})), {}), step);
    c.put(at + "random_states_0.pkl", test::torchZip(pkl::whole(pkl::dict({{"step", pkl::integer(0)}})), {}), step);
}

TEST(CopiesCorpus, ModelThatIsEqualInAllSavesWasFrozen)
{
    Corpus frozen;
    for (const int step : {10, 20, 30}) putSave(frozen, step, 7);
    EXPECT_EQ(summary(frozen.judgeAll()), "0:30o VALID; 0:20o VALID; 0:10o VALID");
    Corpus stale;
    for (const int step : {10, 20, 30}) putSave(stale, step, step == 10 ? 10 : 20);
    const CheckpointReport report = stale.judgeAll();
    EXPECT_EQ(report.recommended, "0:20o") << summary(report);
}

TEST(CopiesCorpus, UnchangingRunIsNotReportedAsMixed)
{
    Corpus c;
    for (const int step : {10, 20}) {
        putSave(c, step, 7);
        c.put("step_" + std::to_string(step) + "/pytorch_model.bin", weights("a.weight", 1), step);
    }
    EXPECT_EQ(c.judgeAll().recommended, "0:20o") << summary(c.judgeAll());
}

TEST(CopiesCorpus, S02_ReportsAMissingStateThatAllOtherSavesHave)
{
    Corpus c;
    for (const int step : {10, 20, 30}) {
        putSave(c, step, float(step) + 0.5f);
        c.put("step_" + std::to_string(step) + "/scheduler.bin",
              test::torchZip(pkl::whole(pkl::dict({{"last_epoch", pkl::integer(step)}})), {}), step);
    }
    EXPECT_EQ(c.judgeAll().recommended, "0:30o") << summary(c.judgeAll());
    c.remove("step_30/scheduler.bin");
    EXPECT_EQ(summary(c.judgeAll().sets[0]), "0:30o VALID-UNPROVEN part_missing");
    EXPECT_EQ(c.judgeAll().recommended, "0:20o");
}

TEST(CopiesCorpus, N05_FileFromLastWeekBelongsToAnotherRun)
{
    Corpus c;
    c.expected.now = wallFromNs(test::epoch0 + 8L * 86400 * test::second);
    putTrainer(c, 24);
    for (const char *file :
         {"optimizer.pt", "scheduler.pt", "rng_state_0.pth", "rng_state_1.pth", "trainer_state.json"})
        c.touch(std::string("checkpoint-24/") + file, 7L * 86400);
    EXPECT_EQ(summary(c.judgeAll()), "0:24 VALID-UNPROVEN times_apart");
}

// Four ranks with pieces of a model in one folder per step; a folder may have a second name.
struct Folders : Corpus {
    Folders()
    {
        for (const int step : {10, 20, 30}) putStep("step_" + std::to_string(step), step, std::int64_t{step} * 60);
    }
    void putStep(const std::string &folder, int step, std::int64_t at)
    {
        for (int rank = 0; rank < 4; ++rank) {
            std::vector<float> values;
            for (int i = 0; i < 32; ++i) values.push_back(float(i + 100 * rank + step));
            put(folder + "/rank_" + std::to_string(rank) + ".pt",
                test::torchZip(pkl::whole(pkl::dict({{"step", pkl::integer(step)},
                                                     {"model", pkl::dict({{"w", pkl::floats("0", 32)}})},
                                                     {"optimizer", pkl::dict({{"exp_avg", pkl::floats("1", 32)}})}})),
                               {{"0", test::floatBytes(values)}, {"1", test::floatBytes(values)}}),
                at, 0644);
        }
    }
    void link(const std::string &folder, const std::string &to)
    {
        for (int rank = 0; rank < 4; ++rank) {
            const std::string file = "/rank_" + std::to_string(rank) + ".pt";
            put(folder + file, bytes(to + file), 0, 0644);
            entry(folder + file).stat = entry(to + file).stat;
        }
    }
};

TEST(CopiesCorpus, LinkOrCopyOfASaveIsNotAnotherRun)
{
    const std::string once = "0:30o VALID; 0:20o VALID; 0:10o VALID";
    Folders plain;
    EXPECT_EQ(summary(plain.judgeAll()), once);
    Folders c;
    c.link("latest", "step_30");
    c.putStep("step_20.bak", 20, 5000);  // at any time of the copy
    c.putStep("backup_step_20", 20, 1200);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report), once);
    EXPECT_EQ(report.notes, (std::vector<std::string>{"backup_step_20 is step_20, copied: listed once",
                                                      "step_20.bak is step_20, copied: listed once",
                                                      "latest is step_30, by a link: listed once"}));
    for (const CheckpointSet &set : report.sets)
        EXPECT_NE(set.members[0].path.find("/step_"), std::string::npos) << set.members[0].path;
    Folders stale;  // the link was not updated
    stale.link("latest", "step_20");
    EXPECT_EQ(summary(stale.judgeAll()), once);
    EXPECT_EQ(stale.judgeUnread().sets.size(), 3U);  // the listing shows that it is a link
}

TEST(CopiesCorpus, FolderThatDiffersInOneRankIsNotACopy)
{
    Folders c;
    c.putStep("latest", 30, 1800);
    c.put("latest/rank_2.pt", c.bytes("step_20/rank_2.pt"), 1800, 0644);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.sets.size(), 4U) << summary(report);
    Folders lost;
    lost.putStep("latest", 30, 1800);
    lost.remove("step_30/rank_1.pt");
    EXPECT_EQ(lost.judgeAll().sets.size(), 4U) << summary(lost.judgeAll());
}

// Data parallel: all ranks have equal values, and nothing shows that one file is a copy.
TEST(CopiesCorpus, EqualFilesOfRanksAreNotCopies)
{
    Corpus c;
    for (const char *folder : {"nid0412", "nid0977"}) {
        Folders from;
        for (const char *step : {"10", "20", "30"})
            c.put(std::string(folder) + "/step_" + step + ".pt", from.bytes(std::string("step_") + step + "/rank_0.pt"),
                  folder[4], 0644);
    }
    for (const CheckpointSet &set : c.judgeAll().sets) EXPECT_EQ(set.verdict, Verdict::validUnproven) << summary(set);
}

}  // namespace
}  // namespace rankdeck::copies_corpus_test
