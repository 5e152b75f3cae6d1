// SPDX-License-Identifier: GPL-3.0-or-later
// Kept sets: sets that the operator keeps beside the checkpoint directories, where rotation does not delete them, as
// the nodes list them. A run can resume from such a set after it was put back among the checkpoints. Pure. A set that
// is not listed is unknown; it never counts as not kept.
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
    std::vector<std::string> paths = {};  // directories in which it is kept
    std::uint64_t bytes = 0;              // size of its files; hard links take no room while the originals exist
    bool operator==(const KeptFiles &) const = default;
};
struct KeptSet {
    std::string id;
    std::vector<KeptFiles> nodes = {};
    int attempt = 0;
    std::optional<std::int64_t> position = {};  // on the job's axis, from its id and the names of its files
    std::optional<WallTime> time = {};          // of its newest file
    Known whole = {};                           // yes: every rank has a file; unknown: not all nodes are listed
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

// Part of the name of an incomplete kept set, followed by the action's id. A console that was killed left it.
inline constexpr const char *keptPartMark = ".part-";
bool isKeptPart(const std::string &id);

// Whether a set that is listed among the checkpoints is kept as well.
bool isKept(const JobState &view, const CheckpointSet &set);
// The newest VALID set; if a step is given, only among the sets before it.
const CheckpointSet *newestValidBefore(const CheckpointReport &report, std::optional<std::int64_t> step = {});
// The newest complete kept set, if it is newer than that VALID set: it can be put back and resumed from. nullptr: none.
const KeptSet *keptBefore(const JobState &view, std::optional<std::int64_t> step = {});

}  // namespace rankdeck
