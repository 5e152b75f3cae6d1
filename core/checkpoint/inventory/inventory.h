// SPDX-License-Identifier: GPL-3.0-or-later
// Inventory of checkpoint files by rank, made from listings before any read. Names are hints; content decides. If a
// directory could not be listed, its ranks are unknown, never missing. Pure.
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/job/job.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rankdeck {

// Converts listings (one or more roots per node) to members with ranks. Ranks come from the job's path template, or,
// without one, from the layout itself: rank_N directories, *_rank_N- names, one directory.
struct NodeListing {  // listing of one root of a node; kept once and shared by all users
    std::string node;
    std::shared_ptr<const Listing> listing;  // never null
    std::optional<WallTime> asOf = {};       // time of the listing by the console's clock; nullopt: now
    double clockSkew = 0;                    // the node's clock minus the console's, seconds
    NodeListing(std::string name, Listing own)
        : node(std::move(name)), listing(std::make_shared<const Listing>(std::move(own)))
    {}
    NodeListing(std::string name, std::shared_ptr<const Listing> shared)
        : node(std::move(name)), listing(std::move(shared))
    {}
};
// Suffix of the directory beside a checkpoint directory in which the operator keeps sets; files below it are not
// counted.
inline constexpr const char *keptSuffix = ".rankdeck-kept";
Inventory buildInventory(const Job &job, const std::vector<NodeListing> &byNode);

// Directories to list on a node, from the job's templates: the longest parts without a rank placeholder, and the depth.
std::vector<ListRequest> checkpointRoots(const Job &job, const NodeSpec &node);
// Directory of the job's group files, by GROUP_INFO_FILE of its launch environment; nullopt: not set. Only group files
// are taken from it, unless it is also a checkpoint directory.
std::optional<ListRequest> groupInfoRoot(const Job &job, const NodeSpec &node);
// The directory output/: in output/checkpoint, MindFormers records the health of its saves. nullopt: another layout.
// Nothing else is taken from it.
std::optional<ListRequest> healthRecordRoot(const Job &job, const NodeSpec &node);

}  // namespace rankdeck
