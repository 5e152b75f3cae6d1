// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/transport/child_process_transport.h"

#include "tests/testbed/process_count.h"
#include "tests/testbed/temp_dir.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace rankdeck::transport_test {
namespace {

using namespace std::chrono_literals;

std::unique_ptr<Transport> start(const std::string &script)
{
    auto transport = ChildProcessTransport::start({"/bin/sh", "-c", script});
    EXPECT_TRUE(transport.has_value());
    return std::move(*transport);
}

// All bytes until the end, and the end itself.
std::pair<std::string, Error> readAll(Transport &transport)
{
    std::string bytes;
    for (int turn = 0; turn < 3000; ++turn) {
        auto got = transport.read(bytes);
        if (!got) return {bytes, got.error()};
        transport.wait(false, 10ms);
    }
    return {bytes, fail(ErrorKind::timeout, "no end")};
}

std::string firstLine(Transport &transport)
{
    std::string bytes;
    for (int turn = 0; turn < 1500 && bytes.find('\n') == std::string::npos; ++turn) {
        transport.wait(false, 20ms);
        if (!transport.read(bytes)) break;
    }
    return bytes;
}

TEST(ChildTransport, CarriesBytesBothWays)
{
    auto transport = start("cat");
    const std::string sent(3u << 20, 'x');
    std::string_view rest = sent;
    std::string got;
    while (got.size() < sent.size()) {
        auto taken = transport->write(rest);
        ASSERT_TRUE(taken.has_value());
        rest.remove_prefix(*taken);
        transport->wait(!rest.empty(), 1000ms);
        ASSERT_TRUE(transport->read(got).has_value());
    }
    EXPECT_TRUE(got == sent);
}

TEST(ChildTransport, EndReportsExitCodeAndErrorOutput)
{
    auto transport = start("echo out; echo it went wrong >&2; exit 5");
    const auto [bytes, error] = readAll(*transport);
    EXPECT_EQ(bytes, "out\n");
    EXPECT_EQ(error.kind, ErrorKind::unreachable);
    EXPECT_NE(error.message.find("exit code 5"), std::string::npos);
    EXPECT_NE(error.detail.find("it went wrong"), std::string::npos);
    EXPECT_EQ(transport->errorOutput(), "it went wrong\n");
    const Error killed = readAll(*start("kill -9 $$")).second;
    EXPECT_NE(killed.message.find("signal 9"), std::string::npos);
}

TEST(ChildTransport, KeepsOnlyTheEndOfEndlessErrorOutput)
{
    auto transport = start("i=0; while [ $i -lt 3000 ]; do echo line $i >&2; i=$((i+1)); done");
    readAll(*transport);
    EXPECT_LE(transport->errorOutput().size(), 8192u);
    EXPECT_TRUE(transport->errorOutput().ends_with("line 2999\n"));
}

TEST(ChildTransport, WakeEndsAWait)
{
    auto transport = start("sleep 60");
    std::thread waker([&] { transport->wake(); });
    transport->wait(false, 1h);  // the time limit of the test decides
    waker.join();
}

TEST(ChildTransport, WriteToAnEndedChildReturnsAnErrorWithoutASignal)
{
    auto transport = start("exec <&-; exit 0");
    Result<std::size_t> put = transport->write("x");
    eventually([&] {
        if (put.has_value()) put = transport->write("x");
        return !put.has_value();
    });
    ASSERT_FALSE(put.has_value());
    EXPECT_EQ(put.error().kind, ErrorKind::unreachable);
}

TEST(ChildTransport, ReportsAProgramThatCannotRunAsNotFound)
{
    EXPECT_EQ(ChildProcessTransport::start({"rankdeck-no-such-program"}).error().kind, ErrorKind::notFound);
    EXPECT_EQ(ChildProcessTransport::start({}).error().kind, ErrorKind::invalid);
}

TEST(ChildTransport, ProgramThatEndsAtEndOfInputIsNotKilled)
{
    const TempDir directory;
    auto transport = start("echo up; while read line; do :; done; : >" + directory.file("whole"));
    firstLine(*transport);
    transport.reset();
    EXPECT_TRUE(std::filesystem::exists(directory.file("whole")));
}

TEST(ChildTransport, ChildRunsInItsOwnSessionWithoutATerminal)
{
    auto transport = start("echo $$; exec cat");
    const int child = std::atoi(firstLine(*transport).c_str());
    ASSERT_GT(child, 1);
    EXPECT_EQ(::getsid(child), child);
}

TEST(ChildTransport, LeavesNoProcessAndNoZombie)
{
    int child = 0;
    {
        // The program ignores the end of its input and SIGTERM, and has its own child.
        auto transport = start("trap '' TERM; echo $$; sleep 1000 & while :; do sleep 1000; done");
        child = std::atoi(firstLine(*transport).c_str());
        ASSERT_GT(child, 1);
    }
    EXPECT_EQ(::waitpid(child, nullptr, WNOHANG), -1) << "reaped";
    eventually([&] { return ::kill(-child, 0) != 0; });
    EXPECT_NE(::kill(-child, 0), 0) << "its group is gone";
}

}  // namespace
}  // namespace rankdeck::transport_test
