// SPDX-License-Identifier: GPL-3.0-or-later
// The preflight checks of a relaunch, by their numbers in the corpus of checkpoint cases (H02, P04, L03, R03–R05, X03,
// X04). Also checks that depend on processes, owners and disks. Pure functions, except for TrapOnNodes.
#include "core/recover/forwarding_context.h"
#include "core/recover/plan/plan_json.h"
#include "core/recover/plan/plan_runner.h"
#include "core/recover/resume/aside/backup_newer_checkpoints.h"
#include "core/recover/resume/checks/resume_checks.h"
#include "tests/core/recover/refusals.h"
#include "tests/testbed/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <csignal>
#include <filesystem>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rankdeck::trap_test {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

Job jobOf(int world, std::vector<std::string> command)
{
    Job job;
    job.worldSize = world;
    job.launch.command = std::move(command);
    return job;
}

CheckpointSet setWith(std::map<std::string, std::string> facts)
{
    CheckpointSet set{.id = "0:3-10", .verdict = Verdict::valid};
    set.facts = std::move(facts);
    return set;
}

TEST(Degrees, R03_RefusesZeroOptimizerStateOfAnotherWorldSize)
{
    const CheckpointSet set = setWith({{"framework", "deepspeed"},
                                       {"world_size", "16"},
                                       {"dp_world_size", "16"},
                                       {"reshardable", "none"},
                                       {"zero_stage", "2"}});
    const auto findings = degreeFindings(jobOf(8, {"train.py"}), set, {});
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].code, "degrees_differ");
    EXPECT_EQ(findings[0].result, Finding::Result::refuse);
    EXPECT_THAT(findings[0].text, HasSubstr("world size 16"));
    EXPECT_THAT(findings[0].fix, HasSubstr("ds_to_universal"));
    EXPECT_TRUE(degreeFindings(jobOf(16, {"train.py"}), set, {}).empty());
    CheckpointSet universal = set;
    universal.facts["reshardable"] = "all";
    EXPECT_TRUE(degreeFindings(jobOf(8, {"train.py"}), universal, {}).empty());
}

TEST(Degrees, R04_DataShardedOptimizerCannotChangeTheTensorParallelSize)
{
    const CheckpointSet set = setWith({{"framework", "megatron"},
                                       {"world_size", "8"},
                                       {"tensor_model_parallel_size", "2"},
                                       {"pipeline_model_parallel_size", "1"},
                                       {"reshardable", "data"}});
    const auto findings =
        degreeFindings(jobOf(8, {"pretrain.py", "--tensor-model-parallel-size", "4", "--lr", "1"}), set, {});
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].result, Finding::Result::refuse);
    EXPECT_THAT(findings[0].text, HasSubstr("tensor parallel size 2"));
    EXPECT_TRUE(degreeFindings(jobOf(16, {"pretrain.py", "--tensor-model-parallel-size=2"}), set, {}).empty());
    Job byScript = jobOf(8, {"pretrain.sh"});
    byScript.launch.env["PP"] = "2";
    EXPECT_EQ(degreeFindings(byScript, set, {}).size(), 1u);
}

TEST(Degrees, R05_WarnsOfPathsOfPython313OnAnOlderPython)
{
    const CheckpointSet set = setWith({{"needs_python", "3.13"}});
    const auto findings = degreeFindings(jobOf(4, {"train.py"}), set, {{"n0", "3.10"}, {"n1", "3.13.1"}, {"n2", ""}});
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].code, "python_older");
    EXPECT_EQ(findings[0].result, Finding::Result::warn);
    EXPECT_EQ(findings[0].node, "n0");
}

TEST(Degrees, ArgumentThatIsNotAnOptionSetsNoDegree)
{
    LaunchSpec launch;
    launch.command = {"tp", "4", "--tp", "x", "--data", "pp", "--context-parallel-size=2"};
    launch.env = {{"EP", "8"}, {"TPX", "9"}};
    EXPECT_THAT(degreesOf(launch), UnorderedElementsAre(testing::Pair("context_parallel_size", 2),
                                                        testing::Pair("expert_model_parallel_size", 8)));
}

