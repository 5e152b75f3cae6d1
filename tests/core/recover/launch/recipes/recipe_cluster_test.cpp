// SPDX-License-Identifier: GPL-3.0-or-later
// Launches that belong to a cluster engine: the files for Slurm and for Volcano, and the refusals.
#include "core/recover/launch/cluster/vcjob.h"
#include "core/recover/launch/recipe.h"
#include "tests/testbed/temp_dir.h"
#include "tests/testbed/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

namespace rankdeck::recipe_cluster_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Job jobOf(const std::string &recipe)
{
    Job job;
    job.name = "Lenet 5's";
    job.worldSize = 4;
    job.pathsShared = true;
    job.nodes = {{.name = "n0", .host = "a", .ranks = {0, 1}}, {.name = "n1", .host = "b", .ranks = {2, 3}}};
    job.logs.path = "/job/log/worker_{rank}.log";
    job.checkpoints.path = "/job/ckpt/rank_{rank}";
    job.launch.recipe = recipe;
    job.launch.workdir = "/job";
    job.launch.command = {"python", "it's.py", "{checkpoint}"};
    job.launch.env = {{"A", "b c"}, {"odd-name", "x"}};
    job.launch.volcano.image = "train:1";
    job.launch.volcano.mounts = {{"/job", "nfs://10.0.0.9/export/job"}, {"/dev/shm", "memory://1Gi"}};
    return job;
}

LaunchPlan planOf(const Job &job)
{
    JobState view{.job = job};
    const CheckpointSet set{.id = "0:3-10", .epoch = 3, .step = 10, .verdict = Verdict::valid};
    RecipeInput input{.view = view, .set = set, .id = "resume-1"};
    for (int rank = 0; rank < 4; ++rank) input.checkpoints[rank] = "/job/ckpt/rank_" + std::to_string(rank) + "/a.ckpt";
    return findRecipe(job.launch.recipe)->plan(input);
}

std::string fileOf(const LaunchPlan &plan, const std::string &name)
{
    for (const FileEdit &edit : plan.nodes.at(0).edits)
        if (edit.path.ends_with("/" + name)) return edit.after;
    return "(no such file)";
}

TEST(SlurmPlan, SubmitsOnceWithoutRequeueUnderItsName)
{
    const LaunchPlan plan = planOf(jobOf("slurm"));
    EXPECT_TRUE(plan.findings.empty());
    ASSERT_EQ(plan.nodes.size(), 1u);
    const LaunchRequest &launch = plan.nodes[0].launches.at(0);
    const std::string name = engineName(jobOf("slurm")) + "-resume-1";
    EXPECT_THAT(launch.argv,
                ElementsAre("bash", "/job/.rankdeck/batch/resume-1/slurm.sh", "submit", "sbatch", "--parsable",
                            "--no-requeue", "--open-mode=append", "--job-name=" + name, "--comment=rankdeck " + name,
                            "--output=/job/.rankdeck/batch/resume-1/slurm-%j.out", "--chdir=/job", "--nodes=2",
                            "--ntasks=4", "/job/.rankdeck/batch/resume-1/job.sbatch"));
    EXPECT_EQ(plan.accepted.at(launch.id), "/job/.rankdeck/batch/resume-1/job.id");
    EXPECT_THAT(plan.programs.at("n0"), Contains("sbatch"));
    for (const FileEdit &edit : plan.nodes[0].edits) {
        EXPECT_TRUE(edit.expectedSha256.empty());
        EXPECT_THAT(edit.diff, HasSubstr("+#!/"));
    }
}

TEST(Recipes, ExpandTheNodeInEveryTextOfTheLaunch)
{
    for (const char *recipe : {"msrun", "torchrun"}) {
        Job job = jobOf(recipe);
        job.launch.workdir = "/job/{node}";
        job.launch.env = {{"OUT", "/o/{node_index}"}, {"MS_ENABLE_TFT", "{TTP:1}"}};
        job.launch.options = {"--tag={node}"};
        const LaunchPlan plan = planOf(job);
        ASSERT_EQ(plan.nodes.size(), 2u) << recipe;
        const LaunchRequest &launch = plan.nodes[1].launches.at(0);
        EXPECT_EQ(launch.workdir, "/job/n1");
        EXPECT_EQ(launch.runDirectory, "/job/n1/.rankdeck/runs");
        EXPECT_EQ(launch.env.at("OUT"), "/o/1");
        EXPECT_EQ(launch.env.at("MS_ENABLE_TFT"), "{TTP:1}");
        EXPECT_THAT(launch.argv, Contains("--tag=n1"));
    }
}

