// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/huggingface/trainer_state.h"
#include "core/checkpoint/formats/huggingface/weight_index.h"
#include "tests/core/checkpoint/local_files.h"

#include <gtest/gtest.h>

namespace rankdeck::huggingface_parts_test {
namespace {

std::string withLosses(const std::string &losses) { return R"({"global_step": 40, "log_history": [)" + losses + "]}"; }

std::string entry(int step, const std::string &loss)
{
    return R"({"step": )" + std::to_string(step) + R"(, "loss": )" + loss + "}";
}

TEST(TrainerState, ReadsARealRun)
{
    const auto state = parseTrainerState(test::data("huggingface/trainer/checkpoint-24/trainer_state.json"));
    ASSERT_TRUE(state.has_value());
    EXPECT_EQ(state->globalStep, 24);
    EXPECT_EQ(state->epoch, 3.0);
    EXPECT_EQ(state->losses, 12u);  // the eval_loss entries do not count
    EXPECT_FALSE(state->nonFiniteStep);
    EXPECT_FALSE(state->jump);
}

TEST(TrainerState, V01_AcceptsNaNAsPythonWritesIt)
{
    for (const char *bad : {"NaN", "Infinity", "-Infinity"}) {
        const auto state = parseTrainerState(withLosses(entry(10, "2.5") + "," + entry(20, bad) + "," +
                                                        entry(30, "0.0") + R"(,{"note": "NaN \" NaN"})"));
        ASSERT_TRUE(state.has_value()) << bad;
        EXPECT_EQ(state->nonFiniteStep, 20) << bad;
        EXPECT_EQ(state->losses, 3u);
    }
}

TEST(TrainerState, V02_ReportsALastLossFarAboveTheOthers)
{
    std::string losses;
    for (int step = 0; step < 30; ++step) losses += entry(step, "2." + std::to_string(step)) + ",";
    EXPECT_FALSE(parseTrainerState(withLosses(losses + entry(30, "4.5")))->jump);
    const auto state = parseTrainerState(withLosses(losses + entry(30, "25.0")));
    ASSERT_TRUE(state->jump);
    EXPECT_EQ(state->jump->step, 30);
    EXPECT_EQ(state->jump->loss, 25.0);
    EXPECT_FALSE(parseTrainerState(withLosses(entry(1, "1.0") + "," + entry(2, "90")))->jump);  // too few to compare
}

TEST(TrainerState, RefusesCutOrForeignBytes)
{
    const std::string whole = test::data("huggingface/trainer/checkpoint-24/trainer_state.json");
    for (std::size_t length = 0; length < whole.size() - 2; length += 53)
        EXPECT_FALSE(parseTrainerState(whole.substr(0, length)).has_value()) << length;
    for (const char *bad : {"[]", "{}", R"({"global_step": "24"})", R"({"global_step": -1})", "\xff\xfe"})
        EXPECT_FALSE(parseTrainerState(bad).has_value()) << bad;
    EXPECT_FALSE(parseTrainerState(R"({"global_step": 1, "a": )" + std::string(1'000'000, '[')).has_value());
}

TEST(WeightIndex, ReadsARealExport)
{
    const auto index = parseWeightIndex(test::data("huggingface/sharded/model.safetensors.index.json"));
    ASSERT_TRUE(index.has_value());
    EXPECT_EQ(index->files.size(), 3u);
    EXPECT_EQ(index->tensors, 28u);
    EXPECT_EQ(index->totalBytes, 32512u);
}

TEST(WeightIndex, Q04_RefusesNamesOutsideTheDirectory)
{
    for (const char *name : {"../../x", "/etc/passwd", "..", "a/b.safetensors", "", "a\\\\b", "x\\ny"}) {
        const auto index = parseWeightIndex(R"({"weight_map": {"w": ")" + std::string(name) + "\"}}");
        ASSERT_FALSE(index.has_value()) << name;
        EXPECT_NE(index.error().message.find("not the name of a file"), std::string::npos) << index.error().message;
    }
    EXPECT_TRUE(parseWeightIndex(R"({"weight_map": {"w": "model.safetensors"}})").has_value());
}

TEST(WeightIndex, RefusesCutOrForeignBytes)
{
    const std::string whole = test::data("huggingface/sharded/model.safetensors.index.json");
    for (std::size_t length = 0; length < whole.size() - 2; length += 31)
        EXPECT_FALSE(parseWeightIndex(whole.substr(0, length)).has_value()) << length;
    for (const char *bad : {"[]", "{}", R"({"weight_map": {}})", R"({"weight_map": {"a": 5}})"})
        EXPECT_FALSE(parseWeightIndex(bad).has_value()) << bad;
    EXPECT_FALSE(parseWeightIndex(std::string(2'000'000, '[')).has_value());
}

}  // namespace
}  // namespace rankdeck::huggingface_parts_test
