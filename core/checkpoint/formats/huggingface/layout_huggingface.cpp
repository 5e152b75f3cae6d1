// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/huggingface/layout_huggingface.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/huggingface/huggingface_reader.h"
#include "core/checkpoint/formats/huggingface/models_within.h"
#include "core/checkpoint/state_halves.h"

#include <algorithm>
#include <set>

namespace rankdeck {
namespace {

bool isTrainerDirectory(std::string_view name)
{
    if (name.starts_with("tmp-")) name.remove_prefix(4);
    return name.starts_with("checkpoint-") && decimal(name.substr(11)).has_value();
}

bool isTrainerFile(std::string_view name)
{
    return name == "trainer_state.json" || name == "training_args.bin" || name == "optimizer.pt" ||
           name == "scheduler.pt" || name == "rng_state.pth" || isWeightFile(name) || isWeightIndex(name) ||
           randomStateRank(name).has_value() || name.starts_with("pytorch_model_fsdp") ||
           name.starts_with("global_step");
}

bool isAccelerateFile(std::string_view name)
{
    return name.starts_with("random_states_") && randomStateRank(name).has_value();
}

// Files of Accelerate. Their names are so plain that other libraries may also use them.
bool isOptimizerBin(std::string_view name) { return name == "optimizer.bin" || name == "scheduler.bin"; }

// Files that only the Trainer writes.
bool isTrainersOwn(std::string_view name)
{
    return name == "training_args.bin" || name == "optimizer.pt" || name == "scheduler.pt" ||
           name.starts_with("rng_state");
}

// step_30/{model.safetensors, optimizer.pt}: the save of a plain script is read like one of Accelerate.
bool isOfAScript(std::string_view directory, const std::vector<std::string_view> &names)
{
    const auto any = [&](auto is) { return std::any_of(names.begin(), names.end(), is); };
    return !isTrainerDirectory(directory) && pointOfFolder(std::string(directory)) && any(isWeightFile) &&
           any([](std::string_view n) { return n == "optimizer.pt"; }) &&
           !any([](std::string_view n) { return n == "training_args.bin"; });
}

bool isPipeline(const std::vector<std::string_view> &names)
{
    return std::find(names.begin(), names.end(), pipelineIndexName) != names.end();
}

// Kind of directory, from the names of the files below it.
std::optional<HuggingFaceKind> kindOf(std::string_view directory, const std::vector<std::string_view> &names)
{
    const auto any = [&](auto is) { return std::any_of(names.begin(), names.end(), is); };
    const bool trainer = any([](std::string_view n) { return n == "trainer_state.json"; });
    // The state that the Trainer writes into the root directory when it ends does not belong to a checkpoint.
    if (trainer && (isTrainerDirectory(directory) || any([](std::string_view n) {
                        return n != "trainer_state.json" && n != "training_args.bin" && isTrainerFile(n);
                    })))
        return HuggingFaceKind::trainer;
    if (holdsSplitState(names)) return std::nullopt;
    if (isOfAScript(directory, names)) return HuggingFaceKind::accelerate;
    const bool half = any(isOptimizerBin) && (isTrainerDirectory(directory) || any(isWeightFile));
    const bool accelerate = (any(isAccelerateFile) || half) && !any(isTrainersOwn);
    if (!accelerate && isTrainerDirectory(directory) && any(isTrainerFile)) return HuggingFaceKind::trainer;
    if (accelerate) return HuggingFaceKind::accelerate;
    if (isPipeline(names)) return HuggingFaceKind::weights;
    const bool model = any([](std::string_view n) { return n == "model.safetensors" || n == "pytorch_model.bin"; });
    if (any(isWeightIndex) || (model && any([](std::string_view n) { return n == "config.json"; })))
        return HuggingFaceKind::weights;
    return std::nullopt;
}

// First path components: a file's own name, or the name of the subdirectory that contains it.
std::vector<std::string_view> topNames(const std::vector<FileEntry> &parts, const std::string &directory)
{
    std::vector<std::string_view> names;
    for (const FileEntry &part : parts) {
        const std::string_view name = pathBelow(part.path, directory);
        names.push_back(name.substr(0, name.find('/')));
    }
    return names;
}

// The outermost directory of a Trainer above this one, if any.
std::string trainerAbove(const ListingTree &tree, const std::string &directory)
{
    std::string found = directory;
    for (std::string at = directory; at.size() > tree.root().size(); at = dirName(at))
        if (isTrainerDirectory(baseName(at))) found = at;
    return found;
}

// checkpoint_3 is the third save; its step is unknown.
void nameOfAccelerate(Composite &one)
{
    one.name.globalStep = std::nullopt;
    one.name.kind = CheckpointKind::other;
    one.name.prefix = baseName(one.whole.path);
}

Composite make(const ListingTree &tree, const std::string &path, std::vector<FileEntry> parts, HuggingFaceKind kind)
{
    Composite out = makeComposite(tree, path, std::move(parts));
    if (kind == HuggingFaceKind::weights) out.name.weightsOnly = true;
    if (kind == HuggingFaceKind::accelerate) nameOfAccelerate(out);
    return out;
}

// A save that ended after its weights does not show which library wrote it; the saves beside it do.
void takeDeadSaves(std::vector<Composite> &all)
{
    const auto kindOfParts = [](const Composite &one) {
        return kindOf(baseName(one.whole.path), topNames(one.parts, one.whole.path));
    };
    std::set<std::string> ofAccelerate;
    for (const Composite &one : all)
        if (kindOfParts(one) == HuggingFaceKind::accelerate) ofAccelerate.insert(one.series);
    for (Composite &one : all) {
        if (!isTrainerDirectory(baseName(one.whole.path)) || ofAccelerate.count(one.series) == 0) continue;
        const auto names = topNames(one.parts, one.whole.path);
        const bool own = std::any_of(names.begin(), names.end(), [](std::string_view name) {
            return name == "trainer_state.json" || isTrainersOwn(name);
        });
        if (!own) nameOfAccelerate(one);
    }
}

std::vector<Composite> find(const ListingTree &tree)
{
    std::vector<Composite> all;
    std::string last;
    for (const auto &[directory, files] : tree.directories()) {
        const std::string path = trainerAbove(tree, directory);
        if (!last.empty() && (path == last || path.starts_with(last + "/"))) continue;
        std::vector<std::string_view> names;
        std::vector<FileEntry> parts;
        if (isTrainerDirectory(baseName(path))) {
            parts = tree.below(path);
            names = topNames(parts, path);
        } else {
            for (const FileEntry *file : files) names.push_back(pathBelow(file->path, path));
        }
        const auto kind = kindOf(baseName(path), names);
        if (!kind) continue;
        // An export consists of the files of one directory; the other kinds include everything below it. The root of a
        // run often contains the final model beside its checkpoints.
        if (*kind != HuggingFaceKind::accelerate && !isTrainerDirectory(baseName(path)) && !isPipeline(names)) {
            parts.clear();
            for (const FileEntry *file : files) parts.push_back(*file);
            all.push_back(make(tree, path, std::move(parts), *kind));
            continue;
        }
        last = path;
        all.push_back(make(tree, path, tree.below(path), *kind));
    }
    takeDeadSaves(all);
    return all;
}

std::unique_ptr<FormatReader> open(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
{
    const auto kind = kindOf(baseName(whole.path), topNames(parts, whole.path));
    if (!kind) return nullptr;
    return std::make_unique<HuggingFaceReader>(whole, parts, wanted, *kind);
}

}  // namespace

const Layout huggingFaceLayout{&find, &open,
                               [](const std::string &base) { return isTrainerFile(base) || isAccelerateFile(base); }};

}  // namespace rankdeck
