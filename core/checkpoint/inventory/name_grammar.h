// SPDX-License-Identifier: GPL-3.0-or-later
// Names → what they claim (facts: MindSpore serialization.py and _checkpoint.py, 2.0 to 2.10; the framework's files).
// Names are hints; content decides. Pure.
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/job/job.h"

#include <optional>
#include <string>

namespace rankdeck {

// nullopt: not the name of a checkpoint (graph.meta, strategy files by name, logs …).
// prefix: the job's, when known: only then a rerun number can be told from a prefix that ends in _N.
std::optional<ParsedName> parseCheckpointName(const std::string &baseName, const std::string &prefix);

// Listings (one or more roots per node) → members with ranks, by the job's path template or, without one, by the
// layout itself: rank_N directories, *_rank_N- names, one directory.
Inventory buildInventory(const Job &job, const std::vector<std::pair<std::string, Listing>> &byNode);

// The directories to list on a node, from the job's templates: the longest parts without a rank placeholder, and depth.
std::vector<ListRequest> checkpointRoots(const Job &job, const NodeSpec &node);
// Where the group files of the job lie by GROUP_INFO_FILE of its launch environment; nullopt: it is not told. Only group
// files are taken from this directory, when it is not one of the checkpoints' too.
std::optional<ListRequest> groupInfoRoot(const Job &job, const NodeSpec &node);

}  // namespace rankdeck
