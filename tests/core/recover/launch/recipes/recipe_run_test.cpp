// SPDX-License-Identifier: GPL-3.0-or-later
// Recipes that are carried out: edits of configurations and their undo, and a vcjob on a fake cluster that checks it.
// Also the script with which a user carries out a plan by hand.
#include "core/base/text.h"
#include "core/recover/plan/plan_runner.h"
#include "tests/core/recover/refusals.h"
#include "tests/testbed/engine/engine_fixture.h"
#include "tests/testbed/paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace rankdeck::recipe_run_test {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;

const std::string sources = sourceDirectory() + "/tests/core/recover/";

std::string slurp(const std::string &path)
{
    std::ostringstream all;
    all << std::ifstream(path, std::ios::binary).rdbuf();
    return all.str();
}

std::vector<std::string> codesOf(const ResumeReport &report)
{
    std::vector<std::string> codes;
    for (const Finding &finding : report.preflight) codes.push_back(finding.code.word());
    return codes;
}

// Two ranks on two nodes of one machine, which have saved step 5 and were killed.
class RecipeRun : public testing::Test {
protected:
    void SetUp() override
    {
        host.job.pathsShared = true;
        host.crashLongAgo();
    }
    EngineHost host{{{0}, {1}}, "command"};
};

// ---- MindFormers ----------------------------------------------------------------------------------------------------

class MindFormersRun : public RecipeRun {
protected:
    void SetUp() override
    {
        RecipeRun::SetUp();
        yaml = slurp(testData() + "/recipes/pretrain_llama2_7b.yaml");
        host.write("job/llama.yaml", yaml);
        host.job.launch.script = "mindformers";
        host.job.launch.config = host.file("job/llama.yaml");
        host.job.launch.command = {"sh", "-c", "cp llama.yaml seen-$RANK_ID; ls -R .rankdeck/views/*; sleep 60"};
    }
    std::string yaml;
};

TEST_F(MindFormersRun, EditsTheYamlToLoadOnlyTheChosenSet)
{
    const ResumeReport report = runResume(host, {.waitSeconds = 1}, {});
    ASSERT_EQ(report.outcome, "launched") << report.text;
    const std::string view = host.file("job/.rankdeck/views/" + report.journal);
    const std::string edited = host.read("job/llama.yaml");
    EXPECT_THAT(edited, HasSubstr("\nload_checkpoint: '" + view + "'\n"));
    EXPECT_THAT(edited, HasSubstr("\nauto_trans_ckpt: False  # resharding"));
    EXPECT_THAT(edited, HasSubstr("\nresume_training: True\n"));
    EXPECT_EQ(edited.size(), yaml.size() + view.size());  // '' filled; True and False changed places
    std::size_t edits = 0;
    for (const NodePlan &node : report.plan.nodes)
        for (const FileEdit &edit : node.edits)
            if (edit.path.ends_with("llama.yaml")) ++edits;
    EXPECT_EQ(edits, 1u);  // one file, seen by both nodes
    EXPECT_EQ(fs::read_symlink(view + "/rank_1/lenet-1_5.ckpt"), host.file("job/ckpt/rank_1/lenet-1_5.ckpt"));
    EXPECT_TRUE(host.waitFor([&] { return host.exists("job/seen-0") && host.read("job/seen-0") == edited; }));
}

TEST_F(MindFormersRun, RestoresTheYamlByteForByteIfTheLaunchFails)
{
    host.job.launch.command = {"start"};
    host.write("job/works/start", "#!/bin/sh\nsleep 60\n");
    host.write("job/fails/start", "#!/no/such/interpreter\n");
    for (const char *name : {"job/works/start", "job/fails/start"})
        fs::permissions(host.file(name), fs::perms::owner_all);
    host.job.nodes[0].env["PATH"] = host.file("job/works") + ":/usr/bin:/bin";
    host.job.nodes[1].env["PATH"] = host.file("job/fails");
    const ResumeReport report = runResume(host, {.waitSeconds = 20}, {});
    EXPECT_EQ(report.outcome, "failed") << report.text;
    EXPECT_EQ(host.read("job/llama.yaml"), yaml);
    EXPECT_TRUE(fs::is_empty(host.file("job/.rankdeck/views")));
}

