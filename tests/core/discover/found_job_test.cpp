// SPDX-License-Identifier: GPL-3.0-or-later
// From processes as in /proc of real msrun and torchrun jobs to ranks, jobs and job files. No node is asked.
#include "core/discover/job_draft.h"
#include "core/discover/job_hosts.h"
#include "core/job/job_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace rankdeck::found_job_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ProcessInfo process(int pid, int parent, const std::string &comm, std::map<std::string, std::string> env,
                    const std::string &out = {})
{
    ProcessInfo info;
    info.id = {.pid = pid, .startTicks = static_cast<std::uint64_t>(pid) * 7, .bootId = "boot"};
    info.parent = parent;
    info.state = 'S';
    info.comm = comm;
    info.argv = {comm, "train_lenet.py", "--out", "ckpt"};
    info.env = std::move(env);
    info.envReadable = true;
    info.cwd = "/job";
    info.exe = "/venv/bin/python3.11";
    info.stdoutPath = out;
    return info;
}

std::map<std::string, std::string> worker(int rank, int world = 4)
{
    return {{"MS_ROLE", "MS_WORKER"},
            {"RANK_ID", std::to_string(rank)},
            {"RANK_SIZE", std::to_string(world)},
            {"MS_NODE_ID", std::to_string(rank)},
            {"MS_SCHED_HOST", "10.0.0.1"},
            {"MS_SCHED_PORT", "8200"}};
}

ProcessInfo msrun(int pid, int node)
{
    ProcessInfo info = process(pid, 1, "msrun", {}, "/job/msrun.out");
    info.argv = {"/venv/bin/python3",
                 "/venv/bin/msrun",
                 "--worker_num=4",
                 "--local_worker_num=2",
                 "--node_rank=" + std::to_string(node),
                 "--master_addr=10.0.0.1",
                 "--master_port=8200",
                 "--log_dir=log",
                 "--bind_core=True",
                 "train_lenet.py"};
    return info;
}

std::string log(int rank) { return "/job/log/worker_" + std::to_string(rank) + ".log"; }

HostTraces host(const std::string &name, const std::string &boot, int first, int firstPid)
{
    const std::vector<ProcessInfo> all{msrun(firstPid, first / 2),
                                       process(firstPid + 1, firstPid, "python", worker(first), log(first)),
                                       process(firstPid + 2, firstPid, "python", worker(first + 1), log(first + 1))};
    HostTraces traces{.host = name};
    traces.facts.bootId = boot;
    traces.ranks = rankTraces(all, all);
    for (RankTrace &rank : traces.ranks) rank.environment = rank.process.env;
    return traces;
}

// Each pod numbers its processes from 1, and several pods may run on one machine. Only the cluster knows which pod owns
// a process.
TEST(FoundJobs, TreatsEachPodAsItsOwnMachine)
{
    std::vector<HostTraces> pods{host("k8s:vcjob/lenet-worker-0:main", "boot", 0, 10),
                                 host("k8s:vcjob/lenet-worker-1:main", "boot", 2, 10),
                                 host("k8s:vcjob/other-worker-0", "boot", 0, 10)};
    pods[0].cluster = pods[1].cluster = "vcjob/lenet/1";
    pods[2].cluster = "vcjob/other/2";
    const auto jobs = findJobs(pods);
    ASSERT_EQ(jobs.size(), 2u);
    ASSERT_EQ(jobs[0].nodes.size(), 2u);
    EXPECT_FALSE(jobs[0].oneMachine);
    EXPECT_EQ(jobs[0].nodes[0].name, "lenet-worker-0");
    EXPECT_EQ(jobs[0].nodes[1].name, "lenet-worker-1");
    EXPECT_EQ(jobs[0].ranks(), 4u);
    EXPECT_EQ(jobs[1].nodes[0].name, "other-worker-0");
}

