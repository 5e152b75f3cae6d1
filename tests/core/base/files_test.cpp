// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "tests/testbed/temp_dir.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck::files_test {
namespace {

class Files : public testing::Test {
protected:
    const TempDir m_temporary;
    const std::string m_directory = m_temporary.path();
};

TEST_F(Files, DoesNotFollowALinkAtThePathOfATemporaryFile)
{
    const std::string own = m_directory + "/own", victim = m_directory + "/victim";
    ASSERT_TRUE(writeLocalFileAtomically(victim, "theirs").has_value());
    ASSERT_EQ(::symlink(victim.c_str(), (own + ".tmp-" + std::to_string(::getpid())).c_str()), 0);
    EXPECT_TRUE(writeLocalFileAtomically(own, "ours").has_value());
    EXPECT_EQ(*readLocalFile(victim), "theirs");
    EXPECT_EQ(*readLocalFile(own), "ours");
}

TEST_F(Files, ReadsBackWrittenTextWithItsMode)
{
    const std::string path = m_directory + "/a.json";
    ASSERT_TRUE(writeLocalFileAtomically(path, "one").has_value());
    ASSERT_TRUE(writeLocalFileAtomically(path, "two", 0640).has_value());
    EXPECT_EQ(*readLocalFile(path), "two");
    struct stat info {};
    ASSERT_EQ(::stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 07777, 0640u);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(m_directory), {}), 1) << "no temporary is left";
}

TEST_F(Files, ErrorsHaveAKindAndAReason)
{
    EXPECT_EQ(readLocalFile(m_directory + "/none").error().kind, ErrorKind::notFound);
    EXPECT_EQ(readLocalFile(m_directory).error().kind, ErrorKind::invalid);
    ASSERT_TRUE(writeLocalFileAtomically(m_directory + "/big", std::string(100, 'x')).has_value());
    EXPECT_EQ(readLocalFile(m_directory + "/big", 10).error().kind, ErrorKind::invalid);
    EXPECT_EQ(writeLocalFileAtomically(m_directory + "/none/x", "x").error().kind, ErrorKind::notFound);
    EXPECT_EQ(writeLocalFileAtomically("/dev/full/x", "x").error().kind, ErrorKind::notFound);
}

TEST_F(Files, UsesTheLoginHomeForTheStateIfHomeIsUnset)
{
    const char *home = std::getenv("HOME"), *state = std::getenv("XDG_STATE_HOME");
    const std::string keptHome = home ? home : "", keptState = state ? state : "";
    ::unsetenv("HOME");
    ::unsetenv("XDG_STATE_HOME");
    EXPECT_EQ(defaultStateDirectory().find("/tmp"), std::string::npos) << defaultStateDirectory();
    if (home) ::setenv("HOME", keptHome.c_str(), 1);
    if (state) ::setenv("XDG_STATE_HOME", keptState.c_str(), 1);
}

TEST_F(Files, CreatesDirectoriesWithPrivateModes)
{
    ASSERT_TRUE(makeLocalDirectories(m_directory + "/x/y/z").has_value());
    struct stat info {};
    ASSERT_EQ(::stat((m_directory + "/x/y").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0700u);
    EXPECT_TRUE(makeLocalDirectories(m_directory + "/x/y/z").has_value());
}

TEST_F(Files, MakesTheStateDirectoryPrivateWhateverItsModesWere)
{
    namespace fs = std::filesystem;
    const std::string state = m_directory + "/state";
    fs::create_directories(state + "/history");
    for (const char *name : {"/journal.jsonl", "/history/lenet.sqlite"}) std::ofstream(state + name) << "x";
    fs::create_symlink(m_directory, state + "/link");
    for (const auto &entry : fs::recursive_directory_iterator(state))
        if (!entry.is_symlink()) fs::permissions(entry.path(), fs::perms(entry.is_directory() ? 0755 : 0644));
    fs::permissions(state, fs::perms(0755));
    ASSERT_TRUE(makeStateDirectory(state).has_value());
    EXPECT_EQ(fs::status(state).permissions(), fs::perms(0700));
    EXPECT_EQ(fs::status(state + "/history").permissions(), fs::perms(0700));
    EXPECT_EQ(fs::status(state + "/history/lenet.sqlite").permissions(), fs::perms(0600));
    EXPECT_EQ(fs::status(state + "/journal.jsonl").permissions(), fs::perms(0600));
    fs::permissions(m_directory, fs::perms(01777));
    ASSERT_TRUE(makeStateDirectory(m_directory).has_value()) << "as /tmp is";
    EXPECT_EQ(fs::status(m_directory).permissions(), fs::perms(01777));
    fs::permissions(m_directory, fs::perms(0700));
}

}  // namespace
}  // namespace rankdeck::files_test