TEST(Recipes, ExpandTheRankInTheEnvironmentOfACommand)
{
    Job job = jobOf("command");
    job.launch.env = {{"GROUP_INFO_FILE", "/job/{node}/device{rank}/group_info.pb"}};
    const LaunchPlan plan = planOf(job);
    EXPECT_EQ(plan.nodes.at(1).launches.at(1).env.at("GROUP_INFO_FILE"), "/job/n1/device3/group_info.pb");
}

TEST(CommandPlan, StartsASchedulerAndSetsItsAddressForMindSporeRanks)
{
    Job job = jobOf("command");
    job.framework = Framework::mindspore;
    job.launch.masterAddr = "10.0.0.1";
    const LaunchPlan plan = planOf(job);
    ASSERT_EQ(plan.nodes.at(0).launches.size(), 3u);
    ASSERT_EQ(plan.nodes.at(1).launches.size(), 2u);
    const LaunchRequest &scheduler = plan.nodes[0].launches[0];
    EXPECT_EQ(scheduler.id, "resume-1.scheduler");
    EXPECT_EQ(scheduler.output, "/job/log/scheduler.log");
    EXPECT_EQ(scheduler.argv, plan.nodes[0].launches[1].argv);
    EXPECT_EQ(scheduler.env.at("MS_ROLE"), "MS_SCHED");
    EXPECT_FALSE(scheduler.env.contains("MS_NODE_ID"));
    EXPECT_FALSE(scheduler.env.contains("DEVICE_ID"));
    const auto &rank3 = plan.nodes[1].launches[1].env;
    EXPECT_EQ(rank3.at("MS_ROLE"), "MS_WORKER");
    EXPECT_EQ(rank3.at("MS_NODE_ID"), "3");
    for (const auto *env : {&scheduler.env, &rank3}) {
        EXPECT_EQ(env->at("MS_WORKER_NUM"), "4");
        EXPECT_EQ(env->at("MS_SCHED_HOST"), "10.0.0.1");
        EXPECT_EQ(env->at("MS_SCHED_PORT"), "8118");
    }
    EXPECT_EQ(plan.masterNode, "n0");
    EXPECT_EQ(plan.masterPort, 8118);
    job.launch.env["MS_SCHED_HOST"] = "10.0.0.9";  // another program starts the scheduler
    EXPECT_EQ(planOf(job).nodes.at(0).launches.size(), 2u);
}

TEST(CommandPlan, SetsNoRolesAndNoSchedulerIfThereIsARankTable)
{
    Job job = jobOf("command");
    job.framework = Framework::mindspore;
    job.launch.rankTable = "/job/{node}/hccl.json";
    const LaunchPlan plan = planOf(job);
    ASSERT_EQ(plan.nodes.at(1).launches.size(), 2u);
    const auto &env = plan.nodes[1].launches[1].env;
    EXPECT_EQ(env.at("RANK_TABLE_FILE"), "/job/n1/hccl.json");
    EXPECT_EQ(env.at("RANK_ID"), "3");
    EXPECT_EQ(env.at("DEVICE_ID"), "1");
    for (const char *name : {"MS_ROLE", "MS_NODE_ID", "MS_WORKER_NUM", "MS_SCHED_HOST", "MS_SCHED_PORT"})
        EXPECT_FALSE(env.contains(name)) << name;
    job.launch.rankTable.clear();
    job.launch.env["RANK_TABLE_FILE"] = "/t.json";
    EXPECT_FALSE(planOf(job).nodes[0].launches.at(0).env.contains("MS_ROLE"));
}