TEST(Degrees, MindSporeDegreesMustKeepTheSavedNumberOfReplicas)
{
    const CheckpointSet set = setWith({{"replica_groups", "0,4;1,5;2,6;3,7"}});
    const auto of = [&](const std::vector<std::string> &command) { return degreeFindings(jobOf(8, command), set, {}); };
    EXPECT_TRUE(of({"train.py", "--stage_num=2", "--op_level_model_parallel_num", "2", "--optimizer_shard=0"}).empty());
    EXPECT_TRUE(of({"train.py", "--op_level_model_parallel_num=8"}).empty());  // the number of stages is unknown
    const auto cut = of({"train.py", "--stage_num=1", "--op_level_model_parallel_num=2"});
    ASSERT_EQ(cut.size(), 1u);
    EXPECT_EQ(cut[0].code, "degrees_differ");
    EXPECT_EQ(cut[0].result, Finding::Result::refuse);
    EXPECT_THAT(cut[0].text, HasSubstr("found 4 (1 stages, 2 parts per operator, 8 ranks)"));
    EXPECT_EQ(of({"run_mindformer.py", "--data_parallel", "4"}).size(), 1u);
    EXPECT_THAT(of({"train.py", "--optimizer_shard", "1"})[0].text, HasSubstr("sharded optimizer"));
    // If the groups have different sizes, or there are none, no finding is made.
    EXPECT_TRUE(
        degreeFindings(jobOf(3, {"train.py", "--optimizer_shard=1"}), setWith({{"replica_groups", "0,1;2"}}), {})
            .empty());
    EXPECT_TRUE(degreeFindings(jobOf(8, {"train.py", "--optimizer_shard=1"}), setWith({}), {}).empty());
}

TEST(AutoLoaded, X03_RecognisesANonPersistentIterationOfMegatron)
{
    FileEntry entry{.path = "/ckpt/non_persistent/iter_0000150", .stat = {.kind = 'd'}};
    EXPECT_EQ(autoLoadedOf(entry).by, "Megatron");
    EXPECT_EQ(autoLoadedOf(entry).step, 150);
    entry.path = "/ckpt/iter_0000100";
    EXPECT_TRUE(autoLoadedOf(entry).by.empty());
}

TEST(AutoLoaded, X04_ReportsARequeueCheckpointBeforeTheLaunch)
{
    const FileEntry entry{.path = "/out/hpc_ckpt_3.ckpt", .stat = {}};
    EXPECT_EQ(autoLoadedOf(entry).by, "Lightning");
    PlaceFacts facts{.places = {}, .members = {}, .autoLoaded = {autoLoadedOf(entry)}};
    facts.autoLoaded[0].node = "n0";
    const auto findings = placeFindings({}, setWith({}), facts, {});
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].code, "auto_loaded");
    EXPECT_TRUE(findings[0].fixable);
    EXPECT_EQ(findings[0].result, Finding::Result::refuse);
    EXPECT_EQ(placeFindings({}, setWith({}), facts, {.fixes = {"auto_loaded"}})[0].result, Finding::Result::warn);
    EXPECT_TRUE(autoLoadedMoves(facts, {}, "r1").empty());
    const auto moves = autoLoadedMoves(facts, {.fixes = {"auto_loaded"}}, "r1");
    EXPECT_EQ(moves.at("n0").front().target, "/out/hpc_ckpt_3.ckpt.moved-r1");
}

TEST(AutoLoaded, ChosenCheckpointItselfIsNotReported)
{
    CheckpointSet set = setWith({});
    set.members.push_back({.rank = 0, .node = "n0", .path = "/out/hpc_ckpt_3.ckpt"});
    PlaceFacts facts{.places = {}, .members = {}, .autoLoaded = {{"n0", "/out/hpc_ckpt_3.ckpt", "Lightning", -1}}};
    EXPECT_TRUE(placeFindings({}, set, facts, {}).empty());
}

