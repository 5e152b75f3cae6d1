// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/sidecar_reader.h"
#include "core/checkpoint/tracker.h"
#include "tests/core/checkpoint/local_files.h"

#include <gtest/gtest.h>

namespace rankdeck::tracker_test {
namespace {

using Defect = TrackerContent::Defect;

TrackerContent megatron(std::string_view bytes) { return parseTracker(TrackerKind::megatron, bytes, "/c"); }
TrackerContent deepspeed(std::string_view bytes) { return parseTracker(TrackerKind::deepspeed, bytes, "/c"); }
TrackerContent tensorflow(std::string_view bytes) { return parseTracker(TrackerKind::tensorflow, bytes, "/c"); }

TEST(Tracker, RecognisesTrackerFileNames)
{
    EXPECT_EQ(trackerKind("latest_checkpointed_iteration.txt"), TrackerKind::megatron);
    EXPECT_EQ(trackerKind("latest"), TrackerKind::deepspeed);
    EXPECT_EQ(trackerKind("checkpoint"), TrackerKind::tensorflow);
    EXPECT_FALSE(trackerKind("checkpoint-16"));
    EXPECT_FALSE(trackerKind("latest.txt"));
}

TEST(Tracker, ReadsMegatronIterationOrRelease)
{
    EXPECT_EQ(megatron("200").target, "iter_0000200");
    EXPECT_EQ(megatron("200\n").step, 200);
    EXPECT_EQ(megatron("123456789").target, "iter_123456789");
    EXPECT_EQ(megatron("release").target, "release");
    for (const char *bad : {"1234567890", "-5", "2 00", "20a", "200\n300", "Release", "0x10"}) {
        EXPECT_EQ(megatron(bad).defect, Defect::malformed) << bad;
        EXPECT_TRUE(megatron(bad).target.empty()) << bad;
    }
}

TEST(Tracker, T01_EmptyTrackerIsADefect)
{
    for (const char *bytes : {"", " ", "\n", "\xef\xbb\xbf\r\n"}) {
        EXPECT_EQ(megatron(bytes).defect, Defect::empty);
        EXPECT_EQ(deepspeed(bytes).defect, Defect::empty);
        EXPECT_EQ(tensorflow(bytes).defect, Defect::empty);
    }
}

TEST(Tracker, T07_RefusesPathsAndToleratesLineEnds)
{
    EXPECT_EQ(deepspeed("global_step5").target, "global_step5");
    EXPECT_EQ(deepspeed("global_step5").step, 5);
    EXPECT_EQ(deepspeed("../other/global_step5").defect, Defect::leaves);
    EXPECT_EQ(deepspeed("/abs/global_step5").defect, Defect::leaves);
    EXPECT_EQ(deepspeed("..").defect, Defect::leaves);
    EXPECT_EQ(deepspeed("global_step5\nglobal_step6").defect, Defect::malformed);
    EXPECT_EQ(deepspeed(std::string_view("global_step5\0", 13)).defect, Defect::malformed);
    const TrackerContent windows = deepspeed("\xef\xbb\xbfglobal_step5\r\n");
    EXPECT_EQ(windows.defect, Defect::none);
    EXPECT_EQ(windows.target, "global_step5");
    EXPECT_TRUE(windows.tolerated);
    EXPECT_NE(windows.found.find("byte order mark"), std::string::npos);
    EXPECT_NE(windows.found.find("Windows"), std::string::npos);
}

TEST(Tracker, ReadsTensorflowStateFile)
{
    const TrackerContent own = tensorflow("model_checkpoint_path: \"model.ckpt-66\"\n"
                                          "all_model_checkpoint_paths: \"model.ckpt-63\"\n");
    EXPECT_EQ(own.target, "model.ckpt-66");
    EXPECT_EQ(own.step, 66);
    EXPECT_EQ(tensorflow("model_checkpoint_path: \"/c/ckpt-3\"\n").target, "ckpt-3");
    EXPECT_EQ(tensorflow("model_checkpoint_path: \"/elsewhere/ckpt-3\"\n").defect, Defect::leaves);
    EXPECT_EQ(tensorflow("model_checkpoint_path: \"../ckpt-3\"\n").defect, Defect::leaves);
    EXPECT_EQ(tensorflow("all_model_checkpoint_paths: \"a\"\n").defect, Defect::malformed);
    EXPECT_EQ(tensorflow("model_checkpoint_path: \"ckpt-3\n").defect, Defect::malformed);
    EXPECT_EQ(tensorflow("model_checkpoint_path: \"\"\n").defect, Defect::malformed);
}

Evidence read(test::MemoryFiles &files, const FileEntry &file)
{
    const auto reader = makeTrackerReader(file);
    ReadReplies replies;
    files.answer(reader->advance({}), replies);
    EXPECT_TRUE(reader->advance(replies).done());
    return reader->evidence();
}

TEST(Tracker, ReadsTrackersInOneSmallRead)
{
    test::MemoryFiles files;
    const Evidence e = read(files, files.add("/c/latest", "global_step6"));
    EXPECT_EQ(e.meta.at("tracker"), "global_step6");
    EXPECT_EQ(e.roundTrips, 1);
    const Evidence huge = read(files, files.add("/c/latest", std::string(maxTrackerBytes + 1, '7')));
    EXPECT_EQ(huge.meta.count("tracker"), 0u);
    ASSERT_EQ(huge.problems.size(), 1u);
    EXPECT_EQ(huge.problems.front().code, ReasonCode("tracker_corrupt"));
    FileEntry gone;
    gone.path = "/c/none";
    const Evidence none = read(files, gone);
    ASSERT_EQ(none.problems.size(), 1u);
    EXPECT_EQ(none.problems.front().code, ReasonCode("unreadable"));
    EXPECT_EQ(none.level, EvidenceLevel::L0);
}

}  // namespace
}  // namespace rankdeck::tracker_test
