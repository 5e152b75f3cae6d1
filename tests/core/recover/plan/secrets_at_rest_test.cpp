// SPDX-License-Identifier: GPL-3.0-or-later
// No action on a job writes a value of its environment to a file, and only the owner can read the files that it leaves.
#include "core/recover/actions.h"
#include "tests/testbed/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/stat.h>

namespace rankdeck::secrets_at_rest_test {
namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;

constexpr const char *planted = "planted-3f9c'7\"51";

std::vector<std::string> filesWith(const std::string &root, const std::string &text)
{
    std::vector<std::string> found;
    for (const auto &entry : fs::recursive_directory_iterator(root, fs::directory_options::skip_permission_denied)) {
        if (!entry.is_regular_file()) continue;
        std::ifstream file(entry.path(), std::ios::binary);
        const std::string bytes(std::istreambuf_iterator<char>(file), {});
        if (bytes.find(text) != std::string::npos) found.push_back(entry.path().string());
    }
    return found;
}

std::vector<std::string> openToOthers(const std::string &root)
{
    std::vector<std::string> found;
    for (const auto &entry : fs::recursive_directory_iterator(root)) {
        struct stat info {};
        if (::lstat(entry.path().c_str(), &info) == 0 && !S_ISLNK(info.st_mode) && (info.st_mode & 077) != 0)
            found.push_back(entry.path().string());
    }
    return found;
}

class SecretsAtRest : public testing::TestWithParam<std::string> {};

TEST_P(SecretsAtRest, NoActionLeavesAValueOfTheEnvironment)
{
    EngineHost host({{0, 1}}, GetParam());
    for (const char *name : {"WANDB_API_KEY", "MY_SETTING"}) host.job.launch.env[name] = planted;
    fs::create_directories(host.file("job/.rankdeck"));
    fs::permissions(host.file("job/.rankdeck"), fs::perms(0755));
    host.startFirst();
    ASSERT_EQ(runExit(host, {.waitSeconds = 60}, {}).outcome, "stopped");
    ASSERT_EQ(planResume(host, {}).outcome, "dry_run");
    const ResumeReport resumed = runResume(host, {.waitSeconds = 60}, {});
    ASSERT_EQ(resumed.outcome, "proven") << resumed.text;
    EXPECT_EQ(runKeep(host, {.set = host.view().checkpoints.recommended.value_or("")}).outcome, "kept");
    for (const char *text : {planted, "planted-3f9c"}) EXPECT_THAT(filesWith(host.file(""), text), IsEmpty()) << text;
    EXPECT_THAT(openToOthers(host.file("job/.rankdeck")), IsEmpty());
    EXPECT_EQ(fs::status(host.file("job/.rankdeck")).permissions(), fs::perms(0700));
}
INSTANTIATE_TEST_SUITE_P(Recipes, SecretsAtRest, testing::Values("command", "msrun"),
                         [](const auto &one) { return one.param; });

}  // namespace
}  // namespace rankdeck::secrets_at_rest_test