TEST(CommandPlan, RequiresAnAddressForTheScheduler)
{
    Job job = jobOf("command");  // two hosts of which only names are known
    job.framework = Framework::mindspore;
    ASSERT_EQ(planOf(job).findings.size(), 1u);
    EXPECT_EQ(planOf(job).findings[0].code, "scheduler_address");
    job.nodes[0].host = "bob@10.0.0.2:2222";
    const LaunchPlan plan = planOf(job);
    EXPECT_TRUE(plan.findings.empty());
    EXPECT_EQ(plan.nodes.at(1).launches.at(0).env.at("MS_SCHED_HOST"), "10.0.0.2");
}

TEST(CommandPlan, RunsAWrapperOncePerNodeWithoutRankVariables)
{
    Job job = jobOf("command");
    job.framework = Framework::mindspore;
    job.launch.perNode = true;
    job.launch.command = {"bash", "scripts/train_start.sh", "{node}"};
    job.launch.rankTable = "/job/hccl.json";
    const LaunchPlan plan = planOf(job);
    EXPECT_TRUE(plan.findings.empty());
    ASSERT_EQ(plan.nodes.size(), 2u);
    for (const NodePlan &node : plan.nodes) {
        ASSERT_EQ(node.launches.size(), 1u);
        EXPECT_THAT(node.launches[0].argv, ElementsAre("bash", "scripts/train_start.sh", node.node));
        EXPECT_EQ(node.launches[0].env.at("RANK_TABLE_FILE"), "/job/hccl.json");
        for (const char *name : {"RANK_ID", "RANK_SIZE", "DEVICE_ID", "MS_ROLE", "MS_NODE_ID", "MS_SCHED_HOST"})
            EXPECT_FALSE(node.launches[0].env.contains(name)) << name;
        EXPECT_THAT(node.launches[0].output, HasSubstr("/.rankdeck/runs/resume-1." + node.node));
    }
}

// The line about its environment that a rank prints when the generated program has started it.
std::string startedBy(const LaunchPlan &plan, const std::string &file, const std::string &environment,
                      const TempDir &directory)
{
    directory.write("program.py", fileOf(plan, file));
    const std::string line = "cd " + directory.path() + " && env -i PATH=/usr/bin:/bin " + environment +
                             " python3 program.py && cat log/*.log";
    std::string said;
    FILE *const pipe = ::popen(line.c_str(), "r");
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) said += static_cast<char>(c);
    ::pclose(pipe);
    return said;
}

Job sayingJob(const std::string &recipe, const TempDir &directory)
{
    Job job = jobOf(recipe);
    job.framework = Framework::mindspore;
    job.logs.path = directory.file("log/worker_{rank}.log");
    job.launch.command = {"sh", "-c", "echo $MS_ROLE $RANK_ID $MS_SCHED_HOST:$MS_SCHED_PORT $MS_WORKER_NUM"};
    return job;
}

TEST(SlurmPlan, FirstTaskStartsTheSchedulerOfRealMindSpore)
{
    const TempDir directory;
    const LaunchPlan plan = planOf(sayingJob("slurm", directory));
    EXPECT_EQ(startedBy(plan, "rank.py", "SLURM_PROCID=0 SLURM_LAUNCH_NODE_IPADDR=127.0.0.1", directory),
              "MS_SCHED 0 127.0.0.1:8118 4\nMS_WORKER 0 127.0.0.1:8118 4\n");
    const TempDir other;
    EXPECT_EQ(startedBy(planOf(sayingJob("slurm", other)), "rank.py",
                        "SLURM_PROCID=3 SLURM_LAUNCH_NODE_IPADDR=127.0.0.1", other),
              "MS_WORKER 3 127.0.0.1:8118 4\n");
}

TEST(VolcanoPlan, FirstPodStartsTheSchedulerOfRealMindSpore)
{
    const TempDir directory;
    const LaunchPlan plan = planOf(sayingJob("volcano", directory));
    EXPECT_EQ(startedBy(plan, "pod.py", "VC_TASK_INDEX=0 POD_IP=10.1.1.1", directory),
              "MS_SCHED 0 10.1.1.1:8118 4\nMS_WORKER 0 10.1.1.1:8118 4\nMS_WORKER 1 10.1.1.1:8118 4\n");
    const TempDir other;
    Job job = sayingJob("volcano", other);
    job.launch.masterAddr = "localhost";
    EXPECT_EQ(startedBy(planOf(job), "pod.py", "VC_TASK_INDEX=1 POD_IP=10.1.1.2", other),
              "MS_WORKER 2 127.0.0.1:8118 4\nMS_WORKER 3 127.0.0.1:8118 4\n");
}

