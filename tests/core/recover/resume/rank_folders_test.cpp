// SPDX-License-Identifier: GPL-3.0-or-later
// A script whose --resume is a switch (tests/sources/resnet50_pytorch): it takes the first folder rank* that a glob
// finds. Files of real PyTorch on real (local) nodes. Also other checks before a launch: the port of MindIO's
// controller, and room for copies.
#include "core/base/deadline.h"
#include "core/recover/flag/tft_callback.h"
#include "core/recover/launch/rank_folders.h"
#include "core/recover/plan/copy_room.h"
#include "tests/core/recover/refusals.h"
#include "tests/testbed/engine/engine_fixture.h"
#include "tests/testbed/paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <filesystem>
#include <fstream>
#include <netinet/in.h>
#include <sstream>
#include <sys/socket.h>
#include <unistd.h>

namespace rankdeck::rank_folders_test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::HasSubstr;

const std::string source = sourceDirectory() + "/tests/sources/resnet50_pytorch/main_apex.py";

std::string textOf(const std::string &path)
{
    std::ostringstream all;
    all << std::ifstream(path, std::ios::binary).rdbuf();
    return all.str();
}

TEST(FolderGlob, IsReadFromTheTextOfTheScript)
{
    const auto glob = folderGlobOf(textOf(source));
    ASSERT_TRUE(glob.has_value());
    EXPECT_EQ(glob->folders, "rank");
    EXPECT_EQ(glob->file, "model_best.pth.tar");
    const auto whole = folderGlobOf("x = torch.load(sorted(glob('rank_*/last.pth'))[0])\n");
    ASSERT_TRUE(whole.has_value());
    EXPECT_EQ(whole->folders + "|" + whole->file, "rank_|last.pth");
    // Scripts that do not match: no load, another directory, a name that the script computes, a comment.
    EXPECT_FALSE(folderGlobOf("for p in glob('./rank*'): os.path.join(p, 'm.pth')\n").has_value());
    EXPECT_FALSE(folderGlobOf("torch.load(os.path.join(glob('out/rank*')[0], 'm.pth'))\n").has_value());
    EXPECT_FALSE(folderGlobOf("torch.load(os.path.join(glob('rank*')[0], name))\n").has_value());
    EXPECT_FALSE(folderGlobOf("# glob('rank*')\ntorch.load(os.path.join(p, 'm.pth'))\n").has_value());
}

class RankFolder : public testing::Test {
protected:
    void SetUp() override
    {
        fs::create_directories(host.file("job/ckpt"));
        for (const int rank : {0, 1}) save(rank, rank, "job/rank_");
        for (const char *rank : {"0", "1"})
            host.write(std::string("job/log/worker_") + rank + ".log",
                       "Epoch: [0][ 0/1]\tTime  0.1 ( 0.1)\tLoss 7.0e-01 (7.0e-01)\n");
        host.job.checkpoints.path = host.file("job/rank_{rank}");
        host.job.framework = Framework::pytorch;
        host.job.pathsShared = true;
        host.job.gracefulExit = {};
        host.job.launch.script = "pytorch";
        host.job.launch.command = {"python3", source, "--resume=true"};
        host.endLongAgo();
    }
    void save(int rank, int as, const std::string &folder)
    {
        const std::string to = folder + std::to_string(as);
        fs::create_directories(host.file(to));
        fs::copy_file(testData() + "/torch/per_rank/rank_" + std::to_string(rank) + "/model_best.pth.tar",
                      host.file(to + "/model_best.pth.tar"));
        fs::last_write_time(host.file(to + "/model_best.pth.tar"), fs::file_time_type::clock::now() - 5min);
    }
    std::string id()
    {
        const auto sets = host.view().checkpoints.sets;
        return sets.empty() ? "(no set)" : sets.front().id;
    }
    static std::vector<std::string> stepsOf(const Plan &plan)
    {
        std::vector<std::string> steps;
        for (const NodePlan &node : plan.nodes)
            for (const FileActionRequest &step : node.files)
                if (step.path.find("model_best") != std::string::npos)
                    steps.push_back((step.action == FileAction::move ? "move " : "copy ") + step.path);
        return steps;
    }
    EngineHost host{{{0}, {1}}, "command"};
};

