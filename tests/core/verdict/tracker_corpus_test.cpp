// SPDX-License-Identifier: GPL-3.0-or-later
// Records of frameworks about their newest checkpoint, compared with the files: no record decides the result.
#include "tests/core/verdict/corpus.h"
#include "tests/testbed/paths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace rankdeck::tracker_corpus_test {
namespace {

using test::Corpus;
using test::summary;

constexpr const char *megatronTracker = "latest_checkpointed_iteration.txt";

void putTree(Corpus &c, const std::string &sample, const std::string &as, std::int64_t time)
{
    const std::filesystem::path from = std::filesystem::path(testData()) / sample;
    for (const auto &item : std::filesystem::recursive_directory_iterator(from))
        if (item.is_regular_file())
            c.put(as + "/" + std::filesystem::relative(item.path(), from).string(),
                  test::readFile(item.path().string()), time, 0644);
}

// Two saves of Megatron, at 100 and 200, with a tracker that the test chooses.
void putMegatron(Corpus &c, const std::string &tracker)
{
    putTree(c, "megatron/legacy-layout/iter_0000100", "iter_0000100", 100);
    putTree(c, "megatron/legacy-layout/iter_0000200", "iter_0000200", 200);
    c.put(megatronTracker, tracker, 201, 0644);
}

void putDeepspeed(Corpus &c, const std::string &tracker)
{
    putTree(c, "deepspeed/zero3/global_step3", "global_step3", 300);
    putTree(c, "deepspeed/zero3/global_step6", "global_step6", 600);
    c.put("latest", tracker, 601, 0644);
}

std::string trackerCodes(const CheckpointReport &report)
{
    std::string text;
    for (const TrackerVerdict &t : report.trackers) text += (text.empty() ? "" : " ") + (t.code ? t.code->word() : "-");
    return text;
}

bool noted(const CheckpointReport &report, const std::string &part)
{
    return std::any_of(report.notes.begin(), report.notes.end(),
                       [&](const std::string &note) { return note.find(part) != std::string::npos; });
}

TEST(TrackerCorpus, CorrectTrackerCausesNoReport)
{
    Corpus c;
    putMegatron(c, "200");
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.recommended, "0:200") << summary(report);
    EXPECT_EQ(trackerCodes(report), "-");
    EXPECT_EQ(report.trackers[0].target, "iter_0000200");
    EXPECT_TRUE(report.notes.empty()) << report.notes.front();
}

TEST(TrackerCorpus, T01_ReportsAnEmptyTracker)
{
    Corpus c;
    putMegatron(c, "");
    const CheckpointReport report = c.judge();
    EXPECT_EQ(trackerCodes(report), "tracker_empty");
    EXPECT_TRUE(noted(report, "exit code 0"));
    EXPECT_EQ(report.recommended, "0:200") << summary(report);
}

TEST(TrackerCorpus, T02_ReportsAShorterNumberWrittenOverALongerOne)
{
    Corpus c;
    putMegatron(c, "10000");  // 100 written over 20000, without truncation
    CheckpointReport report = c.judge();
    EXPECT_EQ(trackerCodes(report), "tracker_corrupt");
    EXPECT_TRUE(noted(report, "100 was written over a longer number"));
    EXPECT_EQ(report.recommended, "0:200") << summary(report);
    c.put(megatronTracker, "2 00", 202);
    report = c.judge();
    EXPECT_EQ(trackerCodes(report), "tracker_corrupt");
    EXPECT_EQ(report.recommended, "0:200");
}

TEST(TrackerCorpus, T03_ReportsATrackerThatNamesAMissingDirectory)
{
    Corpus megatron;
    putMegatron(megatron, "300");
    CheckpointReport report = megatron.judge();
    EXPECT_EQ(trackerCodes(report), "tracker_target_missing");
    EXPECT_TRUE(noted(report, "iter_0000300"));
    EXPECT_EQ(report.recommended, "0:200") << summary(report);

    Corpus deepspeed;
    putDeepspeed(deepspeed, "global_step9");
    report = deepspeed.judge();
    EXPECT_EQ(trackerCodes(report), "tracker_target_missing");
    EXPECT_EQ(report.recommended, "0:6") << summary(report);
}

TEST(TrackerCorpus, T04_ReportsAMissingTracker)
{
    Corpus megatron;
    putMegatron(megatron, "200");
    megatron.remove(megatronTracker);
    CheckpointReport report = megatron.judge();
    EXPECT_EQ(trackerCodes(report), "tracker_absent");
    EXPECT_TRUE(noted(report, "start from zero"));
    EXPECT_EQ(report.recommended, "0:200") << summary(report);

    Corpus deepspeed;
    putDeepspeed(deepspeed, "global_step6");
    deepspeed.remove("latest");
    report = deepspeed.judge();
    EXPECT_EQ(trackerCodes(report), "tracker_absent");
    EXPECT_EQ(report.recommended, "0:6") << summary(report);
}

