// SPDX-License-Identifier: GPL-3.0-or-later
// How each kind of script gets its checkpoint, and the contents of the staging directories that it is given.
#include "core/job/job_file.h"
#include "core/recover/launch/checkpoint_staging.h"
#include "core/recover/launch/script_adapter.h"
#include "core/recover/resume/aside/backup_newer_checkpoints.h"
#include "tests/testbed/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::recipe_script_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Job jobOf(const std::string &launch)
{
    const auto file = parseJob(R"({"rankdeck": 1, "name": "m", "world_size": 4, "nodes": [
        {"name": "n0", "host": "a", "ranks": [0, 1]}, {"name": "n1", "host": "b", "ranks": [2, 3]}],
        "checkpoints": {"path": "/job/ckpt/rank_{rank}"}, "graceful_exit": {"config": "/job/graceful.json"},
        "launch": {"recipe": "command", "workdir": "/job", "command": ["python", "train.py"], )" +
                               launch + "}}");
    EXPECT_TRUE(file.has_value()) << (file ? "" : file.error().message);
    EXPECT_TRUE(file->warnings.empty());
    return file->job;
}

CheckpointSet setOf(CheckpointKind kind = CheckpointKind::periodic, std::map<int, int> from = {})
{
    CheckpointSet set{.id = "0:3-10", .kind = kind, .epoch = 3, .step = 10, .verdict = Verdict::valid};
    for (int rank = 0; rank < 4; ++rank) {
        const int source = from.contains(rank) ? from[rank] : rank;
        MemberVerdict member{.rank = rank,
                             .node = rank < 2 ? "n0" : "n1",
                             .path = "/job/ckpt/rank_" + std::to_string(source) + "/pangu" + std::to_string(source) +
                                     "-3_10_breakpoint.ckpt",
                             .state = source == rank ? MemberState::ok : MemberState::replica,
                             .bytes = 100};
        if (source != rank) member.fromRank = source;
        set.members.push_back(member);
    }
    return set;
}

std::string settingOf(const AdaptedScript &told, const std::string &key)
{
    for (const ConfigSetting &setting : told.settings)
        if (setting.key == key) return setting.value;
    return "(none)";
}

TEST(ScriptResnet, SetsThePreTrainedArgument)
{
    const AdaptedScript told = adaptScript(jobOf(R"("script": "resnet")"), setOf());
    EXPECT_THAT(told.job.launch.command, ElementsAre("python", "train.py", "--pre_trained={checkpoint}"));
    EXPECT_TRUE(told.namesCheckpoint);
    EXPECT_FALSE(told.usesView);
    Job job = jobOf(R"("script": "resnet", "config": "/job/resnet_{rank}.yaml")");
    job.launch.command = {"python", "train.py"};
    EXPECT_EQ(settingOf(adaptScript(job, setOf()), "pre_trained"), "{checkpoint}");
    EXPECT_THAT(adaptScript(job, setOf()).job.launch.command, ElementsAre("python", "train.py"));
}

TEST(ScriptResnet, ReplacesTheOldCheckpointArgumentAndKeepsAPlaceholder)
{
    Job job = jobOf(R"("script": "resnet")");
    job.launch.command = {"python", "train.py", "--pre_trained", "/old.ckpt", "--epochs", "9"};
    EXPECT_THAT(adaptScript(job, setOf()).job.launch.command,
                ElementsAre("python", "train.py", "--pre_trained", "{checkpoint}", "--epochs", "9"));
    job.launch.command = {"bash", "run.sh", "{checkpoint}"};
    EXPECT_THAT(adaptScript(job, setOf()).job.launch.command, ElementsAre("bash", "run.sh", "{checkpoint}"));
}

