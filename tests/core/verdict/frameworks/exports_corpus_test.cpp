// SPDX-License-Identifier: GPL-3.0-or-later
// Weights in folders and in shards: a missing or torn part is found. Networks beside checkpoints change nothing.
#include "tests/core/verdict/corpus.h"
#include "tests/testbed/paths.h"
#include "tests/testbed/races.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <random>

namespace rankdeck::exports_corpus_test {
namespace {

using test::Corpus;
using test::summary;
using Shape = std::vector<std::int64_t>;

struct Piece {
    std::string name;
    Shape begin, shape;
};

// A safetensors file, optionally with the offsets of its pieces, as torch.distributed.checkpoint writes them.
std::string safetensors(const std::vector<Piece> &pieces, int seed, bool places = false)
{
    nlohmann::json header, info;
    std::string data;
    for (const Piece &piece : pieces) {
        std::int64_t count = 1;
        for (const std::int64_t size : piece.shape) count *= size;
        const std::size_t begin = data.size();
        for (std::int64_t i = 0; i < count; ++i) {
            const float value = float((std::int64_t{seed} * 7919 + i * 104729) % 2000 - 1000) / 1000.0f;
            data.append(reinterpret_cast<const char *>(&value), sizeof value);
        }
        header[piece.name] = {{"dtype", "F32"}, {"shape", piece.shape}, {"data_offsets", {begin, data.size()}}};
        info[piece.name] = {{"saved_offsets", piece.begin}};
    }
    if (places) header["__metadata__"] = {{"DCP_VERSION", "1.0"}, {"DCP_SHARDING_INFO", info.dump()}};
    std::string text = header.dump();
    text.append((8 - text.size() % 8) % 8, ' ');
    std::string length(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) length[i] = static_cast<char>(text.size() >> (8 * i) & 0xff);
    return length + text + data;
}

std::string model(int seed) { return safetensors({{"a", {0, 0}, {8, 8}}, {"b", {0}, {16}}}, seed); }

void putPipeline(Corpus &c, const std::string &folder, const std::vector<std::string> &models, int seed)
{
    nlohmann::json index{
        {"_class_name", "Pipeline"}, {"scheduler", {"diffusers", "S"}}, {"checker", {nullptr, nullptr}}};
    for (const std::string &name : models) {
        index[name] = {"diffusers", "Model"};
        c.put(folder + name + "/diffusion_pytorch_model.safetensors", model(++seed), 100);
        c.put(folder + name + "/config.json", "{}", 100, 0644);
    }
    c.put(folder + "scheduler/scheduler_config.json", "{}", 100, 0644);
    c.put(folder + "model_index.json", index.dump(), 101, 0644);
}

TEST(Exports, DetectsATornOrMissingPipelineFolder)
{
    const std::vector<std::string> models{"unet", "vae", "text_encoder"};
    for (const std::string folder : {"checkpoint-500/", "pipe/", "out/step_500/"})
        for (const std::string damage : {"", "torn", "missing"})
            for (const std::string &damaged : models) {
                Corpus c;
                putPipeline(c, folder, models, 100);
                const std::string path = folder + damaged + "/diffusion_pytorch_model.safetensors";
                if (damage == "torn") c.edit(path, [](std::string &bytes) { bytes.resize(bytes.size() / 2); });
                if (damage == "missing") {
                    c.remove(path);
                    c.remove(folder + damaged + "/config.json");
                }
                const CheckpointReport report = c.judgeAll();
                ASSERT_EQ(report.sets.size(), 1U) << folder;
                EXPECT_EQ(report.sets.front().verdict, damage == "torn"      ? Verdict::corrupt
                                                       : damage == "missing" ? Verdict::incomplete
                                                                             : Verdict::validUnproven)
                    << folder << damage << summary(report);
            }
}

// The tensors of random runs are cut in rows over the ranks, and distributed over the files of the model.
TEST(Exports, DetectsAMissingShard)
{
    std::mt19937 random(5);
    for (unsigned round = 0; round < propertyRounds(40); ++round) {
        const int ranks = 2 + static_cast<int>(random() % 4), files = 1 + static_cast<int>(random() % 3);
        const std::int64_t rows = 1 + static_cast<std::int64_t>(random() % 5);
        const auto number = [](int value) {
            return std::string(5 - std::to_string(value).size(), '0') + std::to_string(value);
        };
        std::vector<std::string> paths;
        Corpus c;
        for (int rank = 0; rank < ranks; ++rank)
            for (int file = 1; file <= files; ++file) {
                paths.push_back("step-100/shard-" + number(rank + 1) + "-model-" + number(file) + "-of-" +
                                number(files) + ".safetensors");
                const std::string name = "layers." + std::to_string(file) + ".weight";
                c.put(paths.back(), safetensors({{name, {rank * rows, 0}, {rows, 6}}}, rank + file, true), 100);
            }
        EXPECT_EQ(summary(c.judgeAll()).substr(0, 20), "0:100 VALID-UNPROVEN") << summary(c.judgeAll());
        // No file states how long a tensor is, so a loss of the last rows cannot be noticed.
        const std::size_t gone = random() % (paths.size() - static_cast<std::size_t>(files));
        c.remove(paths[gone]);
        EXPECT_EQ(c.judgeAll().sets.front().verdict, Verdict::incomplete) << paths[gone];
    }
}

// Sizes and offsets come from a node: no sum of them overflows, and a size without an offset covers nothing.
TEST(Exports, PiecesWithAMissingOrImpossibleOffsetAreUnproven)
{
    for (const std::int64_t begin : {std::int64_t{-1}, std::numeric_limits<std::int64_t>::max()}) {
        Corpus c;
        c.put("step-100/shard-00001-model-00001-of-00001.safetensors",
              safetensors({{"w", {begin, begin}, {2, 6}}}, 1, true), 100);
        EXPECT_NE(summary(c.judgeAll()).find("content_unproven"), std::string::npos) << summary(c.judgeAll());
    }
    Corpus without;
    for (const char *shard : {"1", "2"})
        without.put(std::string("step-100/shard-0000") + shard + "-model-00001-of-00001.safetensors",
                    safetensors({{"w", {}, {2, 6}}}, 1), 100);
    EXPECT_NE(summary(without.judgeAll()).find("content_unproven"), std::string::npos) << summary(without.judgeAll());
}

TEST(Exports, NetworksNextToCheckpointsChangeNothing)
{
    Corpus c;
    c.copyTree("torch/per_rank", "run", 1000);
    const CheckpointReport before = c.judgeAll();
    c.put("run/net.pt", test::readFile(testData() + "/torch/program/net.pt"), 2000);
    c.put("run/model.onnx", std::string(3000, 'o'), 2000);
    c.put("run/model.mindir", std::string(3000, 'm'), 2000);
    const CheckpointReport after = c.judgeAll();
    EXPECT_EQ(after.recommended, before.recommended);
    for (const CheckpointSet &set : after.sets) EXPECT_NE(set.verdict, Verdict::corrupt) << summary(after);
    Corpus tensorflow;
    tensorflow.copyTree("tensorflow/saver-v2", "", 1000);
    const std::string alone = summary(tensorflow.judgeAll());
    for (const std::string folder : {"saved_model/", ""}) {
        for (const char *end : {"index", "data-00000-of-00001"})
            tensorflow.put(folder + "variables/variables." + end,
                           test::readFile(testData() + "/tensorflow/saver-v2/model.ckpt-1200." + end), 3000);
        tensorflow.put(folder + "saved_model.pb", "graph", 3000);
        EXPECT_EQ(summary(tensorflow.judgeAll()), alone);
    }
}

TEST(Exports, FindsWeightsOfAStepByTheirFolderAtAnyDepth)
{
    for (const int depth : {0, 5, 12, 25}) {
        std::string above;
        for (int i = 0; i < depth; ++i) above += "d" + std::string(1, static_cast<char>('a' + i)) + "/";
        Corpus c;
        c.job.checkpoints.depth = 32;
        for (const int step : {100, 200})
            c.put(above + "step_" + std::to_string(step) + "/weights.safetensors", model(step), step);
        const CheckpointReport report = c.judgeAll();
        ASSERT_EQ(report.sets.size(), 2U) << depth;
        EXPECT_EQ(report.sets.front().globalStep, 200) << summary(report);
    }
}

}  // namespace
}  // namespace rankdeck::exports_corpus_test
