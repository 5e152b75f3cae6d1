// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/dcp/dcp_numbers.h"

#include "core/base/text.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/codec/zip_directory.h"
#include "core/checkpoint/formats/torch/torch_state.h"
#include "core/checkpoint/read/optimizer_names.h"
#include "core/checkpoint/read/scalars.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <string_view>

namespace rankdeck {
namespace {

constexpr std::size_t maxTraining = 16, maxSteps = 512, stepsPerFile = 8;
constexpr std::uint64_t numberBytes = 8192, commonBytes = 1u << 20;

std::string_view lastPart(std::string_view name) { return name.substr(name.rfind('.') + 1); }

template <std::size_t N>
bool isOneOf(std::string_view word, const std::array<std::string_view, N> &known)
{
    return std::find(known.begin(), known.end(), word) != known.end();
}

constexpr std::array<std::string_view, 11> stepWords{
    "step",          "global_step",  "global_steps",        "iteration",   "iter",       "iter_num",
    "trained_steps", "current_step", "num_steps_completed", "num_updates", "train_steps"};
constexpr std::array<std::string_view, 3> epochWords{"epoch", "current_epoch", "num_epochs_completed"};
// Objects in which trainers keep their counts; a count in one of them is as reliable as one at the root.
constexpr std::array<std::string_view, 10> trainerWords{"train_state", "trainer_state",    "train_progress", "progress",
                                                        "state",       "training_state",   "trainer",        "app",
                                                        "extra_state", "training_progress"};

// Counts of data loaders or of rates are not counts of the training.
bool countsForItself(const std::string &name)
{
    for (const std::string_view word : {"sched", "loader", "sampler", "dataset", "data_", "metric", "rng", "profil"})
        if (name.find(word) != std::string::npos) return true;
    return false;
}

// Nesting depth; nullopt: not a count of the training.
std::optional<int> depthOf(const std::string &name)
{
    if (!isOneOf(lastPart(name), stepWords) && !isOneOf(lastPart(name), epochWords)) return std::nullopt;
    if (countsForItself(name) || isOptimizerStep(name)) return std::nullopt;
    std::vector<std::string> parts = split(name, '.');
    parts.pop_back();
    const auto own =
        std::count_if(parts.begin(), parts.end(), [](const std::string &part) { return !isOneOf(part, trainerWords); });
    return static_cast<int>(own);
}

// Takes a sample of the items, spread over the shard, because the count of a frozen layer does not change.
void takeSpread(const std::vector<const DcpItem *> &all, std::vector<DcpItem> &out)
{
    const std::size_t count = std::min(all.size(), stepsPerFile);
    for (std::size_t i = 0; i < count && out.size() < maxSteps; ++i)
        out.push_back(*all[count < 2 ? 0 : i * (all.size() - 1) / (count - 1)]);
}

// The record of an item whose name has this ending.
std::optional<std::string_view> recordIn(std::string_view item, std::string_view ending)
{
    const auto end = parseZipEnd(item, item.size());
    if (!end) return std::nullopt;
    const auto entries =
        parseZipDirectory(item.substr(std::size_t(end->directory), std::size_t(end->directoryBytes)), end->entries);
    if (!entries) return std::nullopt;
    for (const ZipEntry &entry : *entries) {
        if (!entry.name.ends_with(ending) || entry.local > item.size()) continue;
        const auto data = zipDataOffset(item.substr(std::size_t(entry.local)), entry.local);
        if (!data || *data > item.size() || entry.bytes > item.size() - *data) return std::nullopt;
        return item.substr(std::size_t(*data), std::size_t(entry.bytes));
    }
    return std::nullopt;
}

}  // namespace

bool isCommonState(const std::string &name) { return name == "common_state" || name.rfind("common_state/", 0) == 0; }

// False for "trainer.step", which is the step of the trainer.
bool isOptimizerStep(const std::string &name)
{
    if (lastPart(name) != "step") return false;
    std::string rest;
    for (const std::string &part : split(name, '.'))
        if (!isOneOf(part, trainerWords)) rest += part + ".";
    return mentionsOptimizer(rest);
}

bool isEpochName(const std::string &name) { return isOneOf(lastPart(name), epochWords); }

DcpNumbers chooseNumbers(const DcpMetadata &metadata, const std::function<bool(const std::string &file)> &listed)
{
    DcpNumbers out;
    std::vector<std::pair<int, const DcpItem *>> training;
    std::map<std::string, std::vector<const DcpItem *>> steps;
    for (const DcpItem &item : metadata.items) {
        if (isCommonState(item.name)) {
            out.commonState = true;
            if (item.length <= commonBytes && listed(item.file)) training.emplace_back(0, &item);
        } else if (item.length > numberBytes || !listed(item.file)) {
            continue;
        } else if (isOptimizerStep(item.name)) {
            steps[item.file].push_back(&item);
        } else if (const auto depth = depthOf(item.name)) {
            training.emplace_back(*depth, &item);
        }
    }
    std::stable_sort(training.begin(), training.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    for (std::size_t i = 0; i < std::min(training.size(), maxTraining); ++i)
        out.training.push_back(*training[i].second);
    for (const auto &[file, all] : steps) takeSpread(all, out.optimizer);
    return out;
}

std::optional<Pickle> pickleIn(const std::string &item)
{
    const auto bytes = recordIn(item, "/data.pkl");
    if (!bytes) return std::nullopt;
    auto pickle = Pickle::parse(*bytes);
    return pickle ? std::optional(std::move(pickle).value()) : std::nullopt;
}

std::optional<std::int64_t> wholeNumberIn(const std::string &item)
{
    const auto pickle = pickleIn(item);
    if (!pickle) return std::nullopt;
    if (pickle->root().kind == Pickle::Kind::integer) return pickle->root().integer;
    const TorchState state = readTorchState(*pickle);
    if (state.tensors.size() != 1 || state.storageOf.size() != 1) return std::nullopt;
    const auto bytes = recordIn(item, "/data/" + state.storageOf.front());
    if (!bytes) return std::nullopt;
    const auto number = wholeValue(scalarText(*bytes, state.tensors.front().type));
    return number && *number >= 0 ? number : std::nullopt;
}

}  // namespace rankdeck
