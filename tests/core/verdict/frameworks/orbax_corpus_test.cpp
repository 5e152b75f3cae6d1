// SPDX-License-Identifier: GPL-3.0-or-later
// Step directories as Orbax writes them, byte by byte: the manifests are framed as in the real ones of its own
// compatibility corpus.
#include "core/checkpoint/codec/crc32c.h"
#include "core/checkpoint/formats/orbax/orbax_reader.h"
#include "tests/core/verdict/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::orbax_corpus_test {
namespace {

using test::Corpus;
using test::summary;
using testing::HasSubstr;

std::string little(std::uint64_t value, std::size_t width)
{
    std::string out;
    for (std::size_t i = 0; i < width; ++i) out += static_cast<char>(value >> (8 * i));
    return out;
}

std::string manifest(const std::string &body = std::string(100, 'b'))
{
    std::string bytes = "\x0c\xdb\x3a\x2a" + little(body.size() + 16, 8) + body;
    return bytes + little(crc32c(bytes), 4);
}

void putStep(Corpus &c, const std::string &as, std::int64_t at, bool mark = true)
{
    c.put(as + "/_CHECKPOINT_METADATA", R"({"item_handlers": {"default": "x"}, "init_timestamp_nsecs": 1})", at, 0644);
    c.put(as + "/default/_METADATA", R"({"tree_metadata": {}, "use_ocdbt": true})", at, 0644);
    c.put(as + "/default/_sharding", "{}", at, 0644);
    c.put(as + "/default/manifest.ocdbt", manifest(), at, 0644);
    c.put(as + "/default/d/0123456789abcdef", std::string(500, 'x'), at, 0644);
    for (const char *process : {"0", "1"}) {
        c.put(as + "/default/array_metadatas/process_" + process, "{}", at, 0644);
        c.put(as + "/default/ocdbt.process_" + process + "/manifest.ocdbt", manifest("process"), at, 0644);
        c.put(as + "/default/ocdbt.process_" + process + "/d/fedcba", std::string(500, 'y'), at, 0644);
    }
    if (mark) c.put(as + "/commit_success.txt", "Checkpoint commit was successful to /c", at + 1, 0644);
}

TEST(OrbaxCorpus, UnreadContentIsNeverValid)
{
    Corpus c;
    putStep(c, "5", 100);
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:5 VALID-UNPROVEN content_unproven step_unproven");
    EXPECT_EQ(report.framework, "jax");
    EXPECT_EQ(report.recommended, std::nullopt);
    EXPECT_EQ(report.sets.front().members.front().level, EvidenceLevel::L1);
}

TEST(OrbaxCorpus, M05_StepWithoutTheCommitMarkOfItsSiblingsIsIncomplete)
{
    Corpus c;
    putStep(c, "5", 100);
    putStep(c, "6", 200, false);
    EXPECT_EQ(summary(c.judge().sets.front()), "0:6 INCOMPLETE temp_file");
    c.expected.running = true;
    c.expected.now = wallFromNs(test::epoch0 + 210 * test::second);
    EXPECT_EQ(summary(c.judge().sets.front()), "0:6 IN-PROGRESS temp_file");
}

TEST(OrbaxCorpus, M05_CommitIsUnprovenIfNoStepHasAMark)
{
    Corpus c;
    putStep(c, "6", 200, false);
    EXPECT_THAT(summary(c.judge()), HasSubstr("VALID-UNPROVEN"));
    EXPECT_THAT(summary(c.judge()), HasSubstr("commit_unproven"));
    c.put("6/_CHECKPOINT_METADATA", R"({"item_handlers": {}, "commit_timestamp_nsecs": 1700000000000000000})", 200);
    EXPECT_THAT(summary(c.judge()), testing::Not(HasSubstr("commit_unproven")));
}

TEST(OrbaxCorpus, M05_StagingDirectoriesAreInProgressOrIncomplete)
{
    for (const std::string name : {"7.orbax-checkpoint-tmp", "7.orbax-checkpoint-tmp-1699999999"}) {
        Corpus c;
        putStep(c, "5", 100);
        putStep(c, name, 200, false);
        EXPECT_EQ(summary(c.judge().sets.front()), "0:7 INCOMPLETE temp_file") << name;
        c.expected.running = true;
        c.expected.now = wallFromNs(test::epoch0 + 210 * test::second);
        EXPECT_EQ(summary(c.judge().sets.front()), "0:7 IN-PROGRESS temp_file") << name;
    }
}

TEST(OrbaxCorpus, F06_ManifestWithAWrongChecksumOrLengthIsCorrupt)
{
    const std::vector<std::pair<std::string, std::function<void(std::string &)>>> faults{
        {"checksum", [](std::string &b) { b[20] = 'X'; }},
        {"records a length", [](std::string &b) { b[4] = '\x7f'; }},
        {"records a length", [](std::string &b) { b.resize(b.size() - 1); }},
        {"records a length", [](std::string &b) { b += '\0'; }},
        {"does not begin", [](std::string &b) { b[0] = 'P'; }},
        {"too few for a", [](std::string &b) { b.resize(3); }}};
    for (const auto &[text, fault] : faults)
        for (const char *path : {"5/default/manifest.ocdbt", "5/default/ocdbt.process_1/manifest.ocdbt"}) {
            Corpus c;
            putStep(c, "5", 100);
            c.edit(path, fault);
            const CheckpointReport report = c.judge();
            ASSERT_EQ(report.sets.front().verdict, Verdict::corrupt) << text << ": " << summary(report);
            EXPECT_EQ(report.sets.front().reasons.front().code, ReasonCode("torn"));
            EXPECT_THAT(report.sets.front().reasons.front().text, HasSubstr(text));
            EXPECT_THAT(report.sets.front().reasons.front().text, HasSubstr(path + 2));
        }
}

TEST(OrbaxCorpus, F06_EmptyManifestAndCutMetadataAreCorrupt)
{
    Corpus c;
    putStep(c, "5", 100);
    c.edit("5/default/manifest.ocdbt", [](std::string &b) { b.clear(); });
    EXPECT_EQ(c.judge().sets.front().verdict, Verdict::corrupt);
    Corpus d;
    putStep(d, "5", 100);
    d.edit("5/default/_METADATA", [](std::string &b) { b.resize(10); });
    EXPECT_EQ(d.judge().sets.front().verdict, Verdict::corrupt);
}

TEST(OrbaxCorpus, MissingFilesThatMetadataNamesMakeAStepIncomplete)
{
    for (const char *path : {"5/default/manifest.ocdbt", "5/default/ocdbt.process_0/manifest.ocdbt",
                             "5/default/array_metadatas/process_0", "5/default/ocdbt.process_0/d/fedcba"}) {
        Corpus c;
        putStep(c, "5", 100);
        c.remove(path);
        EXPECT_THAT(summary(c.judge()), HasSubstr("INCOMPLETE shard_missing")) << path;
    }
}

TEST(OrbaxCorpus, ParsesStepNames)
{
    EXPECT_EQ(parseOrbaxStep("5")->globalStep, 5);
    EXPECT_EQ(parseOrbaxStep("ckpt_00012")->globalStep, 12);
    EXPECT_FALSE(parseOrbaxStep("ckpt_00012")->temporary);
    EXPECT_TRUE(parseOrbaxStep("12.orbax-checkpoint-tmp")->temporary);
    for (const char *none :
         {"default", "ocdbt.process_0", "process_1", "step-5", ".orbax-checkpoint-tmp", "5.orbax-checkpoint-tmpX"})
        EXPECT_FALSE(parseOrbaxStep(none)) << none;
}

}  // namespace
}  // namespace rankdeck::orbax_corpus_test
