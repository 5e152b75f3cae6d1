// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/job_file.h"
#include "core/job/path_template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::job_file_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const char *const wholeExample = R"({
  "rankdeck": 1,
  "name": "lenet",
  "world_size": 4,
  "framework": "auto",
  "nodes": [ {"name": "n0", "host": "node-a", "ranks": [0, 1]},
             {"name": "n1", "host": "bob@10.0.0.2:2222", "ranks": [2, 3]} ],
  "paths_shared": false,
  "logs":        {"path": "/job/msrun_log/worker_{rank}.log"},
  "checkpoints": {"path": "/job/ckpt/rank_{rank}", "prefix": "lenet"},
  "graceful_exit": {"config": "/job/graceful.json", "saves": "/job/ckpt/rank_{device}/LeNet5_train.ckpt"},
  "steps_per_epoch": 1875,
  "launch": {"recipe": "msrun", "workdir": "/job", "command": ["python", "train.py", "--resume", "{checkpoint}"], "env": {"MS_ENABLE_GRACEFUL_EXIT": "1"}}
})";

std::string errorOf(const std::string &json)
{
    const Result<JobFile> file = parseJob(json, "j.rankdeck.json");
    return file.has_value() ? "accepted" : file.error().message;
}

TEST(JobFile, ReadsACompleteExample)
{
    const Result<JobFile> file = parseJob(wholeExample, "j");
    ASSERT_TRUE(file.has_value()) << file.error().message;
    EXPECT_THAT(file->warnings, IsEmpty());
    const Job &job = file->job;
    EXPECT_EQ(job.name, "lenet");
    EXPECT_EQ(job.ranks(), 4);
    EXPECT_EQ(job.nodeOf(3)->host, "bob@10.0.0.2:2222");
    EXPECT_THAT(job.launch.command, ElementsAre("python", "train.py", "--resume", "{checkpoint}"));
    EXPECT_EQ(job.launch.env.at("MS_ENABLE_GRACEFUL_EXIT"), "1");
    EXPECT_EQ(job.stepsPerEpoch, 1875);
}

TEST(JobFile, RequiresOnlyThreeKeys)
{
    EXPECT_EQ(errorOf(R"({"rankdeck":1,"name":"x","nodes":[{"host":"h"}]})"), "accepted");
    EXPECT_THAT(errorOf(R"({"name":"x","nodes":[{"host":"h"}]})"), HasSubstr("rankdeck: expected 1"));
    EXPECT_THAT(errorOf(R"({"rankdeck":1,"nodes":[{"host":"h"}]})"), HasSubstr("name: expected a string"));
    EXPECT_THAT(errorOf(R"({"rankdeck":1,"name":"x"})"), HasSubstr("nodes: expected an array"));
    EXPECT_THAT(errorOf(R"({"rankdeck":2,"name":"x","nodes":[{"host":"h"}]})"), HasSubstr("found the number 2"));
}

TEST(JobFile, TypeErrorNamesLineKeyAndExpectedAndActualValue)
{
    EXPECT_EQ(
        errorOf("{\n\"rankdeck\": 1,\n\"name\": \"x\",\n\"world_size\": \"four\",\n\"nodes\": [{\"host\": \"h\"}]}"),
        "j.rankdeck.json:4: world_size: expected a whole number from 1 to 1000000, found the string \"four\"");
    EXPECT_EQ(errorOf("{\"rankdeck\": 1, \"name\": \"x\",\n\"nodes\": [{\"host\": \"h\"},\n{\"host\": "
                      "\"i\",\n\"ranks\": [0, -1]}]}"),
              "j.rankdeck.json:4: nodes[1].ranks[1]: expected a rank (a whole number from 0), found the number -1");
}

