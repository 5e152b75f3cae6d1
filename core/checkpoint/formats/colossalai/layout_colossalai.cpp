// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/colossalai/layout_colossalai.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/colossalai/colossal_reader.h"

#include <algorithm>
#include <set>

namespace rankdeck {
namespace {

constexpr const char *optimizerIndex = "pytorch_optim.bin.index.json";

bool isOurs(const FileEntry &file) { return baseName(file.path) == optimizerIndex; }

std::vector<Composite> find(const ListingTree &tree)
{
    std::set<std::string> wholes;
    for (const auto &[directory, files] : tree.directories())
        if (directory.size() > tree.root().size() &&
            std::any_of(files.begin(), files.end(), [](const FileEntry *file) { return isOurs(*file); }))
            wholes.insert(dirName(directory));
    std::vector<Composite> all;
    for (const std::string &path : wholes) {
        Composite found = makeComposite(tree, path, tree.below(path));
        if (const auto point = colossalPoint(baseName(path))) {
            found.name.epoch = point->epoch;
            found.name.step = point->step;
            found.name.globalStep = std::nullopt;
            found.name.stepIsGuess = false;
            found.name.kind = CheckpointKind::periodic;
            found.name.prefix = "epoch-step";
        }
        all.push_back(std::move(found));
    }
    return all;
}

std::unique_ptr<FormatReader> open(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
{
    const bool ours = std::any_of(parts.begin(), parts.end(), [&](const FileEntry &part) {
        return isOurs(part) && dirName(dirName(part.path)) == whole.path;
    });
    return ours ? std::make_unique<ColossalReader>(whole, parts, wanted) : nullptr;
}

}  // namespace

const Layout colossalLayout{&find, &open};

}  // namespace rankdeck
