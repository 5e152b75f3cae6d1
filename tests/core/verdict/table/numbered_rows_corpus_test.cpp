// SPDX-License-Identifier: GPL-3.0-or-later
// Weights that a script saves as safetensors, in files or folders whose names have any words and a number.
#include "tests/core/verdict/table/random_runs.h"
#include "tests/core/verdict/torch_files.h"

#include <gtest/gtest.h>

namespace rankdeck::numbered_rows_corpus_test {
namespace {

using test::Corpus;
using test::summary;

std::string weights(std::int64_t step)
{
    std::string header = R"({"layer.weight":{"dtype":"F32","shape":[64],"data_offsets":[0,256]}})";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    std::string bytes;
    for (std::size_t i = 0; i < 8; ++i) bytes += static_cast<char>(i == 0 ? header.size() : 0);
    std::vector<float> values;
    for (int i = 0; i < 64; ++i) values.push_back((i % 3 == 0 ? -1.0f : 1.0f) * (float(i + 1) + 0.001f * float(step)));
    return bytes + header + test::floatBytes(values);
}

constexpr const char *forms[] = {"step_#/model.safetensors",   "#/model.safetensors",     "save_#/weights.safetensors",
                                 "ckpt-#/net.safetensors",     "model_#.safetensors",     "#.safetensors",
                                 "run/xq#/model.safetensors",  "zorp-#/zorp.safetensors", "epoch#/policy.safetensors",
                                 "q7/it#/inner/x.safetensors", "0#/state.safetensors"};

std::string pathOf(const std::string &form, std::int64_t number)
{
    const std::size_t at = form.find('#');
    return form.substr(0, at) + std::to_string(number) + form.substr(at + 1);
}

TEST(NumberedRowsCorpus, EachOfSeveralNumberedFilesIsASave)
{
    for (const char *form : forms)
        for (const std::int64_t pace : {1, 40, 1000}) {
            Corpus c;
            for (std::int64_t save = 1; save <= 3; ++save)
                c.put(pathOf(form, save * pace), weights(save * pace), save * 3600, 0644);
            const CheckpointReport report = c.judgeAll();
            ASSERT_EQ(report.sets.size(), 3u) << form << ": " << summary(report);
            for (std::size_t i = 0; i < 3; ++i) {
                const CheckpointSet &set = report.sets[i];
                EXPECT_EQ(set.verdict, Verdict::validUnproven) << form << ": " << summary(report);
                EXPECT_EQ(set.members.front().path, "/job/ckpt/" + pathOf(form, (3 - std::int64_t(i)) * pace)) << form;
            }
        }
}

TEST(NumberedRowsCorpus, SingleFilesAndPiecesOfAnExportAreLeftOut)
{
    for (const std::vector<std::string> &paths :
         {std::vector<std::string>{"model.safetensors"},
          {"v2/model.safetensors"},
          {"lora_3.safetensors"},
          {"model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"}}) {
        Corpus c;
        for (const std::string &path : paths) c.put(path, weights(1), 60, 0644);
        EXPECT_TRUE(c.judgeAll().sets.empty()) << paths.front() << ": " << summary(c.judgeAll());
    }
}

// A whole state in a file with any name: the content shows that it is a checkpoint.
TEST(NumberedRowsCorpus, RecognisesCheckpointsByContentAndNotByName)
{
    for (const char *form : {"model.pt.#", "snapshot_iter_#", "ep#.bin", "#", "state-#.model", "save#/all", "x#.tar",
                             "ckpt#.tar", "model_#.weights", "ckpt.#.dat"}) {
        Corpus c;
        for (std::int64_t save = 1; save <= 3; ++save)
            c.put(pathOf(form, save * 100), test::componentState(0, save * 100, false), save * 3600, 0644);
        const CheckpointReport report = c.judgeAll();
        ASSERT_EQ(report.sets.size(), 3u) << form << ": " << summary(report);
        EXPECT_EQ(report.recommended, report.sets.front().id) << form << ": " << summary(report);
        EXPECT_EQ(report.sets.front().globalStep, 300) << form << ": " << summary(report);
        c.edit(pathOf(form, 300), [](std::string &bytes) { bytes.resize(bytes.size() / 2); });
        const CheckpointReport torn = c.judgeAll();
        ASSERT_TRUE(torn.recommended) << form << ": " << summary(torn);
        EXPECT_EQ(torn.find(*torn.recommended)->globalStep, 200) << form << ": " << summary(torn);
    }
}

TEST(NumberedRowsCorpus, FilesOfSeveralFormsMayBePartsOfASave)
{
    Corpus c;
    for (std::int64_t save = 1; save <= 3; ++save)
        for (const int part : {0, 1})
            c.put(pathOf(part == 0 ? "#/actor.bin" : "#/critic.bin", save * 100),
                  test::componentState(part, save * 100, false), save * 3600, 0644);
    for (const CheckpointSet &set : c.judgeAll().sets)
        EXPECT_EQ(set.verdict, Verdict::validUnproven) << summary(c.judgeAll());
}

TEST(NumberedRowsCorpus, NumberedFilesWithOtherContentAreLeftOut)
{
    for (const char *form : {"frame_#.raw", "part-#", "dump.#", "shard#.bin", "image#.jpg", "events.#"}) {
        Corpus c;
        for (std::int64_t number = 1; number <= 4; ++number)
            c.put(pathOf(form, number), std::string(300, 'x') + std::to_string(number), number * 60, 0644);
        const CheckpointReport report = c.judgeAll();
        EXPECT_TRUE(report.sets.empty()) << form << ": " << summary(report);
        EXPECT_FALSE(report.notes.empty()) << form;
    }
}

// Beside whole states such files are exports, from which no run continues.
TEST(NumberedRowsCorpus, ExportsNextToOtherCheckpointsAreLeftOut)
{
    Corpus c;
    for (std::int64_t save = 1; save <= 3; ++save) {
        c.put(pathOf("ckpt_#.pt", save * 100), test::componentState(0, save * 100, false), save * 3600, 0644);
        c.put(pathOf("export_#.safetensors", save * 100), weights(save * 100), save * 3600 + 5, 0644);
    }
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.sets.size(), 3u) << summary(report);
    EXPECT_TRUE(report.recommended) << summary(report);
}

}  // namespace
}  // namespace rankdeck::numbered_rows_corpus_test
