// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/checkpoints/whole_sets.h"

#include <algorithm>

namespace rankdeck {
namespace {

constexpr std::size_t maxRemembered = 100'000;

bool isWhole(const CheckpointSet &set)
{
    return !set.members.empty() &&
           std::none_of(set.members.begin(), set.members.end(), [](const MemberVerdict &member) {
               return member.path.empty() || member.state == MemberState::missing ||
                      member.state == MemberState::inProgress;
           });
}

}  // namespace

void WholeSets::remember(const CheckpointReport &report)
{
    bool newest = true;
    for (const CheckpointSet &set : report.sets) {
        if (!isWhole(set) || m_all.size() >= maxRemembered) continue;
        m_all.insert(set.id);
        if (!std::exchange(newest, false))
            m_before.insert(set.id);
        else if (set.time)
            m_newest = {set.id, *set.time};
    }
}

std::vector<std::string> WholeSets::before(const Inventory &inventory)
{
    // The nodes' clocks are measured again and again, with results that differ by less than a second.
    const auto isLater = [&](const Member &member) { return secondsBetween(m_newest->second, savedAt(member)) > 1; };
    if (m_newest && std::any_of(inventory.members.begin(), inventory.members.end(), isLater))
        m_before.insert(m_newest->first);
    return {m_before.begin(), m_before.end()};
}

}  // namespace rankdeck
