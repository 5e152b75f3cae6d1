// SPDX-License-Identifier: GPL-3.0-or-later
// Lines that state what a script has loaded, or that it has loaded nothing.
#include "tests/core/parse/parsed_lines.h"

#include <gtest/gtest.h>

namespace rankdeck::resume_lines_test {
namespace {

const std::nullopt_t no = std::nullopt;

struct ResumeCase {
    const char *line;
    const char *path;
    std::optional<std::int64_t> epoch, step, global;
};
class ResumeLine : public testing::TestWithParam<ResumeCase> {};

TEST_P(ResumeLine, ShowsWhatWasLoaded)
{
    Lines lines;
    lines << GetParam().line;
    ASSERT_EQ(lines.parsed.events.size(), 1u);
    const LogEvent &event = lines.parsed.events[0];
    EXPECT_EQ(event.kind, EventKind::resumed);
    EXPECT_EQ(event.path, GetParam().path);
    EXPECT_EQ(event.epoch, GetParam().epoch);
    EXPECT_EQ(event.step, GetParam().step);
    EXPECT_EQ(event.globalStep, GetParam().global);
}

const ResumeCase resumes[] = {
    {"resume from ./rank_0/lenet-2_10.ckpt: epoch 2, step 20, global_step 20", "./rank_0/lenet-2_10.ckpt", 2, 20, 20},
    {"Resuming training from checkpoint: /a/b.ckpt", "/a/b.ckpt", no, no, no},
    {"2026-01-02 INFO: resume from step 120", "", no, 120, no},
    {"[INFO] resumed from 'x y.ckpt' epoch=3", "x y.ckpt", 3, no, no},
    {"=> loaded checkpoint 'rank_0/checkpoint.pth.tar' (epoch 1)", "rank_0/checkpoint.pth.tar", 1, no, no},
    {"  Continuing training from global step 16", "", no, no, 16},
    {"INFO:tensorflow:Restoring parameters from est/model.ckpt-120", "est/model.ckpt-120", no, no, 120},
    {"2025-04-07 - mindformers - INFO - initial epoch: 2", "", 2, no, no},
    {"[gpu id: 0 ] => loaded checkpoint 'rank_0/model_best.pth.tar' (epoch 5)", "rank_0/model_best.pth.tar", 5, no, no},
    {"[rank1]: => loaded checkpoint 'a.pth.tar' (epoch 5)", "a.pth.tar", 5, no, no},
    {"load pre-trained model from: ./result/model.ckpt-4000", "./result/model.ckpt-4000", no, no, 4000},
    {"time stamp 2023.02.01-10:00:00 pre trained ckpt model output/checkpoint/ckpt_0/resnet50-3_625.ckpt loading",
     "output/checkpoint/ckpt_0/resnet50-3_625.ckpt", no, no, no},
    {"Start to load from /job/8p/rank_3/pangu3-2_8.ckpt", "/job/8p/rank_3/pangu3-2_8.ckpt", no, no, no},
    {"[WARNING] ME(5:7,MainProcess):2026-11-21-09:05:38.250.00 [m.py:2] Start to load from /c/pangu-2_8.ckpt",
     "/c/pangu-2_8.ckpt", no, no, no},
    {"  successfully loaded checkpoint from /ckpt [ t 1/1, p 1/1 ] at iteration 200", "/ckpt", no, no, 200},
};
INSTANTIATE_TEST_SUITE_P(Forms, ResumeLine, testing::ValuesIn(resumes));

class NothingLoaded : public testing::TestWithParam<const char *> {};

TEST_P(NothingLoaded, IsReportedAsAWarningAtStepZero)
{
    Lines lines;
    (lines << GetParam()).end();
    ASSERT_EQ(lines.parsed.events.size(), 1u);
    EXPECT_EQ(lines.parsed.events[0].kind, EventKind::warning);
    EXPECT_TRUE(lines.parsed.events[0].nothingLoaded);
    EXPECT_EQ(lines.parsed.events[0].globalStep, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Forms, NothingLoaded,
    testing::Values(
        "no valid ckpt found to resume.", "[default0]:[gpu id: 0 ] no valid ckpt found to resume.",
        "=> no checkpoint found at 'a.pth.tar'", "[gpu id: 1 ] => no checkpoint found at 'a.pth.tar'",
        "There is no ckpt file in /c, current ckpt_files found is [] with pattern /c/rank_0/p*.ckpt, so skip the "
        "loading.",
        "2023-02-01 10:00:00,000:WARNING:There is no ckpt file in out/ckpt_0, pre_trained is unsupported.",
        "[WARNING] ME(5:7,MainProcess):2026-11-21-09:05:38.250.00 [m.py:2] There is no ckpt file in /c, pre_trained is "
        "unsupported.",
        "Invalid pre_trained /job/none parameter.", "No valid checkpoint found in output directory (out)",
        "2026-11-24 05:34:35,679 - INFO - No checkpoint found in /job/out, starting fresh training.",
        "=> No ckpt in log dir. Starting training from scratch.", "Continuing training from scratch",
        "[2023-02-01 10:00:00,000] [WARNING] [engine.py:2700:load_checkpoint] Unable to find latest file at c/latest, "
        "if "
        "trying to load latest checkpoint please ensure this file exists"));

TEST(ResumeLines, SettingOrNegationIsNotEvidenceOfALoad)
{
    Lines lines;
    for (const char *line : {"training from scratch: False", "we are not training from scratch",
                             "see \"No checkpoint found\" in the manual", "train_from_scratch=0"})
        lines << line;
    lines.end();
    EXPECT_TRUE(lines.parsed.events.empty());
}

TEST(ResumeLines, CustomPatternDoesNotHideThatNothingWasLoaded)
{
    LogSpec spec;
    spec.resume = "loaded (?P<path>\\S+)";
    Lines lines(spec);
    lines << "no valid ckpt found to resume.";
    ASSERT_EQ(lines.parsed.events.size(), 1u);
    EXPECT_TRUE(lines.parsed.events[0].nothingLoaded);
}

const std::vector<std::string> given{"/job/ckpt/rank_0/lenet-3_4.ckpt"};

TEST(ResumeLines, AnyLineThatNamesTheGivenCheckpointIsALoadLine)
{
    for (const char *line :
         {"Using weights of /job/ckpt/rank_0/lenet-3_4.ckpt.", "[INFO] net: weights <- 'ckpt/rank_0/lenet-3_4.ckpt'",
          "path=./rank_0/lenet-3_4.ckpt, epoch 3",
          "[WARNING] ME(5:7,MainProcess):2026-11-21-09:05:38.250.00 [m.py:2] take /job/ckpt/rank_0/lenet-3_4.ckpt"}) {
        Lines lines;
        lines.parser->expectPaths(given);
        lines << line << line;
        ASSERT_EQ(lines.parsed.events.size(), 1u) << line;  // the first of the lines counts
        EXPECT_EQ(lines.parsed.events[0].kind, EventKind::resumed);
        EXPECT_TRUE(lines.parsed.events[0].byPath);
        EXPECT_EQ(lines.parsed.events[0].path, given[0]);
    }
    Lines own;  // a line in a known form gives more details
    own.parser->expectPaths(given);
    own << "resume from /job/ckpt/rank_0/lenet-3_4.ckpt: epoch 3, step 4, global_step 24";
    EXPECT_FALSE(own.parsed.events.at(0).byPath);
    EXPECT_EQ(own.parsed.events.at(0).globalStep, 24);
}

TEST(ResumeLines, PathInErrorsSavesArgumentsOrLongerNamesIsNotALoad)
{
    Lines lines;
    lines.parser->expectPaths(given);
    lines << "FileNotFoundError: /job/ckpt/rank_0/lenet-3_4.ckpt"
          << "cannot find /job/ckpt/rank_0/lenet-3_4.ckpt: failed"
          << "saved /job/ckpt/rank_0/lenet-3_4.ckpt"
          << "Namespace(resume='/job/ckpt/rank_0/lenet-3_4.ckpt')"
          << "+ python train.py --resume /job/ckpt/rank_0/lenet-3_4.ckpt"
          << "using /job/ckpt/rank_0/lenet-3_4.ckpt_old"
          << "using /job/ckpt/rank_1/lenet-3_4.ckpt"
          << "using /other/rank_0/lenet-3_4.ckpt"
          << "using mylenet-3_4.ckpt";
    lines.end();
    for (const LogEvent &event : lines.parsed.events) EXPECT_NE(event.kind, EventKind::resumed) << event.text;
}

TEST(ResumeLines, ReadsEmergencyCheckpointLinesOfPangu)
{
    Lines lines;
    lines << "restore ranks: 0,1, restore dict: {0: 0, 1: 0}"
          << "loading map rank id 0"
          << " checkpoint files /job/8p/rank_0/pangu0-2_4_breakpoint.ckpt"
          << " checkpoint param dict epoch num 2";
    ASSERT_EQ(lines.parsed.events.size(), 1u);
    EXPECT_EQ(lines.parsed.events[0].kind, EventKind::resumed);
    EXPECT_EQ(lines.parsed.events[0].path, "/job/8p/rank_0/pangu0-2_4_breakpoint.ckpt");
    EXPECT_EQ(lines.parsed.events[0].epoch, 2);
}

TEST(ResumeLines, ListOfCandidatesIsNotALoad)
{
    Lines lines;
    lines << "time stamp 2023.02.01-10:00:00 pre trained ckpt model ['a.ckpt', 'b.ckpt'] loading";
    EXPECT_TRUE(lines.parsed.events.empty());
}

TEST(ResumeLines, ReadsMultiLineReportsOfMindFormers)
{
    Lines lines;
    lines << "... - INFO - Get resume checkpoint: output/checkpoint/rank_0/llama_rank_0-10_2.ckpt"
          << "... - INFO - initial epoch: 1"
          << "... - INFO - initial step: 40";
    ASSERT_EQ(lines.parsed.events.size(), 2u);
    EXPECT_EQ(lines.parsed.events[1].path, "output/checkpoint/rank_0/llama_rank_0-10_2.ckpt");
    EXPECT_EQ(lines.parsed.events[1].epoch, 1);
    EXPECT_EQ(lines.parsed.events[1].step, 40);
}

}  // namespace
}  // namespace rankdeck::resume_lines_test
