// SPDX-License-Identifier: GPL-3.0-or-later
// Real directories of torch.distributed.checkpoint: names that only look like steps, and marks that are not the mark.
// Also shards that have the right size and wrong content.
#include "core/base/text.h"
#include "tests/core/verdict/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace rankdeck::dcp_corpus_test {
namespace {

using test::Corpus;
using test::summary;
using testing::HasSubstr;

void putStep(Corpus &c, const std::string &sample, const std::string &as, std::int64_t at)
{
    c.copyTree("torch/dcp/" + sample, as, at);
    c.touch(as + "/.metadata", at + 1);
}

std::string reasonText(const CheckpointSet &set, const std::string &code)
{
    for (const Reason &reason : set.reasons)
        if (reason.code == code) return reason.text;
    return {};
}

const CheckpointSet &setAt(const CheckpointReport &report, const std::string &directory)
{
    for (const CheckpointSet &set : report.sets)
        if (set.members.front().path == "/job/ckpt/" + directory) return set;
    throw std::runtime_error("no set of " + directory + " in " + summary(report));
}

// Offset of the values in the first item of a shard: after the local header of its record "archive/data/0".
std::size_t firstValues(const std::string &shard)
{
    const std::size_t name = shard.find("archive/data/0FB");
    if (name == std::string::npos) throw std::runtime_error("no values in the shard");
    const std::size_t extra = name + 14;
    const auto byte = [&shard](std::size_t at) { return std::size_t{static_cast<unsigned char>(shard[at])}; };
    return extra + 4 + byte(extra + 2) + 256 * byte(extra + 3);
}

TEST(DcpCorpus, C01_OnlyStepNamesAreSteps)
{
    Corpus c;
    putStep(c, "step-100", "step-100", 100);
    putStep(c, "step-300-threads2", "old-step-900", 900);
    putStep(c, "step-300-threads2", "step-900.bak", 900);
    putStep(c, "step-300-threads2", "step-100 (copy)", 900);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.recommended, setAt(report, "step-100").id) << summary(report);
    for (const char *other : {"old-step-900", "step-900.bak", "step-100 (copy)"}) {
        EXPECT_EQ(setAt(report, other).verdict, Verdict::validUnproven) << other;
        EXPECT_THAT(reasonText(setAt(report, other), "unmatched_name"), HasSubstr(other));
    }
}

TEST(DcpCorpus, C01_OtherWordsAreUsedIfThereAreNoStepNames)
{
    Corpus c;
    putStep(c, "step-100", "llama-run-100", 100);
    putStep(c, "step-200-async", "llama-run-200", 200);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.recommended, setAt(report, "llama-run-200").id) << summary(report);
    Corpus any;  // the end of its name is not a step, as its content shows
    putStep(any, "step-300-threads2", "step-300-threads2", 300);
    EXPECT_EQ(summary(any.judge()), "0:300o VALID");
}

TEST(DcpCorpus, RequestsACheckpointOfAllRanksOnce)
{
    Corpus c;
    putStep(c, "step-100", "step-100", 100);
    c.expected.worldSize = 8;
    const CheckpointReport unread = c.judgeUnread();
    const auto nothing = [](const Member &) { return std::make_shared<const Evidence>(); };
    EXPECT_EQ(unread.sets.front().members.size(), 8u);
    EXPECT_EQ(wantedEvidence(c.inventory, unread, nothing).size(), 1u);
}

TEST(DcpCorpus, M02_MetadataThatWasNotRenamedIsNotCommitted)
{
    Corpus c;
    putStep(c, "step-100", "step-100", 100);
    putStep(c, "step-200-async", "step-200", 200);
    c.put("step-200/.metadata.tmp", c.bytes("step-200/.metadata"), 200);
    c.remove("step-200/.metadata");
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:200 INCOMPLETE commit_missing; 0:100 VALID");
    EXPECT_THAT(report.sets[0].reasons[0].text, HasSubstr(".metadata.tmp"));
    EXPECT_EQ(report.recommended, "0:100");
    c.expected.running = true;
    c.expected.now = wallFromNs(test::epoch0 + 210 * test::second);
    EXPECT_EQ(summary(c.judge().sets[0]), "0:200 IN-PROGRESS commit_missing");
}