TEST_F(RankFolder, BacksUpFilesThatAreNotOfTheChosenSet)
{
    ResumeReport report = planResume(host, {.set = id(), .allowUnproven = true});
    EXPECT_EQ(report.outcome, "dry_run") << report.text;
    EXPECT_THAT(stepsOf(report.plan), testing::IsEmpty());
    ASSERT_NE(find(report.preflight, "keeps_one_checkpoint"), nullptr);

    const std::string left = host.file("job/rank-of-yesterday/model_best.pth.tar");
    fs::create_directories(fs::path(left).parent_path());
    fs::copy_file(host.file("job/rank_0/model_best.pth.tar"), left);
    fs::create_directory_symlink(host.file("job/rank_1"),
                                 host.file("job/rank_best"));  // part of the set, by another name
    host.stop = false;
    report = runResume(host, {.set = id(), .allowUnproven = true, .waitSeconds = 5}, [&](const ResumeReport &now) {
        if (now.phase == "preparing") host.stop = true;  // after all steps, and before any command starts
    });
    const Finding *aside = find(report.preflight, "newer_checkpoints");
    ASSERT_NE(aside, nullptr) << report.text;
    EXPECT_THAT(aside->text,
                HasSubstr("rank-of-yesterday/model_best.pth.tar on node n0 does not belong to the chosen set"));
    EXPECT_TRUE(aside->fixable);
    EXPECT_THAT(stepsOf(report.plan), testing::ElementsAre("move " + left));
    EXPECT_THAT(report.text, HasSubstr("All files are back where they were"));
    EXPECT_TRUE(fs::exists(left));
}

TEST_F(RankFolder, CopiesASetFromAnotherDirectory)
{
    for (const int rank : {0, 1}) fs::remove_all(host.file("job/rank_" + std::to_string(rank)));
    for (const int rank : {0, 1}) save(rank, rank, "elsewhere/rank_");
    host.job.checkpoints.path = host.file("elsewhere/rank_{rank}");
    host.endLongAgo();
    const ResumeReport report = planResume(host, {.set = id(), .allowUnproven = true});
    EXPECT_THAT(stepsOf(report.plan), testing::ElementsAre("copy " + host.file("job/rank_0/model_best.pth.tar")))
        << report.text;
    ASSERT_NE(find(report.preflight, "resume_by_directory"), nullptr);
    EXPECT_TRUE(find(report.preflight, "resume_by_directory")->fixable);
}

TEST_F(RankFolder, RefusesAScriptThatSearchesNoFolderOrHasItsSwitchOff)
{
    host.write("job/other.py", "model.load_state_dict(torch.load(args.resume))\nloss.backward()\n");
    host.job.launch.command = {"python3", host.file("job/other.py"), "--resume=true"};
    ResumeReport report = planResume(host, {.set = id(), .allowUnproven = true});
    ASSERT_NE(find(report.preflight, "resume_by_directory"), nullptr) << report.text;
    EXPECT_EQ(find(report.preflight, "resume_by_directory")->result, Finding::Result::refuse);
    host.job.launch.script.clear();
    host.job.launch.command = {"python3", source};
    report = planResume(host, {.set = id(), .allowUnproven = true});
    ASSERT_NE(find(report.preflight, "starts_from_zero"), nullptr) << report.text;
    EXPECT_THAT(find(report.preflight, "starts_from_zero")->fix, HasSubstr("--resume=true"));
}

TEST_F(RankFolder, ReportsThatTheScriptOfAWrapperIsAssumed)
{
    host.write("job/start.sh", "python3 \"$1\"\n");
    host.job.launch.command = {"bash", "start.sh", source, "--resume=true"};
    const ResumeReport report = planResume(host, {.set = id(), .allowUnproven = true});
    const Finding *assumed = find(report.preflight, "resume_by_directory");
    ASSERT_NE(assumed, nullptr) << report.text;
    EXPECT_EQ(assumed->result, Finding::Result::warn);
    EXPECT_THAT(assumed->text, HasSubstr("could not be read"));
}

