// SPDX-License-Identifier: GPL-3.0-or-later
// Emergency checkpoints as MindX DL's Pangu scripts load them (tests/sources/pangu): four data-parallel ranks, of which
// only rank 1 wrote a *_breakpoint.ckpt. Files of MindSpore 2.7.0; real processes on real (local) nodes.
#include "core/recover/resume/checks/resume_checks.h"
#include "tests/core/recover/refusals.h"
#include "tests/testbed/engine/engine_fixture.h"
#include "tests/testbed/paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace rankdeck::emergency_checkpoint_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string textOf(const std::string &path)
{
    std::ostringstream all;
    all << std::ifstream(path, std::ios::binary).rdbuf();
    return all.str();
}

std::string sourceOf(const std::string &script) { return sourceDirectory() + "/tests/sources/pangu/" + script; }

TEST(EmergencyLoader, IsRecognisedInTheTextOfTheScript)
{
    const auto of = [](const std::string &text) { return emergencyLoaderOf({{"n0", text}}); };
    EXPECT_EQ(of(textOf(sourceOf("train_own.py"))), EmergencyLoader::ownFolder);
    EXPECT_EQ(of(textOf(sourceOf("train_strategy.py"))), EmergencyLoader::generator);
    EXPECT_EQ(
        of("def f():\n  r = os.getenv('RESTORE_RANKS')\ndef g():\n  load_checkpoint(glob('*_breakpoint.ckpt')[0])\n"),
        EmergencyLoader::variables);
    // Scripts that load none: a loader of periodic files that skips them, a guard that only checks when the last one
    // was saved, a comment.
    EXPECT_EQ(of(textOf(sourceOf("rank.py"))), EmergencyLoader::notSeen);
    EXPECT_EQ(of("def valid():\n  return glob('*breakpoint.ckpt')\ndef main():\n  load_checkpoint(args.pre_trained)\n"),
              EmergencyLoader::notSeen);
    EXPECT_EQ(of("def f():\n  # not from breakpoint.ckpt\n  load_checkpoint(path)\n"), EmergencyLoader::notSeen);
    EXPECT_EQ(emergencyLoaderOf({}), EmergencyLoader::notSeen);
}

TEST(EmergencyLoader, FaultsAreTheRanksThatLoadTheFileOfAnotherRank)
{
    CheckpointSet set{.id = "0:2-3b", .kind = CheckpointKind::breakpoint};
    for (int rank = 0; rank < 4; ++rank) {
        set.members.push_back({.rank = rank, .node = "n0", .path = "/rank_0/pangu0-2_3_breakpoint.ckpt"});
        if (rank > 1) set.members.back().fromRank = rank - 2;
    }
    EXPECT_THAT(faultsFor(set), testing::ElementsAre(2, 3));
    EXPECT_EQ(faultRecord({2, 3}, 1700000000), "{\"FaultRankIds\": [\"2\", \"3\"], \"CreatTime\": 1700000000}\n");
    ConfigCopy record{.node = "n0", .path = "/job/fault-npus"};
    record.content.emplace();
    record.content->bytes = "{}\n";
    record.content->sha256 = "sum";
    const FileEdit edit = faultRecordEdits(set, {.records = {record}, .at = 1700000000}).at("n0").at(0);
    EXPECT_EQ(edit.before, "{}\n");
    EXPECT_EQ(edit.after, faultRecord({2, 3}, 1700000000));
    EXPECT_EQ(edit.expectedSha256, "sum");
    for (MemberVerdict &member : set.members) member.fromRank.reset();
    EXPECT_TRUE(faultsFor(set).empty());
    set.facts["replica_groups"] = "0,2;1,3";
    EXPECT_THAT(faultsFor(set), testing::ElementsAre(2));
}

