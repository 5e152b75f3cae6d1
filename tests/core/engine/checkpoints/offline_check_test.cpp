// SPDX-License-Identifier: GPL-3.0-or-later
// A directory that is checked once, through the real probe: one dead save must not hide the other sets.
#include "core/engine/checkpoints/offline_check.h"
#include "core/engine/checkpoints/two_looks.h"

#include "tests/core/node/node_fixture.h"
#include "tests/testbed/paths.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <thread>

namespace rankdeck::offline_check_test {
namespace {

namespace fs = std::filesystem;

class OfflineCheckTest : public NodeFixture {
protected:
    void save(const std::string &sample, const std::string &as)
    {
        fs::copy(testData() + "/torch/dcp/" + sample, fs::path(path(as)), fs::copy_options::recursive);
        // The mark is written last.
        fs::last_write_time(fs::path(path(as)) / ".metadata", fs::file_time_type::clock::now());
    }
    void writeAt(const std::string &name, int secondsAgo, const std::string &bytes = "half of it")
    {
        const fs::path file = path(name);
        fs::create_directories(file.parent_path());
        std::ofstream(file) << bytes;
        fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::seconds(secondsAgo));
    }
    CheckpointReport judged()
    {
        const Result<CheckpointReport> report = judgeDirectory(*node, folder, 0, false, [] { return false; });
        EXPECT_TRUE(report.has_value());
        return report.has_value() ? *report : CheckpointReport{};
    }
};

TEST_F(OfflineCheckTest, OneInterruptedSaveHidesNoOtherSet)
{
    save("step-100", "step-100");
    save("step-200-async", "step-200");
    save("step-300-threads2", "step-300");
    fs::remove(path("step-300/.metadata"));
    connect();
    const CheckpointReport report = judged();
    ASSERT_EQ(report.sets.size(), 3u);
    EXPECT_EQ(report.sets[0].verdict, Verdict::incomplete);
    EXPECT_EQ(report.sets[1].verdict, Verdict::valid);
    EXPECT_EQ(report.sets[2].verdict, Verdict::valid) << "the older sets are read, too";
    EXPECT_EQ(report.recommended, report.sets[1].id);
    EXPECT_TRUE(report.settled);
}

TEST_F(OfflineCheckTest, RecentTemporaryFileIsASaveInProgressAndAnOldOneIsNot)
{
    writeAt("rank_0/net-1_10.tmp", 0);
    connect();
    CheckpointReport report = judged();
    ASSERT_EQ(report.sets.size(), 1u);
    EXPECT_EQ(report.sets[0].verdict, Verdict::inProgress);
    writeAt("rank_0/net-1_10.tmp", 3600);
    report = judged();
    ASSERT_EQ(report.sets.size(), 1u);
    EXPECT_EQ(report.sets[0].verdict, Verdict::incomplete);
}

TEST_F(OfflineCheckTest, FileThatGrowsDuringTheCheckIsBeingWritten)
{
    for (const char *name : {"grows.pt", "cut.pt"}) write(path(name), "PK\x03\x04 half of it");
    connect();
    std::atomic<bool> done{false};
    std::thread writer([&] {
        for (; !done; std::this_thread::sleep_for(std::chrono::milliseconds(50))) append(path("grows.pt"), "more");
    });
    const std::vector<Result<Evidence>> found = inspectFiles(*node, {path("grows.pt"), path("cut.pt")});
    done = true;
    writer.join();
    ASSERT_EQ(found.size(), 2u);
    ASSERT_TRUE(found[0].has_value() && found[1].has_value());
    EXPECT_TRUE(found[0]->complete.isUnknown());
    ASSERT_FALSE(found[0]->problems.empty());
    EXPECT_EQ(found[0]->problems.front().code, ReasonCode("still_growing"));
    EXPECT_TRUE(found[1]->complete.isNo());
}

TEST_F(OfflineCheckTest, ReportsDirectoriesThatAreTooDeep)
{
    std::string deep;
    for (int i = 0; i < 40; ++i) deep += "a/";
    writeAt(deep + "step-100/model.pt", 60);
    connect();
    const CheckpointReport report = judged();
    EXPECT_TRUE(report.sets.empty());
    ASSERT_FALSE(report.notes.empty());
    EXPECT_NE(report.notes.front().find("not searched"), std::string::npos) << report.notes.front();
}

TEST(TwoScans, FileThatChangedBetweenScansIsBeingWritten)
{
    const WallTime now = wallFromNs(1'700'000'000'000'000'000);
    const auto inventory = [](std::uint64_t size) {
        Inventory out;
        Member member;
        member.file.path = "/c/step_1.pt";
        member.file.stat.size = size;
        out.members.push_back(std::move(member));
        return out;
    };
    Inventory same = inventory(10), grown = inventory(20), first;
    EXPECT_FALSE(markGrowing(same, inventory(10), now));
    EXPECT_FALSE(same.members[0].growing);
    EXPECT_TRUE(markGrowing(grown, inventory(10), now));
    EXPECT_TRUE(grown.members[0].growing);
    EXPECT_TRUE(markGrowing(grown, first, now)) << "it was not there";
}

}  // namespace
}  // namespace rankdeck::offline_check_test
