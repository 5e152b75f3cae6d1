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

// A list of one value per group counts by its first; an enum by the value that it is made of.
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

// How many steps the optimizer itself has counted, when it keeps one number for a whole group of parameters.
void takeOptimizerStep(const Pickle &pickle, Meta &meta)
{
    const Node *optimizer = pickle.find(pickle.root(), "optimizer");
    if (optimizer && optimizer->kind == Kind::list && !optimizer->items.empty())
        optimizer = &pickle.at(optimizer->items.front());
    if (optimizer && (optimizer->kind == Kind::dict || optimizer->kind == Kind::call)) meta.emplace("optimizer", "yes");
    const Node *partition = pickle.find(pickle.root(), "optimizer_state_dict");
    const Node *alone = pickle.find(pickle.root(), "param_groups") ? &pickle.root() : nullptr;  // optimizer.bin
    for (const Node *held :
         {alone, optimizer, descend(pickle, optimizer, {"optimizer"}),
          descend(pickle, partition, {"base_optimizer_state"}), descend(pickle, partition, {"optimizer_state_dict"})}) {
        const Node *groups = descend(pickle, held, {"param_groups"}), *state = descend(pickle, held, {"state"});
        const Node *first = nullptr;  // where a step may be: in the first group, or in the first parameter's state
        if (groups && groups->kind == Kind::list && !groups->items.empty()) first = &pickle.at(groups->items.front());
        if (first && pickle.integer(*first, "step"))
            meta.emplace("optimizer_step", std::to_string(*pickle.integer(*first, "step")));
        if (!state || state->kind != Kind::dict) continue;
        std::optional<std::int64_t> furthest;  // a layer that was frozen on the way stands still
        for (std::size_t i = 1; i < state->items.size(); i += 2)
            if (const auto step = pickle.integer(pickle.at(state->items[i]), "step"))
                furthest = std::max(furthest.value_or(*step), *step);
        if (furthest) meta.emplace("optimizer_step", std::to_string(*furthest));
    }
}

// nanoGPT counts iter_num, OpenMMLab meta.iter and meta.epoch, Ignite trainer.iteration, nnU-Net current_epoch; a gradient
// scaler that came down to 0 has ended the training.
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
    take({"args", "rank"}, "arguments_rank");
    for (const char *scaler : {"scaler", "grad_scaler", "amp"}) take({scaler, "scale"}, "loss_scale");
    take({"loss_scale"}, "loss_scale");
    take({"lr_scheduler", "last_epoch"}, "scheduler_steps");
    // fairseq: how often each optimizer has stepped so far, the present one last.
    const Node *history = pickle.find(pickle.root(), "optimizer_history");
    if (!history || history->kind != Kind::list || history->items.empty()) return;
    const std::string updates = textOf(pickle, pickle.find(pickle.at(history->items.back()), "num_updates"));
    if (!updates.empty()) meta.emplace("iteration", updates);
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
    // A scheduler that is stepped with the optimizer, and not with a metric.
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
