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
    // The later one has been where the earlier one was.
    const Saved &later = a.step > b.step ? a : b, &earlier = a.step > b.step ? b : a;
    return later.lastLogged >= earlier.step || later.step == earlier.step ? Relation::sameRun : Relation::unknown;
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
    int attempt = 0;
    const Saved *furthest = nullptr;
    for (const Saved &saved : all) {
        if (furthest) {
            const Relation to = relation(saved, *furthest);
            if (to == Relation::otherRun || (to == Relation::unknown && saved.step < furthest->step)) {
                ++attempt;
                furthest = nullptr;
            }
        }
        attempts[saved.member] = attempt;
        if (!furthest || saved.step > furthest->step) furthest = &saved;
    }
    if (attempt == 0) attempts.clear();
    return attempts;
}

}  // namespace rankdeck
