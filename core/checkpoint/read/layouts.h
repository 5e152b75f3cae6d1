// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints of several files that belong together: a directory, or files with a common prefix. Each framework's layout
// finds them in a listing by their names, and opens a reader that judges them by their content. Pure.
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/listing_tree.h"
#include "core/checkpoint/read/reader.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace rankdeck {

struct Composite {
    FileEntry whole;  // the directory or prefix; kind 'd', size and time of its parts
    std::vector<FileEntry> parts =
        {};  // all files that belong to it, by path; also leftovers in a directory of its own
    ParsedName name = {};
    std::string series = {};     // runs are told apart by it: the directory that holds the checkpoints
    bool directory = false;      // of its own; else files with a common prefix
    bool mayBeOfRank = false;    // the directory may be that of one rank (step_30/rank_1)
    bool joinsPrefixes = false;  // its files differ in the prefix by which a job may name its own
};

// The directory at this path with these files; what changes in one of them changes the stat that stands for all. The
// name is that of numberedName, the series the directory above.
Composite makeComposite(const ListingTree &tree, const std::string &path, std::vector<FileEntry> parts);
// step-100, iter_0000200, global_step3, checkpoint-16: the number at the end is the global step (of epoch_3: the epoch).
// With one of the marks that tools put on saves in progress (_tmp, -unfinished, tmp-…): temporary. With other words before
// the number the step is a guess (stepIsGuess); without a number: of kind other.
ParsedName numberedName(const std::string &directory);
// Of a folder for one point: "step_200", "epoch_3"; not "checkpoint_5", which may count saves.
std::optional<ParsedName> pointOfFolder(const std::string &directory);

// The point of the innermost folder of a path below root that counts saves: "step_30/rank_1" is of step 30. The step is a
// guess in "7" and "ckpt_7", which may count saves. Folders of ranks and of runs are left out.
void takeSaveFolder(const std::string &path, const std::string &root, ParsedName &name);

// One per framework, in layout_<what>.cpp of its folder; formats.cpp has the list.
struct Layout {
    std::vector<Composite> (*find)(const ListingTree &tree);
    // nullptr: the parts are not of this layout.
    std::unique_ptr<FormatReader> (*open)(const FileEntry &whole, const std::vector<FileEntry> &parts,
                                          EvidenceLevel wanted);
};

// By these layouts, the outermost first: a file belongs to one composite only.
std::vector<Composite> findComposites(const ListingTree &tree, std::span<const Layout *const> layouts);

}  // namespace rankdeck