TEST(RankTraces, ExcludesTailsSchedulersLoadersAndShells)
{
    auto sleeping = worker(1);
    ProcessInfo dead = process(19, 10, "python", worker(2), log(2));
    dead.state = 'Z';
    const std::vector<ProcessInfo> all{
        msrun(10, 0),
        process(11, 10, "python", {{"MS_ROLE", "MS_SCHED"}, {"RANK_ID", "0"}}, "/job/log/scheduler.log"),
        process(12, 10, "bash", worker(1), log(1)),
        process(13, 12, "python", worker(1), log(1)),
        process(14, 13, "python", worker(1), log(1)),
        process(15, 10, "tail", worker(1)),
        process(16, 10, "python", {{"MS_ROLE", "MS_WORKER"}, {"RANK_ID", "0"}}, log(3)),
        process(17, 1, "python", {{"RANK", "5"}, {"LOCAL_RANK", "1"}}),
        process(18, 1, "python", {{"RANK_ID", "6"}, {"RANK_SIZE", "8"}}),
        dead};
    const auto ranks = rankTraces(all, all);
    std::vector<std::pair<int, int>> found;
    for (const RankTrace &rank : ranks) found.emplace_back(rank.rank, rank.process.id.pid);
    EXPECT_THAT(found, ElementsAre(std::pair(1, 13), std::pair(3, 16), std::pair(5, 17), std::pair(6, 18)));
    ASSERT_TRUE(ranks[0].launcher.has_value());
    EXPECT_EQ(ranks[0].launcher->id.pid, 10);
    EXPECT_FALSE(ranks[2].launcher.has_value());
}

TEST(Unreadable, ReportsTrainingOfAnotherUser)
{
    ProcessInfo closed = msrun(10, 0), editor = process(11, 1, "vim", {});
    closed.envReadable = editor.envReadable = false;
    editor.argv = {"vim", "notes.txt"};
    const auto found = unreadableTraining({closed, editor, msrun(12, 0)});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].id.pid, 10);
}

TEST(FindJobs, JoinsHostsThatUseOneScheduler)
{
    const std::vector<HostTraces> hosts{host("bob@node-b:22", "b", 2, 100), host("node-a", "a", 0, 100)};
    const auto jobs = findJobs(hosts);
    ASSERT_EQ(jobs.size(), 1u);
    EXPECT_EQ(jobs[0].worldSize, 4);
    ASSERT_EQ(jobs[0].nodes.size(), 2u);
    EXPECT_EQ(jobs[0].nodes[0].name, "node-a");
    EXPECT_EQ(jobs[0].nodes[1].name, "node-b");
    EXPECT_EQ(jobs[0].nodes[1].ranks.begin()->first, 2);
    EXPECT_FALSE(jobs[0].oneMachine);
}

TEST(FindJobs, KeepsMachinesWithLoopbackSchedulersSeparate)
{
    std::vector<HostTraces> hosts{host("node-a", "a", 0, 100), host("node-b", "b", 0, 200)};
    for (HostTraces &one : hosts)
        for (RankTrace &rank : one.ranks) rank.environment["MS_SCHED_HOST"] = "127.0.0.1";
    EXPECT_EQ(findJobs(hosts).size(), 2u);
}

TEST(FindJobs, SplitsRanksBetweenTwoHostNamesOfOneMachine)
{
    HostTraces both = host("n0", "a", 0, 100);
    for (RankTrace &rank : host("n1", "a", 2, 200).ranks) both.ranks.push_back(rank);
    HostTraces again = both;
    again.host = "n1";
    const auto jobs = findJobs({both, again});
    ASSERT_EQ(jobs.size(), 1u);
    EXPECT_TRUE(jobs[0].oneMachine);
    ASSERT_EQ(jobs[0].nodes.size(), 2u);
    EXPECT_EQ(jobs[0].nodes[0].ranks.size(), 2u);
    EXPECT_EQ(jobs[0].nodes[1].ranks.begin()->first, 2);
}

// Each rank has its own folder, log and parent: only the host names in their paths distinguish them.
TEST(FindJobs, AssignsRanksOfOneMachineToTheHostsInTheirPaths)
{
    HostTraces node0{.host = "node0"};
    node0.facts.bootId = "boot";
    for (int rank = 0; rank < 8; ++rank) {
        const std::string folder = "/job/node" + std::to_string(rank / 4) + "/rank_" + std::to_string(rank);
        ProcessInfo info = process(100 + rank, 1, "python", worker(rank, 8), folder + "/train.log");
        info.cwd = folder;
        const std::vector<ProcessInfo> all{info};
        for (RankTrace &trace : rankTraces(all, all)) {
            trace.environment = trace.process.env;
            node0.ranks.push_back(std::move(trace));
        }
    }
    HostTraces node1 = node0;
    node1.host = "node1";
    const auto jobs = findJobs({node1, node0});
    ASSERT_EQ(jobs.size(), 1u);
    ASSERT_EQ(jobs[0].nodes.size(), 2u);
    EXPECT_EQ(jobs[0].nodes[0].name, "node0");
    EXPECT_EQ(jobs[0].nodes[0].ranks.size(), 4u);
    EXPECT_EQ(jobs[0].nodes[1].name, "node1");
    EXPECT_EQ(jobs[0].nodes[1].ranks.begin()->first, 4);
}