TEST(VolcanoPlan, WrapperOfAPodGetsNoRankAndDoesNotWaitForARankTable)
{
    const TempDir directory;
    Job job = sayingJob("volcano", directory);
    job.launch.volcano.perPod = true;
    job.launch.volcano.labels = {{"ring-controller.atlas", "ascend-910"}};
    EXPECT_EQ(startedBy(planOf(job), "pod.py", "VC_TASK_INDEX=1", directory), ":\n");
    job.launch.volcano.perPod = false;  // the ranks read the table that the cluster writes, and have no roles
    EXPECT_THAT(fileOf(planOf(job), "pod.py"),
                HasSubstr(R"("RANK_TABLE_FILE":"/user/serverid/devindex/config/hccl.json")"));
    EXPECT_THAT(fileOf(planOf(job), "pod.py"), Not(HasSubstr("\"MS_ROLE\"")));
}

TEST(SlurmPlan, WritesEnvironmentAndRanksToItsFiles)
{
    const LaunchPlan plan = planOf(jobOf("slurm"));
    const std::string batch = fileOf(plan, "job.sbatch");
    EXPECT_THAT(batch, HasSubstr("export A='b c'\n"));
    EXPECT_THAT(batch, Not(HasSubstr("odd-name")));
    EXPECT_THAT(batch, HasSubstr("srun --kill-on-bad-exit=1 --ntasks=4 python3 "));
    const std::string ranks = fileOf(plan, "rank.py");
    EXPECT_THAT(ranks, HasSubstr(R"("3": {"log":"/job/log/worker_3.log")"));
    EXPECT_THAT(ranks, HasSubstr(R"("argv":["python","it\u0027s.py","/job/ckpt/rank_3/a.ckpt"])"));
    EXPECT_THAT(ranks, HasSubstr(R"("odd-name":"x")"));
}

TEST(SlurmPlan, OptionsOfTheJobTakePrecedence)
{
    Job job = jobOf("slurm");
    job.launch.options = {"--partition=npu", "-N1"};
    job.launch.submitOn = "n1";
    const LaunchPlan plan = planOf(job);
    EXPECT_EQ(plan.nodes.at(0).node, "n1");
    const auto &argv = plan.nodes[0].launches.at(0).argv;
    EXPECT_THAT(argv, Contains("-N1"));
    EXPECT_THAT(argv, Contains("--partition=npu"));
    EXPECT_THAT(argv, Not(Contains("--nodes=2")));
    job.pathsShared = false;
    ASSERT_EQ(planOf(job).findings.size(), 1u);
    EXPECT_EQ(planOf(job).findings[0].code, "recipe_paths");
}

// The script of the plan, run with fake Slurm programs whose answers are in files.
class SlurmScript : public testing::Test {
protected:
    SlurmScript()
    {
        Job job = jobOf("slurm");
        job.launch.workdir = directory.path();
        directory.write("slurm.sh", fileOf(planOf(job), "slurm.sh"));
        std::filesystem::create_directories(directory.file(".rankdeck/batch/resume-1"));
        program("squeue", "case \"$*\" in\n*%u*) [ ! -e deaf ] ;;\n*--format=%T) [ ! -e queued ] || echo PENDING ;;\n"
                          "*) [ ! -e queued ] || echo 4711 ;;\nesac\n");
        program("sbatch", "touch queued\n[ ! -e lost ] || exit 1\necho 4711\n");
        program("scancel", "echo >>tries\n[ -s tries ] && [ $(wc -l <tries) -gt 3 ] || exit 1\nrm -f queued\n");
    }
    void program(const std::string &name, const std::string &text) const
    {
        std::filesystem::permissions(directory.write("bin/" + name, "#!/bin/sh\n" + text),
                                     std::filesystem::perms::owner_all);
    }
    // The script's output and its exit code. stopped: it gets a signal as soon as the job is queued.
    std::string submitted(bool stopped = false) const
    {
        directory.write("run.sh",
                        "cd " + directory.path() +
                            "\nexport PATH=$PWD/bin:/usr/bin:/bin RANKDECK_SLURM_POLL=0.1\n"
                            "bash slurm.sh submit sbatch >out 2>&1 &\n" +
                            (stopped ? "until grep -q 'is queued' out; do kill -0 $! || break; sleep 0.05; done\n"
                                       "kill -TERM $!\n"
                                     : "") +
                            "wait $!\necho exit code $? >>out\ncat out\n");
        std::string said;
        FILE *const pipe = ::popen(("bash " + directory.file("run.sh")).c_str(), "r");
        for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) said += static_cast<char>(c);
        ::pclose(pipe);
        return said;
    }
    [[nodiscard]] bool queued() const { return std::filesystem::exists(directory.file("queued")); }
    TempDir directory;
};