TEST(ScriptResnet, UsesAVariableThatNamesTheCheckpoint)
{
    Job job = jobOf(R"("script": "resnet", "env": {"LOAD": "{checkpoint}"})");
    job.launch.command = {"bash", "run.sh"};
    AdaptedScript told = adaptScript(job, setOf());
    EXPECT_THAT(told.job.launch.command, ElementsAre("bash", "run.sh"));
    EXPECT_TRUE(told.namesCheckpoint);
    EXPECT_FALSE(told.usesView);
    job.launch.env = {};
    job.nodes[0].env = {{"FROM", "{\"at\": \"{checkpoint_dir}\"}"}};
    told = adaptScript(job, setOf());
    EXPECT_TRUE(told.usesView) << "a variable may hold braces of its own";
    job.nodes[0].env = {{"FROM", "{{checkpoint}}"}};
    EXPECT_FALSE(adaptScript(job, setOf()).usesView);
    EXPECT_THAT(adaptScript(job, setOf()).job.launch.command,
                ElementsAre("bash", "run.sh", "--pre_trained={checkpoint}"));
}

TEST(ScriptPangu, SetsTheRestoreStrategyOfAnEmergencyCheckpoint)
{
    const AdaptedScript told =
        adaptScript(jobOf(R"("script": "pangu")"), setOf(CheckpointKind::breakpoint, {{2, 0}, {3, 1}}));
    EXPECT_EQ(told.job.launch.env.at("RESTORE_RANKS"), "0,1");
    EXPECT_EQ(told.job.launch.env.at("RESTORE_RANKS_MAP"), R"({"0,2": 0, "1,3": 1})");
    EXPECT_THAT(told.job.launch.command, Contains("--pre_trained={checkpoint}"));
    EXPECT_TRUE(told.takesNewest);
    EXPECT_TRUE(told.findings.empty());
}

TEST(ScriptPangu, HasNoRestoreStrategyForAPeriodicSet)
{
    const AdaptedScript told = adaptScript(jobOf(R"("script": "pangu")"), setOf());
    EXPECT_EQ(told.job.launch.env.at("RESTORE_RANKS"), "-1");
    const AdaptedScript replica = adaptScript(jobOf(R"("script": "pangu")"), setOf(CheckpointKind::periodic, {{2, 0}}));
    ASSERT_EQ(replica.findings.size(), 1u);
    EXPECT_EQ(replica.findings[0].code, "not_loadable");
    EXPECT_EQ(replica.findings[0].rank, 2);
}

TEST(ScriptPangu, BacksUpNewerFilesOfTheSameKind)
{
    JobState view{.job = jobOf(R"("script": "pangu")")};
    CheckpointSet set = setOf(CheckpointKind::breakpoint);
    Inventory inventory;
    const auto add = [&](const std::string &path, CheckpointKind kind, std::int64_t time) {
        Member member{.rank = 0, .node = "n0", .file = {.path = path, .stat = {.mtimeNs = time}}, .name = {}};
        member.name.kind = kind;
        inventory.members.push_back(member);
    };
    add(set.members[0].path, CheckpointKind::breakpoint, 50);
    add("/job/ckpt/rank_0/pangu0-3_12_breakpoint.ckpt", CheckpointKind::breakpoint, 60);
    add("/job/ckpt/rank_0/pangu0-3_8_breakpoint.ckpt", CheckpointKind::breakpoint, 40);
    add("/job/ckpt/rank_0/pangu0-4_1.ckpt", CheckpointKind::periodic, 70);
    view.inventory = std::make_shared<const Inventory>(std::move(inventory));
    const Moves moves = moveNewer(view, set, "r1");
    ASSERT_EQ(moves.byNode.at("n0").size(), 1u);
    EXPECT_EQ(moves.byNode.at("n0")[0].path, "/job/ckpt/rank_0/pangu0-3_12_breakpoint.ckpt");
    EXPECT_EQ(moves.byNode.at("n0")[0].target, "/job/ckpt/rank_0/pangu0-3_12_breakpoint.ckpt.moved-r1");
    EXPECT_EQ(moves.findings[0].code, "newer_checkpoints");
}