class Emergency : public testing::Test {
protected:
    void SetUp() override
    {
        const std::string real = testData() + "/mindspore/dp4/2.7.0/raise/rank_";
        for (int rank = 0; rank < 4; ++rank) {
            const std::string number = std::to_string(rank), own = host.file("job/ckpt/rank_" + number);
            fs::create_directories(own);
            for (const auto &entry : fs::directory_iterator(real + number)) {
                const std::string to = own + "/pangu" + number + entry.path().filename().string().substr(5);
                fs::copy_file(entry.path(), to);
                fs::permissions(to, fs::perms::owner_read | fs::perms::owner_write);
                const int age = to.find("-1_5.") != std::string::npos    ? 20
                                : to.find("-1_10.") != std::string::npos ? 10
                                                                         : 0;
                fs::last_write_time(to, fs::file_time_type::clock::now() - std::chrono::seconds(age));
            }
            std::string log;
            for (int step = 1; step <= 13; ++step)
                log += "epoch: " + std::to_string((step - 1) / 10 + 1) +
                       " step: " + std::to_string((step - 1) % 10 + 1) + ", loss is " +
                       std::to_string(2.3 * std::pow(0.99, step) + 0.01 * rank) + "\n";
            host.write("job/log/worker_" + number + ".log", log);
        }
        host.job.checkpoints.replicasAreAll = true;
        host.job.gracefulExit = {};
        host.job.pathsShared = true;
        host.endLongAgo();
    }
    void use(const std::string &script)
    {
        host.job.launch.command = {"python3", sourceOf(script), "--save_checkpoint_path", host.file("job/ckpt"),
                                   "--pre_trained={checkpoint}"};
    }
    // The generator's own input: which ranks are replicas, and which have failed.
    void useStrategy(const std::string &faults)
    {
        use("train_strategy.py");
        for (int rank = 0; rank < 4; ++rank)
            host.write("job/device" + std::to_string(rank) + "/group_info.pb",
                       std::string("\x12\x08\x08\x00\x08\x01\x08\x02\x08\x03", 10));
        host.job.launch.env["GROUP_INFO_FILE"] = host.file("job/device{rank}/group_info.pb");
        host.job.launch.env["FAULT_NPUS"] = host.job.launch.faultNpus = host.file("job/fault-npus");
        if (!faults.empty()) host.write("job/fault-npus", faults);
    }
    std::string idOf(CheckpointKind kind)
    {
        for (const CheckpointSet &set : host.view().checkpoints.sets)
            if (set.kind == kind && set.verdict == Verdict::valid) return set.id;
        return "(no such set)";
    }
    std::string emergencyCheckpointOf(int rank) const
    {
        return "job/ckpt/rank_" + std::to_string(rank) + "/pangu" + std::to_string(rank) + "-2_3_breakpoint.ckpt";
    }
    EngineHost host{{{0, 1}, {2, 3}}, "command"};
};

TEST_F(Emergency, PeriodicSetIsLoadedDespiteAnEmergencyCheckpoint)
{
    use("train_own.py");
    const ResumeReport report = runResume(host, {.set = idOf(CheckpointKind::periodic), .waitSeconds = 60}, {});
    ASSERT_EQ(report.outcome, "proven") << report.text;
    for (const RankProof &rank : report.ranks) EXPECT_EQ(rank.firstStep, 11) << rank.rank;
    EXPECT_NE(find(report.preflight, "newer_checkpoints"), nullptr);
    EXPECT_FALSE(host.exists(emergencyCheckpointOf(1)));
    EXPECT_TRUE(host.exists(emergencyCheckpointOf(1) + ".moved-" + report.journal));
}

TEST_F(Emergency, LoaderOfEachRankLoadsTheReplicaFile)
{
    use("train_own.py");
    const ResumeReport report = runResume(host, {.set = idOf(CheckpointKind::breakpoint), .waitSeconds = 60}, {});
    ASSERT_EQ(report.outcome, "proven") << report.text;
    const Finding *linked = find(report.preflight, "gasp_linked");
    ASSERT_NE(linked, nullptr);
    EXPECT_TRUE(linked->fixable);
    EXPECT_THAT(linked->text, HasSubstr("ranks 0, 2, 3 would find none"));
    for (const RankProof &rank : report.ranks) EXPECT_EQ(rank.firstStep, 14) << rank.rank;
    for (const int rank : {0, 2, 3})
        EXPECT_EQ(fs::read_symlink(host.file(emergencyCheckpointOf(rank))), host.file(emergencyCheckpointOf(1)));
}

TEST_F(Emergency, GeneratorGetsTheFaultsThatSelectTheSet)
{
    useStrategy(R"({"status":"initializing"})");
    const std::string set = idOf(CheckpointKind::breakpoint);
    const ResumeReport report = runResume(host, {.set = set, .waitSeconds = 60}, {});
    ASSERT_EQ(report.outcome, "proven") << report.text;
    for (const RankProof &rank : report.ranks) EXPECT_EQ(rank.firstStep, 14) << rank.rank;
    EXPECT_THAT(host.read("job/fault-npus"), HasSubstr(R"("FaultRankIds": ["0", "2", "3"])"));
    EXPECT_THAT(host.read("job/log/worker_3.log"), HasSubstr("loading map rank id 1"));
    EXPECT_TRUE(find(report.preflight, "fault_record")->fixable);
}

