// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/orbax/layout_orbax.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/orbax/orbax_reader.h"

#include <algorithm>
#include <set>

namespace rankdeck {
namespace {

constexpr const char *mark = "commit_success.txt";

bool isOrbaxFile(const std::string &path)
{
    const std::string base = baseName(path);
    return base == "manifest.ocdbt" || base == "_CHECKPOINT_METADATA" || base == mark ||
           path.find(".orbax-checkpoint-tmp") != std::string::npos;
}

// The step directory of a file: the innermost directory above it with a step's name, otherwise its own directory.
std::string wholeOf(const ListingTree &tree, const std::string &file)
{
    for (std::string at = dirName(file); at.size() > tree.root().size(); at = dirName(at))
        if (parseOrbaxStep(baseName(at))) return at;
    std::string own = dirName(file);
    while (own.size() > tree.root().size() && baseName(own).compare(0, 14, "ocdbt.process_") == 0) own = dirName(own);
    return own;
}

bool isCommitted(const Composite &one)
{
    const std::string wanted = joinPath(one.whole.path, mark);
    return std::any_of(one.parts.begin(), one.parts.end(), [&](const FileEntry &part) { return part.path == wanted; });
}

std::vector<Composite> find(const ListingTree &tree)
{
    std::set<std::string> wholes;
    for (const auto &[directory, files] : tree.directories())
        for (const FileEntry *file : files)
            if (isOrbaxFile(file->path)) wholes.insert(wholeOf(tree, file->path));
    std::vector<Composite> all;
    std::set<std::string> marking;  // directories whose steps have the mark
    for (const std::string &path : wholes) {
        Composite found = makeComposite(tree, path, tree.below(path));
        if (auto name = parseOrbaxStep(baseName(path))) found.name = std::move(*name);
        if (isCommitted(found)) marking.insert(found.series);
        all.push_back(std::move(found));
    }
    // If sibling steps have the mark, a step without it was never finished: on this file system Orbax does not rename
    // finished steps.
    for (Composite &found : all)
        if (marking.count(found.series) != 0 && !isCommitted(found)) found.name.temporary = true;
    return all;
}

std::unique_ptr<FormatReader> open(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
{
    const bool ours =
        std::any_of(parts.begin(), parts.end(), [](const FileEntry &part) { return isOrbaxFile(part.path); });
    return ours ? std::make_unique<OrbaxReader>(whole, parts, wanted) : nullptr;
}

}  // namespace

const Layout orbaxLayout{&find, &open, [](const std::string &base) { return isOrbaxFile(base); }};

}  // namespace rankdeck
