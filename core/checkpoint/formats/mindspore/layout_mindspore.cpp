// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/mindspore/layout_mindspore.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/mindspore/mindformers_reader.h"

#include <algorithm>

namespace rankdeck {
namespace {

bool isOurs(const std::string &directory, std::string_view file)
{
    if (!parseMindformersFolder(baseName(directory))) return false;
    return file == "common.json" || parseMindformersFile(file).has_value();
}

std::vector<Composite> find(const ListingTree &tree)
{
    std::vector<Composite> all;
    for (const auto &[directory, files] : tree.directories()) {
        const auto ours = [&place = directory](const FileEntry *file) { return isOurs(place, baseName(file->path)); };
        if (std::none_of(files.begin(), files.end(), ours)) continue;
        std::vector<FileEntry> parts;
        for (const FileEntry *file : files) parts.push_back(*file);
        all.push_back(makeComposite(tree, directory, std::move(parts)));
    }
    return all;
}

std::unique_ptr<FormatReader> open(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
{
    const bool ours = std::any_of(parts.begin(), parts.end(), [&](const FileEntry &part) {
        return dirName(part.path) == whole.path && isOurs(whole.path, baseName(part.path));
    });
    return ours ? std::make_unique<MindformersReader>(whole, parts, wanted) : nullptr;
}

}  // namespace

const Layout mindformersLayout{&find, &open};

}  // namespace rankdeck
