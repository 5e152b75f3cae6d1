// SPDX-License-Identifier: GPL-3.0-or-later
// A node starts only one action on a job, whichever consoles ask, and names that action to the other consoles.
#include "tests/core/node/job_claim_fixture.h"
#include "tests/testbed/process_count.h"
#include "tests/testbed/races.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace rankdeck::node_job_claim_test {
namespace {

TEST_F(NodeJobClaim, RefusesAnotherActionAndNamesTheHolder)
{
    connect();
    EXPECT_EQ(holder().held, false) << "nothing was ever launched there";
    const LaunchReply first = started(claiming("a1", "n0"));
    auto second = node->launch(claiming("a2", "n0")).get();
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error().kind, ErrorKind::conflict);
    EXPECT_EQ(second.error().detail, jobHeldDetail);
    EXPECT_NE(second.error().message.find("attempt of a1 by me@desk"), std::string::npos) << second.error().message;
    EXPECT_NE(second.error().message.find(std::to_string(first.process.pid)), std::string::npos);
    EXPECT_EQ(node->launchStatus("a2-n0", path("run")).get().error().kind, ErrorKind::notFound);
    const JobHolder now = holder();
    EXPECT_EQ(now.held, true);
    EXPECT_EQ(now.action, "a1");
    EXPECT_EQ(now.text, "attempt of a1 by me@desk");
    EXPECT_EQ(now.process, first.process);
    EXPECT_FALSE(now.host.empty());
    ASSERT_TRUE(now.since);
    EXPECT_NEAR(secondsBetween(*now.since, std::chrono::system_clock::now()), 0, 300);
    EXPECT_EQ(holder("another").held, false);
}

TEST_F(NodeJobClaim, RanksOfOneActionShareTheJob)
{
    connect();
    for (const char *rank : {"0", "1", "2"}) started(claiming("a1", rank));
    auto again = node->launch(claiming("a1", "1")).get();
    ASSERT_TRUE(again.has_value());
    EXPECT_FALSE(again->startedNow);
    ASSERT_EQ(::kill(toKill.front(), SIGKILL), 0);
    EXPECT_FALSE(node->launch(claiming("a2", "0")).get().has_value()) << "two ranks of the first still run";
}

TEST_F(NodeJobClaim, JobIsFreeWhenAllItsProgramsHaveEnded)
{
    connect();
    started(claiming("a1", "0", "exit 0"));
    holderOnce(false);
    started(claiming("a2", "0"));
    EXPECT_EQ(holder().action, "a2");
}

TEST_F(NodeJobClaim, ProgramThatCannotRunDoesNotHoldTheJob)
{
    connect();
    LaunchRequest request = claiming("a1", "0");
    request.argv = {"rankdeck-no-such-program"};
    EXPECT_EQ(node->launch(request).get().error().kind, ErrorKind::notFound);
    holderOnce(false);
    started(claiming("a2", "0"));
}

TEST_F(NodeJobClaim, ProgramThatLostItsSupervisorStillHoldsTheJob)
{
    connect();
    const LaunchReply first = started(claiming("a1", "0"));
    const int supervisor = supervisorOf(first);
    ASSERT_GT(supervisor, 1);
    ASSERT_EQ(::kill(supervisor, SIGKILL), 0);
    eventually([&] { return ::kill(supervisor, 0) != 0; });
    EXPECT_EQ(holder().held, true);
    EXPECT_EQ(node->launch(claiming("a2", "0")).get().error().detail, jobHeldDetail);
    ASSERT_EQ(::kill(first.process.pid, SIGKILL), 0);
    holderOnce(false);
}

// Regression: only the supervisor held a lock. Without it, the job was free for another machine that shares the
// directory.
TEST_F(NodeJobClaim, ProgramOfAnotherMachineThatLostItsSupervisorHoldsTheJob)
{
    connect();
    const auto asFromElsewhere = [&](const LaunchReply &launch) {
        std::string claim = contents(path("run/llama.job"));
        claim.replace(claim.find(launch.process.bootId), launch.process.bootId.size(), "another-boot");
        write(path("run/llama.job"), claim);
    };
    const LaunchReply first = started(claiming("a1", "0"));
    const int supervisor = supervisorOf(first);
    ASSERT_GT(supervisor, 1);
    ASSERT_EQ(::kill(supervisor, SIGKILL), 0);
    eventually([&] { return ::kill(supervisor, 0) != 0; });
    asFromElsewhere(first);
    const JobHolder now = holder();
    EXPECT_EQ(now.held, true);
    EXPECT_FALSE(now.process) << "its processes are not to be seen from there";
    EXPECT_EQ(node->launch(claiming("a2", "0")).get().error().detail, jobHeldDetail);
    ASSERT_EQ(::kill(first.process.pid, SIGKILL), 0);
    holderOnce(false);
    // Processes that a program leaves behind inherit its descriptors, but do not hold the job.
    const LaunchReply second = started(claiming("a2", "0", "sleep 60 & echo $! > " + path("left") + "; exit 0"));
    holderOnce(false);
    toKill.push_back(std::stoi(contents(path("left"))));
    asFromElsewhere(second);
    EXPECT_EQ(holder().held, false);
}

