// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/torch/torch_numbers.h"

#include "core/base/text.h"

#include <algorithm>
#include <cstdio>
#include <initializer_list>

namespace rankdeck {
namespace {

using Node = Pickle::Node;
using Kind = Pickle::Kind;

// The text of a value: the first element of a list with one value per group, the value of an enum.
std::string textOf(const Pickle &pickle, const Node *value)
{
    if (!value) return {};
    if (value->kind == Kind::list && !value->items.empty()) value = &pickle.at(value->items.front());
    if (value->kind == Kind::call && value->items.size() == 2) {
        const Node &arguments = pickle.at(value->items[1]);
        if (arguments.kind == Kind::tuple && arguments.items.size() == 1) value = &pickle.at(arguments.items.front());
    }
    return scalarText(*value);
}

const Node *descend(const Pickle &pickle, const Node *from, std::initializer_list<const char *> path)
{
    for (const char *key : path)
        if (from) from = pickle.find(*from, key);
    return from;
}

void takeGroups(const Pickle &pickle, Meta &meta)
{
    // Megatron's arguments, DeepSpeed's optimizer, LayerZeRO's place of the rank.
    for (const char *group : {"args", "optimizer_state_dict", "parallel_state"}) {
        const Node *held = pickle.find(pickle.root(), group);
        if (!held) continue;
        for (const char *key : {"world_size",
                                "tensor_model_parallel_size",
                                "pipeline_model_parallel_size",
                                "expert_model_parallel_size",
                                "context_parallel_size",
                                "use_distributed_optimizer",
                                "consumed_train_samples",
                                "global_batch_size",
                                "seq_length",
                                "num_layers",
                                "hidden_size",
                                "num_attention_heads",
                                "partition_count",
                                "zero_stage",
                                "ds_version",
                                "tp_rank",
                                "pp_rank",
                                "dp_rank",
                                "tp_degree",
                                "pp_degree",
                                "dp_degree",
                                "global_rank"}) {
            const std::string text = textOf(pickle, pickle.find(*held, key));
            if (!text.empty()) meta.emplace(key, text);
        }
    }
    const Node *stage = descend(pickle, &pickle.root(), {"ds_config", "zero_optimization", "stage"});
    if (const std::string text = textOf(pickle, stage); !text.empty()) meta.emplace("config_zero_stage", text);
}

// Takes the first group of parameters, in which DeepSpeed and Apex count the steps.
void takeGroup(const Pickle &pickle, const Node *groups, Meta &meta)
{
    if (!groups || groups->kind != Kind::list || groups->items.empty()) return;
    const Node &first = pickle.at(groups->items.front());
    if (const std::string rate = textOf(pickle, pickle.find(first, "lr")); !rate.empty())
        meta.emplace("optimizer_rate", rate);
    if (const auto step = pickle.integer(first, "step")) meta.emplace("optimizer_step", std::to_string(*step));
}

// The highest count of all parameters: the count of a frozen layer does not move.
void takeFurthest(const Pickle &pickle, const Node *state, Meta &meta)
{
    if (!state || state->kind != Kind::dict) return;
    std::optional<std::int64_t> furthest;
    for (std::size_t i = 1; i < state->items.size(); i += 2)
        if (const auto step = pickle.integer(pickle.at(state->items[i]), "step"))
            furthest = std::max(furthest.value_or(*step), *step);
    if (furthest) meta.emplace("optimizer_step", std::to_string(*furthest));
}

// The optimizer's own count of steps, and its learning rate.
void takeOptimizerStep(const Pickle &pickle, Meta &meta)
{
    const Node &root = pickle.root();
    const Node *optimizer = pickle.find(root, "optimizer");
    if (optimizer && optimizer->kind == Kind::list && !optimizer->items.empty())
        optimizer = &pickle.at(optimizer->items.front());
    if (optimizer && (optimizer->kind == Kind::dict || optimizer->kind == Kind::call)) meta.emplace("optimizer", "yes");
    const Node *partition = pickle.find(root, "optimizer_state_dict");
    const Node *alone = pickle.find(root, "param_groups") ? &root : nullptr;  // optimizer.bin
    for (const Node *held :
         {alone, optimizer, descend(pickle, optimizer, {"optimizer"}),
          descend(pickle, partition, {"base_optimizer_state"}), descend(pickle, partition, {"optimizer_state_dict"})}) {
        takeGroup(pickle, descend(pickle, held, {"param_groups"}), meta);
        takeFurthest(pickle, descend(pickle, held, {"state"}), meta);
    }
    // ColossalAI's group file is the list alone, its shards are states by the numbers of parameters
    // (checkpoint_io/general_checkpoint_io.py, utils.py).
    takeGroup(pickle, &root, meta);
    if (root.kind == Kind::dict && !root.items.empty() && pickle.at(root.items.front()).kind == Kind::integer)
        takeFurthest(pickle, &root, meta);
}

// nanoGPT has iter_num, OpenMMLab meta.iter and meta.epoch, Ignite trainer.iteration, nnU-Net current_epoch. A gradient
// scaler whose scale has reached 0 means that the training is lost.
void takeOtherNames(const Pickle &pickle, Meta &meta)
{
    const auto take = [&](std::initializer_list<const char *> path, const char *key) {
        const std::string text = textOf(pickle, descend(pickle, &pickle.root(), path));
        if (!text.empty()) meta.emplace(key, text);
    };
    take({"step_count"}, "iteration");  // LitGPT, whose iter_num counts micro-batches
    take({"iter_num"}, "iteration");
    take({"meta", "iter"}, "iteration");
    take({"meta", "epoch"}, "epoch");
    take({"state", "timestamp", "Timestamp", "batch"}, "iteration");  // Composer
    take({"state", "timestamp", "Timestamp", "epoch"}, "epoch");
    take({"trainer", "iteration"}, "iteration");
    take({"trainer", "epoch"}, "epoch");
    take({"current_epoch"}, "epoch");
    take({"epochs_run"}, "epoch");
    take({"EPOCHS_RUN"}, "epoch");
    for (const char *own : {"rank", "global_rank"}) take({own}, "saved_by");
    for (const char *world : {"world_size", "num_ranks", "WORLD_SIZE", "n_ranks", "nranks"})
        take({world}, "world_size");
    for (const char *held : {"config", "meta", "hparams", "cfg"}) take({held, "world_size"}, "world_size");
    // Composer collects the random states of all ranks into each file (utils/reproducibility.py), even if only rank 0
    // saves.
    const Node *random = pickle.find(pickle.root(), "rng");
    if (random && random->kind == Kind::list && descend(pickle, &pickle.root(), {"state", "timestamp"}))
        meta.emplace("gathered_ranks", std::to_string(random->items.size()));
    take({"args", "rank"}, "arguments_rank");
    for (const char *scaler : {"scaler", "grad_scaler", "amp"}) take({scaler, "scale"}, "loss_scale");
    take({"loss_scale"}, "loss_scale");
    take({"lr_scheduler", "last_epoch"}, "scheduler_steps");
    // fairseq: the number of steps of each optimizer so far, the present one last.
    const Node *history = pickle.find(pickle.root(), "optimizer_history");
    if (!history || history->kind != Kind::list || history->items.empty()) return;
    const std::string updates = textOf(pickle, pickle.find(pickle.at(history->items.back()), "num_updates"));
    if (!updates.empty()) meta.emplace("iteration", updates);
}

// Count and learning rate of a torch scheduler, which is alone in its file or stored under a key. ColossalAI's warm-up
// scheduler hands over to an inner scheduler, which counts from 0 (nn/lr_scheduler/delayed.py).
void takeSchedule(const Pickle &pickle, const Node &held, Meta &meta)
{
    const auto counted = pickle.integer(held, "last_epoch");
    if (!counted) return;
    const Node *within = pickle.find(held, "after_scheduler_dict");
    const auto more = within ? pickle.integer(*within, "last_epoch") : std::nullopt;
    meta.emplace("schedule_step", std::to_string(*counted + std::max<std::int64_t>(more.value_or(0), 0)));
    if (const std::string rate = textOf(pickle, pickle.find(held, "_last_lr")); !rate.empty())
        meta.emplace("schedule_rate", rate);
}

// Batches that torchdata's StatefulDataLoader has returned in this epoch. Source: stateful_dataloader.py 0.11,
// _num_yielded of one process; with workers, the count of the last snapshot and the batches since.
void takeDataStep(const Pickle &pickle, Meta &meta)
{
    const Node &root = pickle.root();
    std::optional<std::int64_t> step = pickle.integer(root, "_num_yielded");
    const Node *snapshot = pickle.find(root, "_snapshot");
    const auto at = snapshot ? pickle.integer(*snapshot, "_snapshot_step") : std::nullopt;
    const auto since = pickle.integer(root, "_steps_since_snapshot");
    if (!step && at && since) step = *at + *since;
    if (step) meta.emplace("data_step", std::to_string(*step));
}

// Averages of the weights count their updates (torch_ema, diffusers), scripts count the samples that they have seen.
// Accelerate's sampler derives each epoch's order from one seed (data_loader.py 1.15: SeedableRandomSampler).
void takeStateCounts(const Pickle &pickle, Meta &meta)
{
    const auto take = [&](const char *key, const char *as) {
        if (const auto value = pickle.integer(pickle.root(), key)) meta.emplace(as, std::to_string(*value));
    };
    take("optimization_step", "average_step");
    take("num_updates", "average_step");
    for (const char *samples : {"samples_seen", "consumed_samples", "consumed_train_samples", "num_samples"})
        take(samples, "samples_seen");
    take("initial_seed", "data_seed");
}

}  // namespace

void takeOwnCounts(const Pickle &pickle, Meta &meta)
{
    constexpr std::size_t most = 8;
    const Node &root = pickle.root();
    if (root.kind != Kind::dict) return;
    for (std::size_t i = 0, taken = 0; i + 1 < root.items.size() && taken < most; i += 2) {
        const Node &key = pickle.at(root.items[i]), &value = pickle.at(root.items[i + 1]);
        if (key.kind != Kind::text || value.kind != Kind::integer || value.integer <= 0) continue;
        if (key.text.find("best") != std::string::npos) continue;
        meta.emplace("count." + printable(key.text.substr(0, 100)), std::to_string(value.integer));
        ++taken;
    }
}

std::string scalarText(const Node &node)
{
    if (node.kind == Kind::integer || node.kind == Kind::boolean) return std::to_string(node.integer);
    if (node.kind == Kind::text) return printable(node.text.substr(0, 100));
    if (node.kind != Kind::real) return {};
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", node.real);
    return text;
}

void takeTorchNumbers(const Pickle &pickle, Meta &meta)
{
    for (const char *key :
         {"epoch", "global_step", "iteration", "step", "global_steps", "global_samples", "skipped_steps",
          "dp_world_size", "mp_world_size", "last_epoch", "partition_count", "zero_stage", "ds_version", "arch",
          "checkpoint_version", "pytorch-lightning_version", "best_acc1", "num_experts"}) {
        const std::string text = textOf(pickle, pickle.find(pickle.root(), key));
        if (!text.empty()) meta[key] = text;
    }
    takeOtherNames(pickle, meta);
    takeGroups(pickle, meta);
    takeOptimizerStep(pickle, meta);
    takeSchedule(pickle, pickle.root(), meta);
    for (const char *key : {"lr_scheduler", "scheduler"})
        if (const Node *held = pickle.find(pickle.root(), key); held && held->kind == Kind::dict)
            takeSchedule(pickle, *held, meta);
    takeDataStep(pickle, meta);
    takeStateCounts(pickle, meta);
    // A scheduler that steps with the optimizer, and not with a metric.
    if (pickle.find(pickle.root(), "lr_lambdas")) meta.emplace("lr_lambdas", "yes");
    for (const char *key : {"opt_param_scheduler", "lr_scheduler", "scheduler"}) {
        const Node *scheduler = pickle.find(pickle.root(), key);
        if (scheduler && scheduler->kind != Kind::none) meta.emplace("scheduler", "yes");
    }
    const Node *sharding = descend(pickle, &pickle.root(), {"content_metadata", "distrib_optim_sharding_type"});
    if (sharding && sharding->kind == Kind::text) meta.emplace("distrib_optim_sharding_type", scalarText(*sharding));
    const Node *rng = pickle.find(pickle.root(), "rng_state");
    if (rng && rng->kind != Kind::none) meta.emplace("rng_state", "yes");
}

}  // namespace rankdeck