TEST(ScriptPyTorch, SetsACheckpointPathAndNeverADirectory)
{
    EXPECT_THAT(adaptScript(jobOf(R"("script": "pytorch")"), setOf()).job.launch.command,
                ElementsAre("python", "train.py", "--resume={checkpoint}"));
    Job job = jobOf(R"("script": "pytorch")");
    job.launch.command = {"python", "main.py", "--resume=true"};
    const AdaptedScript told = adaptScript(job, setOf());
    EXPECT_TRUE(told.findings.empty());
    EXPECT_TRUE(told.switchedOn);  // the text of the script decides what it loads then
    EXPECT_FALSE(told.namesCheckpoint);
    EXPECT_EQ(told.job.launch.command, job.launch.command);
}

TEST(ScriptTensorFlow, SetsADirectoryBecauseAPrefixIsNotAFile)
{
    const AdaptedScript told = adaptScript(jobOf(R"("script": "tensorflow", "config": "/job/config.py")"), setOf());
    EXPECT_EQ(settingOf(told, "restore_path"), "{checkpoint_dir}/rank_{rank}");
    EXPECT_TRUE(told.usesView);
    CheckpointSet one = setOf();
    for (MemberVerdict &member : one.members) member.path = "/job/ckpt/model.ckpt-30";
    EXPECT_EQ(settingOf(adaptScript(jobOf(R"("script": "tensorflow", "config": "/c.py")"), one), "restore_path"),
              "{checkpoint_dir}");
}

TEST(ScriptMindFormers, SetsTheCheckpointInTheYamlOrByArguments)
{
    const AdaptedScript told = adaptScript(
        jobOf(R"("script": "mindformers", "config": "/job/llama.yaml", "set": {"auto_trans_ckpt": true, "epochs": 3})"),
        setOf());
    EXPECT_EQ(settingOf(told, "load_checkpoint"), "{checkpoint_dir}");
    EXPECT_EQ(settingOf(told, "resume_training"), "true");
    EXPECT_EQ(settingOf(told, "auto_trans_ckpt"), "true");
    EXPECT_EQ(settingOf(told, "epochs"), "3");
    EXPECT_TRUE(told.usesView);
    EXPECT_THAT(adaptScript(jobOf(R"("script": "mindformers")"), setOf()).job.launch.command,
                ElementsAre("python", "train.py", "--load_checkpoint={checkpoint_dir}", "--resume_training=True",
                            "--auto_trans_ckpt=False"));
}

TEST(ScriptEnvironment, AddsRequiredVariablesAndKeepsExistingOnes)
{
    const auto env = [](const std::string &launch) { return adaptScript(jobOf(launch), setOf()).job.launch.env; };
    EXPECT_EQ(env(R"("script": "resnet")").at("MS_ENABLE_GRACEFUL_EXIT"), "1");
    EXPECT_EQ(env(R"("env": {"MS_ENABLE_GRACEFUL_EXIT": "0"})").at("MS_ENABLE_GRACEFUL_EXIT"), "0");
    EXPECT_EQ(env(R"("env": {"MS_ENABLE_TFT": "{TRE:1}"})").at("MS_ENABLE_TFT"), "{TRE:1}");
    const auto tft = env(R"("fault_tolerance": ["ARF", "UCE"])");
    EXPECT_EQ(tft.at("MS_ENABLE_TFT"), "{TTP:1,UCE:1,ARF:1}");
    EXPECT_EQ(tft.at("MINDIO_FOR_MINDSPORE"), "1");
    EXPECT_FALSE(env(R"("fault_tolerance": ["TRE"])").contains("MINDIO_FOR_MINDSPORE"));
    EXPECT_FALSE(env(R"("script": "resnet")").contains("MS_ENABLE_TFT"));
    const AdaptedScript both = adaptScript(jobOf(R"("fault_tolerance": ["TRE", "ARF"])"), setOf());
    ASSERT_EQ(both.findings.size(), 1u);
    EXPECT_EQ(both.findings[0].code, "fault_tolerance");
}

