// SPDX-License-Identifier: GPL-3.0-or-later
// A directory that is looked at once, through the real probe: what one dead save among the others must not hide.
#include "core/engine/checkpoints/offline_check.h"

#include "tests/core/node/node_fixture.h"
#include "tests/testbed/paths.h"

#include <gtest/gtest.h>

namespace rankdeck {
namespace {

namespace fs = std::filesystem;

class OfflineCheckTest : public NodeFixture {
protected:
    void save(const std::string &sample, const std::string &as)
    {
        fs::copy(testData() + "/torch/dcp/" + sample, fs::path(path(as)), fs::copy_options::recursive);
        // its mark is written last
        fs::last_write_time(fs::path(path(as)) / ".metadata", fs::file_time_type::clock::now());
    }
    CheckpointReport judged()
    {
        const Result<CheckpointReport> report = judgeDirectory(*node, folder, 0, [] { return false; });
        EXPECT_TRUE(report.ok());
        return report.ok() ? *report : CheckpointReport{};
    }
};

TEST_F(OfflineCheckTest, OneDeadSaveHidesNoOtherSet)
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

}  // namespace
}  // namespace rankdeck