TEST(FindJobs, SeparatesTwoJobsWithTheSamePort)
{
    HostTraces both = host("n0", "a", 0, 100);
    for (RankTrace &rank : host("n0", "a", 0, 200).ranks) both.ranks.push_back(rank);
    EXPECT_EQ(findJobs({both}).size(), 2u);
}

DiscoveredJob drafted(std::vector<HostTraces> hosts, JobEvidence evidence = {})
{
    if (evidence.program.empty()) evidence.program = "/job/train_lenet.py";
    return draftJob(findJobs(hosts).front(), hosts, evidence);
}

std::string noteText(const DiscoveredJob &job, DiscoveryCode code)
{
    for (const DiscoveryNote &note : job.notes)
        if (note.code == code) return note.text;
    return {};
}

// For any order of the list, each job has the ranks whose logs are in the same directory.
TEST(FindJobs, DoesNotMixRanksOfJobsWithTheSameAddress)
{
    std::vector<RankTrace> ranks;
    int pid = 300;
    for (const char *job : {"/a", "/b", "/c"})
        for (const int rank : {0, 1}) {
            RankTrace trace;
            trace.rank = rank;
            const std::string output = job + log(rank);
            trace.process = process(++pid, 2, "python3", worker(rank, 2), output);
            trace.log = output;
            ranks.push_back(trace);
        }
    std::vector<std::size_t> order(ranks.size());
    std::iota(order.begin(), order.end(), 0);
    do {
        HostTraces here{.host = "n"};
        here.facts.bootId = "boot";
        for (const std::size_t i : order) here.ranks.push_back(ranks[i]);
        const std::vector<FoundJob> jobs = findJobs({here});
        ASSERT_EQ(jobs.size(), 3u);
        for (const FoundJob &job : jobs) {
            ASSERT_EQ(job.nodes.size(), 1u);
            const std::map<int, RankTrace> &of = job.nodes[0].ranks;
            ASSERT_EQ(of.size(), 2u);
            EXPECT_EQ(of.at(0).log.substr(0, 2), of.at(1).log.substr(0, 2));
        }
    } while (std::next_permutation(order.begin(), order.end()));
}

TEST(DraftJob, IsAJobFileThatCanBeReadBack)
{
    std::vector<HostTraces> hosts{host("node-a", "a", 0, 100), host("bob@node-b:2222", "b", 2, 100)};
    for (HostTraces &one : hosts) {
        one.login = {{"PATH", "/usr/bin"}};
        one.launcherEnvironments[100] = {{"PATH", one.host == "node-a" ? "/venv/bin" : "/fake:/venv/bin"},
                                         {"MS_ENABLE_GRACEFUL_EXIT", "1"},
                                         {"HF_TOKEN", "secret"}};
    }
    JobEvidence evidence{.checkpoints = "/job/ckpt/rank_{rank}",
                         .prefix = "lenet",
                         .gracefulConfig = "/job/graceful.json",
                         .program = "/job/train_lenet.py",
                         .resumeOption = "--resume",
                         .pathsShared = true};
    const DiscoveredJob found = drafted(hosts, evidence);
    const auto back = parseJob(jobToJson(found.job));
    ASSERT_TRUE(back.has_value()) << back.error().message;
    EXPECT_TRUE(back->warnings.empty());
    const Job &job = back->job;
    EXPECT_EQ(job.name, "train_lenet");
    EXPECT_EQ(job.worldSize, 4);
    EXPECT_EQ(job.nodes[1].host, "bob@node-b:2222");
    EXPECT_THAT(job.nodes[1].ranks, ElementsAre(2, 3));
    EXPECT_EQ(job.logs.path, "/job/log/worker_{rank}.log");
    EXPECT_EQ(job.logs.launcher, "/job/msrun.out");
    EXPECT_EQ(job.checkpoints.path, "/job/ckpt/rank_{rank}");
    EXPECT_TRUE(job.pathsShared);
    EXPECT_EQ(job.launch.recipe, "msrun");
    EXPECT_EQ(job.launch.msrun, "/venv/bin/msrun");
    EXPECT_EQ(job.launch.masterAddr, "10.0.0.1");
    EXPECT_EQ(job.launch.masterPort, 8200);
    EXPECT_THAT(job.launch.options, ElementsAre("--bind_core=True"));
    EXPECT_EQ(job.launch.workdir, "/job");
    EXPECT_THAT(job.launch.command,
                ElementsAre("python", "train_lenet.py", "--out", "ckpt", "--resume", "{checkpoint}"));
    EXPECT_EQ(job.launch.env.at("MS_ENABLE_GRACEFUL_EXIT"), "1");
    EXPECT_EQ(job.nodes[1].env.at("PATH"), "/fake:/venv/bin");
    EXPECT_THAT(noteText(found, "secrets_left_out"), HasSubstr("HF_TOKEN"));
    EXPECT_EQ(jobToJson(found.job).find("secret"), std::string::npos);
}