// In pods the record is a key of the ConfigMap fault-config-JOB, which is patched before the vcjob is created.
TEST_F(Emergency, PodsGetTheFaultRecordFromTheirConfigMap)
{
    useStrategy({});
    LaunchSpec &launch = host.job.launch;
    launch.recipe = "volcano";
    launch.script = "pangu";
    launch.volcano.image = "train:1";
    launch.volcano.mounts = {{host.file("job"), "/export/job"}};
    launch.env["FAULT_NPUS"] = launch.faultNpus = host.file("job/fault/config/fault-npus");
    launch.env["FAKE_KUBE"] = host.file("kube");
    launch.env["FAKE_KUBE_FIELDS"] = testData() + "/recipes/vcjob_fields.json";
    launch.env["RANKDECK_VOLCANO_POLL"] = "1";
    launch.env["PATH"] = host.file("kube/bin") + ":" + std::getenv("PATH");
    host.write("kube/argv", "");
    host.write("kube/bin/kubectl", textOf(sourceDirectory() + "/tests/core/recover/fake_kubectl.py"));
    fs::permissions(host.file("kube/bin/kubectl"), fs::perms::owner_all);
    host.write("kube/ConfigMap-fault-config-fake",
               R"({"kind": "ConfigMap", "metadata": {"name": "fault-config-fake"},
                   "data": {"fault-npus": "{\"status\":\"initializing\"}", "checkCode": "x"}})");
    const std::string set = idOf(CheckpointKind::breakpoint);
    const ResumeReport report = runResume(host, {.set = set, .waitSeconds = 90}, {});
    ASSERT_EQ(report.outcome, "proven") << report.text;
    EXPECT_THAT(find(report.preflight, "fault_record")->fix, HasSubstr("ConfigMap"));
    const std::string map = host.read("kube/ConfigMap-fault-config-fake");
    EXPECT_THAT(map, HasSubstr("FaultRankIds"));
    EXPECT_THAT(map, HasSubstr(R"("checkCode": "x")")) << "the rest of it stays";
    for (const RankProof &rank : report.ranks) EXPECT_EQ(rank.firstStep, 14) << rank.rank;
    EXPECT_THAT(host.read("job/log/worker_3.log"), HasSubstr("loading map rank id 1"));
    // A vcjob that mounts nothing at this path is refused, and the finding names the missing record.
    launch.faultNpus = "/user/restore/elsewhere";
    const ResumeReport unseen = planResume(host, {.set = set});
    EXPECT_TRUE(refusedWith(unseen, "fault_record_missing")) << unseen.text;
}

TEST_F(Emergency, RefusesIfTheGeneratorWouldFallBackWithoutARecord)
{
    useStrategy({});
    ResumeReport report = runResume(host, {.set = idOf(CheckpointKind::breakpoint)}, {});
    EXPECT_TRUE(refusedWith(report, "fault_record_missing"));
    EXPECT_THAT(find(report.preflight, "fault_record_missing")->fix, HasSubstr(R"("FaultRankIds": ["0", "2", "3"])"));
    // An old record would make the script load the emergency checkpoint although a periodic set is chosen, so that
    // checkpoint is backed up.
    host.write("job/fault-npus", R"({"FaultRankIds": ["0"], "CreatTime": 1})");
    report = runResume(host, {.set = idOf(CheckpointKind::periodic), .waitSeconds = 60}, {});
    ASSERT_EQ(report.outcome, "proven") << report.text;
    EXPECT_EQ(report.ranks[2].firstStep, 11);
    EXPECT_THAT(host.read("job/fault-npus"), HasSubstr(R"(["0"])"));
}

TEST_F(Emergency, RefusesAScriptWithoutItsRestoreRanks)
{
    host.write("job/train.py", "ranks = os.getenv('RESTORE_RANKS')\ndef restore():\n"
                               "    return load_checkpoint(glob.glob('*_breakpoint.ckpt')[0])\n");
    host.job.launch.command = {"python3", "train.py", "--pre_trained={checkpoint}"};
    const std::string set = idOf(CheckpointKind::breakpoint);
    EXPECT_TRUE(refusedWith(planResume(host, {.set = set}), "not_loadable"));
    host.job.launch.script = "pangu";
    EXPECT_EQ(find(planResume(host, {.set = set}).preflight, "not_loadable"), nullptr);
}

