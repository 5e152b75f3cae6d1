// SPDX-License-Identifier: GPL-3.0-or-later
// Sets of a graceful exit for scripts that load them into the train cell: bytes of real files, and the plan.
#include "core/recover/resume/facts/exit_load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::exit_load_test {
namespace {

using ::testing::IsEmpty;

const std::string script = "cb = OnRequestExit(file_name='LeNet', config_file=reset_json)\nmodel.train(1, data)\n";

TEST(ExitLoad, IsUsedOnlyIfTheScriptLoadsNothingElse)
{
    EXPECT_TRUE(trainsAndNeverLoads(script) && exitCallbackLoads(script));
    EXPECT_FALSE(trainsAndNeverLoads(script + "load_checkpoint(args.pre_trained)\n"));
    EXPECT_FALSE(exitCallbackLoads("cb = OnRequestExit(save_ckpt = False)\nmodel.train(1, data)\n"));
    EXPECT_TRUE(exitCallbackLoads(script + "# save_ckpt=False would save nothing\n"));
    EXPECT_FALSE(exitCallbackLoads("model.train(1, data)\n"));
}

TEST(ExitLoad, RecognisesTheTrainCellByTheTargetOfTheLoad)
{
    EXPECT_TRUE(loadsIntoTrainCell("ms.load_param_into_net( train_net, values)\n"));
    EXPECT_TRUE(loadsIntoTrainCell("load_param_into_net(model.train_network, values)\n"));
    EXPECT_FALSE(loadsIntoTrainCell("load_param_into_net(net, values)\n"));
    EXPECT_FALSE(loadsIntoTrainCell("values.pop('graceful_init')\nload_param_into_net(train_net, values)\n"));
}

// A scalar of Int64 becomes the optimizer's {1} of Int32, with the same length in bytes. Tags become 0; correct values
// stay.
TEST(CheckpointPatches, KeepTheLengthOfARecord)
{
    const std::string head("\x0a\x20\x0a\x0bglobal_step\x12\x11\x12\x05Int64\x1a\x08", 26);
    const std::vector<FileSpan> spans{
        {.offset = 1000, .length = 34}, {.offset = 90, .length = 1}, {.offset = 120, .length = 4}};
    const std::string four("\x01\0\0\0", 4), none(4, '\0');
    const auto patches = patchesFor(spans, {head + std::string("\x0e\0\0\0\0\0\0\0", 8), "\x01", four});
    ASSERT_EQ(patches.size(), 3u);
    EXPECT_EQ(patches[0].offset, 1000u);
    EXPECT_EQ(patches[0].after,
              std::string("\x0a\x20\x0a\x0bglobal_step\x12\x11\x08\x81\x80\x00\x12\x05Int32\x1a\x04\x0e\0\0\0", 34));
    EXPECT_EQ(patches[1].after, std::string(1, '\0'));
    EXPECT_EQ(patches[2].after, none);
    // Another beginning of the record, and a number that does not fit into Int32: nothing is changed.
    EXPECT_THAT(patchesFor({spans[0]}, {std::string(34, 'x')}), IsEmpty());
    EXPECT_THAT(patchesFor({spans[0]}, {head + std::string("\0\0\0\x80\0\0\0\0", 8)}), IsEmpty());
    EXPECT_THAT(patchesFor({spans[0]}, {head + std::string("\0\0\0\0\x01\0\0\0", 8)}), IsEmpty());
    EXPECT_THAT(patchesFor({spans[1], spans[2]}, {std::string(1, '\0'), none}), IsEmpty());
    EXPECT_THAT(patchesFor({spans[2]}, {"\x01"}), IsEmpty()) << "less was read than asked for";
}

// A scalar that cannot be patched is reported, never skipped.
TEST(CheckpointPatches, ReportAScalarStepThatCannotBePatched)
{
    const auto holding = [](const std::string &type, const std::vector<std::int64_t> &shape, std::uint64_t bytes) {
        Evidence evidence;
        evidence.path = "/job/ckpt/rank_1/LeNet_train.ckpt";
        evidence.format = Format::mindsporeCkpt;
        evidence.tensors = {{.name = "global_step", .type = type, .shape = shape, .bytes = bytes, .offset = 1026}};
        return evidence;
    };
    const Evidence usual = holding("Int64", {}, 8);
    ASSERT_EQ(spansToMend(usual).size(), 1u);
    EXPECT_EQ(leftUnmended(usual, {{.offset = 1000, .before = "a", .after = "b"}}), "");
    EXPECT_NE(leftUnmended(usual, {}), "") << "its record was not as it should be";
    EXPECT_NE(leftUnmended(usual, {{.offset = 90, .before = "\1", .after = std::string(1, '\0')}}), "")
        << "a tag's patch is none";
    const Evidence odd = holding("Float32", {}, 4);
    EXPECT_THAT(spansToMend(odd), IsEmpty());
    EXPECT_NE(leftUnmended(odd, {}).find("rank_1/LeNet_train.ckpt: its global_step is a single Float32 of 4 B"),
              std::string::npos);
    EXPECT_EQ(leftUnmended(holding("Int32", {1}, 4), {}), "") << "as the optimizer has it";
}

}  // namespace
}  // namespace rankdeck::exit_load_test
