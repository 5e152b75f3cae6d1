// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/huggingface/huggingface_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/json_text.h"
#include "core/checkpoint/formats/huggingface/models_within.h"
#include "core/checkpoint/formats/huggingface/trainer_state.h"
#include "core/checkpoint/formats/huggingface/weight_index.h"
#include "core/checkpoint/read/copy_times.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace rankdeck {
namespace {

std::string digitsOf(double value, int digits)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.*g", digits, value);
    return text.data();
}

constexpr std::string_view markName = "trainer_state.json";

bool isStateFile(std::string_view name)
{
    for (const std::string_view stem : {"optimizer", "scheduler", "scaler", "sampler", "dl_state_dict"})
        if (name.starts_with(stem) && (name.ends_with(".pt") || name.ends_with(".bin"))) return true;
    // Files of objects that a script registered with Accelerate.
    return name.starts_with("custom_checkpoint_") && name.ends_with(".pkl");
}

// A file of PaddleNLP's unified checkpoints, in one file or in shards with an index
// (trainer/plugins/unified_checkpoint.py 3.0).
bool isUnifiedState(std::string_view name)
{
    return (name.starts_with("optimizer") || name.starts_with("master_weights")) && name.ends_with(".safetensors");
}

bool isUnifiedIndex(std::string_view name)
{
    return isWeightIndex(name) && (name.starts_with("optimizer") || name.starts_with("master_weights"));
}

// Files pickled by Paddle. They are not read, and neither are the random states beside them.
bool isPaddleFile(std::string_view name)
{
    for (const std::string_view end : {".pdparams", ".pdopt"})
        if (name.ends_with(end)) return true;
    return false;
}

constexpr std::string_view configName = "config.json";

}  // namespace

std::optional<int> randomStateRank(std::string_view name)
{
    for (const auto &[start, end] : {std::pair<std::string_view, std::string_view>{"rng_state_", ".pth"},
                                     std::pair<std::string_view, std::string_view>{"random_states_", ".pkl"}}) {
        if (!name.starts_with(start) || !name.ends_with(end) || name.size() <= start.size() + end.size()) continue;
        const auto rank = decimal(name.substr(start.size(), name.size() - start.size() - end.size()));
        if (rank && *rank < 1'000'000) return static_cast<int>(*rank);
    }
    return std::nullopt;
}

bool isWeightIndex(std::string_view name)
{
    return name.ends_with(".safetensors.index.json") || name.ends_with(".bin.index.json");
}

bool isWeightFile(std::string_view name)
{
    for (const std::string_view start :
         {"model", "pytorch_model", "adapter_model", "diffusion_pytorch_model", "pytorch_lora_weights"})
        if (name.starts_with(start) && (name.ends_with(".safetensors") || name.ends_with(".bin"))) return true;
    return false;
}

HuggingFaceReader::HuggingFaceReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted,
                                     HuggingFaceKind kind)
    : CompositeReader(whole, parts, wanted, Format::hfSharded), m_kind(kind)
{
    std::map<std::string, std::string> first;
    for (const Part &part : m_parts) {
        m_paddle = m_paddle || (!isInner(part.name) && isPaddleFile(part.name));
        m_pipeline = m_pipeline || part.name == pipelineIndexName;
        if (!isInner(part.name) || !isPartDirectory(topOf(part.name))) continue;
        const auto carrier = first.emplace(std::string(topOf(part.name)), part.name).first;
        m_inner[carrier->second].push_back(part.file);
    }
}

CompositeReader::How HuggingFaceReader::plan(const Part &part)
{
    if (m_inner.count(part.name) != 0) return How::byFormat;
    const bool within = m_kind == HuggingFaceKind::accelerate || m_pipeline;
    if (within && isModelWithin(part.name)) return How::byFormat;
    if (within && isConfigWithin(part.name)) return How::whole;
    if (part.name == pipelineIndexName) return How::whole;
    if (isInner(part.name)) return How::leave;
    if (part.name == markName || part.name == "latest" || part.name == configName || isWeightIndex(part.name))
        return How::whole;
    const bool random = part.name == "rng_state.pth" || randomStateRank(part.name);
    const bool read = isWeightFile(part.name) || isStateFile(part.name) || isUnifiedState(part.name);
    return read || (random && !m_paddle) ? How::byFormat : How::leave;
}