TEST_F(MindFormersRun, RefusesAYamlThatItCannotEditOrThatRanksShare)
{
    const std::string config = host.job.launch.config;
    host.write("job/llama.yaml", "load_checkpoint: &x ''\n");
    const ResumeReport report = runResume(host, {}, {});
    EXPECT_EQ(report.outcome, "refused");
    EXPECT_THAT(codesOf(report), Contains("config_not_editable"));
    EXPECT_THAT(report.text, HasSubstr("line 1"));
    host.job.launch.config = host.file("job/nowhere.yaml");
    EXPECT_THAT(codesOf(runResume(host, {}, {})), Contains("config_unreadable"));

    host.write("job/llama.yaml", yaml);
    host.job.launch.config = config;
    host.job.launch.script = "resnet";
    const ResumeReport shared = runResume(host, {}, {});
    EXPECT_EQ(shared.outcome, "refused");
    EXPECT_THAT(codesOf(shared), Contains("config_shared"));
    host.write("job/0.yaml", "pre_trained: ''\n");
    host.write("job/1.yaml", "pre_trained: ''\n");
    host.job.launch.config = host.file("job/{rank}.yaml");
    EXPECT_EQ(runResume(host, {.waitSeconds = 1}, {}).outcome, "launched");
    EXPECT_EQ(host.read("job/1.yaml"), "pre_trained: '" + host.file("job/ckpt/rank_1/lenet-1_5.ckpt") + "'\n");
}

// One YAML for all ranks, as for ResNet: each rank gets a copy that names its own file, and an argument with the copy's
// path.
TEST_F(RecipeRun, RanksThatShareAYamlGetACopyEach)
{
    const std::string yaml = "pre_trained: \"\"\nrun_eval: False\n---\npre_trained: \"help\"\n";
    host.write("job/resnet.yaml", yaml);
    host.job.launch.script = "resnet";
    host.job.launch.config = host.file("job/resnet.yaml");
    host.job.launch.command = {
        "sh", "-c", "cp ${{1#--config_path=}} seen-$RANK_ID.new && mv seen-$RANK_ID.new seen-$RANK_ID; sleep 60", "sh",
        "--config_path=resnet.yaml"};
    const ResumeReport report = runResume(host, {.waitSeconds = 1}, {});
    ASSERT_EQ(report.outcome, "launched") << report.text;
    for (const std::string rank : {"0", "1"}) {
        ASSERT_TRUE(host.waitFor([&] { return host.exists("job/seen-" + rank); }));
        EXPECT_EQ(host.read("job/seen-" + rank), "pre_trained: \"" +
                                                     host.file("job/ckpt/rank_" + rank + "/lenet-1_5.ckpt") +
                                                     "\"\nrun_eval: False\n---\npre_trained: \"help\"\n");
    }
    EXPECT_EQ(host.read("job/resnet.yaml"), yaml);
}

// ---- Pangu ------------------------------------------------------------------------------------------------------------

// MindX DL's Pangu script without a strategy loads the newest file of the rank's own directory, by time.
constexpr const char *panguLoader =
    "import glob,os,sys;n=os.environ;assert n['RESTORE_RANKS']=='-1' and '--pre_trained=' in sys.argv[-1];"
    "f=sorted(glob.glob('ckpt/rank_%s/lenet*.ckpt'%n['RANK_ID']),key=os.path.getmtime)[-1];"
    "open('told-'+n['RANK_ID'],'w').write(f+'.');__import__('time').sleep(600)";

