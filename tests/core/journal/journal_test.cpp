// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/journal.h"
#include "tests/testbed/temp_dir.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <set>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace rankdeck::journal_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

JournalEntry entry(const std::string &action, const std::string &state, const std::string &job = "lenet")
{
    return {.action = action, .job = job, .kind = "exit", .state = state, .text = "as seen"};
}

std::unique_ptr<Journal> opened(const TempDir &dir)
{
    auto journal = Journal::open(dir.file("state"));
    EXPECT_TRUE(journal.has_value());
    return std::move(journal.value());
}

void appendRaw(const TempDir &dir, const std::string &bytes)
{
    std::ofstream(dir.file("state/journal.jsonl"), std::ios::binary | std::ios::app) << bytes;
}

TEST(Journal, RecordsActionsWithUserHostTimeAndData)
{
    const TempDir dir;
    const auto journal = opened(dir);
    JournalEntry written = entry("exit-1", "armed");
    written.data = R"({"before":"{}","n":[1,2]})";
    written.text = message("%1 as seen", message("rank %1", 3));
    ASSERT_TRUE(journal->append(written).has_value());
    const auto read = opened(dir)->read("lenet");
    ASSERT_TRUE(read.has_value());
    ASSERT_THAT(read.value(), SizeIs(1));
    const JournalEntry &found = read->front();
    EXPECT_EQ(found.action, "exit-1");
    EXPECT_EQ(found.state, "armed");
    EXPECT_EQ(found.text, "rank 3 as seen");
    EXPECT_EQ(found.text.format(), "%1 as seen") << "the window translates it";
    EXPECT_EQ(found.data, R"({"before":"{}","n":[1,2]})");
    EXPECT_FALSE(found.user.empty());
    EXPECT_FALSE(found.host.empty());
    EXPECT_EQ(found.pid, ::getpid());
    EXPECT_GT(found.time, WallTime{});
}

TEST(Journal, SeparatesJobsOfOneNameByTheirFiles)
{
    const TempDir dir;
    const auto journal = opened(dir);
    const std::string mine = dir.file("a.rankdeck.json"), other = dir.file("b.rankdeck.json");
    JournalEntry first = entry("exit-1", "armed"), second = entry("exit-2", "armed");
    first.file = dir.file("./state/../a.rankdeck.json");  // the same file by another name
    second.file = other;
    ASSERT_TRUE(journal->append(first).has_value());
    ASSERT_TRUE(journal->append(second).has_value());
    ASSERT_TRUE(
        journal->append(entry("exit-0", "armed")).has_value());  // written by a version without files: counts for both
    const auto actions = [&](const std::string &file) {
        std::vector<std::string> list;
        const auto unfinished = journal->unfinished("lenet", file);
        for (const JournalEntry &last : unfinished.value()) list.push_back(last.action);
        return list;
    };
    EXPECT_THAT(actions(mine), ::testing::ElementsAre("exit-1", "exit-0"));
    EXPECT_THAT(actions(other), ::testing::ElementsAre("exit-2", "exit-0"));
    EXPECT_THAT(actions({}), SizeIs(3));
    EXPECT_EQ(journal->read("lenet", mine)->front().file, mine);
}

TEST(Journal, IsReadableByItsOwnerOnly)
{
    const TempDir dir;
    ASSERT_TRUE(opened(dir)->append(entry("exit-1", "planned")).has_value());
    struct stat stat {};
    ASSERT_EQ(::stat(dir.file("state/journal.jsonl").c_str(), &stat), 0);
    EXPECT_EQ(stat.st_mode & 0777u, 0600u);
}

TEST(Journal, SkipsATornLastLineWithAWarning)
{
    const TempDir dir;
    const auto journal = opened(dir);
    ASSERT_TRUE(journal->append(entry("exit-1", "planned")).has_value());
    appendRaw(dir, R"({"journal":1,"time":"2026-11-21T03:12:07+08:00","acti)");
    const auto read = journal->read();
    ASSERT_TRUE(read.has_value());
    EXPECT_THAT(read.value(), SizeIs(1));
    ASSERT_THAT(journal->warnings(), SizeIs(1));
    EXPECT_THAT(journal->warnings().front(), HasSubstr("line 2"));
}