TEST(TrackerCorpus, T05_ReportsATrackerBehindTheNewestSet)
{
    Corpus c;
    putMegatron(c, "100");
    const CheckpointReport report = c.judge();
    EXPECT_EQ(trackerCodes(report), "tracker_behind");
    EXPECT_EQ(summary(report.sets[0]), "0:200 VALID tracker_behind");
    EXPECT_TRUE(noted(report, "someone went back to an older one on purpose"));
    EXPECT_EQ(report.recommended, "0:200");
    EXPECT_NE(report.find("0:100"), nullptr);
}

TEST(TrackerCorpus, T06_ReportsTrackersThatDifferBetweenNodes)
{
    Corpus c;
    putMegatron(c, "200");
    // The directory as two nodes see it, each with its own tracker.
    c.job.nodes.push_back(c.job.nodes.front());
    c.job.nodes.back().name = "n1";
    Listing other = c.listing();
    for (FileEntry &entry : other.entries) entry.stat.inode += 1000;
    const Inventory inventory = buildInventory(c.job, {{"n0", c.listing()}, {"n1", other}});
    ASSERT_EQ(inventory.trackers.size(), 2u);
    const auto known = [&](const Member &member) {
        Evidence e = c.evidenceOf(member);
        if (e.meta.count("tracker") != 0) e.meta["tracker"] = member.node == "n0" ? "200" : "100";
        return std::make_shared<const Evidence>(std::move(e));
    };
    const CheckpointReport report = judge(inventory, known, c.expected);
    EXPECT_EQ(trackerCodes(report), "tracker_conflict tracker_conflict");
    EXPECT_EQ(report.sets[0].verdict, Verdict::validUnproven) << summary(report);
    EXPECT_EQ(report.sets[0].reasons.front().code, ReasonCode("tracker_conflict"));
    EXPECT_NE(report.sets[0].reasons.front().text.find("n0: iter_0000200; n1: iter_0000100"), std::string::npos);
    EXPECT_FALSE(report.recommended);
}

TEST(TrackerCorpus, T07_RefusesPathsAndToleratesWindowsLineEnds)
{
    Corpus c;
    putDeepspeed(c, "../other/global_step5");
    CheckpointReport report = c.judge();
    EXPECT_EQ(trackerCodes(report), "tracker_corrupt");
    EXPECT_EQ(report.recommended, "0:6") << summary(report);
    c.put("latest", "\xef\xbb\xbfglobal_step6\r\n", 602);
    report = c.judge();
    EXPECT_EQ(trackerCodes(report), "tracker_tolerated");
    EXPECT_EQ(report.trackers[0].target, "global_step6");
    EXPECT_TRUE(noted(report, "byte order mark"));
    c.put("latest", std::string("global_step6\0", 13), 603);
    EXPECT_EQ(trackerCodes(c.judge()), "tracker_corrupt");
}

TEST(TrackerCorpus, T08_ReportsTrackersOfTwoFrameworksInOneDirectory)
{
    Corpus c;
    putMegatron(c, "200");
    putDeepspeed(c, "global_step6");
    const CheckpointReport report = c.judge();
    EXPECT_EQ(trackerCodes(report), "tracker_conflict tracker_conflict");
    EXPECT_TRUE(noted(report, "two frameworks"));
    EXPECT_EQ(report.sets.size(), 4u) << summary(report);
    EXPECT_EQ(report.recommended, "0:200") << summary(report);
}

TEST(TrackerCorpus, P03_ReportsATrackerThatNamesAnIncompleteSet)
{
    Corpus c;
    putDeepspeed(c, "global_step6");
    c.remove("global_step6/zero_pp_rank_1_mp_rank_00_optim_states.pt");
    const CheckpointReport report = c.judge();
    EXPECT_EQ(trackerCodes(report), "tracker_not_valid");
    EXPECT_EQ(report.sets[0].verdict, Verdict::incomplete) << summary(report);
    EXPECT_EQ(report.recommended, "0:3") << summary(report);
}

TEST(TrackerCorpus, IgnoresAFileThatOnlyHasTheNameOfATracker)
{
    Corpus c;
    c.copy("ckpt/2.7.0/append_info");
    c.put("rank_0/checkpoint", std::string("whatever\0binary", 15), 5);
    c.put("rank_0/latest", "PK\x03\x04", 5);
    const CheckpointReport report = c.judge();
    EXPECT_TRUE(report.recommended);
    EXPECT_TRUE(report.notes.empty()) << report.notes.front();
}

}  // namespace
}  // namespace rankdeck::tracker_corpus_test
