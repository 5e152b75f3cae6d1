// SPDX-License-Identifier: GPL-3.0-or-later
// The whole cluster, with real sshds. It is reached with the system's ssh, stopped and resumed as by a console, and
// leaves no trace, however its owner ends.
#include "tests/app/demo/demo_fixture.h"

#include "app/demo/cluster.h"
#include "app/demo/demo_command.h"
#include "app/demo/home.h"
#include "app/demo/keeper_plan.h"
#include "app/demo/processes.h"
#include "core/job/job_file.h"
#include "core/job/path_template.h"

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace rankdeck::demo::cluster_test {
namespace {

class ClusterTest : public DemoTest {
protected:
    [[nodiscard]] DemoOptions options() const
    {
        DemoOptions o;
        o.ranks = 4;
        o.nodes = 2;
        o.stateDir = m_directory;
        o.stepSeconds = 0.02;
        o.stepsPerEpoch = 50;
        o.saveSteps = 10;
        o.collectiveSeconds = 4;
        o.ownerPollSeconds = 0.1;
        o.trainer = trainer();
        return o;
    }
    std::unique_ptr<DemoCluster> started(DemoOptions o)
    {
        auto cluster = DemoCluster::start(std::move(o));
        EXPECT_TRUE(cluster.has_value()) << cluster.error().message;
        return cluster.has_value() ? std::move(cluster.value()) : nullptr;
    }
    // Output of a command on a node, run with the system's ssh; nullopt if ssh fails.
    std::optional<std::string> onNode(const DemoCluster &cluster, const std::string &node, const std::string &command)
    {
        const std::string output = at("ssh_output");
        std::filesystem::remove(output);
        const auto ran = runToEnd({{findProgram("ssh"), "-F", cluster.sshConfig(), "-o", "BatchMode=yes", "-o",
                                    "ConnectTimeout=10", "-o", "LogLevel=ERROR", node, command},
                                   {},
                                   {},
                                   output});
        if (!ran) return std::nullopt;
        return readFile(output);
    }
    static std::string workerLog(const DemoCluster &cluster, int rank, int node)
    {
        return readFile(cluster.directory() + "/node" + std::to_string(node) + "/log/worker_" + std::to_string(rank) +
                        ".log");
    }
    static std::vector<ProcessStart> leftOf(const std::string &id, const std::string &readyText)
    {
        const auto ready = readyFromJson(readyText);
        return processesOf(id, ready ? ready->servers : std::vector<ProcessStart>{});
    }
    static void relaunch(const DemoCluster &cluster, const Job &job, int rank, const std::string &checkpoint,
                         std::vector<RankRun> &into);

    struct Owned {
        pid_t owner = 0;
        std::string directory;
        std::string id;
        std::string ready;
    };
    // A process that starts a cluster and then waits to be killed.
    Owned ownedByAnother()
    {
        int told[2];
        EXPECT_EQ(pipe(told), 0);
        Owned owned;
        owned.owner = fork();
        if (owned.owner == 0) {
            const auto cluster = DemoCluster::start(options());
            const std::string text =
                cluster ? cluster.value()->directory() + " " + cluster.value()->id() + "\n" : "failed failed\n";
            if (write(told[1], text.data(), text.size()) < 0) _exit(1);
            while (true) pause();
        }
        close(told[1]);
        char buffer[1024];
        const auto got = read(told[0], buffer, sizeof buffer);
        close(told[0]);
        std::istringstream(std::string(buffer, got > 0 ? static_cast<std::size_t>(got) : 0)) >> owned.directory >>
            owned.id;
        owned.ready = readFile(readyFile(owned.directory));
        return owned;
    }
    static void killAndReap(pid_t pid)
    {
        kill(pid, SIGKILL);
        waitpid(pid, nullptr, 0);
    }
};

// Starts a rank like the "command" recipe: argv of the job file, the environment of a launcher.
void ClusterTest::relaunch(const DemoCluster &cluster, const Job &job, int rank, const std::string &checkpoint,
                           std::vector<RankRun> &into)
{
    auto values = rankPlaceholders(job, rank);
    values["checkpoint"] = checkpoint;
    ChildSpec spec;
    for (const auto &argument : job.launch.command) {
        const auto expanded = expand(argument, values);
        ASSERT_TRUE(expanded.has_value()) << expanded.error().message;
        spec.argv.push_back(expanded.value());
    }
    spec.env = job.launch.env;
    spec.env.insert({{"RANK_ID", values["rank"]},
                     {"RANK_SIZE", values["world_size"]},
                     {"DEVICE_ID", values["device"]},
                     {"MS_ROLE", "MS_WORKER"}});
    spec.output = expand(job.logs.path, values).value();
    std::filesystem::rename(spec.output, spec.output + ".old");
    const auto pid = startChild(spec);
    ASSERT_TRUE(pid.has_value()) << pid.error().message;
    into.push_back({pid.value(), spec.output});
    EXPECT_TRUE(cluster.running());
}

TEST_F(ClusterTest, jobFileIsReadByTheNormalParser)
{
    const auto cluster = started(options());
    ASSERT_TRUE(cluster);
    const auto file = readJobFile(cluster->jobFile());
    ASSERT_TRUE(file.has_value()) << file.error().message;
    EXPECT_TRUE(file->warnings.empty());
    EXPECT_EQ(file->job.ranks(), 4);
    EXPECT_EQ(file->job.nodeOf(3)->name, "node1");
    EXPECT_EQ(file->job.sshConfig, cluster->sshConfig());
    EXPECT_EQ(cluster->ranksOf("node1"), (std::vector<int>{2, 3}));
    EXPECT_EQ(expand(file->job.checkpoints.path, rankPlaceholders(file->job, 2)).value(),
              cluster->directory() + "/node1/ckpt/rank_2");
    ASSERT_TRUE(waitUntil([&] { return exists(cluster->directory() + "/node1/ckpt/rank_2/lenet-1_10.ckpt"); }))
        << workerLog(*cluster, 2, 1);
}

TEST_F(ClusterTest, everyNodeIsReachableWithTheSystemSsh)
{
    const auto cluster = started(options());
    ASSERT_TRUE(cluster);
    for (const auto &node : cluster->nodes()) EXPECT_EQ(onNode(*cluster, node, "echo here"), "here\n");
    const auto other =
        onNode(*cluster, "node0", "cat " + cluster->directory() + "/node0/graceful.json; echo $RANKDECK_DEMO");
    EXPECT_EQ(other, "{\"GracefulExit\": 0}\n" + cluster->id() + "\n");
}

TEST_F(ClusterTest, stopLeavesNoProcessAndNoDirectory)
{
    const auto cluster = started(options());
    ASSERT_TRUE(cluster);
    const std::string directory = cluster->directory(), ready = readFile(readyFile(directory));
    ASSERT_TRUE(waitUntil([&] { return !lossesIn(workerLog(*cluster, 3, 1)).empty(); }));
    EXPECT_GE(leftOf(cluster->id(), ready).size(), 7u);
    EXPECT_TRUE(cluster->stop().has_value());
    EXPECT_TRUE(leftOf(cluster->id(), ready).empty());
    EXPECT_FALSE(exists(directory));
    EXPECT_TRUE(cluster->stop().has_value());
    EXPECT_FALSE(cluster->applyFault("kill:0").has_value());
}

TEST_F(ClusterTest, gracefulExitAndResumeWorkWithOrdinaryCommands)
{
    const auto cluster = started(options());
    ASSERT_TRUE(cluster);
    const Job job = readJobFile(cluster->jobFile()).value().job;
    ASSERT_TRUE(waitUntil([&] { return lossesIn(workerLog(*cluster, 3, 1)).size() > 12; }));
    for (const auto &node : cluster->nodes())
        writeFile(cluster->directory() + "/" + node + "/graceful.json", "{\"GracefulExit\": 1}\n");
    for (int rank = 0; rank < 4; ++rank)
        ASSERT_TRUE(waitUntil([&] { return workerLog(*cluster, rank, rank / 2).ends_with("done\n"); }))
            << workerLog(*cluster, rank, rank / 2);
    const std::size_t steps = lossesIn(workerLog(*cluster, 0, 0)).size();
    const std::string save = "/ckpt/rank_1/LeNet5_train.ckpt";
    EXPECT_EQ(*findTensor(recordsOf(cluster->directory() + "/node1" + save), "global_step"),
              int64Scalar("global_step", static_cast<std::int64_t>(steps)));
    for (const auto &node : cluster->nodes()) {
        writeFile(cluster->directory() + "/" + node + "/graceful.json", "{\"GracefulExit\": 0}\n");
        for (const auto *device : {"0", "1"})
            std::filesystem::remove(cluster->directory() + "/" + node + "/ckpt/rank_" + device + "/LeNet5_train.ckpt");
    }
    for (int rank = 0; rank < 4; ++rank)
        relaunch(*cluster, job, rank,
                 cluster->directory() + "/node" + std::to_string(rank / 2) + "/ckpt/rank_" + std::to_string(rank) +
                     "/lenet-1_10.ckpt",
                 m_ranks);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_TRUE(waitForLine(i, "epoch 1, step 10, global_step 10\nepoch: 1 step: 11, loss is ")) << logOf(i);
    // The processes of the second attempt are not children of the keeper; stop() must end them as well.
    EXPECT_TRUE(cluster->stop().has_value());
    expectAllExit(-SIGKILL, 10);
}

TEST_F(ClusterTest, killedOwnerLeavesNoProcessAndNoDirectory)
{
    const Owned owned = ownedByAnother();
    ASSERT_TRUE(exists(owned.directory)) << owned.directory;
    ASSERT_GE(leftOf(owned.id, owned.ready).size(), 7u);
    killAndReap(owned.owner);
    EXPECT_TRUE(waitUntil([&] { return leftOf(owned.id, owned.ready).empty() && !exists(owned.directory); }));
}

TEST_F(ClusterTest, nextStartCleansUpAfterKilledOwnerAndKeeper)
{
    const Owned owned = ownedByAnother();
    const auto ready = readyFromJson(owned.ready);
    ASSERT_TRUE(ready.has_value()) << owned.directory;
    kill(ready->keeper.pid, SIGKILL);
    killAndReap(owned.owner);
    ASSERT_TRUE(exists(owned.directory));
    ASSERT_GE(leftOf(owned.id, owned.ready).size(), 4u);
    const auto cluster = started(options());
    ASSERT_TRUE(cluster);
    EXPECT_TRUE(leftOf(owned.id, owned.ready).empty());
    EXPECT_FALSE(exists(owned.directory));
    EXPECT_TRUE(waitUntil([&] { return !lossesIn(workerLog(*cluster, 3, 1)).empty(); }));
}

TEST_F(ClusterTest, stopWorksAfterTheKeeperWasKilled)
{
    const auto cluster = started(options());
    ASSERT_TRUE(cluster);
    const std::string directory = cluster->directory(), ready = readFile(readyFile(directory));
    EXPECT_TRUE(cluster->running());
    kill(readyFromJson(ready)->keeper.pid, SIGKILL);
    EXPECT_TRUE(waitUntil([&] { return !cluster->running(); }));
    EXPECT_TRUE(cluster->stop().has_value());
    EXPECT_TRUE(leftOf(cluster->id(), ready).empty());
    EXPECT_FALSE(exists(directory));
}

TEST_F(ClusterTest, cleanupKeepsFilesAndProcessesOfOthers)
{
    const auto living = started(options());
    ASSERT_TRUE(living);
    std::filesystem::create_directory(at("rankdeck-demo-foreign"));
    writeFile(at("rankdeck-demo-foreign/notes"), "mine");
    std::filesystem::create_directory(at("other"));
    EXPECT_TRUE(cleanLeftovers(m_directory).empty());
    EXPECT_TRUE(exists(at("rankdeck-demo-foreign/notes")));
    EXPECT_TRUE(living->running());
    EXPECT_FALSE(removeHome(at("other")));
    EXPECT_TRUE(exists(at("other")));
    EXPECT_FALSE(processesOf(living->id()).empty());
    EXPECT_TRUE(processesOf("another").empty());
}

TEST_F(ClusterTest, faultsReachARunningRankAndALink)
{
    auto slowly = options();
    slowly.collectiveSeconds = 60;
    const auto cluster = started(slowly);
    ASSERT_TRUE(cluster);
    EXPECT_EQ(onNode(*cluster, "node1", "echo here"), "here\n");
    ASSERT_TRUE(cluster->applyFault("cut:node1").has_value());
    EXPECT_TRUE(waitUntil([&] { return !onNode(*cluster, "node1", "echo here"); }));
    EXPECT_EQ(onNode(*cluster, "node0", "echo here"), "here\n");
    ASSERT_TRUE(cluster->applyFault("heal:node1").has_value());
    EXPECT_TRUE(waitUntil([&] { return onNode(*cluster, "node1", "echo here") == "here\n"; }));

    const auto ready = readyFromJson(readFile(readyFile(cluster->directory())));
    ASSERT_TRUE(isAlive(ready->ranks[1]));
    ASSERT_TRUE(cluster->applyFault("kill:1").has_value());
    EXPECT_TRUE(waitUntil([&] { return !isAlive(ready->ranks[1]); }));
    EXPECT_TRUE(isAlive(ready->ranks[0]));
    for (const auto *text : {"kill:4", "cut:node7", "full:node7", "slow"})
        EXPECT_EQ(cluster->applyFault(text).error().kind, ErrorKind::invalid) << text;
}

TEST_F(ClusterTest, faultsGivenAtStartHappenAtTheirStep)
{
    auto withFaults = options();
    withFaults.faults = {"kill:3@17", "full:node0"};
    const auto cluster = started(withFaults);
    ASSERT_TRUE(cluster);
    EXPECT_TRUE(waitUntil([&] { return workerLog(*cluster, 0, 0).find("RuntimeError") != std::string::npos; }));
    EXPECT_EQ(lossesIn(workerLog(*cluster, 3, 1)).size(), 17u);
    // The other fault was planned for step 25.
    EXPECT_EQ(workerLog(*cluster, 0, 0).find("CRITICAL"), std::string::npos);
}

TEST_F(ClusterTest, badOptionsAreRefusedAndLeaveNothing)
{
    auto bad = options();
    bad.faults = {"explode:1"};
    EXPECT_EQ(DemoCluster::start(bad).error().kind, ErrorKind::invalid);
    bad = options();
    bad.nodes = 5;
    EXPECT_EQ(DemoCluster::start(bad).error().kind, ErrorKind::invalid);
    bad = options();
    bad.trainer = at("absent");
    EXPECT_EQ(DemoCluster::start(bad).error().kind, ErrorKind::notFound);
    EXPECT_TRUE(namesIn(m_directory).empty());
}

TEST_F(ClusterTest, commandPrintsTheJobFilePathAndEndsAfterItsDuration)
{
    DemoCommandOptions command{options(), 0.3, true};
    std::ostringstream out, messages;
    EXPECT_EQ(runDemo(command, out, messages), 0) << messages.str();
    const auto answer = nlohmann::json::parse(out.str());
    EXPECT_TRUE(answer.at("job").get<std::string>().ends_with("demo.rankdeck.json"));
    EXPECT_EQ(answer.at("nodes").at(1).at("ranks"), (std::vector<int>{2, 3}));
    EXPECT_TRUE(namesIn(m_directory).empty());
    command.demo.faults = {"explode:1"};
    EXPECT_EQ(runDemo(command, out, messages), 2);
}

TEST_F(ClusterTest, commandCleansUpOnASignalAndReturns130)
{
    const pid_t pid = fork();
    if (pid == 0) {
        std::ostringstream out, messages;
        _exit(runDemo({options(), {}, false}, out, messages));
    }
    EXPECT_TRUE(waitUntil([&] {
        const auto names = namesIn(m_directory);
        return names.size() == 1 && exists(m_directory + "/" + names[0] + "/demo.rankdeck.json");
    }));
    kill(pid, SIGINT);
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 130);
    EXPECT_TRUE(namesIn(m_directory).empty());
}

TEST_F(ClusterTest, commandReadsFaultsFromItsInput)
{
    int input[2];
    ASSERT_EQ(pipe(input), 0);
    const std::string lines = "kill:9\nkill:1\n";
    ASSERT_EQ(write(input[1], lines.data(), lines.size()), static_cast<ssize_t>(lines.size()));
    close(input[1]);
    std::ostringstream out, messages;
    EXPECT_EQ(runDemo({options(), 0.5, false, input[0]}, out, messages), 0);
    close(input[0]);
    EXPECT_NE(messages.str().find("expected a rank below 4"), std::string::npos);
    EXPECT_NE(messages.str().find("applied kill:1"), std::string::npos);
}

}  // namespace
}  // namespace rankdeck::demo::cluster_test