std::unique_ptr<FormatReader> HuggingFaceReader::readerOf(const Part &part)
{
    const auto inner = m_inner.find(part.name);
    if (inner == m_inner.end()) return CompositeReader::readerOf(part);
    FileEntry directory;
    directory.path = joinPath(m_evidence.path, std::string(topOf(part.name)));
    directory.stat.kind = 'd';
    for (const FileEntry &file : inner->second) {
        directory.stat.size += file.stat.size;
        directory.stat.mtimeNs = std::max(directory.stat.mtimeNs, file.stat.mtimeNs);
    }
    return makeReader(directory, inner->second, m_wanted);
}

ReadStep HuggingFaceReader::combine(const ReadReplies &)
{
    if (m_kind == HuggingFaceKind::trainer && !takeMark()) return {};
    takeWeights();
    if (const Part *index = find(pipelineIndexName)) takePipeline(*index);
    takeRest();
    takeRandomStates();
    conclude();
    return {};
}

bool HuggingFaceReader::takeMark()
{
    const Part *mark = find(markName);
    if (!mark) {
        refuse("commit_missing",
               message("no trainer_state.json, which the Trainer writes last: the save never finished"));
        m_evidence.level = EvidenceLevel::L1;
        return false;
    }
    if (!takeOver(*mark)) return true;
    takeHistory(*mark);
    compareTimes(*mark);
    return true;
}

void HuggingFaceReader::takeHistory(const Part &mark)
{
    const Result<TrainerState> state = parseTrainerState(mark.bytes);
    if (!state) {
        refuse("torn", message("trainer_state.json %1", state.error().message));
        return;
    }
    m_evidence.meta["global_step"] = std::to_string(state->globalStep);
    if (state->epoch) m_evidence.meta["trainer_epoch"] = std::to_string(*state->epoch);
    if (!state->firstLosses.empty()) {
        m_evidence.meta["first_losses"] = state->firstLosses;
        m_evidence.meta["last_logged"] = std::to_string(state->lastLogged);
    }
    if (state->maxSteps) m_evidence.meta["max_steps"] = std::to_string(*state->maxSteps);
    if (state->nonFiniteStep)
        problem("loss_not_finite", message("trainer_state.json has a loss of NaN or Inf at step %1, before this save",
                                           grouped(*state->nonFiniteStep)));
    if (state->jump) {
        problem("loss_jump",
                message("the last loss before this save is %1 at step %2, %3 times the usual %4",
                        digitsOf(state->jump->loss, 4), state->jump->step,
                        digitsOf(state->jump->loss / state->jump->before, 3), digitsOf(state->jump->before, 4)));
    }
}

// Copies can have times in any order, so this is only a doubt.
void HuggingFaceReader::compareTimes(const Part &mark)
{
    std::vector<std::int64_t> times;
    for (const Part &part : m_parts)
        if (&part != &mark) times.push_back(part.file.stat.mtimeNs);
    if (looksCopied(std::move(times), mark.file.stat.mtimeNs)) return;
    for (const Part &part : m_parts) {
        if (part.how != How::byFormat || randomStateRank(part.name) || part.name == "rng_state.pth") continue;
        if (part.file.stat.mtimeNs <= mark.file.stat.mtimeNs) continue;
        problem("mark_older", message("%1 is newer than trainer_state.json, which the Trainer writes last: a later "
                                      "save into this directory did not finish, or the files were copied",
                                      printable(part.name)));
        return;
    }
}

void HuggingFaceReader::takeWeights()
{
    const Part *index = nullptr, *paddle = nullptr;
    std::vector<const Part *> inner, single;
    for (const Part &part : m_parts) {
        if (part.how == How::whole && isWeightIndex(part.name) && !isUnifiedIndex(part.name) && !index) index = &part;
        if (m_inner.count(part.name) != 0) inner.push_back(&part);
        // A shard's name shows that an index must exist: model-00001-of-00003.
        if (!isInner(part.name) && isWeightFile(part.name) && part.name.find("-of-") == std::string::npos)
            single.push_back(&part);
        if (part.how == How::byFormat && isModelWithin(part.name)) single.push_back(&part);
        if (!isInner(part.name) && isPaddleFile(part.name) && (!paddle || part.name.starts_with("model")))
            paddle = &part;
    }
    for (const Part *part : inner) takeOver(*part);
    for (const Part *part : single) {
        m_expected.insert(part->name);
        takeOver(*part);
    }
    if (paddle)
        problem("content_unproven",
                message("%1 is a Paddle pickle, which is not read: only its name and size were checked",
                        printable(paddle->name)));
    if (single.empty() && index)
        takeIndexed(*index);
    else if (single.empty() && inner.empty() && !(paddle && paddle->name.starts_with("model")))
        refuse("shard_missing", message("no weights: there is neither model.safetensors nor an index of shards"));
    for (Part &part : m_parts) {
        if (isInner(part.name) || !isWeightFile(part.name) || m_expected.count(part.name) != 0) continue;
        part.isLeftover = true;
        problem("leftover",
                message("%1 is not listed in any index of this directory: left by another save", printable(part.name)));
    }
}