TEST_F(RecipeRun, PanguLoadsTheChosenSetAlthoughItSearchesTheNewestFile)
{
    host.job.launch.env["FAKE_PACE"] = "0.02";
    const ResumeReport first = runResume(host, {.waitSeconds = 60}, {});
    ASSERT_EQ(first.outcome, "proven") << first.text;
    host.waitStep(16);
    host.endLongAgo();
    ASSERT_TRUE(host.exists("job/ckpt/rank_1/lenet-2_5.ckpt"));
    host.job.launch.script = "pangu";
    host.job.launch.command = {"python3", "-c", panguLoader};
    const ResumeReport report = runResume(host, {.set = "0:1-10", .waitSeconds = 1}, {});
    ASSERT_EQ(report.outcome, "launched") << report.text;
    EXPECT_THAT(codesOf(report), Contains("newer_checkpoints"));
    for (const char *rank : {"0", "1"}) {
        const std::string told = std::string("job/told-") + rank;
        ASSERT_TRUE(host.waitFor([&] { return host.exists(told) && host.read(told).ends_with("."); }));
        EXPECT_EQ(host.read(told), std::string("ckpt/rank_") + rank + "/lenet-1_10.ckpt.");
    }
    EXPECT_TRUE(host.exists("job/ckpt/rank_1/lenet-2_5.ckpt.moved-" + report.journal));
}

// ---- Volcano ----------------------------------------------------------------------------------------------------------

class VolcanoRun : public RecipeRun {
protected:
    void SetUp() override
    {
        RecipeRun::SetUp();
        host.write("kube/argv", "");
        host.write("kube/bin/kubectl", slurp(sources + "fake_kubectl.py"));
        fs::permissions(host.file("kube/bin/kubectl"), fs::perms::owner_all);
        LaunchSpec &launch = host.job.launch;
        launch.recipe = "volcano";
        launch.volcano.image = "train:1";
        launch.volcano.mounts = {{host.file("job"), "/export/job"}};
        launch.env["FAKE_KUBE"] = host.file("kube");
        launch.env["FAKE_KUBE_FIELDS"] = testData() + "/recipes/vcjob_fields.json";
        launch.env["RANKDECK_VOLCANO_POLL"] = "1";
        launch.env["PATH"] = host.file("kube/bin") + ":" + std::getenv("PATH");
    }
    std::vector<std::string> calls(bool withLease = false) const
    {
        std::vector<std::string> lines;
        for (const std::string &line : split(host.read("kube/argv"), '\n')) {
            if (line.empty()) continue;
            std::string text;
            for (const auto &word : nlohmann::json::parse(line)) text += word.get<std::string>() + " ";
            if (text.find(" get ") != std::string::npos) continue;
            if (!withLease &&
                (text.find("lease") != std::string::npos || text.find("filename=- --output") != std::string::npos))
                continue;
            lines.push_back(text);
        }
        return lines;
    }
    void otherLease(const std::string &holder)
    {
        host.write("kube/Lease-rankdeck-fake",
                   R"({"kind": "Lease", "metadata": {"name": "rankdeck-fake", "uid": "u1", "resourceVersion": "7"},
                       "spec": {"holderIdentity": ")" +
                       holder + R"("}})");
    }
};

