// SPDX-License-Identifier: GPL-3.0-or-later
// Logs behind pipes, as a shell creates them: real processes of this machine, and files that are not logs.
#include "core/base/deadline.h"
#include "core/discover/output_files.h"
#include "core/discover/traces.h"
#include "tests/core/node/node_fixture.h"
#include "tests/testbed/process_count.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <sys/wait.h>

namespace rankdeck::output_files_test {
namespace {

OpenFile opened(int number, const std::string &target, char kind = 'f', Known written = Known::yes)
{
    OpenFile file;
    file.written = written;
    file.entry.path = "/proc/1/fd/" + std::to_string(number);
    file.entry.linkTarget = target;
    file.entry.stat.kind = kind;
    return file;
}

TEST(OutputFiles, FindsTheFileBehindFilters)
{
    const OpenFiles open{
        {10, {opened(0, "/dev/null", 'o'), opened(1, "pipe:[7]", 'o'), opened(5, "/data/train.bin")}},
        {11, {opened(0, "pipe:[7]", 'o'), opened(1, "pipe:[8]", 'o'), opened(2, "/job/errors.log")}},
        {12, {opened(0, "pipe:[8]", 'o'), opened(1, "/dev/pts/0", 'o'), opened(3, "/job/train.log")}},
        {13, {opened(0, "pipe:[9]", 'o'), opened(1, "/job/other.log")}},
    };
    EXPECT_EQ(fileBehindPipes(10, open), "/job/train.log");
    EXPECT_EQ(fileBehindPipes(12, open), "");  // prints to a terminal
    EXPECT_EQ(fileBehindPipes(14, open), "");  // no open file is visible
}

TEST(OutputFiles, IgnoresAFileThatAFilterInherited)
{
    const OpenFiles open{
        {10, {opened(1, "pipe:[7]", 'o'), opened(3, "/job/of_the_shell.txt")}},
        {11, {opened(0, "pipe:[7]", 'o'), opened(3, "/job/of_the_shell.txt"), opened(4, "/job/train.log")}}};
    EXPECT_EQ(fileBehindPipes(10, open), "/job/train.log");
}

// The rank may end before its files are examined: then only their names and numbers are known.
TEST(OutputFiles, IgnoresAnInheritedFileEvenIfItIsUnknownWhetherTheRankWritesIt)
{
    const OpenFiles open{
        {10, {opened(1, "pipe:[7]", 'o'), opened(3, "/job/of_the_shell.txt", 'f', Known::unknown)}},
        {11, {opened(0, "pipe:[7]", 'o'), opened(3, "/job/of_the_shell.txt"), opened(4, "/job/train.log")}}};
    EXPECT_EQ(fileBehindPipes(10, open), "/job/train.log");
}

TEST(OutputFiles, IgnoresFilesThatAreNotKnownToBeWritten)
{
    for (const Known written : {Known::no, Known::unknown}) {
        const OpenFiles open{{10, {opened(1, "pipe:[7]", 'o'), opened(5, "/job/old.log", 'f', written)}},
                             {11, {opened(0, "pipe:[7]", 'o'), opened(3, "/usr/lib/locale/C", 'f', written)}}};
        EXPECT_EQ(fileBehindPipes(10, open), "");
        EXPECT_EQ(ownLog(10, open), "");
    }
}

TEST(OutputFiles, FindsNoFileInACycleOfPipes)
{
    const OpenFiles open{{10, {opened(1, "pipe:[7]", 'o')}},
                         {11, {opened(0, "pipe:[7]", 'o'), opened(1, "pipe:[8]", 'o')}},
                         {12, {opened(0, "pipe:[8]", 'o'), opened(1, "pipe:[7]", 'o')}}};
    EXPECT_EQ(fileBehindPipes(10, open), "");
}

TEST(OutputFiles, DeletedFileIsNotALog)
{
    EXPECT_EQ(ownLog(10, {{10, {opened(3, "/job/old.log (deleted)"), opened(4, "/job/own.log")}}}), "/job/own.log");
}

TEST(OutputFiles, ReadsTheAccessModeFromFdinfo)
{
    EXPECT_EQ(isOpenForWriting("pos:\t0\nflags:\t0100000\nmnt_id:\t29\n"), Known::no);
    EXPECT_EQ(isOpenForWriting("pos:\t0\nflags:\t02100001\nmnt_id:\t29\n"), Known::yes);
    EXPECT_EQ(isOpenForWriting("pos:\t10\nflags:\t0102002\n"), Known::yes);
    for (const char *other : {"", "pos:\t0\n", "flags:", "flags:\t", "flags:\tx\n"})
        EXPECT_EQ(isOpenForWriting(other), Known::unknown) << other;
}

class PipedRank : public NodeFixture {
protected:
    // Starts a rank in a shell line that continues with this text; its process group is ended with the test.
    void run(const std::string &behind)
    {
        write(path("train.py"), "import time\nprint('step 1', flush=True)\ntime.sleep(60)\n");
        const std::string line =
            "cd " + folder +
            " && exec 3>of_the_shell.txt && RANK=3 WORLD_SIZE=4 LOCAL_RANK=3 MASTER_ADDR=127.0.0.1 "
            "MASTER_PORT=29999 python3 train.py " +
            behind;
        m_shell = ::fork();
        if (m_shell == 0) {
            ::setpgid(0, 0);
            ::execl("/bin/bash", "bash", "-c", line.c_str(), static_cast<char *>(nullptr));
            ::_exit(127);
        }
        ::setpgid(m_shell, m_shell);
    }
    ~PipedRank() override
    {
        if (m_shell <= 0) return;
        ::kill(-m_shell, SIGKILL);
        ::waitpid(m_shell, nullptr, 0);
    }
    std::string logOfRank()
    {
        std::string log;
        eventually([&] {
            const auto traces = scanHost(*node, "local", inSeconds(60));
            EXPECT_TRUE(traces.has_value());
            if (!traces) return true;
            for (const RankTrace &rank : traces->ranks)
                if (rank.rank == 3 && rank.process.cwd == folder) log = rank.log;
            return !log.empty();
        });
        return log;
    }

private:
    pid_t m_shell = -1;
};

TEST_F(PipedRank, FindsTheLogThatTeeWrites)
{
    connect();
    run("2>&1 | tee train.log >/dev/null; true");
    EXPECT_EQ(logOfRank(), path("train.log"));
}

TEST_F(PipedRank, FindsTheFileBehindAFilter)
{
    connect();
    run("2>&1 | sed -u s/^/0:/ | cat >out.txt; true");
    EXPECT_EQ(logOfRank(), path("out.txt"));
}

// For example a data file, or a file of the locale, which every program reads at its start.
TEST_F(PipedRank, IgnoresAFileThatAFilterOnlyReads)
{
    connect();
    write(path("data.bin"), "x");
    run("2>&1 | sed -u s/^/0:/ 5<data.bin | cat >out.txt; true");
    EXPECT_EQ(logOfRank(), path("out.txt"));
}

TEST_F(PipedRank, UsesStderrAsTheLogIfStdoutIsNotAFile)
{
    connect();
    run("2>errors.txt >/dev/null; true");
    EXPECT_EQ(logOfRank(), path("errors.txt"));
}

}  // namespace
}  // namespace rankdeck::output_files_test