// Regression: the failure was lost in a pipe, and the job was submitted although another attempt existed.
TEST_F(SlurmScript, UnreadableQueueIsNotTakenForAnEmptyOne)
{
    directory.write("deaf", "");
    EXPECT_THAT(submitted(),
                testing::AllOf(HasSubstr("squeue does not answer; nothing was submitted"), HasSubstr("exit code 1\n")));
    EXPECT_FALSE(queued());
}

// Regression: a scancel that failed was reported as "cancelled", and the job ran later.
TEST_F(SlurmScript, ReportsACancelOnlyIfSlurmConfirmsIt)
{
    EXPECT_THAT(submitted(true), testing::AllOf(HasSubstr("is still with Slurm, or Slurm does not answer"),
                                                HasSubstr("cancelled\nexit code 143\n")));
    EXPECT_FALSE(queued());
}

// Regression: if sbatch's answer was lost, the script reported "refused the job", and the job ran later.
TEST_F(SlurmScript, FindsASubmittedJobWhoseAnswerWasLost)
{
    directory.write("lost", "");
    EXPECT_THAT(submitted(true), HasSubstr("job 4711 is queued"));
    EXPECT_FALSE(queued());
}

// Regression: a failing squeue was silently called again for ever, even after the test or the user had removed its
// directory.
TEST_F(SlurmScript, ReportsAFailingSqueueOnceAndRetriesWhileItsOutputIsRead)
{
    program("squeue",
            "case \"$*\" in\n*%u*) ;;\n*--format=%T)\n  echo >>asked\n  case $(wc -l <asked) in\n  1) echo RUNNING ;;\n"
            "  2|3|4) echo 'Unable to contact slurm controller' >&2; exit 1 ;;\n  5) echo RUNNING ;;\n"
            "  *) echo COMPLETED ;;\n  esac ;;\nesac\n");
    EXPECT_THAT(
        submitted(),
        HasSubstr("-resume-1\njob 4711: RUNNING\nsqueue does not answer: Unable to contact slurm controller; job "
                  "4711 may still run, asking until it does\njob 4711: RUNNING\njob 4711: COMPLETED\njob 4711 has "
                  "ended as COMPLETED, exit code 0\nexit code 0\n"));
}

TEST_F(SlurmScript, EndsIfItsDirectoryIsGoneAndSlurmDoesNotAnswer)
{
    program("squeue",
            "case \"$*\" in\n*%u*) ;;\n*--format=%T)\n  echo >>asked\n  [ $(wc -l <asked) -lt 3 ] || rm -rf .rankdeck\n"
            "  echo 'Unable to contact slurm controller' >&2; exit 1 ;;\nesac\n");
    EXPECT_THAT(submitted(),
                HasSubstr(".rankdeck/batch/resume-1 is gone, and Slurm does not answer: cannot tell whether job "
                          "4711 still runs\nexit code 1\n"));
}