TEST_F(VolcanoRun, CreatesTheJobThatTheServerValidatedAndProvesTheResume)
{
    host.job.launch.volcano.labels = {{"ring-controller.atlas", "ascend-910"}};
    host.write("job/hccl.json", R"({"status": "completed"})");  // else the ranks would wait for it
    host.job.launch.env["RANK_TABLE_FILE"] = host.file("job/hccl.json");
    const ResumeReport report = runResume(host, {.waitSeconds = 90}, {});
    ASSERT_EQ(report.outcome, "proven") << report.text;
    const auto made = calls();
    ASSERT_EQ(made.size(), 4u);
    EXPECT_THAT(made[0], HasSubstr("--namespace=default create --dry-run=server --filename="));
    EXPECT_THAT(made[0], HasSubstr("vcjob-check.yaml"));
    EXPECT_THAT(made[1], HasSubstr("create --filename=" + host.file("job/.rankdeck/batch/")));
    EXPECT_THAT(made[1], HasSubstr("reset-config.yaml"));
    EXPECT_THAT(made[2], HasSubstr("rings-config.yaml"));
    EXPECT_THAT(made[3], HasSubstr("vcjob.yaml"));
    const auto config = nlohmann::json::parse(host.read("kube/ConfigMap-reset-config-fake"));
    EXPECT_EQ(nlohmann::json::parse(config["data"]["reset.json"].get<std::string>())["GracefulExit"], 0);
    EXPECT_TRUE(host.waitFor([&] { return host.pids().size() >= 2; }));
    for (const RankProof &rank : report.ranks) EXPECT_EQ(rank.loadedGlobalStep, 5);
    // When the process that represents the job ends, the job has ended.
    std::vector<Started> started;
    for (const NodePlan &node : report.plan.nodes)
        for (const LaunchRequest &launch : node.launches) started.push_back({.node = node.node, .request = launch});
    ASSERT_EQ(started.size(), 1u);
    EXPECT_TRUE(stopStarted(host, started, {}).empty());
    EXPECT_THAT(calls(),
                Contains(HasSubstr("delete --raw=/apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs/fake")));
    EXPECT_TRUE(host.waitFor([&] { return host.pids().empty(); }));
}

TEST_F(VolcanoRun, PatchesAnExistingConfigMapAndKeepsItsOtherKeys)
{
    host.write("kube/ConfigMap-reset-config-fake",
               R"({"kind": "ConfigMap", "metadata": {"name": "reset-config-fake", "labels": {"reset": "true"}},
                   "data": {"reset.json": "{\"GracefulExit\":1}", "checkCode": "x", "restartType": "podReschedule"}})");
    host.write("kube/Job-fake", R"({"kind": "Job", "metadata": {"name": "fake", "uid": "of-old"}, "phase": "Failed"})");
    const ResumeReport report = runResume(host, {.waitSeconds = 90}, {});
    ASSERT_EQ(report.outcome, "proven") << report.text;
    EXPECT_THAT(calls(), Contains(HasSubstr("patch configmap reset-config-fake --type=merge --patch-file=")));
    // Only the ended pod of the old attempt is deleted, and only after the server has checked the new object.
    EXPECT_THAT(calls()[0], HasSubstr("create --dry-run=server"));
    EXPECT_THAT(calls()[1], HasSubstr("delete --raw=/apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs/fake"));
    const auto config = nlohmann::json::parse(host.read("kube/ConfigMap-reset-config-fake"));
    EXPECT_THAT(config["data"]["reset.json"].get<std::string>(), HasSubstr("\"GracefulExit\":0"));
    EXPECT_EQ(config["data"]["restartType"], "podReschedule");
    EXPECT_EQ(config["metadata"]["labels"]["reset"], "true");
    const std::string text = config["data"]["reset.json"];
    const std::string hash =
        "printf %s '" + text + "' | sha256sum | grep -q " + config["data"]["checkCode"].get<std::string>();
    EXPECT_EQ(std::system(hash.c_str()), 0);
    // Only one of several consoles on two machines prepares the job: a lease exists from before the first change until
    // the end of the preparation.
    const auto made = calls(true);
    ASSERT_GE(made.size(), 7u);
    EXPECT_THAT(made[1], HasSubstr("create --filename=- "));
    EXPECT_THAT(made[2], HasSubstr("delete --raw=/apis/batch.volcano.sh/"));
    EXPECT_THAT(made[3], HasSubstr("patch lease rankdeck-fake"));
    EXPECT_THAT(made.back(), HasSubstr("delete --raw=/apis/coordination.k8s.io/v1/namespaces/default/leases/"));
    EXPECT_FALSE(host.exists("kube/Lease-rankdeck-fake"));
}