TEST(Places, ReportClosedDirectoriesForeignOwnersAndFullDisks)
{
    JobState view;
    view.nodes = {{.name = "n0"}};
    view.nodes[0].facts.uid = 1000;
    view.nodes[0].facts.user = "bob";
    CheckpointSet set = setWith({});
    set.members.push_back({.rank = 0, .node = "n0", .path = "/c/a.ckpt", .bytes = 100});
    PlaceFacts facts;
    facts.places = {
        {.node = "n0",
         .path = "/c",
         .ranks = {0},
         .checkpoints = true,
         .known = true,
         .writable = false,
         .owner = "alice",
         .device = 1,
         .freeBytes = 250},
        {.node = "n0", .path = "/logs", .ranks = {0}, .checkpoints = false, .known = true, .owner = "root"}};
    facts.members = {{.rank = 0, .node = "n0", .path = "/c/a.ckpt", .uid = 1001}};
    auto findings = placeFindings(view, set, facts, {});
    EXPECT_THAT(find(findings, "directory_closed", "expected /c ")->text, HasSubstr("alice"));
    EXPECT_NE(find(findings, "directory_closed", "expected /logs "), nullptr);
    EXPECT_EQ(find(findings, "directory_closed", "belongs to user 1001")->result, Finding::Result::warn);
    EXPECT_THAT(find(findings, "disk_room")->text, HasSubstr("2 more saves fit"));
    facts.places[0].freeBytes = 0;
    EXPECT_THAT(find(placeFindings(view, set, facts, {}), "disk_room")->text, HasSubstr("the next save would already"));
    facts.places[0].freeBytes.reset();
    EXPECT_EQ(find(placeFindings(view, set, facts, {}), "disk_room"), nullptr) << "not known";
    facts.places[0].freeBytes = 300;
    facts.members[0].problem = "Permission denied";
    findings = placeFindings(view, set, facts, {});
    EXPECT_EQ(find(findings, "disk_room"), nullptr);
    EXPECT_EQ(find(findings, "checkpoint_unreadable")->result, Finding::Result::refuse);
}

TEST(LeftoverProcesses, NamesTheResourcesBehindOpenFiles)
{
    EXPECT_THAT(holdsOf({"/dev/davinci3", "/dev/davinci_manager", "socket:[77]", "socket:[78]", "/ckpt/rank_0/a.ckpt",
                         "/lib/libc.so", "pipe:[3]"},
                        {{"77", 8118}}, {"/ckpt"}),
                UnorderedElementsAre("device 3", "port 8118", "a.ckpt"));
}

TEST(LeftoverProcesses, FindsPathsSharedThroughALogOrAnArgument)
{
    ProcessInfo other;
    other.cwd = "/job";
    other.argv = {"python", "train.py", "--out=ckpt/rank_0", "--strategy", "./s/strategy.ckpt", "--lr", "0.1"};
    other.stdoutPath = "/logs/worker_0.log";
    EXPECT_THAT(sharedPaths({"/job/ckpt/rank_0", "/logs", "/job/s/strategy.ckpt", "/elsewhere"}, other),
                UnorderedElementsAre("/job/ckpt/rank_0", "/logs", "/job/s/strategy.ckpt"));
    EXPECT_TRUE(sharedPaths({"/job/ckpt/rank"}, other).empty());
}

TEST(PlanJson, RoundTripsEndedProcessesAndCopies)
{
    Plan plan{.id = "r", .summary = ""};
    plan.nodes.push_back({.node = "n0"});
    plan.nodes[0].ends.push_back(
        {.process = {.pid = 7, .startTicks = 9, .bootId = "b"}, .signal = Signal::interrupt, .text = "pid 7"});
    plan.nodes[0].copies.push_back({.fromNode = "n1", .from = "/a\xff", .path = "/b", .bytes = 5});
    const auto again = planFromJson(planToJson(plan));
    ASSERT_TRUE(again.has_value()) << again.error().detail;
    EXPECT_EQ(again->nodes[0].ends[0].process, plan.nodes[0].ends[0].process);
    EXPECT_EQ(again->nodes[0].ends[0].signal, Signal::interrupt);
    EXPECT_EQ(again->nodes[0].copies[0].from, "/a\xff");
    EXPECT_EQ(again->nodes[0].copies[0].bytes, 5u);
}

// ---- on real processes and files

class TrapOnNodes : public testing::Test {
protected:
    void crash() { host.crashLongAgo(); }
    // The current job state, with one change.
    class Changed final : public ForwardingContext {
    public:
        Changed(EngineHost &now, const std::function<void(JobState &)> &change)
            : ForwardingContext(now), m_change(change)
        {}
        JobState view() const override
        {
            JobState view = m_host.view();
            m_change(view);
            return view;
        }