TEST(DraftJob, ReplacesTheCheckpointInTheCommandByAPlaceholder)
{
    HostTraces one = host("n0", "a", 0, 100);
    for (RankTrace &rank : one.ranks) {
        rank.process.argv.push_back("--resume");
        rank.process.argv.push_back("/job/ckpt/rank_" + std::to_string(rank.rank) + "/lenet-3_10.ckpt");
        rank.process.argv.push_back("--load_checkpoint=/job/x/lenet-3_10.ckpt");
    }
    EXPECT_THAT(drafted({one}).job.launch.command, ElementsAre("python", "train_lenet.py", "--out", "ckpt", "--resume",
                                                               "{checkpoint}", "--load_checkpoint={checkpoint}"));
}

TEST(DraftJob, ReportsUnknownFacts)
{
    HostTraces one = host("n0", "a", 0, 100);
    for (RankTrace &rank : one.ranks) {
        rank.log.clear();
        rank.environment["MS_ENABLE_GRACEFUL_EXIT"] = "1";
        rank.process.argv.push_back(rank.rank == 0 ? "a" : "b");
    }
    const DiscoveredJob found = drafted({one});
    EXPECT_THAT(noteText(found, "ranks_elsewhere"), HasSubstr("ranks 2, 3 run on hosts"));
    for (const DiscoveryCode code : std::initializer_list<DiscoveryCode>{
             "no_log", "no_checkpoints_yet", "no_graceful_config", "checkpoint_not_named", "words_differ"})
        EXPECT_FALSE(noteText(found, code).empty()) << code;
}

TEST(DraftJob, SplitsOneLogOfAllRanksForTheResume)
{
    HostTraces one = host("n0", "a", 0, 100);
    for (RankTrace &rank : one.ranks) rank.log = "/job/out.txt";
    const DiscoveredJob found = drafted({one});
    EXPECT_EQ(found.job.logs.path, "/job/rank_{rank}.log");
    EXPECT_FALSE(noteText(found, "one_log_for_all").empty());
}

TEST(DraftJob, StartsEachRankAsACommandIfThereIsNoLauncher)
{
    HostTraces one{.host = "local"};
    for (int rank = 0; rank < 2; ++rank) {
        RankTrace trace{.rank = rank, .process = process(50 + rank, 1, "python", worker(rank, 2), log(rank))};
        trace.environment = trace.process.env;
        trace.log = log(rank);
        one.ranks.push_back(trace);
    }
    const Job job = drafted({one}).job;
    EXPECT_EQ(job.launch.recipe, "command");
    EXPECT_EQ(job.launch.env.at("MS_SCHED_PORT"), "8200");
    EXPECT_FALSE(job.launch.env.contains("RANK_ID"));
    EXPECT_EQ(job.nodes[0].transport, TransportKind::local);
}

TEST(Evidence, FindsPathsInACommandLineAndItsEnvironment)
{
    RankTrace rank{.process = process(1, 1, "python", {})};
    rank.process.argv = {"python", "train.py", "--out=ckpt", "--data", "/data/x", "--lr", "0.1", "--net", "tiny"};
    rank.environment = {{"SAVE_DIR", "/save"}, {"PATH", "/a:/b"}, {"HOME", "/root"}};
    EXPECT_THAT(pathsOf(rank), testing::IsSupersetOf({"/job/ckpt", "/data/x", "/save"}));
    EXPECT_THAT(pathsOf(rank), testing::Not(testing::Contains("/root")));
    EXPECT_EQ(programOf(rank), "/job/train.py");
    rank.process.argv = {"./trainer", "x"};
    EXPECT_EQ(programOf(rank), "/venv/bin/python3.11");
}

TEST(JobDraft, NamesUnscannedHostsFromTheSlurmNodeList)
{
    HostTraces one = host("lin@ascend-01:22", "a", 0, 100);
    one.facts.hostName = "ascend-01.cluster";
    for (RankTrace &rank : one.ranks) rank.environment["SLURM_JOB_NODELIST"] = "ascend-[01-02],ascend-05";
    const DiscoveredJob job = drafted({one});
    EXPECT_THAT(job.otherHosts, ElementsAre("ascend-02", "ascend-05"));
    ASSERT_FALSE(job.notes.empty());
    EXPECT_THAT(job.notes.front().text, HasSubstr("probably ascend-02, ascend-05"));
    for (RankTrace &rank : one.ranks) rank.environment["SLURM_JOB_NODELIST"] = "ascend-[01-";
    EXPECT_TRUE(drafted({one}).otherHosts.empty());
}