TEST(JobFile, RefusesARankOnTwoNodesOnNoneOrBeyondTheWorldSize)
{
    EXPECT_THAT(
        errorOf("{\"rankdeck\":1,\"name\":\"x\",\"world_size\":2,\"nodes\":[{\"host\":\"a\",\"ranks\":[0]},\n{\"host\":"
                "\"b\",\"ranks\":[0]}]}"),
        HasSubstr(
            "j.rankdeck.json:2: nodes[1].ranks: expected each rank on one node, found rank 0 on \"a\" and on \"b\""));
    EXPECT_THAT(errorOf(R"({"rankdeck":1,"name":"x","world_size":3,"nodes":[{"host":"a","ranks":[0,2]}]})"),
                HasSubstr("found no node for rank 1"));
    EXPECT_THAT(errorOf(R"({"rankdeck":1,"name":"x","world_size":2,"nodes":[{"host":"a","ranks":[0,1,2]}]})"),
                HasSubstr("expected ranks below world_size 2, found rank 2"));
}

TEST(JobFile, SplitsRanksBetweenNodesAsMsrunDoes)
{
    const Result<JobFile> file =
        parseJob(R"({"rankdeck":1,"name":"x","world_size":4,"nodes":[{"host":"a"},{"host":"b"}]})");
    ASSERT_TRUE(file.has_value());
    EXPECT_THAT(file->job.nodes[1].ranks, ElementsAre(2, 3));
    EXPECT_THAT(errorOf(R"({"rankdeck":1,"name":"x","world_size":3,"nodes":[{"host":"a"},{"host":"b"}]})"),
                HasSubstr("cannot be divided evenly"));
}

TEST(JobFile, WarnsOfAnUnknownKeyWithTheNearestKnownKey)
{
    const Result<JobFile> file =
        parseJob("{\"rankdeck\":1,\"name\":\"x\",\n\"word_size\":2,\"nodes\":[{\"host\":\"a\",\"rank\":[0]}]}", "j");
    ASSERT_TRUE(file.has_value());
    EXPECT_THAT(file->warnings,
                ElementsAre(HasSubstr("j:2: word_size: unknown key, ignored; did you mean \"world_size\"?"),
                            HasSubstr("did you mean \"ranks\"?")));
}

TEST(JobFile, SyntaxErrorsNameTheLine)
{
    EXPECT_THAT(errorOf("{\n\"rankdeck\": 1,\n\"name\" 3}"), HasSubstr("j.rankdeck.json:3: expected JSON"));
    EXPECT_THAT(errorOf("[]"), HasSubstr("expected an object"));
    EXPECT_THAT(errorOf(""), HasSubstr("expected JSON"));
}