TEST_F(Emergency, RefusesFileSizesThatTheLoaderWouldReject)
{
    const auto sizes = [&](const std::string &script, EmergencyLoader loader) {
        ResumeFacts facts;
        facts.choice.set = CheckpointSet{.id = "0:2-3b", .kind = CheckpointKind::breakpoint};
        for (int rank = 0; rank < 2; ++rank)
            facts.choice.set->members.push_back(
                {.rank = rank, .node = "n0", .path = "/f", .bytes = rank == 0 ? 100u : 90u});
        facts.view.job = host.job;
        facts.view.job.launch.script = script;
        facts.gasps.loader = loader;
        Findings findings;
        checkEmergencyCheckpoints(findings, facts);
        return find(findings, "not_loadable", "to have one size") != nullptr;
    };
    EXPECT_TRUE(sizes("pangu", EmergencyLoader::notSeen));
    EXPECT_TRUE(sizes("", EmergencyLoader::variables));
    EXPECT_TRUE(sizes("", EmergencyLoader::generator));
    EXPECT_FALSE(sizes("pangu", EmergencyLoader::ownFolder));  // each rank reads only its own file
    EXPECT_FALSE(sizes("", EmergencyLoader::notSeen));
}

const Finding *saving(const ResumeFacts &facts, FindingCode code)
{
    static Findings findings;
    findings.clear();
    checkSaving(findings, facts);
    return find(findings, code);
}

TEST(Saving, WarnsIfOnlyOneCheckpointIsKept)
{
    const auto warned = [](const std::vector<std::string> &command, const std::string &script = {}) {
        ResumeFacts facts;
        facts.view.inventory = std::make_shared<const Inventory>();
        facts.view.job.launch.command = command;
        if (!script.empty()) facts.programs.scriptTexts["n0"] = script;
        return saving(facts, "keeps_one_checkpoint") != nullptr;
    };
    EXPECT_TRUE(warned({"train.py", "--keep_checkpoint_max=1"}));
    EXPECT_TRUE(warned({"train.py", "--keep_checkpoint_max", "1"}));
    EXPECT_TRUE(warned({"train.py"}, "c = CheckpointConfig(save_checkpoint_steps=20, keep_checkpoint_max=1)"));
    EXPECT_FALSE(warned({"train.py", "--keep_checkpoint_max=10"}));
    EXPECT_FALSE(warned({"train.py", "--keep_checkpoint_max"}));
    EXPECT_FALSE(warned({"train.py"}, "c = CheckpointConfig(keep_checkpoint_max=10)"));
}

TEST(Saving, EmergencyCheckpointYoungerThanAMinutePreventsTheNextOne)
{
    Inventory inventory;
    Member gasp{
        .rank = 0, .node = "n0", .file = {.path = "/ckpt_0/resnet-2_3_breakpoint.ckpt", .stat = {}}, .name = {}};
    gasp.name.kind = CheckpointKind::breakpoint;
    gasp.file.stat.mtimeNs = 1000'000'000'000;
    inventory.members.push_back(gasp);
    ResumeFacts facts;
    facts.view.inventory = std::make_shared<const Inventory>(inventory);
    facts.programs.scriptTexts["n0"] = "files = glob(os.path.join(d, \"*breakpoint.ckpt\"))\n"
                                       "now - datetime.timedelta(minutes=1)\n";
    facts.gasps.at = 1030;
    ASSERT_NE(saving(facts, "gasp_guard"), nullptr);
    EXPECT_THAT(saving(facts, "gasp_guard")->text, HasSubstr("resnet-2_3_breakpoint.ckpt"));
    facts.gasps.at = 1060;
    EXPECT_EQ(saving(facts, "gasp_guard"), nullptr);
    facts.gasps.at = 1030;
    facts.layout.newer.moved["n0"][gasp.file.path] = gasp.file.path + ".moved-r1";  // the plan moves it away
    EXPECT_EQ(saving(facts, "gasp_guard"), nullptr);
    facts.layout.newer.moved.clear();
    facts.folders.aside["n0"] = {{.action = FileAction::move, .path = gasp.file.path, .target = "aside"}};
    EXPECT_EQ(saving(facts, "gasp_guard"), nullptr);
    facts.folders.aside.clear();
    facts.programs.scriptTexts["n0"] = "load_checkpoint(args.pre_trained)\n";
    EXPECT_EQ(saving(facts, "gasp_guard"), nullptr);
}

}  // namespace
}  // namespace rankdeck::emergency_checkpoint_test
