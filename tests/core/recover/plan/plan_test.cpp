// SPDX-License-Identifier: GPL-3.0-or-later
// The pure parts of plans: recipes, scripts, diffs, process rules, chosen sets.
#include "core/recover/edit/unified_diff.h"
#include "core/recover/host/listeners.h"
#include "core/recover/host/rank_processes.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/plan/plan_json.h"
#include "core/recover/resume/checks/resume_checks.h"
#include "core/recover/resume/facts/choose_set.h"
#include "tests/testbed/temp_dir.h"
#include "tests/testbed/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace rankdeck::plan_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Job twoNodes(const std::string &recipe)
{
    Job job;
    job.name = "lenet";
    job.worldSize = 4;
    job.nodes = {{.name = "n0", .host = "bob@node-a:2222", .ranks = {0, 1}},
                 {.name = "n1", .host = "node-b", .ranks = {2, 3}}};
    job.logs.path = "/job/msrun_log/worker_{rank}.log";
    job.launch.recipe = recipe;
    job.launch.workdir = "/job";
    job.launch.command = {"python", "train.py", "--resume", "{checkpoint}"};
    job.launch.env = {{"MS_ENABLE_GRACEFUL_EXIT", "1"}};
    job.nodes[1].env = {{"PATH", "/fake:/usr/bin"}};
    return job;
}

struct Planned {
    explicit Planned(Job job, const std::string &sameFile = {})
    {
        view.job = std::move(job);
        set = {.id = "0:3-10", .epoch = 3, .step = 10, .globalStep = 30, .verdict = Verdict::valid};
        RecipeInput input{.view = view, .set = set, .id = "resume-1"};
        for (int rank = 0; rank < view.job.ranks(); ++rank)
            input.checkpoints[rank] =
                sameFile.empty() ? "/job/ckpt/rank_" + std::to_string(rank) + "/lenet-3_10.ckpt" : sameFile;
        plan = findRecipe(view.job.launch.recipe)->plan(input);
    }
    JobState view;
    CheckpointSet set;
    LaunchPlan plan;
};

TEST(Msrun, StartsOneLauncherPerNodeAndKeepsItsOutput)
{
    const Planned planned(twoNodes("msrun"), "/job/all.ckpt");
    ASSERT_EQ(planned.plan.nodes.size(), 2u);
    EXPECT_TRUE(planned.plan.findings.empty());
    const LaunchRequest &second = planned.plan.nodes[1].launches.front();
    EXPECT_THAT(second.argv,
                ElementsAre("msrun", "--worker_num=4", "--local_worker_num=2", "--node_rank=1", "--master_addr=node-a",
                            "--master_port=8118", "--log_dir=/job/msrun_log", "--join=True", "--cluster_time_out=600",
                            "python", "train.py", "--resume", "/job/all.ckpt"));
    EXPECT_EQ(second.output, "/job/rankdeck/msrun-resume-1.n1.out");
    EXPECT_EQ(second.runDirectory, "/job/.rankdeck/runs");
    EXPECT_EQ(second.id, "resume-1.n1");
    EXPECT_EQ(second.env.at("PATH"), "/fake:/usr/bin");
    EXPECT_EQ(second.env.at("MS_ENABLE_GRACEFUL_EXIT"), "1");
    EXPECT_EQ(planned.plan.masterNode, "n0");
    EXPECT_EQ(planned.plan.masterPort, 8118);
}

TEST(Msrun, GivesEachRankItsOwnCommand)
{
    const Planned planned(twoNodes("msrun"));
    const auto &argv = planned.plan.nodes[1].launches.front().argv;
    ASSERT_GE(argv.size(), 4u);
    EXPECT_EQ(argv[argv.size() - 4], "python");
    EXPECT_EQ(argv[argv.size() - 3], "-c");
    EXPECT_EQ(argv.back(), R"({"2":["python","train.py","--resume","/job/ckpt/rank_2/lenet-3_10.ckpt"],)"
                           R"("3":["python","train.py","--resume","/job/ckpt/rank_3/lenet-3_10.ckpt"],)"
                           R"("0":["python","train.py","--resume","/job/ckpt/rank_2/lenet-3_10.ckpt"]})");
}