TEST(Journal, AppendsAfterATornLine)
{
    const TempDir dir;
    const auto journal = opened(dir);
    appendRaw(dir, R"({"journal":1,"ti)");
    ASSERT_TRUE(journal->append(entry("exit-2", "planned")).has_value());
    const auto read = journal->read();
    ASSERT_TRUE(read.has_value());
    ASSERT_THAT(read.value(), SizeIs(1));
    EXPECT_EQ(read->front().action, "exit-2");
}

// Regression: such entries were skipped, so that an exit armed by a newer console was ignored.
TEST(Journal, TreatsEntriesOfANewerVersionAsPossiblyUnfinished)
{
    const TempDir dir;
    const auto journal = opened(dir);
    ASSERT_TRUE(journal->append(entry("exit-1", "stopped")).has_value());
    for (const char *number : {"2", "4294967297", "18446744073709551615"}) {
        appendRaw(dir, R"({"journal":)" + std::string(number) +
                           R"(,"job":"lenet","when":"another way to say it"})"
                           "\n");
        EXPECT_THAT(journal->read("lenet").value(), SizeIs(1)) << "what is understood is shown";
        ASSERT_FALSE(journal->warnings().empty());
        EXPECT_THAT(journal->warnings().back(), HasSubstr("newer version"));
        const auto open = journal->unfinished("lenet");
        ASSERT_FALSE(open.has_value());
        EXPECT_EQ(open.error().kind, ErrorKind::unsupported);
        EXPECT_THAT(open.error().message, testing::AllOf(HasSubstr(journal->path()), HasSubstr("newer version")));
    }
    EXPECT_THAT(journal->unfinished("lenet").error().message, HasSubstr("line 4"));
}

TEST(Journal, NewerEntryOfAnotherJobDoesNotBlock)
{
    const TempDir dir;
    const auto journal = opened(dir);
    const std::string mine = dir.file("a.rankdeck.json"), other = dir.file("b.rankdeck.json");
    appendRaw(dir, R"({"journal":2,"job":"another"})"
                   "\n"
                   R"({"journal":2,"job":"lenet","file":")" +
                       other + "\"}\n");
    EXPECT_TRUE(journal->unfinished("lenet", mine).has_value());
    EXPECT_FALSE(journal->unfinished("lenet", other).has_value());
    appendRaw(dir, R"({"journal":2,"what":"says no job"})"
                   "\n");
    EXPECT_FALSE(journal->unfinished("lenet", mine).has_value()) << "it may be of this one";
}

TEST(Journal, IgnoresEntriesWithAnInvalidVersion)
{
    const TempDir dir;
    const auto journal = opened(dir);
    for (const char *number : {"0", "-1", "1.5", "true", "\"1\""})
        appendRaw(dir, R"({"journal":)" + std::string(number) +
                           R"(,"time":"2026-11-21T03:12:07Z","action":"exit-1","job":"lenet","state":"armed"})"
                           "\n");
    EXPECT_THAT(journal->unfinished("lenet").value(), IsEmpty());
    EXPECT_THAT(journal->warnings(), SizeIs(5));
}

TEST(Journal, AcceptsBytesThatAreNotText)
{
    const TempDir dir;
    const auto journal = opened(dir);
    JournalEntry odd = entry("exit-1", "planned");
    odd.text = "path \xff\xfe \x1b[2J\n";
    odd.data = "not json \xff";
    ASSERT_TRUE(journal->append(odd).has_value());
    const auto read = journal->read();
    ASSERT_TRUE(read.has_value());
    ASSERT_THAT(read.value(), SizeIs(1));
    EXPECT_THAT(read->front().data, HasSubstr("not json"));
}

