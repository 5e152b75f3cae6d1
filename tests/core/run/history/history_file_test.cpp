// SPDX-License-Identifier: GPL-3.0-or-later
// The file of a history: written by a newer version, damaged, used by another console, or killed during a write.
#include "core/run/history/database.h"
#include "tests/core/run/history/history_fixture.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace rankdeck::history_file_test {
namespace {

using namespace std::chrono_literals;

TEST_F(HistoryTest, RefusesANewerSchemaAndDoesNotTouchTheFile)
{
    std::string path;
    {
        const std::unique_ptr<History> history = open();
        path = history->path();
    }
    ASSERT_TRUE((*Database::open(path, false))->execute("PRAGMA user_version = 99").has_value());
    const Result<std::unique_ptr<History>> history = History::open(m_directory, "lenet");
    ASSERT_FALSE(history.has_value());
    EXPECT_EQ(history.error().kind, ErrorKind::unsupported);
    EXPECT_NE(history.error().message.find("newer version (schema 99, this version knows 1)"), std::string::npos);
    EXPECT_TRUE(std::filesystem::exists(path));
}

TEST_F(HistoryTest, BacksUpAndReportsADamagedFile)
{
    std::vector<LogPosition> positions;
    std::string path;
    {
        Story run(10);
        const std::unique_ptr<History> history = openAndLoad(run, positions);
        path = history->path();
        run.beginAttempt(start);
        run.add(0, 0, steps(1, 1, 5000), start);
        ASSERT_TRUE(history->flush(run, {}).has_value());
    }
    {
        std::ofstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        file << std::string(8192, '\x5a');
    }
    Story run(10);
    const std::unique_ptr<History> history = openAndLoad(run, positions);
    EXPECT_NE(history->note().find(".damaged-1"), std::string::npos) << history->note();
    EXPECT_TRUE(std::filesystem::exists(path + ".damaged-1"));
    EXPECT_EQ(run.sampleCount(), 0u);
    run.beginAttempt(start);
    run.add(0, 0, steps(1, 1, 5), start);
    EXPECT_TRUE(history->flush(run, {}).has_value());
}

TEST_F(HistoryTest, SkipsARowThatContainsNoSamples)
{
    std::vector<LogPosition> positions;
    std::string path;
    {
        Story run(100000);
        const std::unique_ptr<History> history = openAndLoad(run, positions);
        path = history->path();
        run.beginAttempt(start);
        run.add(0, 0, steps(1, 1, 1500), start);
        ASSERT_TRUE(history->flush(run, {}).has_value());
    }
    ASSERT_TRUE(
        (*Database::open(path, false))->execute("UPDATE samples SET data = x'ff01' WHERE first = 512").has_value());
    Story run(100000);
    const std::unique_ptr<History> history = openAndLoad(run, positions);
    EXPECT_EQ(run.sampleCount(), 988u);
    EXPECT_NE(history->note().find("1 rows"), std::string::npos);
    run.add(0, 0, steps(1, 1501, 1502), start);
    ASSERT_TRUE(history->flush(run, {}).has_value());
}

TEST_F(HistoryTest, SecondConsoleReadsAndDoesNotWrite)
{
    std::vector<LogPosition> positions;
    Story run(10);
    const std::unique_ptr<History> first = openAndLoad(run, positions);
    run.beginAttempt(start);
    run.add(0, 0, steps(1, 1, 5), start);
    ASSERT_TRUE(first->flush(run, {}).has_value());
    Story other(10);
    const std::unique_ptr<History> second = openAndLoad(other, positions);
    EXPECT_FALSE(first->readOnly());
    EXPECT_TRUE(second->readOnly());
    EXPECT_EQ(other.sampleCount(), 5u);
    EXPECT_EQ(second->flush(other, {}).error().kind, ErrorKind::conflict);
    EXPECT_EQ(second->putReport("x").error().kind, ErrorKind::conflict);
}

TEST_F(HistoryTest, MustBeLoadedBeforeItIsWritten)
{
    const std::unique_ptr<History> history = open();
    const Story run;
    EXPECT_FALSE(history->flush(run, {}).has_value());
}

TEST_F(HistoryTest, ListsHistoriesByTheirJobs)
{
    EXPECT_TRUE(listHistories(m_directory).empty());
    open("lenet");
    open("../../etc/пасс word");
    const std::vector<HistoryEntry> entries = listHistories(m_directory);
    ASSERT_EQ(entries.size(), 2u);
    std::vector<std::string> names{entries[0].jobName, entries[1].jobName};
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"../../etc/пасс word", "lenet"}));
    for (const HistoryEntry &entry : entries)
        EXPECT_EQ(std::filesystem::path(entry.path).parent_path(), m_directory + "/history");
}

