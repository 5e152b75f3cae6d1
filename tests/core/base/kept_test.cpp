// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testbed/kept.h"
#include "tests/testbed/program.h"
#include "tests/testbed/temp_dir.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

namespace rankdeck::kept_test {
namespace {

constexpr const char *failure = "RANKDECK_KEPT_TEST_FAILS";

// Passes normally. The test below starts it a second time and lets it fail.
TEST(Kept, PassesUnlessAFailureIsRequested)
{
    const TempDir directory;
    directory.write("node/sshd.log", "Server listening\n");
    directory.write("node/host_key", "-----BEGIN OPENSSH PRIVATE KEY-----\nsecret\n");
    directory.write("node/host_key.pub", "public");
    directory.write("rank.log", std::string(1 << 20, 'a') + "the end");
    std::filesystem::create_symlink("/etc/passwd", directory.file("link"));
    EXPECT_EQ(std::getenv(failure), nullptr) << "on purpose";
}

std::vector<std::string> run(const TempDir &kept, const std::string &environment)
{
    const std::string self = std::filesystem::read_symlink("/proc/self/exe");
    runProgram({"env", "RANKDECK_KEEP=" + kept.path(), environment, self,
                "--gtest_filter=Kept.PassesUnlessAFailureIsRequested"});
    std::vector<std::string> files;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(kept.path()))
        if (entry.is_regular_file()) files.push_back(entry.path().filename());
    std::sort(files.begin(), files.end());
    return files;
}

TEST(Kept, FailedTestKeepsItsLogsButNoKeys)
{
    const TempDir kept;
    EXPECT_EQ(run(kept, std::string(failure) + "=1"),
              (std::vector<std::string>{"host_key.pub", "rank.log", "sshd.log"}));
    for (const auto &entry : std::filesystem::recursive_directory_iterator(kept.path()))
        EXPECT_LE(entry.is_regular_file() ? entry.file_size() : 0, std::size_t(1) << 20) << entry.path();
}

TEST(Kept, PassedTestLeavesNoFiles)
{
    const TempDir kept;
    EXPECT_TRUE(run(kept, "HARMLESS=1").empty());
}

}  // namespace
}  // namespace rankdeck::kept_test
