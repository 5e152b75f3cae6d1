// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/dcp/layout_dcp.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/dcp/dcp_parts_reader.h"
#include "core/checkpoint/formats/dcp/dcp_reader.h"
#include "core/checkpoint/formats/torch/lightning_names.h"

#include <algorithm>
#include <set>

namespace rankdeck {
namespace {

constexpr const char *lightningFile = "meta.pt";

// True for names of directories that contain only a part of a checkpoint.
bool isPartName(std::string_view name)
{
    for (const std::string_view known :
         {"model", "optimizer", "optim", "model_and_optim", "model_and_optimizer", "optimizer_state", "model_state",
          "extra_state", "app", "dataloader", "loader", "train_state"})
        if (name == known) return true;
    return false;
}

// Directories beside these parts that contain each rank's own state.
bool isStateFolder(std::string_view name) { return isPartName(name) || name == "train" || name == "rng"; }

bool holdsShards(const std::vector<const FileEntry *> &files)
{
    return std::any_of(files.begin(), files.end(), [](const FileEntry *f) { return isDcpFile(baseName(f->path)); });
}

std::vector<FileEntry> partsOf(const ListingTree &tree, const std::string &whole)
{
    std::vector<FileEntry> parts = tree.below(whole);
    std::erase_if(parts, [&](const FileEntry &file) {
        const std::string_view name = pathBelow(file.path, whole);
        const std::size_t slash = name.find('/');
        return slash != std::string_view::npos && !isStateFolder(name.substr(0, slash));
    });
    return parts;
}

Composite make(const ListingTree &tree, const std::string &path, std::vector<FileEntry> parts)
{
    Composite found = makeComposite(tree, path, std::move(parts));
    if (auto name = parseLightningName(baseName(path), {})) {
        name->temporary = found.name.temporary;
        found.name = std::move(*name);
    }
    return found;
}

std::vector<Composite> find(const ListingTree &tree)
{
    std::vector<Composite> all;
    std::set<std::string> several;
    for (const auto &[directory, files] : tree.directories()) {
        if (!holdsShards(files)) continue;
        if (isPartName(baseName(directory)) && directory.size() > tree.root().size()) {
            const std::string whole = dirName(directory);
            if (several.insert(whole).second) all.push_back(make(tree, whole, partsOf(tree, whole)));
            continue;
        }
        std::vector<FileEntry> parts;
        for (const FileEntry *file : files) parts.push_back(*file);
        all.push_back(make(tree, directory, std::move(parts)));
    }
    return all;
}

std::unique_ptr<FormatReader> open(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
{
    const auto any = [&](auto is) { return std::any_of(parts.begin(), parts.end(), is); };
    const bool inside =
        any([&](const FileEntry &part) { return dirName(part.path) != whole.path && isDcpFile(baseName(part.path)); });
    const bool own =
        any([&](const FileEntry &part) { return dirName(part.path) == whole.path && isDcpFile(baseName(part.path)); });
    const bool lightning =
        own && any([&](const FileEntry &part) { return part.path == joinPath(whole.path, lightningFile); });
    if (inside || lightning) return std::make_unique<DcpPartsReader>(whole, parts, wanted);
    return own || parts.empty() ? std::make_unique<DcpReader>(whole, parts, wanted) : nullptr;
}

}  // namespace

const Layout dcpLayout{&find, &open, [](const std::string &base) { return isDcpFile(base); }};

}  // namespace rankdeck