TEST(LaunchKeys, RoundTripAndReportWrongValuesByKey)
{
    const std::string launch =
        R"("script": "mindformers", "config": "/c.yaml", "set": {"a": "x", "b": true, "c": 1.5}, "options": ["-p", "x"],
           "fault_tolerance": ["TTP"], "views": "/v", "submit_on": "n1",
           "volcano": {"image": "i", "mounts": {"/job": "nfs://s/job"}, "per_pod": true})";
    const Job job = jobOf(launch);
    const auto again = parseJob(jobToJson(job));
    ASSERT_TRUE(again.has_value()) << again.error().message;
    EXPECT_EQ(jobToJson(again->job), jobToJson(job));
    EXPECT_EQ(again->job.launch.set, job.launch.set);
    EXPECT_TRUE(again->job.launch.volcano.perPod);
    const auto wrong = [](const std::string &keys) {
        const auto file = parseJob(R"({"rankdeck":1,"name":"x","nodes":[{"host":"a"}],"launch":{)" + keys + "}}");
        return file ? "accepted" : file.error().message;
    };
    EXPECT_THAT(wrong(R"("recipe": "slrum")"), HasSubstr("did you mean \"slurm\"?"));
    EXPECT_THAT(wrong(R"("script": "pango")"), HasSubstr("did you mean \"pangu\"?"));
    EXPECT_THAT(wrong(R"("fault_tolerance": ["TFT"])"), HasSubstr("launch.fault_tolerance[0]"));
    EXPECT_THAT(wrong(R"("set": {"a": 1})"), HasSubstr("launch.config"));
    EXPECT_THAT(wrong(R"("config": "/c", "set": {"a b": 1})"), HasSubstr("launch.set.a b"));
    EXPECT_THAT(wrong(R"("submit_on": "n9")"), HasSubstr("launch.submit_on"));
}

std::vector<std::string> shown(const ViewSteps &steps)
{
    std::vector<std::string> lines;
    for (const FileActionRequest &step : steps.files)
        if (step.action == FileAction::makeLink) lines.push_back(step.path + " -> " + step.target);
    for (const FileEdit &edit : steps.trackers) lines.push_back(edit.path + " = " + edit.after);
    return lines;
}

TEST(StagingDirectory, IsOneDirectoryPerNodeOrOneForSharedPaths)
{
    Job job = jobOf(R"("script": "resnet")");
    EXPECT_EQ(viewDirectories(job, "r1").at("n1"), "/job/.rankdeck/views/r1.n1");
    job.pathsShared = true;
    EXPECT_EQ(viewDirectories(job, "r1").at("n1"), "/job/.rankdeck/views/r1");
    const auto steps = makeViews(job, viewDirectories(job, "r1"), {{0, {.path = "/c/0/a"}}, {3, {.path = "/c/3/a"}}});
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_EQ(steps.at("n0").files.back().target, "/job/.rankdeck/views/r1");
    EXPECT_EQ(steps.at("n0").files.size(), 6u);
    job.launch.views = "/views";
    EXPECT_EQ(viewDirectories(job, "r1").at("n1"), "/views/r1");
}

TEST(StagingDirectory, LinksAReplicaFileUnderTheNameOfTheRankThatLoadsIt)
{
    Job job = jobOf(R"("script": "mindformers")");
    job.pathsShared = true;
    const auto all = makeViews(job, {{"n0", "/v"}},
                               {{0, {.path = "/c/rank_0/llama_rank_0-3_10.ckpt"}},
                                {1, {.path = "/c/rank_1/llama_rank_1-3_10.ckpt"}},
                                {2, {.path = "/c/rank_0/llama_rank_0-3_10.ckpt", .fromRank = 0}}});
    EXPECT_THAT(shown(all.at("n0")),
                ElementsAre("/v.tmp/rank_0/llama_rank_0-3_10.ckpt -> /c/rank_0/llama_rank_0-3_10.ckpt",
                            "/v.tmp/rank_1/llama_rank_1-3_10.ckpt -> /c/rank_1/llama_rank_1-3_10.ckpt",
                            "/v.tmp/rank_2/llama_rank_2-3_10.ckpt -> /c/rank_0/llama_rank_0-3_10.ckpt"));
    // One file serves all ranks. Each rank still needs a folder, because it searches its own.
    const auto one =
        makeViews(job, {{"n0", "/v"}}, {{0, {.path = "/c/a.ckpt"}}, {1, {.path = "/c/a.ckpt", .fromRank = 0}}});
    EXPECT_THAT(shown(one.at("n0")),
                ElementsAre("/v.tmp/rank_0/a.ckpt -> /c/a.ckpt", "/v.tmp/rank_1/a.ckpt -> /c/a.ckpt"));
}

