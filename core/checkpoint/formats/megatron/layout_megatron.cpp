// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/megatron/layout_megatron.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/megatron/layerzero_reader.h"
#include "core/checkpoint/formats/megatron/megatron_dist_reader.h"
#include "core/checkpoint/formats/megatron/megatron_names.h"
#include "core/checkpoint/formats/megatron/megatron_reader.h"

#include <algorithm>
#include <set>

namespace rankdeck {
namespace {

bool isShard(const std::string &name)
{
    return name == ".metadata" || (name.size() > 7 && name.compare(name.size() - 7, 7, ".distcp") == 0);
}

bool isLegacy(const std::string &directory, const std::string &file)
{
    return parseModelParallelFolder(baseName(directory)) && file.size() > 3 && file.find(".pt") != std::string::npos;
}

bool isLayerZero(const std::string &directory, const std::string &file)
{
    return isIterationFolder(baseName(directory)) && parseLayerZeroFile(file);
}

// torch_dist: shards of torch.distributed with Megatron's own files beside them, or in Megatron's directories.
bool isDistributed(const std::string &directory, const std::vector<const FileEntry *> &files)
{
    bool shards = false, own = isIterationFolder(baseName(directory));
    for (const FileEntry *file : files) {
        const std::string name = baseName(file->path);
        shards = shards || isShard(name) || name == "common.pt";
        own = own || name == "metadata.json" || name == "common.pt";
    }
    return shards && own;
}

// NeMo puts weights/ and context/ into one directory, which is then the checkpoint.
std::string wholeOf(const ListingTree &tree, const std::string &directory)
{
    const std::string above = dirName(directory);
    return baseName(directory) == "weights" && tree.find(above + "/context") ? above : directory;
}

// Megatron does not use names such as iter_100, so no Megatron run will load them.
void nameStrangers(Composite &found)
{
    const std::string own = baseName(found.whole.path);
    if (own.compare(0, 5, "iter_") != 0 || isIterationFolder(own)) return;
    found.name.globalStep.reset();
    found.name.kind = CheckpointKind::other;
    found.name.prefix = own;
}

std::vector<Composite> find(const ListingTree &tree)
{
    std::set<std::string> wholes;
    for (const auto &[directory, files] : tree.directories()) {
        if (isDistributed(directory, files)) wholes.insert(wholeOf(tree, directory));
        for (const FileEntry *file : files) {
            const std::string name = baseName(file->path);
            if (isLegacy(directory, name)) wholes.insert(dirName(directory));
            if (isLayerZero(directory, name)) wholes.insert(directory);
        }
    }
    std::vector<Composite> all;
    for (const std::string &path : wholes) {
        Composite found = makeComposite(tree, path, tree.below(path));
        nameStrangers(found);
        all.push_back(std::move(found));
    }
    return all;
}

std::unique_ptr<FormatReader> open(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
{
    std::map<std::string, std::vector<const FileEntry *>> directories;
    for (const FileEntry &part : parts) directories[dirName(part.path)].push_back(&part);
    for (const auto &[directory, files] : directories) {
        const bool inside = dirName(directory) == whole.path;
        const auto legacy = [&place = directory](const FileEntry *file) {
            return isLegacy(place, baseName(file->path));
        };
        if (inside && std::any_of(files.begin(), files.end(), legacy))
            return std::make_unique<MegatronReader>(whole, parts, wanted);
        // Clang 14 cannot capture a structured binding directly.
        const auto ofLayerZero = [&place = directory](const FileEntry *file) {
            return isLayerZero(place, baseName(file->path));
        };
        if (directory == whole.path && std::any_of(files.begin(), files.end(), ofLayerZero))
            return std::make_unique<LayerZeroReader>(whole, parts, wanted);
        const bool nemo = inside && baseName(directory) == "weights";
        if ((directory == whole.path || nemo) && isDistributed(directory, files))
            return std::make_unique<MegatronDistReader>(whole, parts, directory, wanted);
    }
    return nullptr;
}

}  // namespace

const Layout megatronLayout{&find, &open, [](const std::string &base) {
                                return parseLayerZeroFile(base).has_value() || isShard(base) || base == "common.pt";
                            }};

}  // namespace rankdeck