TEST(Msrun, AddsAnInterpreterToABareScriptAsMsrunDoes)
{
    Job job = twoNodes("msrun");
    job.launch.command = {"train.py", "{checkpoint}"};
    EXPECT_THAT(Planned(job).plan.nodes[0].launches.front().argv.back(), HasSubstr(R"("0":["python","train.py",)"));
    EXPECT_THAT(Planned(job, "/one").plan.nodes[0].launches.front().argv, Not(Contains("python")));
}

TEST(Msrun, UsesNoNodeRankAndALocalMasterOnOneNode)
{
    Job job = twoNodes("msrun");
    job.nodes.pop_back();
    job.worldSize = 2;
    const Planned planned(job, "/one");
    EXPECT_THAT(planned.plan.nodes[0].launches.front().argv, Contains("--master_addr=127.0.0.1"));
    EXPECT_THAT(planned.plan.nodes[0].launches.front().argv, Not(Contains(HasSubstr("--node_rank"))));
}

TEST(Msrun, PrefersTheAddressOfTheJobFileOverTheHostName)
{
    JobState view;
    view.job = twoNodes("msrun");
    view.nodes = {{.name = "n0"}};
    view.nodes[0].facts.hostName = "train-17";
    EXPECT_EQ(masterAddress(view), "train-17");
    view.job.launch.masterAddr = "10.0.0.2";
    EXPECT_EQ(masterAddress(view), "10.0.0.2");
}

TEST(Msrun, RefusesRankOrdersAndLogNamesThatMsrunCannotProduce)
{
    Job job = twoNodes("msrun");
    job.nodes[0].ranks = {0, 2};
    job.nodes[1].ranks = {1, 3};
    ASSERT_FALSE(Planned(job).plan.findings.empty());
    EXPECT_EQ(Planned(job).plan.findings.front().code, "recipe_ranks");
    job = twoNodes("msrun");
    job.nodes[0].ranks = {0, 1, 2};
    job.nodes[1].ranks = {3};
    EXPECT_EQ(Planned(job).plan.findings.front().code, "recipe_ranks");
    job = twoNodes("msrun");
    job.logs.path = "/job/msrun_log/rank_{rank}.log";
    EXPECT_EQ(Planned(job).plan.findings.front().code, "recipe_paths");
}

TEST(Command, StartsOneProcessPerRankWithRankVariables)
{
    Job job = twoNodes("command");
    job.launch.command = {"./run", "{rank}", "{epoch}", "{step}", "{global_step}", "{checkpoint}", "{{x}}"};
    const Planned planned(job);
    ASSERT_EQ(planned.plan.nodes[1].launches.size(), 2u);
    const LaunchRequest &last = planned.plan.nodes[1].launches[1];
    EXPECT_THAT(last.argv, ElementsAre("./run", "3", "3", "10", "30", "/job/ckpt/rank_3/lenet-3_10.ckpt", "{x}"));
    EXPECT_EQ(last.env.at("RANK_ID"), "3");
    EXPECT_EQ(last.env.at("RANK_SIZE"), "4");
    EXPECT_EQ(last.env.at("DEVICE_ID"), "1");
    EXPECT_EQ(last.env.at("MS_ROLE"), "MS_WORKER");
    EXPECT_EQ(last.env.at("MS_NODE_ID"), "3");
    EXPECT_EQ(last.output, "/job/msrun_log/worker_3.log");
    EXPECT_EQ(last.id, "resume-1.rank3");
}

TEST(Command, EnvironmentOfTheJobFileTakesPrecedence)
{
    Job job = twoNodes("command");
    job.launch.env["DEVICE_ID"] = "7";
    EXPECT_EQ(Planned(job).plan.nodes[0].launches[0].env.at("DEVICE_ID"), "7");
}

