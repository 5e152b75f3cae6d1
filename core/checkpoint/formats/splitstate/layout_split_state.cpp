// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/splitstate/layout_split_state.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/splitstate/split_state_reader.h"
#include "core/checkpoint/read/saved_name.h"
#include "core/checkpoint/state_halves.h"

#include <algorithm>
#include <set>

namespace rankdeck {
namespace {

std::vector<std::string> namesOf(const std::vector<const FileEntry *> &files)
{
    std::vector<std::string> names;
    for (const FileEntry *file : files) names.push_back(baseName(file->path));
    return names;
}

bool isWhole(const std::vector<std::string> &names) { return holdsSplitState({names.begin(), names.end()}); }

// The folder of the save: the one that says a point, or that of the rank in it.
ParsedName nameOf(const ListingTree &tree, const std::string &path)
{
    ParsedName name;
    name.kind = CheckpointKind::other;
    name.prefix = "state";
    for (std::string at = path; at.size() > tree.root().size(); at = dirName(at))
        if (const auto point = pointOfFolder(baseName(at))) {
            name.epoch = point->epoch;
            name.globalStep = point->globalStep;
            break;
        }
    return name;
}

std::vector<Composite> find(const ListingTree &tree)
{
    // A folder that lacks one of the files is known by those beside it.
    std::set<std::pair<std::string, std::string>> expected;  // (folder without its numbers, name)
    for (const auto &[directory, files] : tree.directories())
        if (const auto names = namesOf(files); isWhole(names))
            for (const std::string &name : names)
                if (splitStateHalf(name)) expected.emplace(withoutNumbers(directory), name);
    std::vector<Composite> all;
    for (const auto &[directory, files] : tree.directories()) {
        std::vector<FileEntry> parts;
        bool ours = false;
        for (const FileEntry *file : files) {
            const std::string name = baseName(file->path);
            if (!splitStateHalf(name)) continue;
            ours = ours || expected.count({withoutNumbers(directory), name}) != 0;
            parts.push_back(*file);
        }
        if (!ours) continue;
        Composite one = makeComposite(tree, directory, std::move(parts));
        one.name = nameOf(tree, directory);
        one.mayBeOfRank = true;
        all.push_back(std::move(one));
    }
    return all;
}

std::unique_ptr<FormatReader> open(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
{
    const bool ours = !parts.empty() && std::all_of(parts.begin(), parts.end(), [&](const FileEntry &part) {
        return dirName(part.path) == whole.path && splitStateHalf(baseName(part.path)).has_value();
    });
    return ours ? std::make_unique<SplitStateReader>(whole, parts, wanted) : nullptr;
}

}  // namespace

const Layout splitStateLayout{&find, &open};

}  // namespace rankdeck
