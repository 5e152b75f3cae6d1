// SPDX-License-Identifier: GPL-3.0-or-later
// Kept sets: stored beside the checkpoint directories, where rotation does not delete them, as the nodes list them.
// Once put back among the checkpoints they can be resumed from. Pure. A set that is not listed is unknown; it is never
// reported as not kept.
#pragma once

#include "core/base/clock.h"
#include "core/base/known.h"
#include "core/base/message.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct CheckpointReport;
struct CheckpointSet;
struct JobState;

struct KeptFiles {
    std::string node;
    std::vector<std::string> paths = {};  // where they are kept
    std::uint64_t bytes = 0;              // of the files; a second name takes no room while the first one is there
    bool operator==(const KeptFiles &) const = default;
};
struct KeptSet {
    std::string id;
    std::vector<KeptFiles> nodes = {};
    int attempt = 0;
    std::optional<std::int64_t> position = {};  // on the job's axis, from its id and the names of its files
    std::optional<WallTime> time = {};          // of its newest file
    Known whole = {};                           // a file of every rank is there; unknown: not all nodes are listed
    Message problem = {};                       // why it is not whole, or why that is unknown
    bool operator==(const KeptSet &) const = default;
};
std::uint64_t bytesOf(const KeptSet &set);
std::string keptText(const KeptSet &set);  // "160", or its id

enum class KeptListing { notYet, listed, failed };
const char *keptListingName(KeptListing listing);  // "not_yet", "listed", "failed": stable, in the JSON
struct KeptSets {
    std::vector<KeptSet> sets = {};  // of what is listed; newest first
    KeptListing listing = KeptListing::notYet;
    Message problem = {};  // nodes that are not listed, and the reason
    [[nodiscard]] const KeptSet *find(const std::string &id) const;
    bool operator==(const KeptSets &) const = default;
};

// Part of the name of a set that is only partly kept, before the action's id: a console that was killed left it.
inline constexpr const char *keptPartMark = ".part-";
bool isKeptPart(const std::string &id);

// Whether a set that is listed among the checkpoints is kept as well.
bool isKept(const JobState &view, const CheckpointSet &set);
// The newest VALID set, of those from before a step where one is given.
const CheckpointSet *newestValidBefore(const CheckpointReport &report, std::optional<std::int64_t> step = {});
// The newest complete kept set, if it is newer than that one: the set to put back and resume from. nullptr: none.
const KeptSet *keptBefore(const JobState &view, std::optional<std::int64_t> step = {});

}  // namespace rankdeck