TEST(JobFile, ChecksPlaceholdersAtTheirKey)
{
    EXPECT_THAT(
        errorOf("{\"rankdeck\":1,\"name\":\"x\",\"nodes\":[{\"host\":\"a\"}],\n\"logs\":{\"path\":\"/l/{rnak}\"}}"),
        HasSubstr("j.rankdeck.json:2: logs.path: expected only placeholders that are available here, found unknown "
                  "placeholder {rnak}"));
    EXPECT_THAT(errorOf(R"({"rankdeck":1,"name":"x","nodes":[{"host":"a"}],"logs":{"path":"/{checkpoint}"}})"),
                HasSubstr("unknown placeholder"));
    EXPECT_THAT(errorOf(R"({"rankdeck":1,"name":"x","nodes":[{"host":"a"}],"launch":{"command":["p","{"]}})"),
                HasSubstr("unpaired"));
    EXPECT_EQ(
        errorOf(
            R"({"rankdeck":1,"name":"x","nodes":[{"host":"a"}],"launch":{"command":["p","{{rank}}","{checkpoint_dir}"]}})"),
        "accepted");
}

TEST(JobFile, WrittenFileReadsBackEqual)
{
    const Result<JobFile> first = parseJob(wholeExample, "j");
    ASSERT_TRUE(first.has_value());
    const std::string text = jobToJson(first->job);
    const Result<JobFile> second = parseJob(text, "j");
    ASSERT_TRUE(second.has_value()) << second.error().message;
    EXPECT_EQ(jobToJson(second->job), text);
}

// The text of a job file with two nodes and this body in its section "launch" (or any other section).
std::string with(const std::string &section, const std::string &body)
{
    return R"({"rankdeck": 1, "name": "j", "world_size": 4,
 "nodes": [{"name": "a", "host": "a", "ranks": [0, 1]}, {"name": "b", "host": "b", "ranks": [2, 3]}],
 ")" + section +
           "\": {" + body + "}}";
}

TEST(JobFile, RefusesAnUnknownPlaceholderInEveryTextOfALaunch)
{
    for (const char *body :
         {R"("workdir": "/job/{nodes}")", R"("views": "/v/{x}")", R"("env": {"A": "{rnk}"})",
          R"("options": ["--x", "{local}"])", R"("rank_table": "/t/{rank_}.json")", R"("fault_npus": "/f/{nod}")",
          R"("master_addr": "{host}")", R"("config": "/c/{who}.yaml")"}) {
        EXPECT_THAT(errorOf(with("launch", body)), HasSubstr("j.rankdeck.json:3: launch.")) << body;
        EXPECT_THAT(errorOf(with("launch", body)), HasSubstr("unknown placeholder {")) << body;
    }
    EXPECT_THAT(errorOf(with("logs", R"("ttp": "/l/{rnk}.log")")), HasSubstr("logs.ttp"));
    EXPECT_EQ(errorOf(with("launch", R"("workdir": "/job/{node}", "views": "/v/{node_index}",
        "options": ["--nodelist={node}"], "env": {"A": "{rank}"}, "recipe": "command")")),
              "accepted");
}

TEST(JobFile, RefusesRankPlaceholdersInValuesOfAWholeNode)
{
    for (const char *body :
         {R"("workdir": "/job/{rank}")", R"("views": "/v/{rank}")", R"("options": ["{local_rank}"])",
          R"("recipe": "msrun", "env": {"GROUP_INFO_FILE": "/d/device{rank}/g.pb"})",
          R"("recipe": "torchrun", "env": {"A": "{device}"})", R"("recipe": "msrun", "env": {"A": "{checkpoint}"})",
          R"("recipe": "volcano", "env": {"A": "{checkpoint}"})", R"("env": {"A": "{chekpoint}"})"})
        EXPECT_THAT(errorOf(with("launch", body)), HasSubstr("unknown placeholder {")) << body;
    EXPECT_THAT(errorOf(with("logs", R"("launcher": "/l/{rank}.log")")), HasSubstr("logs.launcher"));
}

TEST(JobFile, AcceptsTheCheckpointInAVariableOfOneRank)
{
    for (const char *body : {R"("recipe": "command", "env": {"A": "{checkpoint} {epoch} {rank}"})",
                             R"("recipe": "slurm", "env": {"A": "{checkpoint}"})",
                             R"("recipe": "msrun", "env": {"A": "{checkpoint_dir} {step} {global_step} {node}"})"})
        EXPECT_EQ(errorOf(with("launch", body)), "accepted") << body;
}

TEST(JobFile, KeepsEnvironmentBracesThatAreNotPlaceholders)
{
    const Result<JobFile> file = parseJob(with("launch", R"("env": {"MS_ENABLE_TFT": "{TTP:1,UCE:1}",
        "RESTORE_RANKS_MAP": "{\"0,1\": 0}", "P": "${HOME}/x", "N": "{\"a\":{\"b\":1}}"})"));
    ASSERT_TRUE(file.has_value()) << file.error().message;
    for (const auto &[name, value] : file->job.launch.env)
        EXPECT_EQ(textOnNode(value, file->job, file->job.nodes[0]), value) << name;
}

TEST(JobFile, ReadsReplicasForAllRanksOrInGroups)
{
    const auto groups = [](const std::string &body) {
        const Result<JobFile> file = parseJob(with("checkpoints", body));
        return file ? file->job.replicaGroups() : std::vector<std::vector<int>>{{-1}};
    };
    using Groups = std::vector<std::vector<int>>;
    EXPECT_EQ(groups(R"("path": "/c")"), Groups{});
    EXPECT_EQ(groups(R"("replica_groups": "all")"), (Groups{{0, 1, 2, 3}}));
    EXPECT_EQ(groups(R"("replica_groups": [[2, 0], [1, 3]])"), (Groups{{0, 2}, {1, 3}}));
    EXPECT_EQ(groups(R"("saved_by": "first_of_node")"), (Groups{{0, 1}, {2, 3}}));
    EXPECT_EQ(groups(R"("saved_by": "rank0")"), (Groups{{0, 1, 2, 3}}));
    EXPECT_EQ(groups(R"("saved_by": "every_rank")"), Groups{});
    EXPECT_THAT(errorOf(with("checkpoints", R"("replica_groups": "none")")), HasSubstr("\"all\" or an array"));
    EXPECT_THAT(errorOf(with("checkpoints", R"("replica_groups": [[0, 4]])")),
                HasSubstr("checkpoints.replica_groups[0][1]: expected a rank below 4, found the number 4"));
    EXPECT_THAT(errorOf(with("checkpoints", R"("replica_groups": [[0, 1], [1, 2]])")), HasSubstr("rank 1 twice"));
    EXPECT_THAT(errorOf(with("checkpoints", R"("replica_groups": [[0], 3])")), HasSubstr("replica_groups[1]"));
    EXPECT_THAT(errorOf(with("checkpoints", R"("saved_by": "rank1")")), HasSubstr("\"first_of_node\" or \"rank0\""));
}

TEST(JobFile, ReplicaAndFaultToleranceKeysRoundTrip)
{
    const Result<JobFile> file = parseJob(with(
        "checkpoints",
        R"("replica_groups": [[0, 1]], "saved_by": "rank0"})"
        R"(, "logs": {"ttp": "/l/ttp_log.log"}, "launch": {"rank_table": "/t/hccl.json", "fault_npus": "/f/{node}/npus")"));
    ASSERT_TRUE(file.has_value()) << file.error().message;
    const Result<JobFile> again = parseJob(jobToJson(file->job));
    ASSERT_TRUE(again.has_value()) << again.error().message;
    EXPECT_EQ(again->job.checkpoints.replicaGroups, (std::vector<std::vector<int>>{{0, 1}}));
    EXPECT_EQ(again->job.checkpoints.savedBy, SavedBy::rank0);
    EXPECT_EQ(again->job.logs.ttp, "/l/ttp_log.log");
    EXPECT_EQ(again->job.launch.rankTable, "/t/hccl.json");
    EXPECT_EQ(again->job.launch.faultNpus, "/f/{node}/npus");
    EXPECT_EQ(parseJob(jobToJson(parseJob(with("checkpoints", R"("replica_groups": "all")"))->job))
                  ->job.replicaGroups()
                  .size(),
              1u);
}

Job launched(const std::string &body)
{
    const Result<JobFile> file = parseJob(with("launch", body));
    EXPECT_TRUE(file.has_value()) << file.error().message;
    return file ? file->job : Job{};
}

TEST(JobFile, ConvertsAPastedMsrunCommandToARecipe)
{
    const Job job = launched(R"("command": ["/venv/bin/msrun", "--worker_num=4", "--local_worker_num=2",
        "--master_addr=10.0.0.1", "--master_port=8200", "--log_dir=log", "--join=True", "--bind_core=True", "train.py", "--lr", "1"])");
    EXPECT_EQ(job.launch.recipe, "msrun");
    EXPECT_EQ(job.launch.msrun, "/venv/bin/msrun");
    EXPECT_EQ(job.launch.masterAddr, "10.0.0.1");
    EXPECT_EQ(job.launch.masterPort, 8200);
    EXPECT_THAT(job.launch.options, ElementsAre("--bind_core=True"));
    EXPECT_THAT(job.launch.command, ElementsAre("train.py", "--lr", "1"));
}

TEST(JobFile, ConvertsBothFormsOfAPastedTorchrunCommand)
{
    for (const char *program : {R"("torchrun")", R"("python", "-m", "torch.distributed.run")"}) {
        const Job job =
            launched(R"("recipe": "torchrun", "command": [)" + std::string(program) +
                     R"(, "--nnodes=2", "--nproc-per-node", "2", "--rdzv-endpoint=a:1", "--tee=3", "train.py"])");
        EXPECT_EQ(job.launch.recipe, "torchrun") << program;
        EXPECT_THAT(job.launch.options, ElementsAre("--tee=3"));
        EXPECT_THAT(job.launch.command, ElementsAre("train.py"));
    }
}

TEST(JobFile, ConvertsAPastedMpirunCommandWithItsVariables)
{
    const Result<JobFile> file = parseJob(
        with("launch",
             R"("command": ["mpirun", "-np", "4", "-H", "a:2,b:2", "--allow-run-as-root", "-mca", "btl", "tcp,self",
        "-x", "NCCL_DEBUG=INFO", "-x", "LD_LIBRARY_PATH", "--report-bindings", "python", "train.py", "-x"])"),
        "j");
    ASSERT_TRUE(file.has_value()) << file.error().message;
    const LaunchSpec &launch = file->job.launch;
    EXPECT_EQ(launch.recipe, "mpirun");
    EXPECT_THAT(launch.options, ElementsAre("--mca", "btl", "tcp,self", "--report-bindings"));
    EXPECT_EQ(launch.env.at("NCCL_DEBUG"), "INFO");
    EXPECT_THAT(launch.command, ElementsAre("python", "train.py", "-x"));
    ASSERT_EQ(file->warnings.size(), 2u);
    EXPECT_THAT(file->warnings[0], HasSubstr("LD_LIBRARY_PATH"));
}

