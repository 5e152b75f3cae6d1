// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/torch/torch_identity.h"

#include "core/checkpoint/formats/torch/torch_numbers.h"
#include "core/checkpoint/read/optimizer_names.h"
#include "core/checkpoint/read/weight_sample.h"

#include <algorithm>
#include <string_view>

namespace rankdeck {
namespace {

using Kind = Pickle::Kind;

// Arguments without rank, seed, device and paths, which differ between ranks even in a healthy run.
constexpr std::string_view sharedArguments[] = {
    "lr",         "learning_rate", "min_lr",     "weight_decay", "epochs",     "max_epochs",  "train_iters",
    "max_steps",  "run_id",        "run_name",   "exp_name",     "experiment", "model",       "model_name",
    "model_type", "optimizer",     "vocab_size", "dataset",      "arch",       "hidden_size", "num_layers"};

// An empty place for weights: a plain dictionary, or an OrderedDict as state_dict() returns it.
bool hasEmptyModel(const Pickle &pickle)
{
    for (const char *key : {"model", "state_dict", "model_state_dict", "module", "net"}) {
        const Pickle::Node *held = pickle.find(pickle.root(), key);
        if (held && ((held->kind == Kind::dict && held->items.empty()) ||
                     (held->kind == Kind::call && held->items.size() <= 2)))
            return true;
    }
    return false;
}

// True for "optimizer.state.0.exp_avg": in the dictionary entry in which a script keeps its optimizer.
bool liesInOptimizer(std::string_view name)
{
    const std::string_view entry = name.substr(0, name.find('.'));
    for (const std::string_view known : {"optimizer", "optimizers", "optim", "opt", "optimizer_state",
                                         "optimizer_state_dict", "optim_state", "optim_state_dict"})
        if (entry == known) return true;
    return false;
}

}  // namespace

void takeRunIdentity(const Pickle &pickle, Meta &meta)
{
    for (const char *group : {"args", "hyper_parameters", "hparams", "config", "cfg"}) {
        const Pickle::Node *held = pickle.find(pickle.root(), group);
        if (!held) continue;
        for (const std::string_view key : sharedArguments) {
            const Pickle::Node *value = pickle.find(*held, key);
            const std::string text = value ? scalarText(*value) : std::string();
            if (!text.empty()) meta.emplace("run." + std::string(key), text);
        }
    }
}

bool holdsOnlyOptimizer(const Pickle &pickle, const TorchState &state)
{
    // torchtune keeps {"optimizer": …, "epochs_run": …} separately from the model.
    bool moments = false, weights = false, elsewhere = false;
    for (const TensorInfo &tensor : state.tensors) {
        if (!isFloatType(tensor.type) || tensor.bytes <= 8) continue;
        (mentionsOptimizer(tensor.name) ? moments : weights) = true;
        elsewhere = elsewhere || !liesInOptimizer(tensor.name);
    }
    const bool recipe = pickle.find(pickle.root(), "optimizer") && pickle.find(pickle.root(), "epochs_run");
    if ((recipe || hasEmptyModel(pickle)) && moments && !weights) return true;
    if (moments && !elsewhere) return true;
    const Pickle::Node *counts = pickle.find(pickle.root(), "state");
    return counts && counts->kind == Kind::dict && pickle.find(pickle.root(), "param_groups") &&
           pickle.root().items.size() <= 6;
}

bool holdsOnlyCounters(const Pickle &pickle, const TorchState &state)
{
    return state.storages.empty() && pickle.root().kind == Kind::dict;
}

bool holdsOnlyWeights(const Pickle &pickle, const TorchState &state)
{
    const Pickle::Node &root = pickle.root();
    if (state.tensors.empty() || (root.kind != Kind::dict && root.kind != Kind::call)) return false;
    const std::size_t first = root.kind == Kind::dict ? 0 : 2;
    // A run that has ended leaves "optimizer": None.
    for (std::size_t i = first; i + 1 < root.items.size(); i += 2)
        if (const auto &key = pickle.at(root.items[i]);
            key.kind == Kind::text && mentionsOptimizer(key.text) && pickle.at(root.items[i + 1]).kind != Kind::none)
            return false;
    return std::none_of(state.tensors.begin(), state.tensors.end(),
                        [](const TensorInfo &tensor) { return mentionsOptimizer(tensor.name); });
}

}  // namespace rankdeck
