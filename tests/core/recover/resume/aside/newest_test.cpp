// SPDX-License-Identifier: GPL-3.0-or-later
// Scripts without an argument for the file: MindSpore's fault recovery example (tests/sources/fault_recovery) loads the
// newest file of its save directory. Files of real MindSpore on real (local) nodes. Also TensorFlow's scripts, whose
// path is a prefix of file names.
#include "core/base/text.h"
#include "core/recover/resume/aside/newest_loader.h"
#include "tests/core/recover/refusals.h"
#include "tests/testbed/engine/engine_fixture.h"
#include "tests/testbed/paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sys/stat.h>

namespace rankdeck::newest_test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class NewestOfItsDirectory : public testing::Test {
protected:
    void SetUp() override
    {
        fs::create_directories(host.file("job/ckpt"));
        for (const int rank : {0, 1}) {
            const std::string node = "job/n" + std::to_string(rank);
            fs::copy(sourceDirectory() + "/tests/sources/fault_recovery", host.file(node), fs::copy_options::recursive);
            for (const char *name : {"lenet-1_5.ckpt", "lenet-1_10.ckpt"}) save(rank, name);
            host.write("job/log/worker_" + std::to_string(rank) + ".log", "epoch: 1 step: 10, loss is 2.3\n");
        }
        host.job.checkpoints.path = host.file("job/{node}/lenet/rank_{rank}");
        host.job.launch.workdir = host.file("job/{node}");
        host.job.framework = Framework::mindspore;
        host.job.gracefulExit = {};
        host.job.launch.command = {"python", "train.py"};
        host.endLongAgo();
    }
    std::string folder(int rank) const
    {
        return host.file("job/n" + std::to_string(rank) + "/lenet/rank_" + std::to_string(rank));
    }
    void save(int rank, const std::string &name)
    {
        fs::create_directories(folder(rank));
        const std::string to = folder(rank) + "/" + name;
        fs::copy_file(testData() + "/mindspore/dp4/2.7.0/resume/rank_" + std::to_string(rank) + "/" + name, to);
        fs::last_write_time(to, fs::file_time_type::clock::now() - (name == "lenet-1_5.ckpt" ? 6min : 5min));
    }
    void script(const std::string &text)
    {
        for (const char *node : {"n0", "n1"}) host.write(std::string("job/") + node + "/train.py", text);
    }
    static std::vector<std::string> stepsOf(const Plan &plan, const std::string &node)
    {
        std::vector<std::string> steps;
        for (const NodePlan &own : plan.nodes)
            for (const FileActionRequest &step : own.files)
                if (own.node == node && step.path.find("/lenet/") != std::string::npos)
                    steps.push_back((step.action == FileAction::move           ? "move "
                                     : step.action == FileAction::makeHardLink ? "second "
                                                                               : "remove ") +
                                    baseName(step.path).substr(0, baseName(step.path).find("-resume")));
        return steps;
    }
    EngineHost host{{{0}, {1}}, "command"};
};

TEST_F(NewestOfItsDirectory, ChosenSetBecomesTheNewestOnEachNode)
{
    const ResumeReport older = planResume(host, {.set = "0:1-5"});
    EXPECT_EQ(older.outcome, "dry_run") << older.text;
    for (const char *node : {"n0", "n1"})
        EXPECT_THAT(stepsOf(older.plan, node), ElementsAre("move lenet-1_10.ckpt", "second lenet-1_5.ckpt.renewed",
                                                           "remove lenet-1_5.ckpt.renewed"));
    const Finding *aside = find(older.preflight, "newer_checkpoints");
    ASSERT_NE(aside, nullptr);
    EXPECT_THAT(aside->text, HasSubstr("loads the newest file in its directory; " + folder(0) + "/lenet-1_10.ckpt"));
    // by mtime no file is newer than the newest, but by ctime an older one may be
    EXPECT_THAT(stepsOf(planResume(host, {.set = "0:1-10"}).plan, "n1"),
                ElementsAre("second lenet-1_10.ckpt.renewed", "remove lenet-1_10.ckpt.renewed"));
}

TEST_F(NewestOfItsDirectory, BacksUpOnlyNewerFilesIfTheScriptUsesWriteTimes)
{
    script("files = os.listdir('./lenet')\nfiles.sort(key=os.path.getmtime)\nnet = load_checkpoint(files[-1])\n"
           "model.train(1, data)\n");
    EXPECT_THAT(stepsOf(planResume(host, {.set = "0:1-5"}).plan, "n0"), ElementsAre("move lenet-1_10.ckpt"));
    EXPECT_EQ(find(planResume(host, {.set = "0:1-10"}).preflight, "newer_checkpoints"), nullptr);
}

TEST_F(NewestOfItsDirectory, DoesNothingIfTheCommandNamesTheCheckpoint)
{
    host.job.launch.command = {"python", "train.py", "--resume", "{checkpoint}"};
    EXPECT_THAT(stepsOf(planResume(host, {.set = "0:1-5"}).plan, "n0"), testing::IsEmpty());
}