TEST_F(NodeJobClaim, LaunchFromAnotherMachineHoldsTheJobByItsLock)
{
    connect();
    started(claiming("a1", "0", "exit 0"));
    holderOnce(false);
    // As on a shared directory: the lock is held by a supervisor whose processes are invisible on this machine.
    const int fd = ::open(path("run/llama.job").c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_GE(fd, 0);
    ASSERT_EQ(::flock(fd, LOCK_SH), 0);
    const JobHolder now = holder();
    EXPECT_EQ(now.held, true);
    EXPECT_FALSE(now.process);
    EXPECT_EQ(node->launch(claiming("a2", "0")).get().error().detail, jobHeldDetail);
    ::close(fd);
    EXPECT_EQ(holder().held, false);
}

TEST_F(NodeJobClaim, UnreadableLockMakesTheHolderUnknown)
{
    ASSERT_EQ(::mkdir(path("run").c_str(), 0700), 0);
    write(path("run/llama.job"), "");
    ASSERT_EQ(::mkdir(path("run/llama.turn").c_str(), 0700), 0);
    connect();
    const JobHolder now = holder();
    EXPECT_TRUE(now.held.isUnknown());
    EXPECT_FALSE(now.reason.empty());
    EXPECT_FALSE(node->launch(claiming("a1", "0")).get().has_value());
}

TEST_F(NodeJobClaim, RefusesAClaimWithoutAnAction)
{
    connect();
    LaunchRequest request = claiming("", "0");
    EXPECT_EQ(node->launch(request).get().error().kind, ErrorKind::invalid);
    request = claiming("a1", "0");
    request.job.key = "../escape";
    EXPECT_EQ(node->launch(request).get().error().kind, ErrorKind::invalid);
}

// If a supervisor was killed between its record and the start of the program, `.starting` remains: nothing runs then.
TEST_F(NodeJobClaim, InterruptedStartIsNotRunning)
{
    connect();
    const LaunchReply done = started(claiming("a1", "0", "exit 0"));
    holderOnce(false);
    std::filesystem::remove(path("run/a1-0.rc"));
    std::filesystem::rename(path("run/a1-0.pid"), path("run/a1-0.starting"));
    auto again = node->launch(claiming("a1", "0")).get();
    ASSERT_TRUE(again.has_value());
    EXPECT_FALSE(again->startedNow);
    EXPECT_FALSE(again->running);
    EXPECT_FALSE(node->launchStatus("a1-0", path("run")).get()->running);
}

TEST_F(NodeJobClaim, CancelledLaunchNeverBegins)
{
    connect();
    const LaunchRequest never = claiming("a1", "0");
    EXPECT_EQ(node->callOffLaunch(never.id, path("run")).get().error().kind, ErrorKind::notFound);
    EXPECT_EQ(node->callOffLaunch(never.id, path("run")).get().error().kind, ErrorKind::notFound) << "asked again";
    const auto late = node->launch(never).get();
    ASSERT_FALSE(late.has_value());
    EXPECT_NE(late.error().message.find("was called off"), std::string::npos) << late.error().message;
    EXPECT_EQ(node->launchStatus(never.id, path("run")).get().error().kind, ErrorKind::notFound);
    EXPECT_EQ(holder().held, false);
}

TEST_F(NodeJobClaim, CancellingAStartedLaunchReportsItInstead)
{
    connect();
    const LaunchReply begun = started(claiming("a1", "0", "exec sleep 60"));
    const auto told = node->callOffLaunch("a1-0", path("run")).get();
    ASSERT_TRUE(told.has_value()) << told.error().message;
    EXPECT_EQ(told->process, begun.process);
    EXPECT_TRUE(told->running);
    started(claiming("a1", "1", "exit 3"));
    const auto ended = [&] { return node->callOffLaunch("a1-1", path("run")).get(); };
    eventually([&] { return ended()->exitCode.has_value(); });
    EXPECT_EQ(ended()->exitCode, 3);
}

// Regression: a supervisor that a slow disk delayed was reported as "nothing was launched". It began after the console
// had undone everything.
TEST_F(NodeJobClaim, StartDelayedByTheDiskIsUnknownUntilItIsCancelled)
{
    write(path("hook.py"), "import os, time\nreal = os.fsync\ndef held(fd):\n"
                           "    if os.readlink('/proc/self/fd/%d' % fd).endswith('.starting.tmp'):\n"
                           "        open('" +
                               path("held") +
                               "', 'w').close()\n"
                               "        while not os.path.exists('" +
                               path("go") +
                               "'): time.sleep(0.01)\n"
                               "    return real(fd)\nos.fsync = held\n");
    write(path("python"), "#!/bin/sh\nif [ \"$3\" = rankdeck-probe ]; then exec python3 -ISBc \"exec(open('" +
                              path("hook.py") + "').read())\n$2\" rankdeck-probe; fi\nexec python3 \"$@\"\n");
    ASSERT_EQ(::chmod(path("python").c_str(), 0700), 0);
    NodeSpec spec{"n0", "local"};
    spec.python = path("python");
    node = std::make_unique<Node>(spec, ConnectOptions{}, std::make_shared<LocalSessions>(), recorder);
    node->start();
    ASSERT_TRUE(recorder.waitFor([&] { return recorder.last.state == NodeState::live; }));
    auto launching = node->launch(claiming("a1", "0", "echo > " + path("ran")));
    eventually([&] { return std::filesystem::exists(path("held")); });
    EXPECT_EQ(node->launchStatus("a1-0", path("run")).get().error().kind, ErrorKind::timeout);
    EXPECT_EQ(node->callOffLaunch("a1-0", path("run")).get().error().kind, ErrorKind::notFound);
    EXPECT_EQ(node->launchStatus("a1-0", path("run")).get().error().kind, ErrorKind::notFound);
    write(path("go"), "");
    const auto late = launching.get();
    ASSERT_FALSE(late.has_value());
    EXPECT_NE(late.error().message.find("was called off"), std::string::npos) << late.error().message;
    EXPECT_EQ(holder().held, false);
    EXPECT_FALSE(std::filesystem::exists(path("ran")));
}

JobClaim claimOf(const std::string &action)
{
    return {.key = "llama", .action = action, .text = "reserved by me@desk (" + action + ")"};
}

TEST_F(NodeJobClaim, ReservationBlocksOthersAndEndsWithItsConnection)
{
    connect();
    OtherConsole first;
    ASSERT_TRUE(first->reserveJob(claimOf("a1"), path("run")).get().has_value());
    ASSERT_TRUE(first->reserveJob(claimOf("a1"), path("run")).get().has_value()) << "again by the same action";
    const JobHolder now = holder();
    EXPECT_EQ(now.held, true);
    EXPECT_TRUE(now.reserved);
    EXPECT_EQ(now.action, "a1");
    EXPECT_FALSE(now.process);
    for (const Error &error : {node->launch(claiming("a2", "0")).get().error(),
                               node->reserveJob(claimOf("a2"), path("run")).get().error()}) {
        EXPECT_EQ(error.detail, jobHeldDetail);
        EXPECT_NE(error.message.find("is reserved: reserved by me@desk (a1)"), std::string::npos) << error.message;
    }
    first.close();
    holderOnce(false);
    EXPECT_TRUE(node->reserveJob(claimOf("a2"), path("run")).get().has_value());
}

TEST_F(NodeJobClaim, LaunchOfTheSameActionTakesOverItsReservation)
{
    connect();
    ASSERT_TRUE(node->reserveJob(claimOf("a1"), path("run")).get().has_value());
    started(claiming("a1", "0"));
    EXPECT_FALSE(holder().reserved);
    EXPECT_EQ(holder().text, "attempt of a1 by me@desk");
    ASSERT_TRUE(node->releaseJob(claimOf("a1"), path("run")).get().has_value());
    EXPECT_EQ(holder().held, true) << "the program runs";
    EXPECT_EQ(node->reserveJob(claimOf("a2"), path("run")).get().error().detail, jobHeldDetail);
    ASSERT_EQ(::kill(toKill.front(), SIGKILL), 0);
    holderOnce(false);
}

TEST_F(NodeJobClaim, FileStepsOfAnActionRunOnlyWhileItHoldsTheJob)
{
    connect();
    const FileActionRequest step{.action = FileAction::makeDirectory,
                                 .path = path("made"),
                                 .jobKey = "llama",
                                 .runDirectory = path("run"),
                                 .heldBy = "a1"};
    const ReplaceRequest file{.path = path("new"),
                              .expectedSha256 = "",
                              .bytes = "x",
                              .jobKey = "llama",
                              .runDirectory = path("run"),
                              .heldBy = "a1"};
    const AppendRequest piece{
        .path = path("part"), .bytes = "x", .jobKey = "llama", .runDirectory = path("run"), .heldBy = "a1"};
    EXPECT_EQ(node->applyFileStep(step).get().error().detail, jobHeldDetail);
    EXPECT_EQ(node->replaceFile(file).get().error().detail, jobHeldDetail);
    EXPECT_EQ(node->append(piece).get().error().detail, jobHeldDetail);
    ASSERT_TRUE(node->reserveJob(claimOf("a2"), path("run")).get().has_value());
    EXPECT_EQ(node->applyFileStep(step).get().error().detail, jobHeldDetail);
    ASSERT_TRUE(node->releaseJob(claimOf("a1"), path("run")).get().has_value()) << "not its own: no change";
    EXPECT_EQ(holder().held, true);
    ASSERT_TRUE(node->releaseJob(claimOf("a2"), path("run")).get().has_value());
    EXPECT_EQ(holder().held, false);
    for (const char *name : {"made", "new", "part"}) EXPECT_FALSE(std::filesystem::exists(path(name))) << name;
    ASSERT_TRUE(node->reserveJob(claimOf("a1"), path("run")).get().has_value());
    EXPECT_TRUE(node->applyFileStep(step).get().has_value());
    EXPECT_TRUE(node->replaceFile(file).get().has_value());
    EXPECT_TRUE(node->append(piece).get().has_value());
    for (const char *name : {"made", "new", "part"}) EXPECT_TRUE(std::filesystem::exists(path(name))) << name;
}

// In each round, four consoles ask at once, each for its own action.
TEST_F(NodeJobClaim, ExactlyOneActionOfManyConsolesRuns)
{
    const int races = raceRounds();
    constexpr int consoles = 4, atOnce = 10, ranks = 2;
    std::array<Recorder, consoles> listeners;
    std::array<std::unique_ptr<Node>, consoles> nodes;
    for (std::size_t i = 0; i < consoles; ++i) {
        nodes[i] = std::make_unique<Node>(NodeSpec{"n", "local"}, ConnectOptions{}, std::make_shared<LocalSessions>(),
                                          listeners[i]);
        nodes[i]->start();
    }
    for (Recorder &each : listeners) ASSERT_TRUE(each.waitFor([&] { return each.last.state == NodeState::live; }));
    int winners = 0, split = 0, strange = 0;
    for (int first = 0; first < races; first += atOnce) {
        std::map<std::string, std::vector<std::pair<int, Reply<LaunchReply>>>> replies;
        const int last = std::min(races, first + atOnce);
        for (int rank = 0; rank < ranks; ++rank)
            for (int race = first; race < last; ++race)
                for (int turn = 0; turn < consoles; ++turn) {
                    const int console = (turn + race) % consoles;
                    const std::string job = "job" + std::to_string(race);
                    const std::string action = job + ".a" + std::to_string(console);
                    LaunchRequest request{.id = action + "-" + std::to_string(rank),
                                          .runDirectory = path("run"),
                                          .argv = {"sleep", "60"},
                                          .job = {.key = job, .action = action, .text = action}};
                    replies[job].emplace_back(console, nodes[std::size_t(console)]->launch(request));
                }
        std::vector<int> running;  // kept until the round is over, so that no console comes after its end
        for (auto &[job, all] : replies) {
            std::map<int, int> begun;
            for (auto &[console, reply] : all) {
                auto answer = reply.get();
                if (answer) {
                    ++begun[console];
                    running.push_back(answer->process.pid);
                } else if (answer.error().detail != jobHeldDetail) {
                    ++strange;
                    ADD_FAILURE() << job << ": " << answer.error().message;
                }
            }
            winners += begun.size() == 1;
            split += begun.size() == 1 && begun.begin()->second != ranks;
        }
        for (const int pid : running) ::kill(pid, SIGKILL);
    }
    EXPECT_EQ(winners, races);
    EXPECT_EQ(split, 0);
    EXPECT_EQ(strange, 0);
}

}  // namespace
}  // namespace rankdeck::node_job_claim_test
