// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/kept_sets.h"

#include "core/base/text.h"
#include "core/state/job_state.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace rankdeck {

std::uint64_t bytesOf(const KeptSet &set)
{
    return std::accumulate(set.nodes.begin(), set.nodes.end(), std::uint64_t(0),
                           [](std::uint64_t sum, const KeptFiles &files) { return sum + files.bytes; });
}

std::string keptText(const KeptSet &set) { return set.position ? grouped(*set.position) : printable(set.id); }

const char *keptListingName(KeptListing listing)
{
    switch (listing) {
    case KeptListing::notYet: return "not_yet";
    case KeptListing::listed: return "listed";
    case KeptListing::failed: return "failed";
    }
    return "not_yet";
}

const KeptSet *KeptSets::find(const std::string &id) const
{
    const auto at = std::find_if(sets.begin(), sets.end(), [&](const KeptSet &set) { return set.id == id; });
    return at == sets.end() ? nullptr : &*at;
}

bool isKeptPart(const std::string &id) { return id.find(keptPartMark) != std::string::npos; }

bool isKept(const JobState &view, const CheckpointSet &set)
{
    const KeptSet *kept = view.kept->find(set.id);
    return kept && kept->whole.isYes();
}

const CheckpointSet *newestValidBefore(const CheckpointReport &report, std::optional<std::int64_t> step)
{
    for (const CheckpointSet &set : report.sets)
        if (set.verdict == Verdict::valid && (!step || (set.position && *set.position < *step))) return &set;
    return nullptr;
}

const KeptSet *keptBefore(const JobState &view, std::optional<std::int64_t> step)
{
    const CheckpointSet *valid = newestValidBefore(view.checkpoints, step);
    if (valid && !valid->position) return nullptr;
    for (const KeptSet &set : view.kept->sets) {
        if (!set.whole.isYes() || !set.position || (step && *set.position >= *step)) continue;
        const bool newer = !valid || std::tie(valid->attempt, *valid->position) < std::tie(set.attempt, *set.position);
        return newer ? &set : nullptr;
    }
    return nullptr;
}

}  // namespace rankdeck
