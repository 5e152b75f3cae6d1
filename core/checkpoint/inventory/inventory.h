// SPDX-License-Identifier: GPL-3.0-or-later
// What was listed → what is there: the files of checkpoints by rank, before any read. Names are hints; content decides. A
// directory that could not be listed makes its ranks unknown, never missing. Pure.
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/job/job.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rankdeck {

// Listings (one or more roots per node) → members with ranks, by the job's path template or, without one, by the
// layout itself: rank_N directories, *_rank_N- names, one directory.
struct NodeListing {  // of one root of a node; kept once and shared by all who judge it
    std::string node;
    std::shared_ptr<const Listing> listing;  // never null
    std::optional<WallTime> asOf = {};       // what was there then is in it, by the console's clock; nullopt: now
    double clockSkew = 0;                    // of the node: its clock minus the console's, seconds
    NodeListing(std::string name, Listing own)
        : node(std::move(name)), listing(std::make_shared<const Listing>(std::move(own)))
    {}
    NodeListing(std::string name, std::shared_ptr<const Listing> shared)
        : node(std::move(name)), listing(std::move(shared))
    {}
};
// The end of the directory beside a checkpoint directory in which sets are kept for people; nothing below it is counted.
inline constexpr const char *keptSuffix = ".rankdeck-kept";
Inventory buildInventory(const Job &job, const std::vector<NodeListing> &byNode);

// The directories to list on a node, from the job's templates: the longest parts without a rank placeholder, and depth.
std::vector<ListRequest> checkpointRoots(const Job &job, const NodeSpec &node);
// Where the group files of the job lie by GROUP_INFO_FILE of its launch environment; nullopt: it is not told. Only group
// files are taken from this directory, when it is not one of the checkpoints' too.
std::optional<ListRequest> groupInfoRoot(const Job &job, const NodeSpec &node);
// output/, where MindFormers records the health of what it saves in output/checkpoint; nullopt: it is no such directory.
// Nothing else is taken from it.
std::optional<ListRequest> healthRecordRoot(const Job &job, const NodeSpec &node);

}  // namespace rankdeck
