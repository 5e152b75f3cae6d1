// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/torchtune/layout_torchtune.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/torchtune/torchtune_reader.h"

#include <algorithm>

namespace rankdeck {
namespace {

bool isRecipe(const FileEntry &file)
{
    return baseName(file.path) == torchtuneRecipe && baseName(dirName(file.path)) == "recipe_state";
}

const FileEntry *recipeOf(const std::vector<FileEntry> &parts)
{
    const auto found = std::find_if(parts.begin(), parts.end(), &isRecipe);
    return found == parts.end() ? nullptr : &*found;
}

// The epoch folder with the largest number beside the recipe's state; empty: none with files.
std::string newestEpoch(const ListingTree &tree, const std::string &root)
{
    std::string newest;
    std::int64_t largest = -1;
    for (const auto &[directory, files] : tree.directories()) {
        const auto epoch = torchtuneEpoch(baseName(directory));
        if (dirName(directory) != root || files.empty() || !epoch || *epoch <= largest) continue;
        largest = *epoch;
        newest = directory;
    }
    return newest;
}

std::vector<Composite> find(const ListingTree &tree)
{
    std::vector<Composite> all;
    for (const auto &[directory, files] : tree.directories()) {
        const auto recipe =
            std::find_if(files.begin(), files.end(), [](const FileEntry *file) { return isRecipe(*file); });
        if (recipe == files.end()) continue;
        const std::string epoch = newestEpoch(tree, dirName(directory));
        if (epoch.empty()) continue;
        std::vector<FileEntry> parts = tree.below(epoch);
        parts.push_back(**recipe);
        all.push_back(makeComposite(tree, epoch, std::move(parts)));
    }
    return all;
}

std::unique_ptr<FormatReader> open(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
{
    const bool ours = recipeOf(parts) && torchtuneEpoch(baseName(whole.path));
    return ours ? std::make_unique<TorchtuneReader>(whole, parts, wanted) : nullptr;
}

}  // namespace

const Layout torchtuneLayout{&find, &open};

}  // namespace rankdeck
