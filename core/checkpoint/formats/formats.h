// SPDX-License-Identifier: GPL-3.0-or-later
// List of all formats: name grammars, layouts of several files, readers by content. A format that is added here is
// listed, read and judged everywhere. Pure.
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/read/layouts.h"
#include "core/checkpoint/read/reader.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

// nullopt: not the name of a checkpoint (graph.meta, strategy files by name, logs …). The job's prefix, if known, is
// needed to distinguish a rerun number from a prefix that ends in _N.
std::optional<ParsedName> parseCheckpointName(const std::string &baseName, const std::string &prefix);

// Applies all layouts.
std::vector<Composite> findComposites(const ListingTree &tree);
std::unique_ptr<FormatReader> openComposite(const FileEntry &whole, const std::vector<FileEntry> &parts,
                                            EvidenceLevel wanted);

}  // namespace rankdeck
