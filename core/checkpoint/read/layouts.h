// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints of several files that belong together: a directory, or files with a common prefix. Each framework's
// layout finds them in a listing by their names, and opens a reader that judges them by their content. Pure.
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
    FileEntry whole;                    // the directory or prefix; kind 'd', with the size and time of its parts
    std::vector<FileEntry> parts = {};  // all its files, by path; includes leftovers if it is a directory
    ParsedName name = {};
    std::string series = {};     // distinguishes runs: the directory that contains the checkpoints
    bool directory = false;      // a directory; otherwise files with a common prefix
    bool mayBeOfRank = false;    // the directory may be that of one rank (step_30/rank_1)
    bool rankIsGuess = false;    // the rank is a number in names of files, which may count something else
    bool joinsPrefixes = false;  // its files differ in the prefix with which a job may select its own
};

// The directory at this path with these files; if any file changes, the directory's stat changes. The name is that of
// numberedName, the series is the parent directory.
Composite makeComposite(const ListingTree &tree, const std::string &path, std::vector<FileEntry> parts);
// step-100, iter_0000200, global_step3, checkpoint-16: the number at the end is the global step (for epoch_3: the
// epoch). A mark of a save in progress (_tmp, -unfinished, tmp-…) makes the name temporary. After other words, the
// number is only a guess of the step (stepIsGuess). A name without a number has kind other.
ParsedName numberedName(const std::string &directory);
// Name of a folder of one step: "step_200", "epoch_3"; not "checkpoint_5", which may count saves.
std::optional<ParsedName> pointOfFolder(const std::string &directory);

// Takes the step from the innermost folder of a path below root that counts saves: "step_30/rank_1" has step 30. For
// "7" and "ckpt_7", which may count saves, the step is a guess. Folders of ranks and of runs are skipped.
void takeSaveFolder(const std::string &path, const std::string &root, ParsedName &name);

// Layout of one framework, in layout_<what>.cpp of its folder; formats.cpp has the list.
struct Layout {
    std::vector<Composite> (*find)(const ListingTree &tree);
    // nullptr: the parts are not of this layout.
    std::unique_ptr<FormatReader> (*open)(const FileEntry &whole, const std::vector<FileEntry> &parts,
                                          EvidenceLevel wanted);
    // True for names of the layout's own files, which a script may also choose; nullptr: any file may be its own. A
    // directory whose bytes are mostly in other files that a script may have named does not have this layout, whatever
    // marks it contains.
    bool (*owns)(const std::string &baseName) = nullptr;
};

// Applies these layouts, the outermost first: a file belongs to only one composite. namedByScript returns true if a
// script may have chosen this name for a checkpoint.
std::vector<Composite> findComposites(const ListingTree &tree, std::span<const Layout *const> layouts,
                                      bool (*namedByScript)(const std::string &baseName));

}  // namespace rankdeck