TEST(StagingDirectory, RenamesTheRankInAFileName)
{
    EXPECT_EQ(nameForRank("llama_rank_1-3_10.ckpt", 1, 10), "llama_rank_10-3_10.ckpt");
    EXPECT_EQ(nameForRank("llama_rank_10-3_10.ckpt", 1, 2), "llama_rank_10-3_10.ckpt");
    EXPECT_EQ(nameForRank("ttp_rank_0-1_5.ckpt", 0, 4), "ttp_rank_4-1_5.ckpt");
    EXPECT_EQ(nameForRank("pangu0-1_5_breakpoint.ckpt", 0, 12), "pangu12-1_5_breakpoint.ckpt");
    EXPECT_EQ(nameForRank("lenet_1-3_10.ckpt", 1, 3), "lenet_1-3_10.ckpt");  // a run's number
    EXPECT_EQ(nameForRank("lenet-3_10.ckpt", 3, 4), "lenet-3_10.ckpt");
}

TEST(StagingDirectory, ContainsTheTrackerFileOfTheFramework)
{
    Job job = jobOf(R"("script": "mindformers")");
    job.pathsShared = true;
    const auto all = [&](const ViewMember &member) {
        return shown(makeViews(job, {{"n0", "/v"}}, {{0, member}, {1, member}, {2, member}, {3, member}}).at("n0"));
    };
    EXPECT_THAT(all({.path = "/c/iter_0000100"}),
                ElementsAre("/v.tmp/iter_0000100 -> /c/iter_0000100", "/v/latest_checkpointed_iteration.txt = 100"));
    EXPECT_THAT(all({.path = "/c/iteration_00000030"}), Contains("/v/latest_checkpointed_iteration.txt = 30"));
    EXPECT_THAT(all({.path = "/c/global_step6"}), Contains("/v/latest = global_step6"));
    EXPECT_THAT(all({.path = "/c/checkpoint-24"}), ElementsAre("/v.tmp/checkpoint-24 -> /c/checkpoint-24"));
    EXPECT_THAT(
        all({.path = "/c/model.ckpt-30", .parts = {"/c/model.ckpt-30.data-00000-of-00001", "/c/model.ckpt-30.index"}}),
        ElementsAre("/v.tmp/model.ckpt-30.data-00000-of-00001 -> /c/model.ckpt-30.data-00000-of-00001",
                    "/v.tmp/model.ckpt-30.index -> /c/model.ckpt-30.index",
                    "/v/checkpoint = model_checkpoint_path: \"model.ckpt-30\"\nall_model_checkpoint_paths: "
                    "\"model.ckpt-30\"\n"));
}

TEST(StagingDirectory, WarnsOfAViewInsideTheCheckpointDirectory)
{
    Job job = jobOf(R"("script": "mindformers")");
    EXPECT_TRUE(viewFindings(job, viewDirectories(job, "r1")).empty());
    job.checkpoints.path = "/job/rank_{rank}";
    ASSERT_EQ(viewFindings(job, viewDirectories(job, "r1")).size(), 1u);
    EXPECT_EQ(viewFindings(job, viewDirectories(job, "r1"))[0].code, "view_in_checkpoints");
    job.launch.views = "/elsewhere";
    EXPECT_TRUE(viewFindings(job, viewDirectories(job, "r1")).empty());
}

}  // namespace
}  // namespace rankdeck::recipe_script_test