TEST(Journal, KeepsJobsApart)
{
    const TempDir dir;
    const auto journal = opened(dir);
    ASSERT_TRUE(journal->append(entry("exit-1", "planned", "a")).has_value());
    ASSERT_TRUE(journal->append(entry("exit-2", "planned", "b")).has_value());
    EXPECT_THAT(journal->read("a").value(), SizeIs(1));
    EXPECT_THAT(journal->read().value(), SizeIs(2));
    EXPECT_THAT(journal->ofAction("exit-2").value(), SizeIs(1));
}

TEST(Journal, ReturnsTheLastEntryOfEachUnfinishedAction)
{
    const TempDir dir;
    const auto journal = opened(dir);
    for (const char *state : {"planned", "armed", "stopped"})
        ASSERT_TRUE(journal->append(entry("exit-1", state)).has_value());
    for (const char *state : {"planned", "arming", "armed"})
        ASSERT_TRUE(journal->append(entry("exit-2", state)).has_value());
    ASSERT_TRUE(journal->append(entry("exit-3", "planned", "other")).has_value());
    const auto unfinished = journal->unfinished("lenet");
    ASSERT_TRUE(unfinished.has_value());
    ASSERT_THAT(unfinished.value(), SizeIs(1));
    EXPECT_EQ(unfinished->front().action, "exit-2");
    EXPECT_EQ(unfinished->front().state, "armed");
}

TEST(Journal, FlagLeftAfterTheOutcomeMakesTheActionUnfinished)
{
    const TempDir dir;
    const auto journal = opened(dir);
    for (const char *state : {"planned", "stopped", "flag_left"})
        ASSERT_TRUE(journal->append(entry("exit-1", state)).has_value());
    EXPECT_THAT(journal->unfinished("lenet").value(), SizeIs(1));
}