TEST(JobFile, ConvertsAPastedSrunCommand)
{
    const Job job =
        launched(R"("command": ["srun", "-N", "2", "--ntasks=4", "-l", "-o", "x.out", "-p", "npu", "python", "t.py"])");
    EXPECT_EQ(job.launch.recipe, "slurm");
    EXPECT_THAT(job.launch.options, ElementsAre("-N", "2", "--ntasks=4", "-p", "npu"));
    EXPECT_THAT(job.launch.command, ElementsAre("python", "t.py"));
}

TEST(JobFile, WarnsOfALauncherInsideAnotherRecipe)
{
    const Result<JobFile> file =
        parseJob(with("launch", R"("recipe": "volcano", "command": ["torchrun", "train.py"])"), "j");
    ASSERT_TRUE(file.has_value());
    ASSERT_EQ(file->warnings.size(), 1u);
    EXPECT_THAT(file->warnings[0], HasSubstr("would start it once for each rank"));
    EXPECT_THAT(file->job.launch.command, ElementsAre("torchrun", "train.py"));
}

TEST(JobFile, AcceptsOnlyOneGracefulExitMethod)
{
    const auto with = [](const std::string &exit) {
        return R"({"rankdeck":1,"name":"x","nodes":[{"host":"h","ranks":[0]}],"graceful_exit":)" + exit + "}";
    };
    const auto read = parseJob(with(R"({"signal": "SIGUSR1"})"), "j");
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->job.gracefulExit.signal, "USR1");
    EXPECT_EQ(parseJob(jobToJson(read->job), "j")->job.gracefulExit.signal, "USR1");
    EXPECT_EQ(parseJob(with(R"({"stop_file": "/job/STOP.{node}"})"), "j")->job.gracefulExit.stopFile,
              "/job/STOP.{node}");
    EXPECT_EQ(parseJob(with(R"({"scancel": "USR2", "slurm_job": "12_3"})"), "j")->job.gracefulExit.slurmJob, "12_3");
    EXPECT_THAT(errorOf(with(R"({"signal": "KILL"})")), HasSubstr("expected TERM, INT, USR1 or USR2, found \"KILL\""));
    EXPECT_THAT(errorOf(with(R"({"config": "/g.json", "signal": "TERM"})")), HasSubstr("found config and signal"));
    EXPECT_THAT(errorOf(with(R"({"scancel": "USR1", "slurm_job": "1; rm"})")), HasSubstr("a Slurm job id"));
    EXPECT_THAT(errorOf(with(R"({"stop_file": "/job/{rnk}"})")), HasSubstr("graceful_exit.stop_file"));
}