TEST_F(VolcanoRun, DoesNotTouchARunningJobOfAnotherAttempt)
{
    host.write("kube/Job-fake", R"({"kind": "Job", "metadata": {"name": "fake"}, "phase": "Running"})");
    const std::string log = host.read("job/log/worker_0.log");
    const ResumeReport report = runResume(host, {.waitSeconds = 20}, {});
    EXPECT_EQ(report.outcome, "failed");
    EXPECT_THAT(report.text, HasSubstr("vcjob fake of another attempt is Running: end it first"));
    EXPECT_TRUE(calls().empty());
    EXPECT_EQ(host.read("job/log/worker_0.log"), log);
    EXPECT_EQ(host.launched, 0);
}

TEST_F(VolcanoRun, RenewedLeaseMeansThatAnotherLaunchIsInProgress)
{
    otherLease("resume-of-another");
    host.write("kube/Job-fake", R"({"kind": "Job", "metadata": {"name": "fake", "uid": "of-old"}, "phase": "Failed"})");
    std::atomic<bool> over = false;
    std::thread renews([&] {
        for (int version = 8; !over; ++version) {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            host.write("kube/new-lease",
                       replaceAll(host.read("kube/Lease-rankdeck-fake"), "\"" + std::to_string(version - 1) + "\"",
                                  "\"" + std::to_string(version) + "\""));
            fs::rename(host.file("kube/new-lease"), host.file("kube/Lease-rankdeck-fake"));
        }
    });
    const ResumeReport report = runResume(host, {.waitSeconds = 60}, {});
    over = true;
    renews.join();
    EXPECT_EQ(report.outcome, "failed");
    EXPECT_THAT(report.text, HasSubstr("vcjob fake is being started by resume-of-another"));
    EXPECT_THAT(host.read("kube/Job-fake"), HasSubstr("of-old"));
    EXPECT_TRUE(host.exists("kube/Lease-rankdeck-fake")) << "it is the other's";
    EXPECT_FALSE(host.exists("kube/ConfigMap-reset-config-fake"));
}

TEST_F(VolcanoRun, TakesALeaseWhoseHolderIsGone)
{
    otherLease("resume-of-the-dead");
    host.job.launch.env["RANKDECK_LEASE_SECONDS"] = "3";
    const ResumeReport report = runResume(host, {.waitSeconds = 90}, {});
    EXPECT_EQ(report.outcome, "proven") << report.text;
    EXPECT_FALSE(host.exists("kube/Lease-rankdeck-fake"));
}

TEST_F(VolcanoRun, RefusalOfTheServerLeavesEverythingUnchanged)
{
    host.job.launch.volcano.nameSpace = "UPPER";  // sent unchanged, and refused by the server
    host.job.launch.env["FAKE_KUBE_FIELDS"] = host.file("kube/fields.json");
    auto fields = nlohmann::json::parse(slurp(testData() + "/recipes/vcjob_fields.json"));
    fields["Job"]["fields"]["spec"]["fields"].erase("maxRetry");
    host.write("kube/fields.json", fields.dump());
    const ResumeReport report = runResume(host, {.waitSeconds = 20}, {});
    EXPECT_EQ(report.outcome, "failed");
    EXPECT_THAT(report.text, HasSubstr("unknown field \"Job.spec.maxRetry\""));
    EXPECT_TRUE(host.pids().empty());
    EXPECT_FALSE(host.exists("job/.rankdeck/batch/" + report.journal + "/vcjob.yaml"));
    EXPECT_FALSE(host.exists("kube/ConfigMap-reset-config-fake"));
}

// ---- the script ---------------------------------------------------------------------------------------------------------

// Records its arguments, its working directory and the variables of the plan, and then ends.
constexpr const char *recorder =
    "import json,os,sys;n=os.environ;t=dict((k,n[k]) for k in sorted(n) if k.split('_')[0] in ('RANK','MS','DEVICE',"
    "'FAKE','T'));json.dump([sys.argv[1:],os.getcwd(),t],open('told-'+n['RANK_ID'],'w'));print('said')";