TEST(VolcanoPlan, WritesTheJobAndThePatchOfItsConfigMap)
{
    const LaunchPlan plan = planOf(jobOf("volcano"));
    EXPECT_TRUE(plan.findings.empty());
    const std::string yaml = fileOf(plan, "vcjob.yaml");
    for (const char *line :
         {"apiVersion: \"batch.volcano.sh/v1alpha1\"\n", "kind: \"Job\"\n", "  name: \"lenet-5-s\"\n",
          "    \"rankdeck/action\": \"resume-1\"\n", "  minAvailable: 2\n", "  maxRetry: 1\n", "    replicas: 2\n",
          "            server: \"10.0.0.9\"\n", "              \"huawei.com/Ascend910\": \"2\"\n"})
        EXPECT_THAT(yaml, HasSubstr(line));
    EXPECT_THAT(fileOf(plan, "reset-patch.json"), HasSubstr("\\\"GracefulExit\\\":0"));
    EXPECT_THAT(fileOf(plan, "pod.py"), HasSubstr(R"("1": [{"log":"/job/log/worker_2.log")"));
    EXPECT_THAT(plan.nodes.at(0).launches.at(0).argv,
                ElementsAre("bash", "/job/.rankdeck/batch/resume-1/volcano.sh", "submit"));
}

TEST(VolcanoPlan, RequestsARankTableIfTheControllerLabelIsSet)
{
    EXPECT_EQ(fileOf(planOf(jobOf("volcano")), "rings-config.yaml"), "(no such file)");
    Job job = jobOf("volcano");
    job.launch.volcano.labels = {{"ring-controller.atlas", "ascend-910"}};
    const LaunchPlan plan = planOf(job);
    EXPECT_THAT(fileOf(plan, "rings-config.yaml"),
                HasSubstr("\"hccl.json\": \"{\\\"status\\\":\\\"initializing\\\"}\""));
    EXPECT_THAT(fileOf(plan, "vcjob.yaml"), HasSubstr("mountPath: \"/user/serverid/devindex/config\""));
    EXPECT_THAT(fileOf(plan, "vcjob.yaml"), HasSubstr("metadata.annotations['huawei.com/Ascend910']"));
}

TEST(Recipes, EqualTheRecipesOfTheJobFile) { EXPECT_EQ(recipeNames(), launchRecipes()); }

TEST(VolcanoPlan, ContainsTheSettingsOfTheVendorTemplate)
{
    Job job = jobOf("volcano");
    job.launch.volcano.mounts["/dev/shm"] = "memory://16Gi";
    const std::string yaml = fileOf(planOf(job), "vcjob.yaml");
    for (const char *line : {"medium: \"Memory\"\n", "sizeLimit: \"16Gi\"\n", "mountPath: \"/dev/shm\"\n", "ssh: []\n",
                             "env: []\n", "svc: []\n", "name: \"mindx-dls-test\"\n",
                             "terminationGracePeriodSeconds: 600\n", "\"fault-scheduling\": \"grace\"\n"})
        EXPECT_THAT(yaml, HasSubstr(line));
}

TEST(VolcanoPlan, RefusesJobsThatPodsCannotRun)
{
    Job job = jobOf("volcano");
    job.launch.volcano.mounts = {{"/jo", "/x"}, {"/dev/shm", "memory://1Gi"}};
    ASSERT_EQ(planOf(job).findings.size(), 1u);
    EXPECT_EQ(planOf(job).findings[0].code, "vcjob");
    job = jobOf("volcano");
    job.launch.volcano.image.clear();
    EXPECT_EQ(planOf(job).findings.at(0).code, "vcjob");
    job = jobOf("volcano");
    job.nodes[0].ranks = {0, 1, 2};
    job.nodes[1].ranks = {3};
    EXPECT_EQ(planOf(job).findings.at(0).code, "recipe_ranks");
}

TEST(VolcanoPlan, NamesAreValidInKubernetes)
{
    Job job;
    job.name = "7B Pangu_v2 (α)!";
    EXPECT_EQ(vcjobName(job), "job-7b-pangu-v2");
    job.name = std::string(80, 'x');
    EXPECT_EQ(vcjobName(job).size(), 52u);
    job.name = "---";
    EXPECT_EQ(vcjobName(job), "job");
}

}  // namespace
}  // namespace rankdeck::recipe_cluster_test
