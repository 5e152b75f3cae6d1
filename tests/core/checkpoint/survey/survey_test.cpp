// SPDX-License-Identifier: GPL-3.0-or-later
// The survey against the real probe over a local pipe: the files that it reads, and those that it never reads twice.
#include "core/checkpoint/inventory/inventory.h"
#include "core/checkpoint/survey/survey.h"
#include "tests/core/checkpoint/local_files.h"
#include "tests/core/node/node_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace rankdeck::survey_test {
namespace {

using test::data;
using testing::HasSubstr;

class SurveyTest : public NodeFixture {
protected:
    void SetUp() override
    {
        NodeFixture::SetUp();
        job.nodes = {{"n0", "local", {}}};
        job.checkpoints.path = folder;
        for (int rank = 0; rank < 4; ++rank)
            for (const char *name : {"lenet-1_5.ckpt", "lenet-1_10.ckpt"}) {
                const std::string in = "rank_" + std::to_string(rank) + "/" + name;
                put(in, data("mindspore/dp4/2.7.0/sigkill/" + in));
            }
    }
    void put(const std::string &name, const std::string &bytes)
    {
        std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
        std::filesystem::remove(path(name));
        std::ofstream(path(name), std::ios::binary) << bytes;
    }
    std::vector<Member> list()
    {
        auto listed = node->list(checkpointRoots(job, job.nodes[0]).front()).get();
        EXPECT_TRUE(listed.has_value());
        return buildInventory(job, {{"n0", *listed}}).members;
    }
    Member member(const std::string &name)
    {
        for (const Member &m : list())
            if (m.file.path == path(name)) return m;
        ADD_FAILURE() << name << " is not listed";
        return {};
    }
    Survey survey{[this](const std::string &name) -> NodeClient * { return name == "n0" ? node.get() : nullptr; }};
    Job job;
};

TEST_F(SurveyTest, ReadsAllFilesInTwoRoundTripsAndNeverAgain)
{
    connect();
    const std::vector<Member> members = list();
    ASSERT_EQ(members.size(), 8u);
    EXPECT_EQ(survey.known(members[0])->level, EvidenceLevel::L0);
    const std::vector<Evidence> evidence = survey.read(members, EvidenceLevel::L3);
    for (const Evidence &e : evidence) {
        EXPECT_EQ(e.complete, true) << e.path;
        EXPECT_EQ(e.level, EvidenceLevel::L3);
        EXPECT_EQ(e.number("epoch_num"), 1);
    }
    EXPECT_EQ(survey.roundTrips(), 2u);
    EXPECT_GT(survey.bytesRead(), 0u);
    const std::uint64_t bytes = survey.bytesRead();
    EXPECT_EQ(survey.read(list(), EvidenceLevel::L3).size(), 8u);
    EXPECT_EQ(survey.bytesRead(), bytes);
    EXPECT_EQ(survey.roundTrips(), 2u);
    EXPECT_EQ(survey.known(members[3])->level, EvidenceLevel::L3);
}

// The second listing and judgement ask the node only for the listing.
TEST_F(SurveyTest, B02_RescanWithoutChangesReadsNoContent)
{
    connect();
    survey.read(list(), EvidenceLevel::L3);
    const std::uint64_t bytes = survey.bytesRead(), trips = survey.roundTrips();
    EXPECT_GT(bytes, 0u);
    for (int again = 0; again < 3; ++again)
        for (const Evidence &e : survey.read(list(), EvidenceLevel::L3)) EXPECT_EQ(e.level, EvidenceLevel::L3);
    EXPECT_EQ(survey.bytesRead(), bytes);
    EXPECT_EQ(survey.roundTrips(), trips);
    put("rank_3/lenet-1_10.ckpt", data("mindspore/dp4/2.7.0/sigkill/rank_3/lenet-1_10.ckpt"));
    survey.read(list(), EvidenceLevel::L3);
    EXPECT_GT(survey.bytesRead(), bytes);
    EXPECT_LT(survey.bytesRead() - bytes, bytes / 4);  // read from one file in eight
}

TEST_F(SurveyTest, FilesWithEqualMetadataShareOneCopy)
{
    connect();
    survey.read(list(), EvidenceLevel::L3);
    const EvidencePtr a = survey.known(member("rank_0/lenet-1_10.ckpt"));
    const EvidencePtr b = survey.known(member("rank_1/lenet-1_10.ckpt"));
    const EvidencePtr other = survey.known(member("rank_1/lenet-1_5.ckpt"));
    ASSERT_FALSE(a->meta.empty());
    EXPECT_EQ(a->meta.all(), b->meta.all());
    EXPECT_TRUE(a->meta.shares(b->meta));
    EXPECT_FALSE(a->meta.shares(other->meta));
    Evidence changed = *a;
    changed.meta["step_num"] = "7";  // from here on, a separate copy
    EXPECT_NE(changed.meta.at("step_num"), a->meta.at("step_num"));
    EXPECT_EQ(a->meta.all(), b->meta.all());
}

TEST_F(SurveyTest, RereadsOnlyChangedFiles)
{
    connect();
    survey.read(list(), EvidenceLevel::L3);
    put("rank_2/lenet-1_10.ckpt", data("mindspore/dp4/2.7.0/sigkill/rank_2/lenet-1_10.ckpt").substr(0, 1000));
    const std::uint64_t before = survey.bytesRead();
    const std::vector<Member> members = list();
    EXPECT_EQ(survey.known(member("rank_2/lenet-1_10.ckpt"))->level, EvidenceLevel::L0);
    survey.read(members, EvidenceLevel::L3);
    EXPECT_LT(survey.bytesRead() - before, 5000u);
    const Evidence torn = *survey.known(member("rank_2/lenet-1_10.ckpt"));
    EXPECT_EQ(torn.complete, false);
    EXPECT_THAT(torn.problems.front().text, HasSubstr("are missing"));
}

TEST_F(SurveyTest, ChmodDoesNotCountAsAChange)
{
    connect();
    survey.read(list(), EvidenceLevel::L3);
    std::filesystem::permissions(path("rank_0/lenet-1_10.ckpt"), std::filesystem::perms::owner_read);
    EXPECT_EQ(survey.known(member("rank_0/lenet-1_10.ckpt"))->level, EvidenceLevel::L3);
}

TEST_F(SurveyTest, FileThatGrewAfterItsListingProvesNothing)
{
    connect();
    const Member listed = member("rank_1/lenet-1_10.ckpt");
    std::ofstream(path("rank_1/lenet-1_10.ckpt"), std::ios::binary | std::ios::app) << "more";
    const Evidence e = survey.read({listed}, EvidenceLevel::L3).front();
    EXPECT_EQ(e.level, EvidenceLevel::L0);
    EXPECT_EQ(e.problems.front().code, ReasonCode("still_growing"));
}

TEST_F(SurveyTest, ReportsARemovedFile)
{
    connect();
    const Member listed = member("rank_1/lenet-1_10.ckpt");
    std::filesystem::remove(listed.file.path);
    const Evidence e = survey.read({listed}, EvidenceLevel::L3).front();
    EXPECT_EQ(e.level, EvidenceLevel::L0);
    EXPECT_EQ(e.problems.front().code, ReasonCode("unreadable"));
    EXPECT_THAT(e.problems.front().text, HasSubstr("No such file"));
}

// More paths than one request may contain.
TEST_F(SurveyTest, FilesWithLongPathsAreReadInSeveralRequests)
{
    connect();
    std::string deep = path("rank_0");
    while (deep.size() < 3800) deep += "/" + std::string(200, 'd');
    std::vector<Member> many(5000, member("rank_0/lenet-1_5.ckpt"));
    for (std::size_t i = 0; i < many.size(); ++i) many[i].file.path = deep + "/lenet-1_" + std::to_string(i) + ".ckpt";
    for (const Evidence &evidence : survey.read(many, EvidenceLevel::L3)) {
        ASSERT_FALSE(evidence.problems.empty());
        ASSERT_EQ(evidence.problems.front().code, ReasonCode("unreadable")) << evidence.problems.front().text;
    }
}

TEST_F(SurveyTest, ReportsAMissingNodeAsUnreachable)
{
    connect();
    Member elsewhere = member("rank_1/lenet-1_10.ckpt");
    elsewhere.node = "n9";
    const Evidence e = survey.read({elsewhere}, EvidenceLevel::L3).front();
    EXPECT_EQ(e.problems.front().code, ReasonCode("unreachable"));
    EXPECT_THAT(e.problems.front().text, HasSubstr("n9"));
    EXPECT_EQ(survey.known(elsewhere)->problems.front().code, ReasonCode("unreachable"));
}

TEST_F(SurveyTest, StopsReadingWhenCancelled)
{
    connect();
    const std::vector<Evidence> evidence = survey.read(list(), EvidenceLevel::L3, [] { return true; });
    EXPECT_EQ(evidence.size(), 8u);
    EXPECT_EQ(evidence.front().level, EvidenceLevel::L0);
}

TEST_F(SurveyTest, F12_ComparesEveryByteWithTheCrcTrailer)
{
    const std::string good = data("mindspore/ckpt/2.7.0/crc/rank_0/lenet-1_10.ckpt");
    put("rank_0/lenet-2_5.ckpt", good);
    std::string bad = good;
    bad[400] = static_cast<char>(bad[400] ^ 1);
    put("rank_1/lenet-2_5.ckpt", bad);
    connect();
    const auto ok = survey.readEveryByte(member("rank_0/lenet-2_5.ckpt"));
    ASSERT_TRUE(ok.has_value()) << ok.error().message;
    EXPECT_EQ(ok->crc, Evidence::Crc::ok);
    EXPECT_EQ(ok->level, EvidenceLevel::L4);
    const auto torn = survey.readEveryByte(member("rank_1/lenet-2_5.ckpt"));
    ASSERT_TRUE(torn.has_value());
    EXPECT_EQ(torn->crc, Evidence::Crc::bad);
    EXPECT_EQ(torn->complete, false);
    EXPECT_EQ(torn->problems.front().code, ReasonCode("crc_bad"));
    EXPECT_EQ(survey.known(member("rank_1/lenet-2_5.ckpt"))->crc, Evidence::Crc::bad);
    const auto plain = survey.readEveryByte(member("rank_2/lenet-1_10.ckpt"));
    ASSERT_TRUE(plain.has_value());
    EXPECT_EQ(plain->crc, Evidence::Crc::absent);
    EXPECT_EQ(plain->meta.at("sha256").size(), 64u);
    EXPECT_EQ(plain->level, EvidenceLevel::L4);
}

// A record that the sample of level 3 does not read; torch.load itself would load it without an error.
TEST_F(SurveyTest, ComparesEveryRecordOfATorchZipWithItsCrc)
{
    const std::string good = data("torch/torn/complete-64x4KiB.pt");
    std::string flipped = good, off = good;
    const std::size_t middle = good.size() / 2;
    flipped[middle] = static_cast<char>(flipped[middle] ^ 1);
    const std::string entryMark("PK\x01\x02", 4);
    for (std::size_t at = off.find(entryMark); at != std::string::npos; at = off.find(entryMark, at + 4))
        off[at + 16] = static_cast<char>(off[at + 16] ^ 1);
    put("rank_0/model.pt", good);
    put("rank_1/model.pt", flipped);
    put("rank_2/model.pt", off);
    connect();
    const auto ok = survey.readEveryByte(member("rank_0/model.pt"));
    ASSERT_TRUE(ok.has_value()) << ok.error().message;
    EXPECT_EQ(ok->crc, Evidence::Crc::ok);
    EXPECT_EQ(ok->level, EvidenceLevel::L4);
    EXPECT_EQ(survey.read({member("rank_1/model.pt")}, EvidenceLevel::L3).front().complete, true);
    const auto bad = survey.readEveryByte(member("rank_1/model.pt"));
    ASSERT_TRUE(bad.has_value()) << bad.error().message;
    EXPECT_EQ(bad->complete, false);
    EXPECT_EQ(bad->crc, Evidence::Crc::bad);
    ASSERT_FALSE(bad->problems.empty());
    EXPECT_EQ(bad->problems.front().code, ReasonCode("crc_bad"));
    EXPECT_THAT(bad->problems.front().text, HasSubstr("the record '"));
    // A writer whose checksums are switched off has not damaged anything.
    const auto untold = survey.readEveryByte(member("rank_2/model.pt"));
    ASSERT_TRUE(untold.has_value()) << untold.error().message;
    EXPECT_EQ(untold->complete, true);
    EXPECT_EQ(untold->crc, Evidence::Crc::absent);
    EXPECT_EQ(std::count_if(untold->problems.begin(), untold->problems.end(),
                            [](const Problem &problem) { return problem.code == "crc_off"; }),
              1);
}

}  // namespace
}  // namespace rankdeck::survey_test