void HuggingFaceReader::takePipeline(const Part &index)
{
    if (!takeOver(index)) return;
    const Result<std::vector<std::string>> folders = foldersOfPipeline(index.bytes);
    if (!folders) {
        refuse("torn", message("%1 %2", printable(index.name), folders.error().message));
        return;
    }
    for (const std::string &folder : *folders) {
        const bool there = std::any_of(m_parts.begin(), m_parts.end(), [&](const Part &part) {
            return isInner(part.name) && topOf(part.name) == folder;
        });
        if (!there)
            refuse("shard_missing", message("%1 names %2, but the pipeline has no such folder", printable(index.name),
                                            printable(folder)));
    }
}

void HuggingFaceReader::takeIndexed(const Part &index)
{
    if (!takeOver(index)) return;
    const Result<WeightIndex> parsed = parseWeightIndex(index.bytes);
    if (!parsed) {
        refuse(parsed.error().kind == ErrorKind::refused ? ReasonCode("path_refused") : ReasonCode("torn"),
               message("%1 %2", printable(index.name), parsed.error().message));
        return;
    }
    std::uint64_t bytes = 0;
    for (const auto &[file, tensors] : parsed->files) {
        m_expected.insert(file);
        const Part *shard = find(file);
        if (!shard) {
            refuse("shard_missing", message("%1 is missing: %2 puts %3 tensors into it", printable(file),
                                            printable(index.name), grouped(std::int64_t(tensors.size()))));
            continue;
        }
        if (takeOver(*shard)) compareShard(*shard, tensors);
        for (const TensorInfo &tensor : shard->evidence.tensors) bytes += tensor.bytes;
    }
    if (!isUnifiedIndex(index.name) && parsed->totalBytes && m_evidence.problems.empty() &&
        *parsed->totalBytes != bytes)
        problem("index_total", message("%1 records %2 bytes of tensors, but the shards have %3", printable(index.name),
                                       grouped(std::int64_t(*parsed->totalBytes)), grouped(std::int64_t(bytes))));
}

void HuggingFaceReader::compareShard(const Part &shard, const std::set<std::string> &named)
{
    if (shard.evidence.format != Format::safetensors) return;  // tensors in a pickle have other names
    std::set<std::string> held;
    for (const TensorInfo &tensor : shard.evidence.tensors) held.insert(tensor.name);
    for (const std::string &name : named)
        if (held.count(name) == 0) {
            refuse("index_mismatch",
                   message("%1 does not contain '%2', although the index puts it there: a shard from another save",
                           printable(shard.name), printable(name)));
            return;
        }
    for (const std::string &name : held)
        if (named.count(name) == 0) {
            problem("leftover", message("%1 also contains '%2', although the index does not put it there",
                                        printable(shard.name), printable(name)));
            return;
        }
}

void HuggingFaceReader::takeRest()
{
    bool optimizer = false, scheduler = false;
    for (const Part &part : m_parts) {
        const std::string_view top = topOf(part.name);
        const bool deepspeed = isInner(part.name) && isDeepspeedDirectory(top);
        const bool paddle = !isInner(part.name) && isPaddleFile(part.name);
        const bool unified = !isInner(part.name) && isUnifiedState(part.name);
        const bool state = isInner(part.name) || isStateFile(part.name) || paddle || unified;  // not optimizer.pt.bak
        optimizer = optimizer || deepspeed || (state && top.starts_with("optimizer")) ||
                    (paddle && part.name.ends_with(".pdopt"));
        scheduler = scheduler || deepspeed || (state && top.starts_with("scheduler"));
        if (!isInner(part.name) && isStateFile(part.name)) takeOver(part);
        if (unified && part.name.find("-of-") == std::string::npos) takeOver(part);
        if (part.how == How::whole && isUnifiedIndex(part.name)) takeIndexed(part);
    }
    takeConfigs();
    if (m_kind == HuggingFaceKind::weights) return;  // its name already shows it
    if (m_kind == HuggingFaceKind::trainer) compareState();
    compareInner();
    if (m_kind == HuggingFaceKind::accelerate) {
        takeOptimizerStep();
        takeRegisteredCounts();
    }
    if (!optimizer)
        problem("weights_only", message("no optimizer state: training would continue with a new optimizer"));
    if (!scheduler && m_kind == HuggingFaceKind::trainer)
        problem("no_scheduler",
                message("resumable with loss: no scheduler.pt, so the learning rate schedule restarts"));
}

