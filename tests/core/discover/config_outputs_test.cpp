// SPDX-License-Identifier: GPL-3.0-or-later
// Output directories of a job, found in its own files: keys of its YAML, the callback of MindSpore's fault tolerance.
// Pure.
#include "core/discover/config_outputs.h"
#include "core/discover/job_draft.h"
#include "tests/testbed/paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace rankdeck::config_outputs_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string sourceOf(const std::string &name)
{
    std::ostringstream all;
    all << std::ifstream(sourceDirectory() + "/tests/sources/" + name, std::ios::binary).rdbuf();
    return all.str();
}

TEST(ConfigOutputs, ReadsOutputsOfTheFirstDocument)
{
    const auto found = outputsIn(sourceOf("resnet50_mindspore/resnet50_imagenet2012_config.yaml"), "/job/code");
    ASSERT_TRUE(found.has_value()) << found.error().message;
    EXPECT_THAT(*found,
                ElementsAre("/job/code/@OUTPUT@", "/job/code/checkpoint"));  // neither load_path nor the help texts
    const auto formers = outputsIn("seed: 0\noutput_dir: './output' # path\nload_checkpoint: '/pre/llama.ckpt'\n"
                                   "trainer:\n  type: x\nsave_ckpt_dir: ../ckpt/\nsave_url: s3://bucket/a\n",
                                   "/job/code");
    ASSERT_TRUE(formers.has_value()) << formers.error().message;
    EXPECT_THAT(*formers, ElementsAre("/job/code/output", "/job/ckpt"));
}

TEST(ConfigOutputs, ReportsTheLineOfATruncatedFileAndDoesNotUseIt)
{
    const auto found = outputsIn("output_path: \"/cache/train\"\npre_trained: \"/job/co", "/job");
    ASSERT_FALSE(found.has_value());
    EXPECT_THAT(found.error().message, HasSubstr("line 2"));
}

TEST(ConfigOutputs, FindsTheDumpDirectoryFromTheFaultToleranceCallback)
{
    EXPECT_EQ(dumpsOf("train.TFTRegister(0, '127.0.0.1', 30051, './ttp_checkpoints/')", "/job"),
              "/job/ttp_checkpoints");
    EXPECT_EQ(dumpsOf("TrainFaultTolerance(ckpt_save_path=\"/ttp\")", "/job"), "/ttp");
    EXPECT_EQ(dumpsOf("TFTRegister(0, ip, port, args.path)", "/job"), "");
    EXPECT_EQ(dumpsOf("model.train()", "/job"), "");
}

TEST(ConfigOutputs, FindsTheLogOfMindIO)
{
    RankTrace rank{};
    rank.process.cwd = "/job";
    rank.process.argv = {"python", "train.py"};
    FoundJob job{.worldSize = 1, .nodes = {{.host = 0, .name = "n0", .ranks = {{0, rank}}}}};
    const std::vector<HostTraces> hosts{{.host = "n0"}};
    EXPECT_EQ(draftJob(job, hosts, {.ttpLog = "/job/logs/ttp_log.log"}).job.logs.ttp, "/job/logs/ttp_log.log");
    EXPECT_EQ(draftJob(job, hosts, {}).job.logs.ttp, "");
}

}  // namespace
}  // namespace rankdeck::config_outputs_test