TEST(DcpCorpus, S05_ShardsOfALargerWorldAreLeftovers)
{
    Corpus c;
    putStep(c, "step-100", "step-100", 100);
    for (const char *name : {"step-100/__32_0.distcp", "step-100/__33_0.distcp"})
        c.put(name, c.bytes("step-100/__0_0.distcp"), 50);
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:100 VALID leftover");
    EXPECT_THAT(report.sets[0].reasons[0].text, HasSubstr("__32_0.distcp and 1 more"));
}

TEST(DcpCorpus, S08_TimeOfALeftoverDoesNotMatter)
{
    Corpus c;
    putStep(c, "step-100", "step-100", 1000);
    putStep(c, "step-200-async", "step-200", 2000);
    ASSERT_EQ(summary(c.judge()), "0:200 VALID; 0:100 VALID");
    for (const int days : {0, 7}) {
        c.put("step-200/__4_0.distcp", c.bytes("step-100/__0_0.distcp"), 900 - days * 86400);
        EXPECT_EQ(summary(c.judgeAll()), "0:200 VALID leftover; 0:100 VALID");
    }
    c.touch("step-200/__1_0.distcp", 900);  // a shard that the mark names
    EXPECT_EQ(c.judgeAll().sets.front().verdict, Verdict::validUnproven) << summary(c.judgeAll());
}

TEST(DcpCorpus, V01_ReportsNaNInAShard)
{
    Corpus c;
    putStep(c, "step-100", "step-100", 100);
    c.edit("step-100/__0_0.distcp", [](std::string &bytes) {
        const float nan = std::nanf("");
        std::memcpy(bytes.data() + firstValues(bytes), &nan, sizeof nan);
    });
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:100 CORRUPT nan_weights");
    EXPECT_THAT(report.sets[0].reasons[0].text, HasSubstr("__0_0.distcp"));
}

TEST(DcpCorpus, F11_ReportsAPreallocatedShardThatWasNotWritten)
{
    Corpus c;
    putStep(c, "step-100", "step-100", 100);
    c.edit("step-100/__1_0.distcp", [](std::string &bytes) {
        const std::size_t from = bytes.size() / 3;
        std::fill(bytes.begin() + std::ptrdiff_t(from), bytes.end() - 200, '\0');
    });
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:100 CORRUPT torn");
    EXPECT_THAT(report.sets[0].reasons[0].text, HasSubstr("__1_0.distcp"));
}

TEST(DcpCorpus, L02_ShardLinkedOutsideTheDirectoryIsNotRead)
{
    Corpus c;
    putStep(c, "step-100", "step-100", 100);
    c.entry("step-100/__1_0.distcp").linkTarget = "/etc/passwd";
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:100 INCOMPLETE shard_missing");
    EXPECT_THAT(report.notes, testing::Contains(HasSubstr("/etc/passwd")));
    c.entry("step-100/.metadata").linkTarget = "../../../elsewhere/.metadata";
    EXPECT_EQ(summary(c.judge()), "0:100 INCOMPLETE commit_missing");
}

TEST(DcpCorpus, Q01_FlagsMetadataThatWouldRunACommand)
{
    Corpus c;
    putStep(c, "step-100", "step-100", 100);
    // posix.system as one more global, popped again before anything calls it.
    c.edit("step-100/.metadata", [](std::string &bytes) {
        const std::size_t frame = bytes.substr(2, 1) == "\x95" ? 11 : 2;
        bytes.insert(frame, std::string("\x8c\x05posix\x8c\x06system\x93") + "0");
        if (frame == 11) bytes[3] = static_cast<char>(bytes[3] + 17);
    });
    c.touch("step-100/.metadata", 101);
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:100 VALID-UNPROVEN dangerous_pickle");
    EXPECT_THAT(report.sets[0].reasons[0].text, HasSubstr("posix.system"));
}

}  // namespace
}  // namespace rankdeck::dcp_corpus_test