// A wrapper that reads a variable and no argument.
TEST(Command, ExpandsTheCheckpointInVariables)
{
    Job job = twoNodes("command");
    job.launch.command = {"./run.sh"};
    job.launch.env = {{"LOAD", "{checkpoint}"}, {"FROM", "{epoch}_{step}"}, {"TFT", "{TTP:1,UCE:1}"}};
    job.nodes[1].env["LOAD"] = "file://{checkpoint}";
    const Planned planned(job);
    EXPECT_TRUE(planned.plan.findings.empty());
    const auto &env = planned.plan.nodes[0].launches[1].env;
    EXPECT_EQ(env.at("LOAD"), "/job/ckpt/rank_1/lenet-3_10.ckpt");
    EXPECT_EQ(env.at("FROM"), "3_10");
    EXPECT_EQ(env.at("TFT"), "{TTP:1,UCE:1}");
    EXPECT_EQ(planned.plan.nodes[1].launches[0].env.at("LOAD"), "file:///job/ckpt/rank_2/lenet-3_10.ckpt");
}

TEST(Torchrun, ExpandsAVariableOncePerNode)
{
    for (const char *recipe : {"torchrun", "msrun", "mpirun"}) {
        Job job = twoNodes(recipe);
        job.framework = Framework::pytorch;
        job.launch.env = {{"FROM", "{global_step} on {node}"}};
        const Planned planned(job);
        ASSERT_FALSE(planned.plan.nodes.empty()) << recipe;
        EXPECT_EQ(planned.plan.nodes[0].launches.front().env.at("FROM"), "30 on n0") << recipe;
    }
}

TEST(Torchrun, StartsOneLauncherPerNodeWithAStaticRendezvous)
{
    const Planned planned(twoNodes("torchrun"));
    const auto &argv = planned.plan.nodes[1].launches.front().argv;
    EXPECT_THAT(argv, testing::IsSupersetOf({"torchrun", "--nnodes=2", "--nproc_per_node=2", "--node_rank=1",
                                             "--master_addr=node-a", "--max_restarts=0"}));
    EXPECT_THAT(argv.back(), HasSubstr(R"("3":["/job/msrun_log/worker_3.log","python","train.py")"));
    EXPECT_EQ(planned.plan.nodes[1].launches.front().output, "/job/rankdeck/torchrun-resume-1.n1.out");
}