TEST_F(HistoryTest, SeparatesTwoJobsOfOneNameInTwoFiles)
{
    std::filesystem::create_directories(m_directory + "/a");
    const auto of = [this](const std::string &file) { return (*History::open(m_directory, "lenet", file))->path(); };
    const std::string first = of(m_directory + "/a/lenet.json");
    EXPECT_NE(of(m_directory + "/lenet.json"), first);
    EXPECT_EQ(of(m_directory + "/a/../a/lenet.json"), first);
    std::vector<std::string> files;
    for (const HistoryEntry &entry : listHistories(m_directory)) {
        EXPECT_EQ(entry.jobName, "lenet");
        files.push_back(entry.jobFile);
    }
    std::sort(files.begin(), files.end());
    EXPECT_EQ(files, (std::vector<std::string>{m_directory + "/a/lenet.json", m_directory + "/lenet.json"}));
}

TEST_F(HistoryTest, ReportsADirectoryThatCannotBeCreated)
{
    std::ofstream(m_directory + "/file") << "x";
    const Result<std::unique_ptr<History>> history = History::open(m_directory + "/file", "lenet");
    ASSERT_FALSE(history.has_value());
    EXPECT_NE(history.error().message.find(m_directory), std::string::npos);
}

[[noreturn]] void writeUntilKilled(const std::string &directory, int acknowledge)
{
    Result<std::unique_ptr<History>> history = History::open(directory, "lenet");
    Story run(1000000);
    std::vector<LogPosition> positions;
    if (!history || !(*history)->load(run, positions)) _exit(2);
    if (run.currentAttempt() < 0) run.beginAttempt(start);
    std::int64_t step = static_cast<std::int64_t>(run.sampleCount());
    for (;;) {
        run.add(0, 0, steps(1, step + 1, step + 97), start + step * 1s);
        step += 97;
        LogPosition position;
        position.rank = 0;
        position.path = "log";
        position.resume.offset = static_cast<std::uint64_t>(step);
        if (!(*history)->flush(run, {position})) _exit(3);
        if (write(acknowledge, &step, sizeof step) != sizeof step) _exit(4);
    }
}

// Acknowledged data is complete, no data is torn, and the log position matches the samples.
TEST_F(HistoryTest, SurvivesAKillDuringAFlush)
{
    std::int64_t known = 0;
    for (int round = 0; round < 6; ++round) {
        int ends[2];
        ASSERT_EQ(pipe(ends), 0);
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) writeUntilKilled(m_directory, ends[1]);
        close(ends[1]);
        std::int64_t step = 0;
        for (int flushes = 0; flushes < 20 + round * 13; ++flushes)
            if (read(ends[0], &step, sizeof step) == sizeof step) known = step;
        kill(child, SIGKILL);
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself: " << status;
        while (read(ends[0], &step, sizeof step) == sizeof step) known = step;
        close(ends[0]);

        Story run(1000000);
        std::vector<LogPosition> positions;
        const std::unique_ptr<History> history = openAndLoad(run, positions);
        EXPECT_FALSE(history->readOnly());
        EXPECT_EQ(history->note(), "");
        ASSERT_EQ(positions.size(), 1u);
        EXPECT_EQ(positions[0].resume.offset, run.sampleCount());
        EXPECT_GE(run.sampleCount(), static_cast<std::uint64_t>(known));
        const std::vector<PlacedSample> samples = run.series(0, 0)->samples(0, 1000000000);
        for (std::size_t i = 0; i < samples.size(); ++i) ASSERT_EQ(samples[i].step, static_cast<std::int64_t>(i) + 1);
    }
    EXPECT_GT(known, 0);
}

}  // namespace
}  // namespace rankdeck::history_file_test