// 10.0.0.7 is the address of the host that was asked as "head".
TEST(JobDraft, NamesUnscannedServersFromTheRankTable)
{
    HostTraces one = host("head", "a", 0, 100);
    one.addresses = {"10.0.0.7"};
    JobEvidence evidence;
    evidence.hostsInFiles = {"10.0.0.7", "10.0.0.8", "10.0.0.8", "127.0.0.1"};
    const auto draft = [&] { return draftJob(findJobs({one}).front(), {one}, evidence); };
    EXPECT_THAT(draft().otherHosts, ElementsAre("10.0.0.8"));
    one.addresses.clear();
    EXPECT_TRUE(draft().otherHosts.empty()) << "which of them it is itself is not known";
    evidence.hostsInFiles = {"head", "worker-1"};
    EXPECT_THAT(draft().otherHosts, ElementsAre("worker-1")) << "names need no addresses";
    one.cluster = "job-a";
    EXPECT_TRUE(draft().otherHosts.empty()) << "what a pod's machine is called says nothing of pods";
}

TEST(JobDraft, NamesTheMasterIfThereIsNoHostList)
{
    HostTraces one = host("worker-1", "a", 0, 100);
    for (RankTrace &rank : one.ranks) rank.environment["MS_SCHED_HOST"] = "head";
    EXPECT_THAT(drafted({one}).otherHosts, ElementsAre("head"));
    for (RankTrace &rank : one.ranks) rank.environment["MS_SCHED_HOST"] = "127.0.0.1";
    EXPECT_TRUE(drafted({one}).otherHosts.empty());
}

TEST(JobHosts, FindsHostFilesInEnvironmentAndLauncherArguments)
{
    RankTrace rank;
    rank.process.cwd = "/job";
    rank.environment["RANK_TABLE_FILE"] = "hccl.json";
    rank.launcher = ProcessInfo{};
    rank.launcher->cwd = "/start";
    rank.launcher->argv = {"mpirun", "--hostfile", "hosts", "-machinefile=/etc/machines", "-n", "4"};
    EXPECT_THAT(hostFilesOf(rank), ElementsAre("/job/hccl.json", "/start/hosts", "/etc/machines"));
    rank.launcher->argv = {"mpirun", "--hostfile"};
    EXPECT_THAT(hostFilesOf(rank), ElementsAre("/job/hccl.json"));
}

TEST(JobHosts, ReadsLocalAddressesFromTheRoutingTable)
{
    const std::string trie = "Main:\n"
                             "  +-- 0.0.0.0/0 3 0 5\n"
                             "     |-- 0.0.0.0\n"
                             "        /0 universe UNICAST\n"
                             "     +-- 10.20.4.0/24 2 0 2\n"
                             "        |-- 10.20.4.11\n"
                             "           /32 host LOCAL\n"
                             "        |-- 10.20.4.255\n"
                             "           /32 link BROADCAST\n"
                             "     +-- 127.0.0.0/8 2 0 2\n"
                             "        |-- 127.0.0.1\n"
                             "           /32 host LOCAL\n"
                             "Local:\n"
                             "        |-- 10.20.4.11\n"
                             "           /32 host LOCAL\n";
    EXPECT_THAT(localAddresses(trie), ElementsAre("10.20.4.11"));
    EXPECT_TRUE(localAddresses("").empty());
}

TEST(JobDraft, CountsRanksWithTheGracefulExitSwitchedOn)
{
    HostTraces one = host("n0", "a", 0, 100);
    ASSERT_EQ(one.ranks.size(), 2u);
    one.ranks[0].environment = {{"MS_ENABLE_GRACEFUL_EXIT", "1"}, {"MS_ROLE", "MS_WORKER"}};
    one.ranks[1].environment = {};
    StopSwitch facts = drafted({one}).stopSwitch;
    EXPECT_EQ(facts.variable, "MS_ENABLE_GRACEFUL_EXIT");
    EXPECT_EQ(facts.on, 1u);
    EXPECT_EQ(facts.off, 0u);
    EXPECT_EQ(facts.unknown, 1u) << "closed to this login, which is no \"off\"";
    one.ranks[1].environment = {{"MS_ROLE", "MS_WORKER"}};
    facts = drafted({one}).stopSwitch;
    EXPECT_EQ(facts.off, 1u);
    EXPECT_EQ(facts.unknown, 0u);
}

}  // namespace
}  // namespace rankdeck::found_job_test