// Keeping a set, a copy or "chown" changes the ctime of an older file. Two steps of the plan change the ctime of the
// chosen file.
TEST_F(NewestOfItsDirectory, TemporaryHardLinkRenewsTheChangeTime)
{
    const auto created = [&](const char *name) {
        struct stat about {};
        EXPECT_EQ(::stat((folder(0) + "/" + name).c_str(), &about), 0);
        return std::pair(about.st_ctim.tv_sec, about.st_ctim.tv_nsec);
    };
    ASSERT_EQ(::chmod((folder(0) + "/lenet-1_5.ckpt").c_str(), 0640), 0);
    ASSERT_LE(created("lenet-1_10.ckpt"), created("lenet-1_5.ckpt"));
    const auto before = created("lenet-1_5.ckpt");
    while (created("lenet-1_10.ckpt") <= before) {  // the clock of a file system may be slow
        fs::create_hard_link(folder(0) + "/lenet-1_10.ckpt", folder(0) + "/second");
        fs::remove(folder(0) + "/second");
    }
    EXPECT_GT(created("lenet-1_10.ckpt"), created("lenet-1_5.ckpt"));
}

TEST(NewestBy, IsReadFromTheTextOfTheScript)
{
    const auto by = [](const std::string &text) { return newestBy({{"n0", text}}); };
    EXPECT_EQ(by("x = sorted(glob.glob('*.pt'), key = os.path.getmtime)[-1]\nm = torch.load(x)\n"), NewestBy::modified);
    EXPECT_EQ(by("x = max(Path('.').iterdir(), key=lambda p: p.stat().st_ctime)\nm = torch.load(x)\n"),
              NewestBy::created);
    EXPECT_EQ(by("torch.load(sys.argv[1])\n# os.listdir, getmtime\n"), NewestBy::nothing);
    EXPECT_EQ(by("for old in sorted(glob.glob('*.log'), key=os.path.getmtime): os.remove(old)\n"), NewestBy::nothing);
    // MindX DL's ResNet50 and PyTorch scripts are handled by other rules.
    EXPECT_EQ(
        by("f = glob.glob(os.path.join(p, \"ckpt_0\", '*.ckpt'))\nf.sort(key=os.path.getmtime)\nload_checkpoint(f[0])"),
        NewestBy::nothing);
}

class TensorFlowPrefix : public testing::Test {
protected:
    void SetUp() override
    {
        fs::create_directories(host.file("job/ckpt"));
        for (const int rank : {0, 1}) {
            const std::string node = "job/n" + std::to_string(rank);
            fs::copy(sourceDirectory() + "/tests/sources/resnet50_tensorflow", host.file(node),
                     fs::copy_options::recursive);
            fs::create_directories(folder(rank));
            for (const char *step : {"1200", "1300"})
                for (const char *end : {".index", ".data-00000-of-00001"}) {
                    const std::string name = std::string("model.ckpt-") + step + end;
                    fs::copy_file(testData() + "/tensorflow/saver-v2/" + name, folder(rank) + "/" + name);
                    fs::last_write_time(folder(rank) + "/" + name, fs::file_time_type::clock::now() - 6min);
                }
            host.write("job/log/worker_" + std::to_string(rank) + ".log", "step 1300 loss 2.3\n");
        }
        host.job.checkpoints.path = host.file("job/{node}/d_solution/ckpt{rank}");
        host.job.launch.workdir = host.file("job/{node}");
        host.job.framework = Framework::tensorflow;
        host.job.gracefulExit = {};
        host.job.launch.perNode = true;
        host.job.launch.script = "tensorflow";
        host.job.launch.config = "src/configs/res50_256bs_1p.py";
        host.job.launch.command = {"bash", "scripts/train_start.sh", ".",
                                   "logs", "src/mains/res50.py",     "--config_file=res50_256bs_1p"};
        host.endLongAgo();
    }
    std::string folder(int rank) const
    {
        return host.file("job/n" + std::to_string(rank) + "/d_solution/ckpt" + std::to_string(rank));
    }
    EngineHost host{{{0}, {1}}, "command"};
};

TEST_F(TensorFlowPrefix, ExistsIfAllFilesWithThePrefixExist)
{
    const ResumeReport report = planResume(host, {.set = "0:1200"});
    EXPECT_EQ(report.outcome, "dry_run") << report.text;
    EXPECT_EQ(find(report.preflight, "member_missing"), nullptr);
}

// The script reads the checkpoint's path from its configuration. If that path is missing, the script silently begins
// with random weights.
TEST_F(TensorFlowPrefix, ScriptThatReadsAConfigurationIsRefusedUntilItIsNamed)
{
    host.job.launch.script.clear();
    host.job.launch.config.clear();
    const ResumeReport report = planResume(host, {.set = "0:1200"});
    ASSERT_TRUE(refusedWith(report, "starts_from_zero"));
    const Finding *zero = find(report.preflight, "starts_from_zero");
    EXPECT_THAT(zero->text, HasSubstr("its configuration"));
    EXPECT_THAT(zero->fix, HasSubstr("launch.script to tensorflow"));
    EXPECT_EQ(planResume(host, {.set = "0:1200", .fixes = {"starts_from_zero"}}).outcome, "dry_run");
}

}  // namespace
}  // namespace rankdeck::newest_test
