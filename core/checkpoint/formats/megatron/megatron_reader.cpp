// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/megatron/megatron_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/megatron/megatron_names.h"
#include "core/checkpoint/read/layer_numbers.h"

#include <algorithm>

namespace rankdeck {
namespace {

constexpr std::int64_t maxDegree = 4096;

std::int64_t degree(std::optional<std::int64_t> told, std::int64_t otherwise)
{
    return told && *told > 0 && *told <= maxDegree ? *told : otherwise;
}

std::string folderOf(const std::string &name) { return name.substr(0, name.find('/')); }

}  // namespace

const std::vector<std::string> megatronArguments{
    "consumed_train_samples", "global_batch_size",  "seq_length",           "num_layers", "hidden_size",
    "num_attention_heads",    "checkpoint_version", "context_parallel_size"};

MegatronReader::MegatronReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
    : CompositeReader(whole, parts, wanted, Format::megatron)
{}

CompositeReader::How MegatronReader::plan(const Part &part)
{
    const bool inFolder = parseModelParallelFolder(folderOf(part.name)).has_value();
    const bool torch = part.name.size() > 3 && part.name.compare(part.name.size() - 3, 3, ".pt") == 0;
    return inFolder && torch ? How::byFormat : How::leave;
}

ReadStep MegatronReader::combine(const ReadReplies &)
{
    collect();
    takeDegrees();
    expectFolders();
    compare();
    conclude();
    return {};
}

void MegatronReader::collect()
{
    for (const Part &part : m_parts) {
        if (part.how == How::leave) continue;
        Folder &folder = m_folders[folderOf(part.name)];
        const std::string file = baseName(part.name);
        if (file == "model_optim_rng.pt" || file == "model_rng.pt")
            folder.model = &part;
        else if (file == "distrib_optim.pt" || file == "optim.pt")
            folder.optimizer = &part;
        else
            folder.others.push_back(&part);
        m_distributedOptimizer = m_distributedOptimizer || folder.optimizer;
    }
}

// If no file can be read, only the folder names are left. The second of two numbers is taken for the pipeline rank.
void MegatronReader::takeDegrees()
{
    std::vector<Voice> voices;
    std::int64_t last[3] = {0, 0, 0};
    for (const auto &[name, folder] : m_folders) {
        if (folder.model) voices.push_back({folder.model, -1});
        const auto numbers = parseModelParallelFolder(name).value_or(std::vector<int>{});
        for (std::size_t i = 0; i < numbers.size() && i < 3; ++i) last[i] = std::max<std::int64_t>(last[i], numbers[i]);
    }
    m_tp = degree(majority(voices, "tensor_model_parallel_size"), last[0] + 1);
    m_pp = degree(majority(voices, "pipeline_model_parallel_size"), last[1] + 1);
    m_ep = degree(majority(voices, "expert_model_parallel_size"), last[2] + 1);
    m_world = majority(voices, "world_size").value_or(0);
    if (m_world < 0 || m_world > (1 << 20)) m_world = 0;
    if (majority(voices, "use_distributed_optimizer") == 1) m_distributedOptimizer = true;
    auto &meta = m_evidence.meta;
    meta["framework"] = "megatron";
    meta["reshardable"] = "none";
    meta["tensor_model_parallel_size"] = std::to_string(m_tp);
    meta["pipeline_model_parallel_size"] = std::to_string(m_pp);
    meta["expert_model_parallel_size"] = std::to_string(m_ep);
    if (m_world > 0) meta["world_size"] = std::to_string(m_world);
    for (const std::string &key : megatronArguments)
        if (const auto value = majority(voices, key)) meta[key] = std::to_string(*value);
}

// Megatron's own order of the axes: tensor, context, expert, data, pipeline, the first one fastest.
int MegatronReader::rankOf(int tp, int pp, int ep) const
{
    if (m_world <= 0 || m_world % (m_tp * m_pp) != 0) return -1;
    return static_cast<int>(tp + ep * m_tp + pp * (m_world / m_pp));
}

void MegatronReader::expectFolders()
{
    if (m_tp * m_pp * m_ep > std::int64_t(maxParts)) {
        refuse("torn",
               message("the saved arguments require %1 × %2 × %3 parts", grouped(m_tp), grouped(m_pp), grouped(m_ep)));
        return;
    }
    for (int pp = 0; pp < m_pp; ++pp)
        for (int ep = 0; ep < m_ep; ++ep)
            for (int tp = 0; tp < m_tp; ++tp) expectFolder(tp, pp, ep);
    std::size_t leftovers = 0;
    for (const auto &[name, folder] : m_folders) leftovers += folder.expected ? 0 : 1;
    if (leftovers > 0)
        problem("leftover", message("%1 folders are not among the %2 folders of this checkpoint",
                                    grouped(std::int64_t(leftovers)), grouped(m_tp * m_pp * m_ep)));
}

void MegatronReader::expectFolder(int tp, int pp, int ep)
{
    const std::string name = modelParallelFolder(tp, pp, ep, m_pp > 1, m_ep > 1);
    const int rank = rankOf(tp, pp, ep);
    const std::string place = " (tp " + std::to_string(tp) + ", pp " + std::to_string(pp) +
                              (m_ep > 1 ? ", ep " + std::to_string(ep) : "") + ")";
    const auto found = m_folders.find(name);
    if (found == m_folders.end() || !found->second.model) {
        const bool folder = found != m_folders.end();
        if (!full())
            refuse("shard_missing",
                   message("%1 is missing: the saved arguments require %2 parts",
                           name + (folder ? "/model_optim_rng.pt" : "") + place,
                           grouped(m_tp) + " × " + grouped(m_pp) + (m_ep > 1 ? " × " + grouped(m_ep) : "")),
                   rank);
        if (!folder) return;
    }
    Folder &folder = found->second;
    folder.expected = true;
    folder.rank = rank;
    if (folder.model) takeOver(*folder.model, rank);
    if (folder.optimizer)
        takeOver(*folder.optimizer, rank);
    else if (m_distributedOptimizer && !full())
        refuse("optim_missing",
               message("%1/distrib_optim.pt%2 is missing: without it only the weights can be loaded", name, place),
               rank);
    for (const Part *other : folder.others) takeOver(*other, rank);
}

void MegatronReader::compare()
{
    std::vector<Voice> models;
    for (const auto &[name, folder] : m_folders)
        if (folder.expected && folder.model && folder.model->evidence.complete == true)
            models.push_back({folder.model, folder.rank});
    mustSay(models, "tensor_model_parallel_size", m_tp, "degrees_mismatch");
    mustSay(models, "pipeline_model_parallel_size", m_pp, "degrees_mismatch");
    mustSay(models, "expert_model_parallel_size", m_ep, "degrees_mismatch");
    if (m_world > 0) mustSay(models, "world_size", m_world, "degrees_mismatch");
    if (const auto iteration = majority(models, "iteration")) {
        m_evidence.meta["iteration"] = std::to_string(*iteration);
        mustSay(models, "iteration", *iteration, "step_mismatch");
        for (const Voice &voice : models) {
            const auto counted = voice.part->evidence.number("optimizer_step");
            if (counted && *counted > *iteration)
                refuse("step_mismatch",
                       message("%1: its optimizer has counted %2 steps, but the model belongs to iteration %3",
                               printable(voice.part->name), grouped(*counted), grouped(*iteration)),
                       voice.rank);
        }
    }
    for (const std::string &key : megatronArguments)
        if (const auto value = majority(models, key)) mustSay(models, key, *value, "attempt_mixed");
    compareSavers();
    compareLayers();
    if (!models.empty()) compareState();
}

// The arguments show which rank saved a file. Tools that convert checkpoints save all of them as rank 0.
void MegatronReader::compareSavers()
{
    const auto saver = [](const Folder &folder) {
        return folder.expected && folder.model ? folder.model->evidence.number("arguments_rank") : std::nullopt;
    };
    const bool numbered = std::any_of(m_folders.begin(), m_folders.end(),
                                      [&](const auto &own) { return saver(own.second).value_or(0) > 0; });
    std::map<std::uint64_t, std::string> held;  // hash of the content → place
    for (const auto &each : m_folders) {
        const std::string &name = each.first;
        const Folder &folder = each.second;
        const auto rank = saver(folder);
        const bool another = std::any_of(m_folders.begin(), m_folders.end(), [&](const auto &other) {
            return other.first != name && other.second.expected && rank == std::int64_t(other.second.rank);
        });
        if (numbered && another && folder.rank >= 0 && *rank != folder.rank)
            refuse("rank_mismatch",
                   message("%1 has a file that rank %2 saved, not rank %3", name, grouped(*rank), folder.rank),
                   folder.rank);
        for (const Part *part : {folder.model, folder.optimizer}) {
            if (!folder.expected || !part || part->evidence.fingerprint == 0) continue;
            const auto [had, added] = held.emplace(part->evidence.fingerprint, part->name);
            if (!added)
                problem("rank_unproven",
                        message("%1 has the same values as %2, but each should have its own piece: one may be a copy",
                                printable(part->name), printable(had->second)),
                        folder.rank);
        }
    }
}

// If the pipeline stages number their layers continuously, all stages together must form one model.
void MegatronReader::compareLayers()
{
    std::vector<std::set<int>> stages;
    for (const auto &[name, folder] : m_folders) {
        if (!folder.expected) continue;
        if (!folder.model || folder.model->evidence.complete != true) return;
        stages.push_back(layersOf(folder.model->evidence.tensors));
    }
    if (const Message fault = pipelineFault(stages); !fault.empty())
        refuse("layers_mismatch", message("the parts are stages of one pipeline, but %1", fault));
}

void MegatronReader::compareState()
{
    std::vector<const Part *> ours;
    bool optimizer = m_distributedOptimizer, rng = false, strange = false;
    for (const auto &[name, folder] : m_folders) {
        if (!folder.expected) continue;
        for (const Part *part : folder.others)
            optimizer = optimizer || part->name.find("layer_wise_optimizer") != std::string::npos;
        if (folder.optimizer) ours.push_back(folder.optimizer);
        if (!folder.model) continue;
        ours.push_back(folder.model);
        optimizer = optimizer || folder.model->evidence.meta.count("optimizer") != 0;
        rng = rng || folder.model->evidence.meta.count("rng_state") != 0;
    }
    compareTimes(ours);
    const std::string own = baseName(m_evidence.path);
    strange = own.compare(0, 5, "iter_") == 0 && !isIterationFolder(own);
    if (strange)
        problem("unmatched_name",
                message("%1 is not named like a Megatron iteration (iter_0000100): Megatron will not find it",
                        printable(own)));
    if (m_evidence.complete == false) return;
    if (own == "release")
        problem("weights_only", message("released weights: a run can start from them, but cannot continue from them"));
    else if (!optimizer)
        problem("weights_only", message("no optimizer state: training cannot continue from it unchanged"));
    if (!rng)
        problem("no_rng", message("no random generator state: data order and dropout will differ after a resume"));
}

}  // namespace rankdeck
