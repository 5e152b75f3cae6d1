// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints of a watched job: retention, files that are being written, full reads on demand.
#include "core/engine/checkpoints/checkpoint_monitor.h"
#include "tests/core/engine/engine_fixture.h"
#include "tests/core/node/local_sessions.h"

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <fcntl.h>
#include <future>
#include <gmock/gmock.h>
#include <mutex>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace rankdeck::checkpoint_monitor_test {
namespace {

TEST_F(EngineCheckpoints, RaisesNoAlarmForRetentionButForALostNewestSet)
{
    save("lenet-1_5.ckpt");
    save("lenet-1_10.ckpt");
    m_engine->start();
    ASSERT_TRUE(becomes("0:1-10", Verdict::valid));
    ASSERT_TRUE(becomes("0:1-5", Verdict::valid));
    save("lenet-2_5.ckpt");
    ASSERT_TRUE(becomes("0:2-5", Verdict::valid));
    std::filesystem::remove(directory(0) + "/lenet-1_5.ckpt");
    ASSERT_TRUE(becomes("0:1-5", Verdict::incomplete));
    EXPECT_EQ(m_engine->snapshot()->view.checkpoints.find("0:1-5")->reasons.front().code, ReasonCode("pruned"));
    std::filesystem::remove(directory(1) + "/lenet-2_5.ckpt");
    ASSERT_TRUE(waitFor(*m_engine, [](const Snapshot &s) {
        const CheckpointSet *set = s.view.checkpoints.find("0:2-5");
        return set && set->verdict != Verdict::valid;
    }));
    EXPECT_EQ(m_engine->snapshot()->view.checkpoints.find("0:2-5")->reasons.front().code, ReasonCode("rank_missing"));
    EXPECT_THAT(judged(), testing::Not(testing::Contains(testing::HasSubstr("retention"))));
}

TEST_F(EngineCheckpoints, FileThatChangesWithoutARenameIsBeingWritten)
{
    save("lenet-1_5.ckpt");
    save("lenet-1_10.ckpt");
    const int rank = fork();  // only a running job can be saving
    if (rank == 0) {
        dup2(open(log(0).c_str(), O_WRONLY | O_APPEND | O_CLOEXEC), 1);
        const char *environment[] = {"MS_ROLE=MS_WORKER", "RANK_ID=0", nullptr};
        execle("/bin/sleep", "sleep", "300", nullptr, environment);
        _exit(127);
    }
    m_engine->start();
    ASSERT_TRUE(becomes("0:1-10", Verdict::valid));
    EXPECT_TRUE(waitFor(*m_engine, [](const Snapshot &s) { return s.view.ranks[0].alive == true; }));
    const std::string file = directory(1) + "/lenet-1_10.ckpt";
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    const auto size = std::filesystem::file_size(file);
    std::atomic<bool> done = false;
    std::thread writer([&] {
        for (std::uintmax_t part = 1; !done; part = part % (size - 1) + 1) {
            std::filesystem::resize_file(file, part);
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
        std::filesystem::remove(file);
        std::filesystem::copy_file(directory(0) + "/lenet-1_10.ckpt", file);
    });
    const bool seen = becomes("0:1-10", Verdict::inProgress);
    done = true;
    writer.join();
    EXPECT_TRUE(seen);
    EXPECT_TRUE(becomes("0:1-10", Verdict::valid));
    kill(rank, SIGKILL);
    waitpid(rank, nullptr, 0);
}

TEST_F(EngineCheckpoints, ReadsEveryByteOnDemand)
{
    save("lenet-1_10.ckpt");
    m_engine->start();
    ASSERT_TRUE(becomes("0:1-10", Verdict::valid));
    std::atomic<double> share = 0;
    std::promise<bool> whole;
    m_engine->checkDeeper(
        "0:1-10", [&](double done) { share = done; }, [&](bool all) { whole.set_value(all); });
    EXPECT_TRUE(whole.get_future().get());
    EXPECT_EQ(share, 1.0);
    EXPECT_TRUE(waitFor(*m_engine, [](const Snapshot &s) {
        const CheckpointSet *set = s.view.checkpoints.find("0:1-10");
        return set && set->members[0].level == EvidenceLevel::L4 && set->members[1].level == EvidenceLevel::L4;
    }));
}

TEST_F(EngineCheckpoints, LongCheckBlocksNothingAndCanBeCancelled)
{
    save("lenet-1_10.ckpt");
    const std::string huge = directory(0) + "/lenet-1_20.ckpt";
    std::ofstream(huge).close();
    std::filesystem::resize_file(huge, std::uintmax_t(1) << 42);  // needs hours to read, but no space on disk
    m_engine->start();
    ASSERT_TRUE(becomes("0:1-10", Verdict::valid));
    ASSERT_TRUE(becomes("0:1-20", Verdict::corrupt));
    std::promise<bool> first, second;
    m_engine->checkDeeper(
        "0:1-20", [](double) {}, [&](bool all) { first.set_value(all); });
    m_engine->checkDeeper(
        "0:1-10", [](double) {}, [&](bool all) { second.set_value(all); });
    save("lenet-2_5.ckpt");
    EXPECT_TRUE(becomes("0:2-5", Verdict::valid));  // while every byte of the other set is being read
    m_engine->cancelDeeper();
    EXPECT_FALSE(first.get_future().get());
    EXPECT_FALSE(second.get_future().get());
    m_engine->checkDeeper(
        "0:1-20", [](double) {}, [](bool) { ADD_FAILURE() << "done after the end"; });
    m_engine.reset();
}

// A program that waits for the complete job state must not accept a report that was made before the last node's
// listing.
TEST(CheckpointMonitor, ReportNamesTheNodesWhoseListingsItUses)
{
    Job job;
    job.nodes = {{"n0", "local", {0}}, {"n1", "local", {1}}};
    job.checkpoints.path = "/c/rank_{rank}";
    std::mutex mutex;
    std::condition_variable told;
    std::set<std::string> nodes;
    CheckpointMonitor desk(
        job, [](const std::string &) { return nullptr; },
        [&](CheckpointMonitor::Found found) {
            const std::lock_guard lock(mutex);
            nodes = std::move(found.nodes);
            told.notify_all();
        });
    const auto tells = [&](const std::set<std::string> &wanted) {
        std::unique_lock lock(mutex);
        return told.wait_for(lock, std::chrono::seconds(20), [&] { return nodes == wanted; });
    };
    desk.listing("n0", 0, Listing{.root = "/c/rank_0", .entries = {}});
    EXPECT_TRUE(tells({"n0"}));
    desk.listing("n1", 0, Listing{.root = "/c/rank_1", .entries = {}});
    EXPECT_TRUE(tells({"n0", "n1"}));
}

// The folder above "checkpoint" is listed only for one record and often answers first. It contains no file of a rank.
TEST(CheckpointMonitor, NodeIsListedWhenAllItsDirectoriesAre)
{
    Job job;
    job.nodes = {{"n0", "local", {0}}, {"n1", "local", {1}}};
    job.checkpoints.path = "/job/{node}/checkpoint/ckpt_{rank}";
    ASSERT_EQ(checkpointRoots(job, job.nodes[0]).size(), 2u);
    std::mutex mutex;
    std::condition_variable told;
    std::vector<std::set<std::string>> nodes;
    CheckpointMonitor desk(
        job, [](const std::string &) { return nullptr; },
        [&](CheckpointMonitor::Found found) {
            const std::lock_guard lock(mutex);
            nodes.push_back(std::move(found.nodes));
            told.notify_all();
        });
    const auto tells = [&](const std::set<std::string> &wanted) {
        std::unique_lock lock(mutex);
        return told.wait_for(lock, std::chrono::seconds(20), [&] { return !nodes.empty() && nodes.back() == wanted; });
    };
    desk.listing("n0", 1, Listing{.root = "/job/n0", .entries = {}});
    desk.listing("n1", 1, Listing{.root = "/job/n1", .entries = {}});
    desk.listing("n0", 0, Listing{.root = "/job/n0/checkpoint", .entries = {}});
    EXPECT_TRUE(tells({"n0"}));
    desk.listing("n1", 0, Listing{.root = "/job/n1/checkpoint", .entries = {}});
    EXPECT_TRUE(tells({"n0", "n1"}));
    const std::lock_guard lock(mutex);
    for (const std::set<std::string> &of : nodes) EXPECT_TRUE(of.contains("n0"));  // no report of a partial listing
}

// No file changes while a node is cut off, so no new listing comes afterwards. Therefore unanswered requests are
// repeated. The job does not run, and nothing else would cause another check.
TEST_F(EngineCheckpoints, RepeatsRequestsThatFailedWhenTheNodeIsBack)
{
    save("lenet-1_10.ckpt");
    Recorder recorder;
    const NodeSpec here{.name = "here", .host = "local", .ranks = {0, 1}, .transport = TransportKind::local};
    Node node(here, {}, makeSessionFactory(), recorder);
    node.start();
    std::atomic<bool> there = false;
    Job watched = job();
    watched.checkpoints.path = m_directory + "/ckpt/rank_{rank}";
    std::mutex mutex;
    std::condition_variable told;
    Verdict last = Verdict::incomplete;
    CheckpointMonitor monitor(
        watched, [&](const std::string &) -> NodeClient * { return there ? &node : nullptr; },
        [&](const CheckpointMonitor::Found &found) {
            const std::lock_guard lock(mutex);
            const CheckpointSet *set = found.report.find("0:1-10");
            if (set && found.report.settled) last = set->verdict;
            told.notify_all();
        });
    const auto becomes = [&](Verdict verdict) {
        std::unique_lock lock(mutex);
        return told.wait_for(lock, std::chrono::seconds(30), [&] { return last == verdict; });
    };
    ASSERT_TRUE(recorder.waitFor([&] { return recorder.last.state == NodeState::live; }));
    int id = 0;
    for (const ListRequest &root : checkpointRoots(watched, here)) {
        const auto listed = node.list(root).get();
        ASSERT_TRUE(listed.has_value()) << listed.error().message;
        monitor.listing("here", id++, *listed);
    }
    ASSERT_TRUE(becomes(Verdict::unknown));
    there = true;
    EXPECT_TRUE(becomes(Verdict::valid));
}

}  // namespace
}  // namespace rankdeck::checkpoint_monitor_test