TEST(JobFile, DividesNodesEquallyBetweenRelaysInOrder)
{
    const auto file = parseJob(R"({"rankdeck":1,"name":"x","relays":["head","login@gate:2222"],"nodes":[
        {"name":"n0","host":"head","transport":"ssh","python":"/opt/python3"},{"host":"c1"},{"host":"c2"},{"host":"c3"},
        {"name":"own","host":"c4","relay":"n0"},{"host":"local"},{"host":"k8s:space/pod"},{"host":"c5"}]})",
                               "j");
    ASSERT_TRUE(file.has_value()) << file.error().message;
    std::map<std::string, RelaySpec> relays;
    for (const NodeSpec &node : file->job.nodes) relays[node.name] = node.relay;
    const RelaySpec head{"head", "head", TransportKind::sshChild, "/opt/python3"};
    const RelaySpec gate{"login@gate:2222", "login@gate:2222", TransportKind::libssh, ""};
    EXPECT_EQ(relays["n0"], RelaySpec{}) << "a relay is reached without";
    EXPECT_EQ(relays["c1"], head);
    EXPECT_EQ(relays["c2"], head);
    EXPECT_EQ(relays["c3"], gate);
    EXPECT_EQ(relays["c5"], gate);
    EXPECT_EQ(relays["own"], (RelaySpec{"n0", "head", TransportKind::sshChild, "/opt/python3"}));
    EXPECT_EQ(relays["local"], RelaySpec{});
    EXPECT_EQ(relays["k8s:space/pod"], RelaySpec{});
    const auto again = parseJob(jobToJson(file->job), "j");
    ASSERT_TRUE(again.has_value()) << again.error().message;
    for (const NodeSpec &node : again->job.nodes) EXPECT_EQ(node.relay, relays[node.name]) << node.name;
}