TEST(Diff, ShowsContextLines)
{
    EXPECT_EQ(unifiedDiff("/c", "1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\nfive\n6\n7\n8\n"),
              "--- /c\n+++ /c\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
    EXPECT_EQ(unifiedDiff("/c", "{}", "{\"a\": 1}"), "--- /c\n+++ /c\n@@ -1,1 +1,1 @@\n-{}\n\\ No newline at end of "
                                                     "file\n+{\"a\": 1}\n\\ No newline at end of file\n");
    EXPECT_EQ(unifiedDiff("/c", "a\n", "a\n"), "");
    EXPECT_EQ(unifiedDiff("/c", "", "a\n"), "--- /c\n+++ /c\n@@ -0,0 +1,1 @@\n+a\n");
}

// Two changed places in a long object: the lines between them are not shown as changed.
TEST(Diff, ShowsOnlyChangedLines)
{
    EXPECT_EQ(unifiedDiff("/c", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "0\n1\n2\n3\n4\n5\n6\n7\n8\nnine\n"),
              "--- /c\n+++ /c\n@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -6,4 +7,4 @@\n 6\n 7\n 8\n-9\n+nine\n");
    EXPECT_EQ(unifiedDiff("/c", "1\n2\n3\n", "one\n2\n3\n4\n"),
              "--- /c\n+++ /c\n@@ -1,3 +1,4 @@\n-1\n+one\n 2\n 3\n+4\n");
}

TEST(Script, QuotesAllTextAndSeparatesPreparationFromLaunch)
{
    Plan plan{.id = "resume-1", .summary = "resume lenet"};
    NodePlan node{.node = "n0"};
    node.files.push_back({.action = FileAction::move, .path = "/job/it's here", .target = "/job/there"});
    node.launches.push_back({.id = "a",
                             .runDirectory = "/r",
                             .argv = {"python", "a b", "$(touch x)"},
                             .env = {{"K", "v w"}},
                             .workdir = "/job",
                             .output = "/job/log/x.log"});
    plan.nodes.push_back(node);
    const std::string script = planAsScript(plan);
    EXPECT_THAT(script, HasSubstr("mv -nT -- '/job/it'\\''s here' "));
    EXPECT_THAT(script, HasSubstr("'$(touch x)'"));
    EXPECT_THAT(script, HasSubstr("'K=v w'"));
    EXPECT_LT(script.find("n0/prepare"), script.find("n0/launch"));
}

TEST(Script, FollowsALinkAndReplacesItsTarget)
{
    const TempDir dir;
    dir.write("real.json", "{\"a\": 1}\n");
    ASSERT_EQ(::symlink("real.json", dir.file("c.json").c_str()), 0);
    Plan plan{.id = "resume-1", .summary = ""};
    plan.nodes.push_back({.node = "n0"});
    plan.nodes[0].edits.push_back(
        {.path = dir.file("c.json"),
         .before = "{\"a\": 1}\n",
         .after = "{\"a\": 2}\n",
         .diff = "-{\"a\": 1}\r\n+{\"a\": 2}\n",
         .expectedSha256 = "1a3b1cfa6f84ba9cb6b30b7d6a83e1d1a1e8dd6ccf4b0d6a5d6d7d2a3a9e9bbd"});
    dir.write("plan.sh", planAsScript(plan));
    const std::string run = "f=" + dir.file("plan.sh") + "; s=$(sha256sum <" + dir.file("real.json") +
                            " | cut -d' ' -f1); sed -i \"s/1a3b1cfa[0-9a-f]*/$s/\" $f; bash $f n0 prepare";
    ASSERT_EQ(std::system(run.c_str()), 0);
    EXPECT_EQ(dir.read("real.json"), "{\"a\": 2}\n");
    EXPECT_TRUE(std::filesystem::is_symlink(dir.file("c.json")));
}

class PlanSecrets : public testing::Test {
protected:
    PlanSecrets()
    {
        m_plan.nodes.push_back({.node = "n0"});
        NodePlan &node = m_plan.nodes[0];
        node.launches.push_back({.id = "a",
                                 .runDirectory = "/r",
                                 .argv = {"python", "--key=s3cr3t's"},
                                 .env = {{"WANDB_API_KEY", "s3cr3t's"}, {"STEPS", "1000"}},
                                 .workdir = "/job",
                                 .output = m_dir.file("out")});
        node.edits.push_back({.path = m_dir.file("job.sbatch"),
                              .before = "",
                              .after = "export WANDB_API_KEY='s3cr3t'\\''s'\nsrun\n",
                              .diff = "+export WANDB_API_KEY='s3cr3t'\\''s'\n",
                              .expectedSha256 = ""});
    }
    TempDir m_dir;
    Plan m_plan{.id = "resume-1", .summary = "with s3cr3t's"};
};

TEST_F(PlanSecrets, AreNeverShownOrSaved)
{
    for (const std::string &text : {planToJson(withoutSecrets(m_plan)), planAsScript(m_plan)}) {
        EXPECT_THAT(text, Not(HasSubstr("s3cr3t"))) << text;
        EXPECT_THAT(text, HasSubstr("WANDB_API_KEY"));
        EXPECT_THAT(text, HasSubstr("1000"));
    }
    EXPECT_THAT(planToJson(m_plan), HasSubstr("s3cr3t")) << "what runs has them";
}

TEST_F(PlanSecrets, ScriptReadsThemFromTheEnvironmentOfItsCaller)
{
    m_dir.write("plan.sh", planAsScript(m_plan));
    EXPECT_NE(std::system(("bash " + m_dir.file("plan.sh") + " n0 prepare 2>/dev/null").c_str()), 0) << "it is not set";
    EXPECT_FALSE(std::filesystem::exists(m_dir.file("job.sbatch")));
    ASSERT_EQ(std::system(("WANDB_API_KEY=abcd bash " + m_dir.file("plan.sh") + " n0 prepare").c_str()), 0);
    EXPECT_THAT(m_dir.read("job.sbatch"), HasSubstr("WANDB_API_KEY='abcd'"));
    EXPECT_EQ(std::filesystem::status(m_dir.file("job.sbatch")).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST(PlanJson, RoundTripsBytesThatAreNotUtf8)
{
    Plan plan{.id = "r", .summary = ""};
    plan.nodes.push_back({.node = "n0"});
    plan.nodes[0].files.push_back({.action = FileAction::makeLink,
                                   .path = "/a\xff"
                                           "b",
                                   .target = "/c"});
    plan.nodes[0].edits.push_back(
        {.path = "/e", .before = std::string("\xfe\x00\x01", 3), .after = "x", .diff = "", .expectedSha256 = ""});
    const auto again = planFromJson(planToJson(plan));
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->nodes[0].files[0].path, plan.nodes[0].files[0].path);
    EXPECT_EQ(again->nodes[0].files[0].action, FileAction::makeLink);
    EXPECT_EQ(again->nodes[0].edits[0].before, plan.nodes[0].edits[0].before);
    EXPECT_FALSE(planFromJson("{}").has_value());
    EXPECT_FALSE(planFromJson("[").has_value());
    EXPECT_FALSE(
        planFromJson(
            R"({"id":"r","summary":"","nodes":[{"node":"n","files":[{"action":"burn","path":"/"}],"edits":[],"launches":[]}]})")
            .has_value());
}

TEST(PlanScript, PatchesTheBytesOfACopy)
{
    const TempDir dir;
    dir.write("old.ckpt", "head\x01tail");
    std::filesystem::permissions(dir.file("old.ckpt"), std::filesystem::perms::owner_read);
    Plan plan{.id = "r", .summary = ""};
    plan.nodes.push_back({.node = "n0"});
    plan.nodes[0].files.push_back({.action = FileAction::copyFile,
                                   .path = dir.file("new.ckpt"),
                                   .target = dir.file("old.ckpt"),
                                   .patches = {{.offset = 4, .before = "\x01", .after = std::string("\0", 1)},
                                               {.offset = 0, .before = "he", .after = "\xff'"}}});
    const auto again = planFromJson(planToJson(plan));
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->nodes[0].files[0].patches, plan.nodes[0].files[0].patches);
    dir.write("plan.sh", planAsScript(again.value()));
    ASSERT_EQ(std::system(("bash " + dir.file("plan.sh") + " n0 prepare").c_str()), 0);
    EXPECT_EQ(dir.read("new.ckpt"), std::string("\xff'ad\0tail", 9));
    EXPECT_EQ(std::filesystem::status(dir.file("new.ckpt")).permissions(), std::filesystem::perms::owner_read);
    EXPECT_EQ(std::filesystem::last_write_time(dir.file("new.ckpt")),
              std::filesystem::last_write_time(dir.file("old.ckpt")));
}

ProcessInfo process(int pid, int parent, const std::string &comm, std::map<std::string, std::string> env,
                    const std::string &out)
{
    ProcessInfo info;
    info.id.pid = pid;
    info.parent = parent;
    info.state = 'S';
    info.comm = comm;
    info.env = std::move(env);
    info.envReadable = true;
    info.cwd = "/job";
    info.stdoutPath = out;
    return info;
}

TEST(Processes, TailsSchedulersAndDataLoadersAreNotRanks)
{
    const Job job = twoNodes("msrun");
    const std::map<std::string, std::string> worker{{"MS_ROLE", "MS_WORKER"}, {"RANK_ID", "1"}, {"MS_NODE_ID", "1"}};
    const auto sorted = sortProcesses(
        job, job.nodes[0],
        {process(10, 1, "msrun", {}, "/job/rankdeck/x.out"),
         process(11, 10, "python", {{"MS_ROLE", "MS_SCHED"}, {"RANK_ID", "0"}}, "/job/msrun_log/scheduler.log"),
         process(12, 10, "python", worker, "/job/msrun_log/worker_1.log"),
         process(13, 12, "python", worker, "/job/msrun_log/worker_1.log"),
         process(14, 10, "tail", worker, "/job/rankdeck/x.out"),
         process(15, 1, "python", {{"MS_ROLE", "MS_WORKER"}, {"RANK_ID", "0"}, {"MS_NODE_ID", "0"}},
                 "/other/worker_0.log")});
    EXPECT_EQ(sorted.ranks.at(1).id.pid, 12);
    ASSERT_EQ(sorted.others.size(), 3u);
    EXPECT_EQ(sorted.others[0].id.pid, 10);
    EXPECT_EQ(sorted.others[1].id.pid, 11);
}

TEST(Processes, TrustsTheRankIdOnlyTogetherWithTheNodeId)
{
    Job job = twoNodes("msrun");
    const auto lie =
        sortProcesses(job, job.nodes[0], {process(12, 1, "python", {{"MS_ROLE", "MS_WORKER"}, {"RANK_ID", "0"}}, "")});
    EXPECT_TRUE(lie.ranks.empty());
    const auto truth = sortProcesses(
        job, job.nodes[0],
        {process(12, 1, "python", {{"MS_ROLE", "MS_WORKER"}, {"RANK_ID", "0"}}, "/job/msrun_log/worker_1.log")});
    EXPECT_EQ(truth.ranks.begin()->first, 1);
}

TEST(Processes, ExcludesAnotherJobInTheSameDirectory)
{
    const Job job = twoNodes("msrun");
    const std::map<std::string, std::string> worker{{"MS_ROLE", "MS_WORKER"}, {"RANK_ID", "0"}, {"MS_NODE_ID", "0"}};
    const auto sorted = sortProcesses(
        job, job.nodes[0],
        {process(20, 1, "msrun", {}, "/job/b.out"),
         process(21, 20, "python", {{"MS_ROLE", "MS_SCHED"}, {"RANK_ID", "0"}}, "/job/b_log/scheduler.log"),
         process(22, 20, "python", worker, "/job/b_log/worker_0.log")});
    EXPECT_TRUE(sorted.ranks.empty());
    EXPECT_TRUE(sorted.unsure.empty());
    EXPECT_TRUE(sorted.others.empty()) << "its launcher and scheduler are not ours to end";
    EXPECT_TRUE(sorted.leftovers.empty());
}

TEST(Processes, RankKnownOnlyByItsEnvironmentIsListedAsUnsure)
{
    const Job job = twoNodes("msrun");
    const std::map<std::string, std::string> worker{{"MS_ROLE", "MS_WORKER"}, {"RANK_ID", "0"}, {"MS_NODE_ID", "0"}};
    const auto sorted = sortProcesses(job, job.nodes[0], {process(22, 1, "python", worker, "")});
    EXPECT_TRUE(sorted.ranks.empty());
    EXPECT_EQ(sorted.unsure.at(0).id.pid, 22);
    for (const char *size : {"RANK_SIZE", "MS_WORKER_NUM", "WORLD_SIZE"}) {
        std::map<std::string, std::string> sized = worker;
        sized[size] = std::to_string(job.ranks());
        EXPECT_EQ(sortProcesses(job, job.nodes[0], {process(22, 1, "python", sized, "")}).unsure.size(), 1u) << size;
        sized[size] = "16";
        EXPECT_TRUE(sortProcesses(job, job.nodes[0], {process(22, 1, "python", sized, "")}).unsure.empty())
            << size << ": of a job of another size";
    }
    std::map<std::string, std::string> marked = worker;
    marked[jobMarkName] = jobMark(job);
    EXPECT_EQ(sortProcesses(job, job.nodes[0], {process(22, 1, "python", marked, "")}).ranks.at(0).id.pid, 22);
    ProcessInfo nameless = process(23, 1, "python", {}, "/job/msrun_log/worker_1.log");
    nameless.envReadable = false;
    EXPECT_EQ(sortProcesses(job, job.nodes[0], {nameless}).ranks.at(1).id.pid, 23) << "by the log that it writes";
}

// The script of rank 0 has started an evaluation, with its own log and in the same environment.
TEST(Processes, ProcessThatInheritedTheJobMarkButWritesElsewhereIsNotTheRank)
{
    const Job job = twoNodes("command");
    const std::map<std::string, std::string> inherited{
        {"MS_ROLE", "MS_WORKER"}, {"RANK_ID", "0"}, {"MS_NODE_ID", "0"}, {jobMarkName, jobMark(job)}};
    const ProcessInfo evaluation = process(40, 7, "python", inherited, "/job/eval.log");
    const ProcessInfo rank = process(41, 8, "python", inherited, "/job/msrun_log/worker_0.log");
    for (const auto &both : {std::vector{evaluation, rank}, std::vector{rank, evaluation}}) {
        const auto sorted = sortProcesses(job, job.nodes[0], both);
        EXPECT_EQ(sorted.ranks.at(0).id.pid, 41);
        EXPECT_TRUE(sorted.claims.empty()) << "no second rank 0";
        EXPECT_TRUE(sorted.unsure.empty());
        EXPECT_TRUE(sorted.leftovers.empty()) << "not ours to end";
    }
    const auto alone = sortProcesses(job, job.nodes[0], {evaluation});
    EXPECT_TRUE(alone.ranks.empty()) << "the rank has ended";
    EXPECT_TRUE(alone.leftovers.empty());
    EXPECT_EQ(alone.unsure.at(0).id.pid, 40) << "shown, and never signalled";
    for (const char *own : {"/job/msrun_log/worker_0.log.1", "/job/rankdeck/a1.n0.out"})
        EXPECT_EQ(sortProcesses(job, job.nodes[0], {process(40, 7, "python", inherited, own)}).ranks.size(), 1u) << own;
    const ProcessInfo below = process(42, 41, "python", inherited, "/job/eval.log");
    const auto child = sortProcesses(job, job.nodes[0], {rank, below});
    EXPECT_EQ(child.ranks.at(0).id.pid, 41);
    ASSERT_EQ(child.leftovers.size(), 1u) << "a child of the rank ends with it";
    EXPECT_EQ(child.leftovers[0].id.pid, 42);
}

TEST(Processes, ProcessWithAnotherSchedulerPortBelongsToAnotherJob)
{
    const Job job = twoNodes("msrun");
    std::map<std::string, std::string> variables{
        {"MS_ROLE", "MS_WORKER"}, {"RANK_ID", "0"}, {"MS_NODE_ID", "0"}, {"MS_SCHED_PORT", "8118"}};
    const ProcessInfo rank = process(50, 1, "python", variables, "/job/msrun_log/worker_0.log");
    variables["RANK_ID"] = variables["MS_NODE_ID"] = "1";
    for (const auto &[port, unsure] : {std::pair{"8118", 1u}, {"8200", 0u}, {"", 1u}}) {
        variables["MS_SCHED_PORT"] = port;
        const auto sorted = sortProcesses(job, job.nodes[0], {rank, process(51, 1, "python", variables, "")});
        EXPECT_EQ(sorted.unsure.size(), unsure) << port;
    }
}

TEST(Processes, DistinguishesTwoProcessesOfOneRank)
{
    const Job job = twoNodes("msrun");
    const auto sorted = sortProcesses(job, job.nodes[0],
                                      {process(30, 5, "python", {}, "/job/msrun_log/worker_0.log"),
                                       process(31, 6, "python", {}, "/job/msrun_log/worker_0.log")});
    EXPECT_EQ(sorted.ranks.at(0).id.pid, 30);
    ASSERT_EQ(sorted.claims.size(), 1u);
    EXPECT_EQ(sorted.claims[0].second.id.pid, 31);
}

TEST(Port, IsBusyIfAnyProcessListens)
{
    const std::string table =
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
        "   0: 0100007F:1FB6 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 31337 1 0 100\n"
        "   1: 0100007F:0050 0100007F:1FB7 01 00000000:00000000 00:00000000 00000000     0        0 31338 1 0 20\n";
    EXPECT_THAT(listenersOf(table), ElementsAre(testing::Pair("31337", 8118)));  // port 80 is connected, not listening
    EXPECT_TRUE(listenersOf("rubbish").empty());
}

JobState withSet(Verdict verdict, int members)
{
    JobState view;
    view.job = twoNodes("msrun");
    CheckpointSet set{.id = "0:3-10", .verdict = verdict};
    set.reasons.push_back({.code = "torn", .rank = 2, .text = "rank 2 is 12 MB short"});
    for (int rank = 0; rank < members; ++rank) set.members.push_back({.rank = rank, .node = "n0", .path = "/x"});
    view.checkpoints.sets.push_back(set);
    if (verdict == Verdict::valid) view.checkpoints.recommended = "0:3-10";
    return view;
}

TEST(Choose, AcceptsValidSetsAndUnprovenSetsOnlyIfAllowed)
{
    std::vector<Finding> findings;
    EXPECT_TRUE(chooseSet(withSet(Verdict::valid, 4), {}, findings).has_value());
    EXPECT_FALSE(chooseSet(withSet(Verdict::validUnproven, 4), {}, findings).has_value());
    EXPECT_EQ(findings.back().code, "no_valid_set");
    EXPECT_THAT(findings.back().text, HasSubstr("rank 2 is 12 MB short"));
    EXPECT_FALSE(chooseSet(withSet(Verdict::validUnproven, 4), {.set = "0:3-10"}, findings).has_value());
    EXPECT_EQ(findings.back().code, "set_unproven");
    EXPECT_TRUE(
        chooseSet(withSet(Verdict::validUnproven, 4), {.set = "0:3-10", .allowUnproven = true}, findings).has_value());
    EXPECT_EQ(findings.back().result, Finding::Result::warn);
}

// A file that all ranks of a node load is loaded once; the nodes load in parallel.
TEST(Choose, RecommendsToProveAnUnprovenSetFirst)
{
    std::vector<Finding> findings;
    JobState view = withSet(Verdict::validUnproven, 4);
    for (MemberVerdict &member : view.checkpoints.sets[0].members) member.bytes = 6'000'000'000;
    EXPECT_TRUE(chooseSet(view, {.set = "0:3-10", .allowUnproven = true}, findings).has_value());
    EXPECT_THAT(findings.back().fix, HasSubstr("--prove 0:3-10 (takes about 40 s)"));
    for (MemberVerdict &member : view.checkpoints.sets[0].members) member.path += std::to_string(member.rank);
    EXPECT_FALSE(chooseSet(view, {.set = "0:3-10"}, findings).has_value());
    EXPECT_THAT(findings.back().fix, HasSubstr("about 130 s"));
    for (MemberVerdict &member : view.checkpoints.sets[0].members) member.bytes = UINT64_MAX;
    EXPECT_FALSE(chooseSet(view, {.set = "0:3-10"}, findings).has_value());
    EXPECT_THAT(findings.back().fix, HasSubstr("about 600 s"));
}

TEST(Choose, RefusesEveryOtherVerdictAndWorldSize)
{
    for (const Verdict verdict :
         {Verdict::inProgress, Verdict::incomplete, Verdict::inconsistent, Verdict::corrupt, Verdict::unknown}) {
        std::vector<Finding> findings;
        EXPECT_FALSE(chooseSet(withSet(verdict, 4), {.set = "0:3-10", .allowUnproven = true}, findings).has_value());
        EXPECT_EQ(findings.back().code, "set_not_valid");
    }
    std::vector<Finding> findings;
    EXPECT_FALSE(chooseSet(withSet(Verdict::valid, 2), {}, findings).has_value());
    EXPECT_EQ(findings.back().code, "world_size");
    EXPECT_FALSE(chooseSet(withSet(Verdict::valid, 4), {.set = "0:3-1"}, findings).has_value());
    EXPECT_EQ(findings.back().code, "set_unknown");
    EXPECT_THAT(findings.back().fix, HasSubstr("0:3-10"));
}

}  // namespace
}  // namespace rankdeck::plan_test
