// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of directories of the Hugging Face stack. A Trainer's checkpoint-N has weights (one file, or shards that an
// index names), the optimizer, the scheduler and a random state per rank. Rank 0 writes trainer_state.json last.
// Accelerate's save_state has the same parts under other names, with the step in each random state. An export has only
// weights. FSDP and DeepSpeed parts are subdirectories, which their own readers read.
#pragma once

#include "core/checkpoint/read/composite_reader.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

enum class HuggingFaceKind { trainer, accelerate, weights };

// The number in rng_state_3.pth or random_states_3.pkl; nullopt: another name.
std::optional<int> randomStateRank(std::string_view name);
bool isWeightIndex(std::string_view name);
bool isWeightFile(std::string_view name);  // model.safetensors, model-00001-of-00003.safetensors, pytorch_model.bin …

class HuggingFaceReader final : public CompositeReader {
public:
    HuggingFaceReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted,
                      HuggingFaceKind kind);

protected:
    How plan(const Part &part) override;
    std::unique_ptr<FormatReader> readerOf(const Part &part) override;
    ReadStep combine(const ReadReplies &replies) override;

private:
    bool takeMark();  // trainer_state.json; false: nothing more to report
    void takeHistory(const Part &mark);
    void takeWeights();
    void takePipeline(const Part &index);
    void takeIndexed(const Part &index);
    void compareShard(const Part &shard, const std::set<std::string> &named);
    void takeRest();
    void takeConfigs();
    void compareState();
    void compareInner();
    void takeOptimizerStep();
    void takeRegisteredCounts();
    void takeRandomStates();
    void compareSteps(const std::map<int, std::int64_t> &steps);
    void compareTimes(const Part &mark);

    HuggingFaceKind m_kind;
    bool m_pipeline = false;                                // true: a pipeline of diffusers
    bool m_paddle = false;                                  // some files are Paddle's pickles
    std::map<std::string, std::vector<FileEntry>> m_inner;  // subdirectories, read as one: first part → all parts
    std::set<std::string> m_expected;                       // required weight files
};

}  // namespace rankdeck