    private:
        std::function<void(JobState &)> m_change;
    };
    EngineHost host{{{0}, {1}}, "command"};
};

// The operator has not confirmed a process that started after the list was shown.
TEST_F(TrapOnNodes, DoesNotEndALeftoverProcessThatWasNotShown)
{
    host.job.launch.env["FAKE_LAST"] = "8";
    host.startFirst();
    host.job.launch.env.erase("FAKE_LAST");
    host.waitStep(8);
    host.allJudged();
    const std::vector<int> old = host.pids();
    ResumeOptions options{.waitSeconds = 60, .fixes = {"survivors"}};
    EXPECT_TRUE(find(planResume(host, {}).preflight, "survivors")->fixable);
    EXPECT_TRUE(endsOf(planResume(host, {}).plan).empty());
    auto shown = endsOf(planResume(host, options).plan);
    ASSERT_EQ(shown.size(), 2u);
    for (const auto &[node, process] : shown) {
        options.mayEnd = {{node, process}};  // one of the two alone
        const ResumeReport report = runResume(host, options, {});
        EXPECT_EQ(report.outcome, "refused") << report.text;
        EXPECT_THAT(report.text, HasSubstr("was not in the list of processes to end"));
        EXPECT_EQ(host.pids(), old);
    }
    options.mayEnd = shown;
    EXPECT_EQ(runResume(host, options, {}).outcome, "proven");
    for (const int pid : host.pids()) EXPECT_EQ(std::find(old.begin(), old.end(), pid), old.end());
}

TEST_F(TrapOnNodes, H02_RefusesOrCopiesACheckpointOnAnotherNode)
{
    crash();
    Changed elsewhere(host, [](JobState &view) {
        for (CheckpointSet &set : view.checkpoints.sets)
            for (MemberVerdict &member : set.members)
                if (member.rank == 1) {
                    member.node = "n0";
                    member.path += ".only-on-n0";
                }
    });
    ResumeReport report = runResume(elsewhere, {}, {});
    EXPECT_EQ(report.outcome, "refused");
    const Finding *missing = find(report.preflight, "member_missing");
    ASSERT_NE(missing, nullptr) << report.text;
    EXPECT_EQ(missing->rank, 1);
    EXPECT_TRUE(missing->fixable);
    EXPECT_THAT(missing->text, HasSubstr("is on node n0"));
    report = planResume(elsewhere, {.fixes = {"member_missing"}});
    ASSERT_EQ(report.outcome, "dry_run") << report.text;
    for (const NodePlan &node : report.plan.nodes) {
        ASSERT_EQ(node.copies.size(), node.node == "n1" ? 1u : 0u) << node.node;
        if (node.node == "n1") { EXPECT_EQ(node.copies[0].fromNode, "n0"); }
    }
}

TEST_F(TrapOnNodes, CopiesAFileInPiecesAndRemovesItOnUndo)
{
    std::string bytes(9u << 20, 'x');
    for (std::size_t i = 0; i < bytes.size(); i += 4096) bytes[i] = static_cast<char>(i / 4096);
    host.write("from/a.ckpt", bytes);
    Plan plan{.id = "r1", .summary = "", .nodes = {}};
    NodePlan node{.node = "n1"};
    node.copies.push_back(
        {.fromNode = "n0", .from = host.file("from/a.ckpt"), .path = host.file("to/a.ckpt"), .bytes = bytes.size()});
    plan.nodes.push_back(node);
    StepLog steps;
    const Status done = applyCopies(host, plan, steps);
    ASSERT_TRUE(done.has_value()) << done.error().message;
    EXPECT_EQ(host.read("to/a.ckpt"), bytes);
    StepLog again;
    EXPECT_FALSE(applyCopies(host, plan, again).has_value());  // never overwrites an existing file
    EXPECT_EQ(host.read("to/a.ckpt"), bytes);
    EXPECT_FALSE(host.exists("to/a.ckpt.copying-r1"));
    EXPECT_TRUE(undoPlan(host, plan, steps).empty());
    EXPECT_FALSE(host.exists("to/a.ckpt"));
    plan.nodes[0].copies[0].bytes += 1;  // the file is shorter than when it was judged
    EXPECT_FALSE(applyCopies(host, plan, steps).has_value());
    EXPECT_FALSE(host.exists("to/a.ckpt"));
}