// Every loader reads this file if it exists, and fails if it is cut. In the average of a diffusers model, this file
// counts the updates (training_utils.py 0.42: EMAModel.save_pretrained).
void HuggingFaceReader::takeConfigs()
{
    for (Part &part : m_parts) {
        if (part.how != How::whole || baseName(part.name) != configName || !takeOver(part)) continue;
        const nlohmann::json config = parseJsonText(part.bytes);
        if (config.is_discarded()) refuse("torn", message("%1 %2", printable(part.name), notJsonText(part.bytes)));
        if (!config.is_object()) continue;
        if (const auto count = config.find("optimization_step"); count != config.end() && count->is_number_integer())
            part.evidence.meta["average_step"] = std::to_string(count->get<std::int64_t>());
    }
}

// Parts saved by DeepSpeed or FSDP must be of the Trainer's step.
void HuggingFaceReader::compareInner()
{
    const auto steps = m_evidence.number("global_step");
    for (const auto &[name, files] : m_inner) {
        const Part *part = find(name);
        if (!part) continue;
        const std::string top(topOf(name));
        for (const char *key : {"global_steps", "global_step", "iteration", "optimizer_step"}) {
            const auto own = part->evidence.number(key);
            if (!own || *own <= 0) continue;
            if (m_kind == HuggingFaceKind::accelerate) m_evidence.meta.emplace("global_step", std::to_string(*own));
            if (steps && *own != *steps)
                refuse(
                    "step_mismatch",
                    message(
                        "%1 in this set has %2 %3, but trainer_state.json has step %4: they come from different saves",
                        printable(top), key, grouped(*own), grouped(*steps)));
            break;
        }
        const std::size_t digits = top.find_last_not_of("0123456789") + 1;
        const auto tag = top.starts_with("global_step") ? decimal(std::string_view(top).substr(digits)) : std::nullopt;
        if (tag && steps && *tag != *steps)
            refuse("step_mismatch", message("%1 is inside a checkpoint for step %2", printable(top), grouped(*steps)));
    }
    const Part *latest = find("latest");
    if (!latest || !takeOver(*latest)) return;
    std::string target = latest->bytes.substr(0, 255);
    while (!target.empty() && (target.back() == '\n' || target.back() == '\r' || target.back() == ' '))
        target.pop_back();
    const bool there =
        std::any_of(m_inner.begin(), m_inner.end(), [&](const auto &inner) { return topOf(inner.first) == target; });
    if (!there)
        refuse(
            "shard_missing",
            message(
                "the file 'latest' in this set names %1, which does not exist: DeepSpeed would start with new states",
                printable(target)));
}

// In an Accelerate checkpoint only the optimizer knows the step.
void HuggingFaceReader::takeOptimizerStep()
{
    for (const Part &part : m_parts) {
        const auto own = part.evidence.number("optimizer_step");
        if (!isInner(part.name) && topOf(part.name).starts_with("optimizer") && own)
            m_evidence.meta.emplace("global_step", std::to_string(*own));
    }
}

// Kept for comparison with the counts of the other saves: only the script knows what a registered object counts.
void HuggingFaceReader::takeRegisteredCounts()
{
    constexpr std::string_view start = "count.";
    for (const Part &part : m_parts)
        for (const auto &[key, value] : part.evidence.meta.all())
            if (part.name.starts_with("custom_checkpoint_") && key.starts_with(start))
                m_evidence.meta[std::string(start) + part.name + "." + key.substr(start.size())] = value;
}

