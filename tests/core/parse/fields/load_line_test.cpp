// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences of public trainers about a checkpoint that they load, or do not find.
#include "core/parse/load_line.h"

#include "tests/core/parse/fields/log_sections.h"
#include "tests/core/parse/parsed_lines.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace rankdeck::load_line_test {
namespace {

struct Load {
    const char *line;
    const char *path;
    std::optional<std::int64_t> epoch, step;
};
const std::nullopt_t no = std::nullopt;

TEST(LoadLine, ReportsPathEpochAndStepOfALoad)
{
    const Load loads[] = {
        {"Resuming from checkpoint at out/step-00001000", "out/step-00001000", no, no},
        {"Loading checkpoint from ./work_dirs/iter_4000.pth", "./work_dirs/iter_4000.pth", no, no},
        {"10/30 22:21:02 - mmengine - INFO - Load checkpoint from work_dirs/epoch_3.pth", "work_dirs/epoch_3.pth", no,
         no},
        {"10/30 22:21:02 - mmengine - INFO - resumed epoch: 3, iter: 2205", "", 3, 2205},
        {"2023-01-01 10:00:00 | INFO | fairseq.trainer | Loaded checkpoint checkpoints/checkpoint_last.pt (epoch 3 @ "
         "2205 updates)",
         "checkpoints/checkpoint_last.pt", 3, no},
        {"Auto resumed checkpoint from /job/out/checkpoint-500", "/job/out/checkpoint-500", no, no},
        {"Successfully loaded checkpoint from gs://bucket/run/step_5000", "gs://bucket/run/step_5000", no, no},
        {"Checkpoint loaded from: /job/ckpt/last.ckpt", "/job/ckpt/last.ckpt", no, no},
        {"Restoring checkpoint from \"ckpts/step_300\"", "ckpts/step_300", no, no},
        {"[2024-01-01 10:00:00,123] [INFO] Resumed training from step 3000", "", no, 3000},
        {"Restored model from epoch=4 step=800 (ckpt/model.npz)", "ckpt/model.npz", 4, 800},
        {"I1129 12:00:00.000000 140000 checkpoints.py:123] Restoring checkpoint from /job/ckpt/checkpoint_30",
         "/job/ckpt/checkpoint_30", no, no},
        {"Continuing training from step 1200", "", no, 1200},
        {"INFO: Resume training from checkpoint '/job/a/step_10.pt'", "/job/a/step_10.pt", no, no},
    };
    for (const auto &[line, path, epoch, step] : loads) {
        const std::optional<LogEvent> event = loadedByAnyTrainer(line);
        ASSERT_TRUE(event.has_value()) << line;
        EXPECT_EQ(event->path, path) << line;
        EXPECT_EQ(event->epoch, epoch) << line;
        EXPECT_EQ(event->globalStep, step) << line;
    }
}

TEST(LoadLine, IsNotRecognisedInOtherSentences)
{
    for (const char *line : {"Saving checkpoint to out/step_10.pt",
                             "Saved checkpoint at out/step_10.pt",
                             "Loading checkpoint shards: 50%|##| 1/2 [00:01<00:01]",
                             "Loading dataset from data/train.bin",
                             "Loading tokenizer from out/tokenizer.model",
                             "Loaded 300 images from /data/images",
                             "To resume from this point use --resume out/step_10.pt",
                             "You can resume from out/checkpoint-10",
                             "restart the job to resume from the newest checkpoint",
                             "Loading pretrained weights from resnet50.pth",
                             "Evaluating checkpoint out/step_10.pt",
                             "Loading model for evaluation from out/best.pt",
                             "failed to load checkpoint from out/step_10.pt",
                             "resume: out/step_10.pt",
                             "  resume_from: /job/a.ckpt",
                             "Namespace(resume='/job/a.pt', load=None)",
                             "=> loading checkpoint 'a.pth.tar'",
                             "Loading extension module cpu_adam from /opt/x",
                             "step 10 loss 2.5",
                             "loaded 3/4 shards"})
        EXPECT_FALSE(loadedByAnyTrainer(line).has_value()) << line;
}

TEST(LoadLine, RecognisesThatNothingWasFound)
{
    for (const char *line : {"No checkpoint found in out/, starting from scratch", "no checkpoint found at out/last.pt",
                             "2024-01-01 10:00:00 INFO Could not find any checkpoint in out/",
                             "No existing checkpoint found, training from scratch",
                             "No checkpoints available to resume", "Did not find a checkpoint to resume from."})
        EXPECT_TRUE(foundNoCheckpoint(line)) << line;
    for (const char *line :
         {"No checkpoint was saved at step 3", "There is no checkpoint limit", "Checkpoint found in out/",
          "could not find a free port", "Saving: no checkpoint older than 3 days found is kept"})
        EXPECT_FALSE(foundNoCheckpoint(line)) << line;
}

// Sentences of public trainers, as their sources print them.
TEST(LoadLine, IsReadFromPublicTrainers)
{
    int right = 0, all = 0;
    for (const LogSection &section : sectionsOf("recorded_logs/public_trainers.txt")) {
        if (section.kind != "load" || section.lines.empty()) continue;
        ++all;
        Lines lines;
        lines << section.lines.front();
        const LogEvent *load = nullptr;
        bool nothing = false;
        for (const LogEvent &event : lines.parsed.events) {
            if (event.kind == EventKind::resumed) load = &event;
            nothing = nothing || event.nothingLoaded || (event.kind == EventKind::resumed && event.globalStep == 0);
        }
        const auto said = [&](const char *key) {
            return section.says.count(key) ? section.says.at(key) : std::string();
        };
        const bool silent = section.says.count("silent") != 0, wanted = said("nothing") == "yes";
        const bool good = silent   ? !load && !nothing
                          : wanted ? nothing
                                   : load && (said("path").empty() || load->path == said("path"));
        right += good ? 1 : 0;
        if (!good)
            std::printf("%s | %s\n   %s\n", section.head.c_str(),
                        load      ? load->path.c_str()
                        : nothing ? "nothing"
                                  : "-",
                        section.lines.front().c_str());
        EXPECT_TRUE(good || !silent) << section.lines.front();
    }
    std::printf("%d of %d sentences about loads are read\n", right, all);
    EXPECT_GE(all, 90);
    EXPECT_GE(right, 88);
}

}  // namespace
}  // namespace rankdeck::load_line_test