class ByHand {
public:
    ByHand() : host({{0}, {1}}, "command")
    {
        host.job.pathsShared = true;
        host.crashLongAgo();
        host.write("job/graceful.json", "{\"GracefulExit\": 1, \"it's\": \"$kept\"}");
        host.write("job/it's.yaml", "a: \"$(touch x)\"\nload_checkpoint: ''\n");
        host.job.launch.script = "mindformers";
        host.job.launch.config = host.file("job/it's.yaml");
        host.job.launch.command = {"python3", "-c", recorder, "a b", "$HOME", "it's", "{checkpoint}"};
        host.job.launch.env["T_ODD"] = "x 'y' $z\n;";
    }

    // The contents below job/, without the parts that differ between runs.
    std::map<std::string, std::string> picture(const std::string &id) const
    {
        std::map<std::string, std::string> names;
        const std::string root = host.file("job");
        const auto plain = [&](std::string text) { return replaceAll(replaceAll(text, id, "ID"), root, "ROOT"); };
        for (const auto &entry : fs::recursive_directory_iterator(root)) {
            const std::string name = plain(entry.path().lexically_relative(root));
            if (name.starts_with(".rankdeck/runs") || name.starts_with("sync-")) continue;  // records of the launch
            const bool own = name.starts_with("told-") || name.ends_with(".json") || name.ends_with(".yaml");
            names[name] = fs::is_symlink(entry.path())     ? "-> " + plain(fs::read_symlink(entry.path()))
                          : fs::is_directory(entry.path()) ? "directory"
                          : own                            ? plain(slurp(entry.path()))
                                                           : "file";
        }
        return names;
    }
    EngineHost host;
};

TEST(ScriptByHand, DoesTheSameAsTheResumeAction)
{
    ByHand product, hand;
    const ResumeReport report = runResume(product.host, {.waitSeconds = 1}, {});
    ASSERT_EQ(report.outcome, "launched") << report.text;
    const ResumeReport planned = planResume(hand.host, {});
    ASSERT_EQ(planned.outcome, "dry_run") << planned.text;
    hand.host.write("by-hand.sh", planAsScript(planned.plan));
    for (const char *step : {"prepare", "launch"})
        for (const char *node : {"n0", "n1"}) {
            const std::string call = "bash " + hand.host.file("by-hand.sh") + " " + node + " " + step;
            ASSERT_EQ(std::system(call.c_str()), 0) << call;
        }
    for (ByHand *one : {&product, &hand})
        for (const char *file : {"job/told-0", "job/told-1"})
            ASSERT_TRUE(one->host.waitFor([&] {
                return one->host.exists(file) && one->host.read(file).ends_with("}]");
            })) << file;
    const auto did = product.picture(report.journal);
    EXPECT_EQ(hand.picture(planned.plan.id), did);
    for (const char *name : {"told-1", ".rankdeck/views/ID/rank_1/lenet-1_5.ckpt", "graceful.json"})
        ASSERT_TRUE(did.contains(name)) << name << " in " << testing::PrintToString(did);
    EXPECT_THAT(did.at("told-1"), HasSubstr("a b"));
    EXPECT_EQ(did.at(".rankdeck/views/ID/rank_1/lenet-1_5.ckpt"), "-> ROOT/ckpt/rank_1/lenet-1_5.ckpt");
    EXPECT_EQ(did.at("graceful.json"), "{\"GracefulExit\": 0, \"it's\": \"$kept\"}");
}

TEST(ScriptByHand, StopsBeforeItOverwritesAChangedFile)
{
    ByHand hand;
    const ResumeReport planned = planResume(hand.host, {});
    hand.host.write("by-hand.sh", planAsScript(planned.plan));
    hand.host.write("job/graceful.json", "{\"GracefulExit\": 1, \"new\": 1}");
    EXPECT_NE(std::system(("bash " + hand.host.file("by-hand.sh") + " n0 prepare 2>/dev/null").c_str()), 0);
    EXPECT_EQ(hand.host.read("job/graceful.json"), "{\"GracefulExit\": 1, \"new\": 1}");
    EXPECT_NE(std::system(("bash " + hand.host.file("by-hand.sh") + " n9 prepare 2>/dev/null").c_str()), 0);
}

}  // namespace
}  // namespace rankdeck::recipe_run_test
