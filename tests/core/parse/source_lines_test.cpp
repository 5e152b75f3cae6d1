// SPDX-License-Identifier: GPL-3.0-or-later
// Lines that the scripts in tests/sources print about what they load, that they load nothing, and what they save. The
// lines follow all the prefixes that loggers, launchers and log viewers add.
#include "core/parse/path_witness.h"
#include "tests/core/parse/parsed_lines.h"

#include <gtest/gtest.h>

namespace rankdeck::source_lines_test {
namespace {

enum class Says { load, nothing, save, gracefulExit, ttp, silent };

struct SourceLine {
    Says says;
    const char *line;
};

// Lines as MindX DL's adaptations and MindSpore's pages print them.
const SourceLine sourceLines[] = {
    {Says::load, "load pre-trained model from: /job/d_solution/ckpt0"},
    {Says::load, "=> loaded checkpoint './rank_0/model_best.pth.tar' (epoch 5)"},
    {Says::load, "[gpu id: 0 ] => loaded checkpoint './rank_0/model_best.pth.tar' (epoch 5)"},
    {Says::load, "[gpu id: None ] => loaded checkpoint './rank_0/model_best.pth.tar' (epoch 5)"},
    {Says::load,
     "time stamp 2023.02.01-10:00:00 pre trained ckpt model /job/output/./checkpoint/ckpt_0/resnet-3_625.ckpt loading"},
    {Says::load, "Start to load from /job/8p/rank_3/pangu3-2_8.ckpt"},
    {Says::nothing, "no valid ckpt found to resume."},
    {Says::nothing, "There is no ckpt file in /job/output/checkpoint/ckpt_0, pre_trained is unsupported."},
    {Says::nothing, "Invalid pre_trained /job/none parameter."},
    {Says::nothing, "There is no ckpt file in /job/8p, current ckpt_files found is [] with pattern "
                    "/job/8p/rank_0/pangu*.ckpt, so skip the loading."},
    {Says::save, "save ckpt to ./rank_0/model_best.pth.tar done. Best epoch for now is :6"},
    {Says::gracefulExit, "Graceful exit is triggered, stop training."},
    {Says::ttp, "Set TFT replica with dp: [0, 4]"},
    {Says::ttp, "report group list: [0, 4]"},
    {Says::ttp, "Mindx enabled, process controlled by mindx."},
    // Progress messages that name no loaded file.
    {Says::silent, "[gpu id: 0 ] => loading checkpoint './rank_0/model_best.pth.tar'"},
    {Says::silent, "load checkpoint to : npu:0"},
    {Says::silent, "======start single checkpoint"},
    {Says::silent, "======start exception checkpoint"},
    {Says::silent, "time stamp 2023.02.01-10:00:00 pre trained ckpt model ['/a/b.ckpt', '/a/c.ckpt'] loading"},
    {Says::silent, "restore ranks: 0,1, restore dict: {\"0,4\": 0}"},
    {Says::silent, "loading map rank id 0"},
    {Says::silent, "whether run into load process"},
};

const char *prefixes[] = {
    "",
    "[rank0]: ",
    "[default1]:",
    "[default1]:[rank1]: ",
    "3: ",
    " 3: ",
    "[1,3]<stdout>:",
    "[1,3]<stderr>:",
    "2026-11-24T05:34:35.679545123Z ",
    "2026-11-24T05:34:35+08:00 ",
    "2026-11-24T05:34:35.679Z [rank0]: ",
    "INFO:root:",
    "INFO: ",
    "[INFO] ",
    "INFO 2026-11-24 05:34:35,679 train.py:12 ",
    "2026-11-24 05:34:35,679 - INFO - ",
    "2026-11-24 05:34:35,679 - mindformers[train.py:12] - INFO - ",
    "2026-11-24 05:34:35,679 INFO ",
    "2026-11-24 05:34:35.679 | INFO     | __main__:main:12 - ",
    "I1124 05:34:35.679 10818 train.py:12] ",
    "[2026-11-24 05:34:35,679] [INFO] [train.py:12:main] ",
    "\x1b[32m[INFO]\x1b[0m ",
    "\x1b[1;32mINFO\x1b[0m: ",
    "[INFO] ME(10818:140675182164864,MainProcess):2026-11-24-05:34:35.250.00 [train.py:267] ",
    "[WARNING] ME(10818:140675182164864,MainProcess):2026-11-24-05:34:35.250.00 [train.py:267] ",
    "2026-11-24T05:34:35.679Z [WARNING] ME(10818:14067518,MainProcess):2026-11-24-05:34:35.250.00 [train.py:267] ",
};

Says saidBy(const LogEvent &event)
{
    if (event.kind == EventKind::resumed) return Says::load;
    if (event.kind == EventKind::saved) return Says::save;
    if (event.kind == EventKind::gracefulExit) return Says::gracefulExit;
    if (event.kind == EventKind::ttp) return Says::ttp;
    return event.nothingLoaded ? Says::nothing : Says::silent;
}

TEST(SourceLines, AreRecognisedAfterEveryPrefix)
{
    for (const SourceLine &source : sourceLines)
        for (const char *prefix : prefixes) {
            const bool header = std::string_view(prefix).find("] ME(") != std::string_view::npos ||
                                std::string_view(prefix).find(" ME(") != std::string_view::npos;
            if (source.says == Says::gracefulExit && !header) continue;  // only MindSpore's own logger prints it
            Lines lines;
            (lines << std::string(prefix) + source.line).end();
            Says said = Says::silent;
            for (const LogEvent &event : lines.parsed.events)
                if (said == Says::silent) said = saidBy(event);
            EXPECT_EQ(int(said), int(source.says)) << prefix << source.line;
        }
}

TEST(SourceLines, LossesAreReadAfterTheSamePrefixes)
{
    for (const char *prefix :
         {"[rank0]: ", "[default1]:", "3: ", " 3: ", "[1,3]<stdout>:", "2026-11-24T05:34:35.679Z ", "\x1b[0m"})
        for (const char *line :
             {"epoch: 1 step: 2, loss is 2.3", "Epoch: [0][ 2/6]\tTime  0.1 ( 0.1)\tLoss 2.3e+00 (2.3e+00)"}) {
            Lines lines;
            lines << std::string(prefix) + line;
            ASSERT_EQ(lines.parsed.samples.size(), 1u) << prefix << line;
            EXPECT_EQ(lines.parsed.samples[0].epoch, 1) << prefix << line;
        }
}

// Pangu reports an emergency checkpoint in several lines, each of which has the prefix.
TEST(SourceLines, EmergencyCheckpointIsReportedAfterEveryPrefix)
{
    for (const char *prefix : prefixes) {
        Lines lines;
        for (const char *line : {" checkpoint files /job/8p/rank_1/pangu1-2_4_breakpoint.ckpt",
                                 " checkpoint param dict epoch num Parameter (name=epoch_num, shape=(), dtype=Int64, "
                                 "requires_grad=True, value=2)"})
            lines << std::string(prefix) + line;
        ASSERT_EQ(lines.parsed.events.size(), 1u) << prefix;
        EXPECT_EQ(lines.parsed.events[0].path, "/job/8p/rank_1/pangu1-2_4_breakpoint.ckpt") << prefix;
        EXPECT_EQ(lines.parsed.events[0].epoch, 2) << prefix;
    }
}

TEST(SourceLines, TermExceptionReportsItsSavedEmergencyCheckpoint)
{
    Lines lines;
    for (const char *line : {"Traceback (most recent call last):", "  File \"train.py\", line 3, in <module>",
                             "RuntimeError: Term exception happened."})
        lines << line;
    lines.end();
    ASSERT_EQ(lines.parsed.events.size(), 1u);
    EXPECT_NE(lines.parsed.events[0].text.find("its emergency checkpoint (*_breakpoint.ckpt) is saved"),
              std::string::npos);
}

// Lines that mention the file that a rank was given, but do not report a load of it.
TEST(SourceLines, MentionedFileIsNotEvidenceOfALoad)
{
    const std::string path = "/job/output/checkpoint/ckpt_0/resnet-3_5.ckpt";
    for (const char *line :
         {"pre_trained: /job/output/checkpoint/ckpt_0/resnet-3_5.ckpt",
          "  'pre_trained': '/job/output/checkpoint/ckpt_0/resnet-3_5.ckpt',",
          "{'lr': 0.1, 'pre_trained': '/job/output/checkpoint/ckpt_0/resnet-3_5.ckpt'}",
          "{\"pre_trained\": \"/job/output/checkpoint/ckpt_0/resnet-3_5.ckpt\"}",
          "load_checkpoint = /job/output/checkpoint/ckpt_0/resnet-3_5.ckpt",
          "2026-11-24 05:34:35,679 - INFO - load_checkpoint: /job/output/checkpoint/ckpt_0/resnet-3_5.ckpt",
          "/job/output/checkpoint/ckpt_0/resnet-3_5.ckpt does not exist, training begins anew",
          "skipping /job/output/checkpoint/ckpt_0/resnet-3_5.ckpt",
          "removed '/job/output/checkpoint/ckpt_0/resnet-3_5.ckpt'",
          "cannot open /job/output/checkpoint/ckpt_0/resnet-3_5.ckpt",
          "invalid checkpoint /job/output/checkpoint/ckpt_0/resnet-3_5.ckpt",
          "/job/output/checkpoint/ckpt_0/resnet-3_5.ckpt is not a file: training from scratch"}) {
        Lines lines;
        lines.parser->expectPaths({path});
        (lines << line).end();
        for (const LogEvent &event : lines.parsed.events) EXPECT_NE(event.kind, EventKind::resumed) << line;
    }
    for (const char *line : {"Loaded: /job/output/checkpoint/ckpt_0/resnet-3_5.ckpt",
                             "weights of /job/scripts/../output/./checkpoint//ckpt_0/resnet-3_5.ckpt",
                             "using ../output/checkpoint/ckpt_0/resnet-3_5.ckpt",
                             "[rank0]: restored /job/output/checkpoint/ckpt_0/resnet-3_5.ckpt in 3 s"}) {
        Lines lines;
        lines.parser->expectPaths({path});
        (lines << line).end();
        ASSERT_EQ(lines.parsed.events.size(), 1u) << line;
        EXPECT_TRUE(lines.parsed.events[0].byPath) << line;
    }
}

TEST(PlainPath, RemovesDotAndDoubledPathParts)
{
    EXPECT_EQ(plainPath("/job/scripts/../output/./checkpoint//a.ckpt"), "/job/output/checkpoint/a.ckpt");
    EXPECT_EQ(plainPath("./rank_0/a"), "rank_0/a");
    EXPECT_EQ(plainPath("../../a"), "a");
    EXPECT_EQ(plainPath("/../a"), "/a");
    EXPECT_EQ(plainPath(""), "");
    EXPECT_TRUE(namesSamePath("../output/x.ckpt", "/job/output/x.ckpt"));
    EXPECT_FALSE(namesSamePath("/other/../jobs/output/x.ckpt", "/job/output/x.ckpt"));
    EXPECT_FALSE(namesSamePath("put/x.ckpt", "/job/output/x.ckpt"));
    EXPECT_FALSE(namesSamePath("..", "/job/output/x.ckpt"));
}

}  // namespace
}  // namespace rankdeck::source_lines_test