// The Trainer steps model, optimizer and scheduler together. With a gradient scaler, the optimizer skips some steps.
void HuggingFaceReader::compareState()
{
    const auto steps = m_evidence.number("global_step");
    const Part *optimizer = find("optimizer.pt"), *scheduler = find("scheduler.pt");
    if (!steps || *steps <= 0) return;
    const auto counted = optimizer ? optimizer->evidence.number("optimizer_step") : std::nullopt;
    const bool stepped = scheduler && scheduler->evidence.meta.count("lr_lambdas") != 0;
    const auto scheduled = stepped ? scheduler->evidence.number("last_epoch") : std::nullopt;
    const bool skips = find("scaler.pt") != nullptr;
    const auto differs = [&](const char *file, std::int64_t count) {
        return message("%1 has counted %2 steps, but the model %3: they come from different saves", file,
                       grouped(count), grouped(*steps));
    };
    if (counted && counted == scheduled && *counted < *steps) {
        problem("optimizer_anew", message("optimizer.pt and scheduler.pt have counted %1 steps, but the model %2: both "
                                          "were reset during training",
                                          grouped(*counted), grouped(*steps)));
        return;
    }
    if (counted && (*counted > *steps || (*counted < *steps && !skips && scheduled == steps)))
        refuse("step_mismatch", differs("optimizer.pt", *counted));
    else if (counted && *counted < *steps && !skips)
        problem("step_unproven", message("%1, or the optimizer was reset", differs("optimizer.pt", *counted)));
    if (scheduled && *scheduled > 0 && *scheduled % *steps != 0 && !(skips && *scheduled < *steps))
        refuse("step_mismatch", differs("scheduler.pt", *scheduled));
}

void HuggingFaceReader::takeRandomStates()
{
    if (m_kind == HuggingFaceKind::weights) return;
    if (m_paddle) {
        if (std::none_of(m_parts.begin(), m_parts.end(), [](const Part &p) { return p.name.starts_with("rng_state"); }))
            problem("no_rng", message("resumable with loss: no random state, so data order and dropout start over"));
        return;
    }
    std::map<int, std::int64_t> steps;
    std::set<int> ranks;
    bool single = false;
    for (const Part &part : m_parts) {
        if (isInner(part.name)) continue;
        const auto rank = randomStateRank(part.name);
        if (!rank && part.name != "rng_state.pth") continue;
        single = single || !rank;
        takeOver(part, rank.value_or(-1));
        if (!rank) continue;
        ranks.insert(*rank);
        if (const auto step = part.evidence.number("step")) steps[*rank] = *step;
    }
    if (ranks.empty()) {
        if (!single)
            problem("no_rng", message("resumable with loss: no random state, so data order and dropout start over"));
        if (!single && m_kind == HuggingFaceKind::accelerate)
            problem(
                "commit_unproven",
                message("no random_states_N.pkl, which Accelerate writes last: nothing shows that the save finished"));
        return;
    }
    const int world = *ranks.rbegin() + 1;
    m_evidence.meta["random_states"] = std::to_string(ranks.size());
    if (static_cast<std::size_t>(world) == ranks.size()) m_evidence.meta["world_size"] = std::to_string(world);
    const bool trainer = m_kind == HuggingFaceKind::trainer;
    for (int rank = 0, said = 0; rank < world && said < 50; ++rank)
        if (ranks.count(rank) == 0) {
            ++said;
            problem("no_rng",
                    message("rank %1 has no %2: resumable with loss, random numbers start over", rank,
                            trainer ? "rng_state_" + std::to_string(rank) + ".pth"
                                    : "random_states_" + std::to_string(rank) + ".pkl"),
                    rank);
        }
    compareSteps(steps);
}

// Every rank's Accelerate file contains the number of batches in this epoch. It is equal for all ranks, but is not the
// training step, which only the optimizer counts.
void HuggingFaceReader::compareSteps(const std::map<int, std::int64_t> &steps)
{
    if (steps.empty()) return;
    std::map<std::int64_t, int> times;
    for (const auto &[rank, step] : steps) ++times[step];
    const auto most =
        std::max_element(times.begin(), times.end(), [](const auto &a, const auto &b) { return a.second < b.second; });
    for (const auto &[rank, step] : steps)
        if (step != most->first)
            refuse("step_mismatch",
                   message("the random state of rank %1 belongs to batch %2, but most ranks are at batch %3", rank,
                           grouped(step), grouped(most->first)),
                   rank);
    m_evidence.meta.emplace("batches_seen", std::to_string(most->first));
}

}  // namespace rankdeck