TEST(JobFile, RefusesARelayThatIsBehindARelay)
{
    const auto saysOf = [](const std::string &nodes) {
        return errorOf(R"({"rankdeck":1,"name":"x","nodes":[)" + nodes + "]}");
    };
    EXPECT_THAT(saysOf(R"({"host":"a","relay":"a"})"),
                HasSubstr("nodes[0].relay: expected a node other than this one"));
    EXPECT_THAT(saysOf(R"({"host":"a","relay":"b"},{"host":"b","relay":"c"},{"host":"c"})"),
                HasSubstr("nodes[0].relay: expected a node that is itself reached without a relay"));
    EXPECT_THAT(saysOf(R"({"host":"local","relay":"b"})"), HasSubstr("a relay only for a host that ssh can reach"));
    EXPECT_THAT(saysOf(R"({"host":"k8s:s/p","relay":"b"})"), HasSubstr("a relay only for a host that ssh can reach"));
    EXPECT_THAT(saysOf(R"({"host":"a","relay":"k8s:s/p"},{"host":"k8s:s/p"})"), HasSubstr("not a pod"));
    EXPECT_THAT(errorOf(R"({"rankdeck":1,"name":"x","relays":[""],"nodes":[{"host":"a"}]})"), HasSubstr("relays[0]"));
    EXPECT_THAT(errorOf(R"({"rankdeck":1,"name":"x","relays":"head","nodes":[{"host":"a"}]})"), HasSubstr("relays"));
}

TEST(JobFile, RefusesDeepNestingWithoutCrashing)
{
    const std::string deep = std::string(200000, '[') + std::string(200000, ']');
    EXPECT_THAT(errorOf(deep), HasSubstr("expected an object"));
}

}  // namespace
}  // namespace rankdeck::job_file_test