TEST_F(TrapOnNodes, P04_CheckpointReplacedAfterItsVerdictStopsTheLaunch)
{
    crash();
    const JobState before = host.view();
    Changed older(host, [&before](JobState &view) { view = before; });
    std::string other = host.read("job/ckpt/rank_1/lenet-1_5.ckpt");
    other.back() = static_cast<char>(other.back() ^ 1);
    host.write("job/ckpt/rank_1/lenet-1_5.ckpt", other);  // same size, other bytes
    const ResumeReport report = runResume(older, {.waitSeconds = 20}, {});
    EXPECT_EQ(report.outcome, "failed");
    EXPECT_THAT(report.text, HasSubstr("has changed since it was judged"));
    EXPECT_TRUE(host.exists("job/log/worker_0.log"));
    EXPECT_TRUE(host.pids().empty());
}

TEST_F(TrapOnNodes, L03_CheckpointRemovedDuringTheCheckStopsTheLaunch)
{
    crash();
    host.job.launch.command = {"sh", "-c", "test \"$1\" && sleep 60", "sh", "{checkpoint_dir}"};
    // Retention removes the file after the plan was made and before the links are used.
    bool removed = false;
    const ResumeReport report = runResume(host, {.waitSeconds = 20}, [&](const ResumeReport &now) {
        if (now.phase == "preparing" && !removed)
            removed = std::filesystem::remove(host.file("job/ckpt/rank_1/lenet-1_5.ckpt"));
    });
    EXPECT_TRUE(removed);
    EXPECT_EQ(report.outcome, "failed") << report.text;
    EXPECT_THAT(report.text, HasSubstr("No such file"));
    EXPECT_TRUE(host.pids().empty());
    EXPECT_FALSE(std::filesystem::exists(host.file("job/.rankdeck/views/" + report.journal)));
}

TEST_F(TrapOnNodes, RefusesAMissingInterpreterAndAMissingScript)
{
    crash();
    host.job.launch.recipe = "msrun";
    host.job.launch.command = {"no-such-python", "no-such-script.py", "{checkpoint}"};
    const ResumeReport report = runResume(host, {}, {});
    EXPECT_EQ(report.outcome, "refused");
    EXPECT_NE(find(report.preflight, "program_missing", "no-such-python"), nullptr) << report.text;
    EXPECT_NE(find(report.preflight, "program_missing", host.file("job/no-such-script.py")), nullptr) << report.text;
}

TEST_F(TrapOnNodes, ReportsAPortInUseWithItsHolder)
{
    crash();
    const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr *>(&address), length), 0);
    ASSERT_EQ(::listen(listener, 1), 0);
    ASSERT_EQ(::getsockname(listener, reinterpret_cast<sockaddr *>(&address), &length), 0);
    // Many processes run on a node of a cluster; the listener belongs to the youngest of them.
    std::vector<pid_t> crowd;
    for (int i = 0; i < 300; ++i) {
        crowd.push_back(::fork());
        if (crowd.back() != 0) continue;
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (i < 299) ::close(listener);
        for (;;) ::pause();
    }
    const pid_t holder = crowd.back();
    ::close(listener);
    host.job.launch.recipe = "msrun";
    host.job.launch.masterPort = ntohs(address.sin_port);
    const ResumeReport report = runResume(host, {.fixes = {"all"}}, {});
    for (const pid_t pid : crowd) {
        ::kill(pid, SIGKILL);
        ::waitpid(pid, nullptr, 0);
    }
    EXPECT_EQ(report.outcome, "refused");
    const Finding *busy = find(report.preflight, "port_in_use");
    ASSERT_NE(busy, nullptr) << report.text;
    EXPECT_THAT(busy->text, HasSubstr("pid " + std::to_string(holder)));
    EXPECT_FALSE(busy->fixable);  // the holder is not part of this job
}