// A real disk never has an exabyte free.
TEST_F(RankFolder, ChecksFreeSpaceBeforeACopy)
{
    Plan plan;
    plan.nodes.push_back({.node = "n0"});
    plan.nodes[0].files = {{.action = FileAction::copyFile, .path = host.file("job/new/deep/a"), .target = "/a"},
                           {.action = FileAction::makeLink, .path = host.file("job/new/b"), .target = "/b"}};
    const auto of = [&](std::uint64_t bytes) {
        return tightDisks(
            host, plan, [bytes](const std::string &, const std::string &path) { return path == "/a" ? bytes : ~0ull; },
            inSeconds(20));
    };
    EXPECT_TRUE(of(1000).empty());
    const auto full = of(1ull << 60);
    ASSERT_EQ(full.size(), 1u);
    EXPECT_EQ(full[0].needed, 1ull << 60);
    EXPECT_GT(full[0].free.value_or(0), 0u);
    EXPECT_THAT(copyRoomText(full[0]), HasSubstr(host.file("job/new/deep") + " on node n0; "));
    plan.nodes[0].files.clear();
    plan.nodes[0].copies = {{.fromNode = "n1", .from = "/a", .path = host.file("job/c"), .bytes = 1ull << 60}};
    EXPECT_EQ(of(0).size(), 1u);
}

TEST_F(RankFolder, ReportsUnknownFreeSpace)
{
    Plan plan;
    plan.nodes.push_back({.node = "n9", .files = {{.action = FileAction::copyFile, .path = "/new/a", .target = "/a"}}});
    const auto tight = tightDisks(
        host, plan, [](const std::string &, const std::string &) { return 1000ull; }, inSeconds(20));
    ASSERT_EQ(tight.size(), 1u);
    EXPECT_FALSE(tight[0].free.has_value());
    EXPECT_THAT(copyRoomText(tight[0]), HasSubstr("/new on node n9; free space there is unknown"));
}

TEST(TftCallback, IsReadFromTheTextOfTheScript)
{
    const auto old = tftCallbackOf("cb = train.TFTRegister(3, \"127.0.0.1\", 30051, \"./ttp, (1)/\")\n");
    ASSERT_TRUE(old.has_value());
    EXPECT_EQ(old->name, "TFTRegister");
    EXPECT_EQ(old->rank, 3);
    EXPECT_EQ(old->port, 30051);
    EXPECT_EQ(old->path, "./ttp,(1)/");  // blanks are squeezed out of the text
    const auto named =
        tftCallbackOf("TFTRegister(ctrl_ip=ip(), ckpt_save_path='/ttp',\n  ctrl_rank_id=0, ctrl_port=8001)");
    ASSERT_TRUE(named.has_value());
    EXPECT_EQ(named->port, 8001);
    EXPECT_EQ(named->path, "/ttp");
    const auto newer = tftCallbackOf("TrainFaultTolerance(args.dumps)");
    ASSERT_TRUE(newer.has_value());
    EXPECT_EQ(newer->path + std::to_string(newer->port), "0");
    EXPECT_FALSE(tftCallbackOf("# TFTRegister(0, 'a', 1, 'b')\nmodel.train()\n").has_value());
    EXPECT_EQ(tftCallbackOf("TFTRegister(0, 'a', 1")->port, 0);  // half a script
}

TEST(FaultController, PortInUseByAnotherProgramIsRefused)
{
    EngineHost host({{0, 1}}, "command");
    host.crashLongAgo();
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr *>(&address), length), 0);
    ASSERT_EQ(::listen(listener, 1), 0);
    ASSERT_EQ(::getsockname(listener, reinterpret_cast<sockaddr *>(&address), &length), 0);
    host.job.launch.env["MS_TFT_PORT"] = std::to_string(ntohs(address.sin_port));
    EXPECT_EQ(find(planResume(host, {}).preflight, "port_in_use"), nullptr);  // the job uses no protection
    host.job.launch.env["MS_ENABLE_TFT"] = "{TTP:1}";
    ResumeReport report = planResume(host, {});
    const Finding *busy = find(report.preflight, "port_in_use");
    ASSERT_NE(busy, nullptr) << report.text;
    EXPECT_EQ(busy->result, Finding::Result::refuse);
    EXPECT_THAT(busy->text, HasSubstr("free for MindIO's controller (MS_TFT_PORT)"));
    ::close(listener);
    report = planResume(host, {});
    EXPECT_EQ(find(report.preflight, "port_in_use"), nullptr);
}

}  // namespace
}  // namespace rankdeck::rank_folders_test
