// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/deepspeed/layout_deepspeed.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/deepspeed/deepspeed_names.h"
#include "core/checkpoint/formats/deepspeed/deepspeed_reader.h"

#include <algorithm>

namespace rankdeck {
namespace {

bool isOurs(const FileEntry &file) { return parseDeepspeedName(baseName(file.path)).has_value(); }

// A tag can be any text; its number is a step only if the tag says so.
ParsedName tagName(const std::string &tag)
{
    ParsedName name = numberedName(tag);
    if (name.globalStep && name.prefix.find("step") == std::string::npos &&
        name.prefix.find("iter") == std::string::npos) {
        name.globalStep.reset();
        name.kind = CheckpointKind::other;
        name.prefix = tag;
    }
    return name;
}

std::vector<Composite> find(const ListingTree &tree)
{
    std::vector<Composite> all;
    for (const auto &[directory, files] : tree.directories()) {
        if (std::none_of(files.begin(), files.end(), [](const FileEntry *file) { return isOurs(*file); })) continue;
        Composite found = makeComposite(tree, directory, tree.below(directory));
        const bool temporary = found.name.temporary;
        found.name = tagName(baseName(directory));
        found.name.temporary = temporary;
        all.push_back(std::move(found));
    }
    return all;
}

std::unique_ptr<FormatReader> open(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
{
    const bool ours = std::any_of(parts.begin(), parts.end(), [&](const FileEntry &part) {
        return dirName(part.path) == whole.path && isOurs(part);
    });
    return ours ? std::make_unique<DeepspeedReader>(whole, parts, wanted) : nullptr;
}

}  // namespace

const Layout deepspeedLayout{&find, &open};

}  // namespace rankdeck