TEST_F(TrapOnNodes, TwoJobsMayShareAScriptButNoPath)
{
    crash();
    host.write("job/train_strategy.py", "");
    const auto runs = [&](const std::string &id, const std::string &word) {
        const LaunchRequest other{.id = id,
                                  .runDirectory = host.file("runs"),
                                  .argv = {"sh", "-c", "sleep 60", "sh", host.file(word)},
                                  .env = {{"RANK_ID", "0"}, {"RANK_SIZE", "1"}, {"FAKE_JOB", host.file("job")}},
                                  .workdir = "/",
                                  .output = host.file(id + ".log")};
        auto reply = host.node("n0")->launch(other);
        ASSERT_TRUE(reply.get().has_value());
    };
    const auto command = host.job.launch.command;
    host.job.launch.command = {"python3", host.file("job/train_strategy.py"), "--resume", "{checkpoint}"};
    runs("other", "job/train_strategy.py");
    EXPECT_EQ(find(planResume(host, {}).preflight, "path_shared"), nullptr);
    host.job.launch.command = command;
    runs("stranger", "job/ckpt/rank_0");
    const ResumeReport report = runResume(host, {}, {});
    EXPECT_EQ(report.outcome, "refused");
    ASSERT_NE(find(report.preflight, "path_shared"), nullptr) << report.text;
    EXPECT_THAT(find(report.preflight, "path_shared")->text, HasSubstr("ckpt/rank_0"));
}

// Without a strategy, the Pangu script loads any emergency checkpoint of its rank before all periodic files, whatever
// their times.
TEST(NewerCheckpoints, EmergencyCheckpointIsAlwaysBackedUp)
{
    Inventory inventory;
    const auto add = [&](const std::string &path, std::int64_t time, CheckpointKind kind) {
        Member member{
            .rank = 1, .node = "n0", .file = {.path = path, .stat = {.kind = 'f', .mtimeNs = time}}, .name = {}};
        member.name.kind = kind;
        inventory.members.push_back(member);
    };
    add("/job/rank_1/pangu1-1_10.ckpt", 100, CheckpointKind::periodic);
    add("/job/rank_1/pangu1-1_5.ckpt", 50, CheckpointKind::periodic);
    add("/job/rank_1/pangu1-1_8_breakpoint.ckpt", 80, CheckpointKind::breakpoint);
    add("/job/rank_1/pangu1-2_3_breakpoint.ckpt", 130, CheckpointKind::breakpoint);
    JobState view;
    view.job.nodes = {{.name = "n0", .host = "local", .ranks = {0, 1}}};
    view.inventory = std::make_shared<const Inventory>(inventory);
    CheckpointSet set{.id = "0:1-10", .kind = CheckpointKind::periodic};
    set.members.push_back({.rank = 1, .node = "n0", .path = "/job/rank_1/pangu1-1_10.ckpt"});
    const Moves moves = moveNewer(view, set, "resume-1");
    std::vector<std::string> moved;
    for (const FileActionRequest &step : moves.byNode.at("n0")) moved.push_back(step.path);
    EXPECT_THAT(moved, testing::UnorderedElementsAre("/job/rank_1/pangu1-1_8_breakpoint.ckpt",
                                                     "/job/rank_1/pangu1-2_3_breakpoint.ckpt"));
    ASSERT_EQ(moves.findings.size(), 1u);
    EXPECT_EQ(moves.findings[0].code, "newer_checkpoints");
    // a chosen emergency checkpoint leaves periodic files and older emergency checkpoints where they are
    set.kind = CheckpointKind::breakpoint;
    set.members[0].path = "/job/rank_1/pangu1-1_8_breakpoint.ckpt";
    const Moves gasp = moveNewer(view, set, "resume-1");
    ASSERT_EQ(gasp.byNode.at("n0").size(), 1u);
    EXPECT_EQ(gasp.byNode.at("n0")[0].path, "/job/rank_1/pangu1-2_3_breakpoint.ckpt");
}

TEST_F(TrapOnNodes, FindsExitSavesThatTheJobFileDoesNotName)
{
    host.startFirst();
    ASSERT_EQ(runExit(host, {.waitSeconds = 60}, {}).outcome, "stopped");
    host.job.gracefulExit.saves.clear();
    const ResumeReport report = runResume(host, {.waitSeconds = 60}, {});
    ASSERT_EQ(report.outcome, "proven") << report.text;
    EXPECT_NE(find(report.preflight, "stale_train_ckpt"), nullptr);
}

}  // namespace
}  // namespace rankdeck::trap_test
