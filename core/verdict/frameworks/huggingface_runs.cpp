// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/frameworks/huggingface_runs.h"

#include <algorithm>
#include <optional>

namespace rankdeck {
namespace {

struct Saved {
    std::size_t member = 0;
    std::int64_t time = 0, step = 0, lastLogged = 0;
    std::string losses = {};
};

std::optional<Saved> savedOf(std::size_t index, const Member &member, const Evidence &evidence)
{
    if (evidence.format != Format::hfSharded || !isOfTrainer(member)) return std::nullopt;
    const auto step = evidence.number("global_step");
    if (!step) return std::nullopt;
    Saved saved{index, member.file.stat.mtimeNs, *step};
    const auto losses = evidence.meta.find("first_losses");
    if (losses != evidence.meta.end()) saved.losses = losses->second;
    saved.lastLogged = evidence.number("last_logged").value_or(0);
    return saved;
}

bool isBeginning(const std::string &a, const std::string &b)
{
    return a.size() <= b.size() && b.compare(0, a.size(), a) == 0;
}

enum class Relation { sameRun, otherRun, unknown };

Relation relation(const Saved &a, const Saved &b)
{
    if (a.losses.empty() || b.losses.empty()) return Relation::unknown;
    if (!isBeginning(a.losses, b.losses) && !isBeginning(b.losses, a.losses)) return Relation::otherRun;
    // The later checkpoint's history includes the earlier one's step.
    const Saved &later = a.step > b.step ? a : b, &earlier = a.step > b.step ? b : a;
    return later.lastLogged >= earlier.step || later.step == earlier.step ? Relation::sameRun : Relation::unknown;
}

// The last attempt that this checkpoint continues. Earlier attempts are checked too, because a checkpoint of another
// run may be in between.
std::size_t attemptOf(const Saved &saved, const std::vector<const Saved *> &furthest)
{
    if (furthest.empty()) return 0;
    const Relation last = relation(saved, *furthest.back());
    if (last == Relation::sameRun || (last == Relation::unknown && saved.step >= furthest.back()->step))
        return furthest.size() - 1;
    for (std::size_t i = furthest.size() - 1; i-- > 0;)
        if (last == Relation::otherRun && relation(saved, *furthest[i]) == Relation::sameRun) return i;
    return furthest.size();
}

}  // namespace

bool isOfTrainer(const Member &member)
{
    return member.sharedByRanks && member.file.stat.kind == 'd' && member.name.prefix == "checkpoint-" &&
           !member.name.temporary;
}

std::vector<int> splitTrainerRuns(const std::vector<Member> &members, const std::vector<EvidencePtr> &evidence)
{
    std::vector<Saved> all;
    for (std::size_t i = 0; i < members.size(); ++i)
        if (auto saved = savedOf(i, members[i], *evidence[i])) all.push_back(std::move(*saved));
    std::stable_sort(all.begin(), all.end(), [](const Saved &a, const Saved &b) { return a.time < b.time; });
    std::vector<int> attempts(members.size(), 0);
    std::vector<const Saved *> furthest;  // furthest checkpoint of each attempt
    for (const Saved &saved : all) {
        std::size_t attempt = attemptOf(saved, furthest);
        attempts[saved.member] = static_cast<int>(attempt);
        if (attempt == furthest.size())
            furthest.push_back(&saved);
        else if (saved.step > furthest[attempt]->step)
            furthest[attempt] = &saved;
    }
    if (furthest.size() < 2) attempts.clear();
    return attempts;
}

}  // namespace rankdeck