TEST(Journal, SeveralWritersLoseAndMixNoEntries)
{
    const TempDir dir;
    constexpr int writers = 4, each = 50;
    std::vector<pid_t> children;
    opened(dir);
    for (int writer = 0; writer < writers; ++writer) {
        const pid_t child = ::fork();
        if (child == 0) {
            auto journal = Journal::open(dir.file("state"));
            bool good = journal.has_value();
            for (int i = 0; i < each && good; ++i) {
                JournalEntry line = entry("w" + std::to_string(writer) + "-" + std::to_string(i), "planned");
                line.text = std::string(3000, 'x');
                good = journal.value()->append(line).has_value();
            }
            ::_exit(good ? 0 : 1);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 0;
        ::waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    const auto journal = opened(dir);
    const auto read = journal->read();
    ASSERT_TRUE(read.has_value());
    std::set<std::string> actions;
    for (const JournalEntry &line : read.value()) actions.insert(line.action);
    EXPECT_THAT(actions, SizeIs(writers * each));
    EXPECT_THAT(journal->warnings(), IsEmpty());
}

TEST(Journal, SurvivesSigkillOfAWriter)
{
    const TempDir dir;
    opened(dir);
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        auto journal = Journal::open(dir.file("state"));
        for (int i = 0;; ++i) {
            if (!journal.has_value() ||
                !journal.value()->append(entry("k-" + std::to_string(i), "planned")).has_value())
                ::_exit(1);
            if (i == 20 && ::write(ready[1], "r", 1) != 1) ::_exit(1);
        }
    }
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(ready[0]);
    ::close(ready[1]);
    const auto journal = opened(dir);
    ASSERT_TRUE(journal->append(entry("after", "planned")).has_value());
    const auto read = journal->read();
    ASSERT_TRUE(read.has_value());
    ASSERT_GE(read->size(), 22u);
    for (std::size_t i = 0; i + 1 < read->size(); ++i) EXPECT_EQ(read.value()[i].action, "k-" + std::to_string(i));
    EXPECT_EQ(read->back().action, "after");
    EXPECT_LE(journal->warnings().size(), 1u);
    EXPECT_FALSE(journal->writerMayLive(read->front()));
}

TEST(Journal, DetectsThatAnotherConsoleMayBeRunning)
{
    const TempDir dir;
    const auto journal = opened(dir);
    int go[2];
    ASSERT_EQ(::pipe(go), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        auto own = Journal::open(dir.file("state"));
        const bool good = own.has_value() && own.value()->append(entry("other", "arming")).has_value();
        char byte = 0;
        ::close(go[1]);
        while (::read(go[0], &byte, 1) > 0) {}
        ::_exit(good ? 0 : 1);
    }
    ::close(go[0]);
    std::vector<JournalEntry> found;
    while (found.empty()) {
        found = journal->read().value();
        std::this_thread::yield();
    }
    EXPECT_TRUE(journal->writerMayLive(found.front()));
    ::close(go[1]);
    ::waitpid(child, nullptr, 0);
    EXPECT_FALSE(journal->writerMayLive(found.front()));
}

TEST(Journal, RefusesAFileThatItCannotWrite)
{
    const TempDir dir;
    const std::string blocked = dir.write("state", "a file where a directory should be");
    const auto journal = Journal::open(blocked);
    ASSERT_FALSE(journal.has_value());
    EXPECT_FALSE(journal.error().message.empty());
}

TEST(Journal, RefusesAFileThatOthersMayWrite)
{
    const TempDir dir;
    ASSERT_TRUE(opened(dir)->append(entry("exit-1", "planned")).has_value());
    ASSERT_EQ(::chmod(dir.file("state/journal.jsonl").c_str(), 0666), 0);
    EXPECT_EQ(Journal::open(dir.file("state")).error().kind, ErrorKind::permission);
    ASSERT_EQ(::chmod(dir.file("state/journal.jsonl").c_str(), 0600), 0);
    ASSERT_EQ(::chmod(dir.file("state").c_str(), 0777), 0);
    EXPECT_EQ(Journal::open(dir.file("state")).error().kind, ErrorKind::permission);
}

TEST(Journal, DoesNotFollowALinkAtItsPath)
{
    const TempDir dir;
    opened(dir);
    std::filesystem::rename(dir.file("state/journal.jsonl"), dir.file("elsewhere"));
    std::filesystem::create_symlink(dir.file("elsewhere"), dir.file("state/journal.jsonl"));
    EXPECT_FALSE(Journal::open(dir.file("state")).has_value());
}

// Regression: a journal that could not be examined counted as an empty one.
TEST(Journal, OnlyAMissingJournalCountsAsEmpty)
{
    const TempDir dir;
    const auto journal = opened(dir);
    const std::string path = dir.file("state/journal.jsonl");
    std::filesystem::remove(path);
    EXPECT_THAT(*journal->read(), IsEmpty());
    std::filesystem::create_symlink(path, path);
    EXPECT_FALSE(journal->read().has_value());
    EXPECT_FALSE(journal->unfinished("lenet").has_value());
}

TEST(Journal, RefusesToAppendToAJournalTooLargeToRead)
{
    const TempDir dir;
    auto journal = opened(dir);
    std::filesystem::resize_file(dir.file("state/journal.jsonl"), (std::uintmax_t{512} << 20) + 1);  // a hole
    EXPECT_FALSE(journal->append(entry("exit-1", "planned")).has_value());
}

TEST(Journal, WritesTheOutcomeAndTheFlagEntryTogether)
{
    const TempDir dir;
    auto journal = opened(dir);
    ASSERT_TRUE(journal->append(entry("exit-1", "planned")).has_value());
    ASSERT_TRUE(journal->appendBoth(entry("exit-1", "failed"), entry("exit-1", "flag_left")).has_value());
    const auto open = journal->unfinished("lenet");
    ASSERT_TRUE(open.has_value());
    ASSERT_EQ(open->size(), 1u);
    EXPECT_EQ(open->front().state, "flag_left");
    EXPECT_EQ(journal->ofAction("exit-1")->size(), 3u);
}

TEST(Journal, ActionIdsContainKindAndTime)
{
    const std::string id = Journal::newActionId("exit");
    EXPECT_THAT(id, ::testing::MatchesRegex("exit-[0-9]{8}-[0-9]{6}-[0-9a-f]{8}"));
}

}  // namespace
}  // namespace rankdeck::journal_test
