// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/torch/layout_torch.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/torch/rank_files_reader.h"

#include <algorithm>
#include <set>

namespace rankdeck {
namespace {

// True if the directory has at least two kinds of files, so that they are parts and not whole files per rank.
template <typename Names>
bool holdsHalves(const Names &names)
{
    std::set<std::string> halves;
    for (const auto &name : names)
        if (const auto file = parseRankFile(name)) halves.insert(file->half);
    return halves.size() > 1 && halves.count("model") != 0;
}

// For global_step_200/actor the step is the parent directory, which also contains the critic.
std::string wholeOf(const ListingTree &tree, const std::string &directory)
{
    const std::string above = dirName(directory);
    const ParsedName name = numberedName(baseName(above)), own = numberedName(baseName(directory));
    const bool inside = above.size() >= tree.root().size() && name.globalStep && !name.stepIsGuess;
    return inside && !own.globalStep ? above : directory;
}

std::vector<Composite> find(const ListingTree &tree)
{
    std::set<std::string> wholes;
    for (const auto &[directory, files] : tree.directories()) {
        std::vector<std::string> names;
        for (const FileEntry *file : files) names.push_back(baseName(file->path));
        if (holdsHalves(names)) wholes.insert(wholeOf(tree, directory));
    }
    std::vector<Composite> all;
    for (const std::string &path : wholes) all.push_back(makeComposite(tree, path, tree.below(path)));
    return all;
}

std::unique_ptr<FormatReader> open(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
{
    std::map<std::string, std::vector<std::string>> names;
    for (const FileEntry &part : parts) names[dirName(part.path)].push_back(baseName(part.path));
    const bool ours = std::any_of(names.begin(), names.end(), [](const auto &own) { return holdsHalves(own.second); });
    return ours ? std::make_unique<RankFilesReader>(whole, parts, wanted) : nullptr;
}

}  // namespace

const Layout rankFilesLayout{&find, &open};

}  // namespace rankdeck
