// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/frameworks/framework_of.h"

#include "core/framework/frameworks.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace rankdeck {
namespace {

// MindFormers' files have MindSpore's format, but their names contain the rank.
std::string_view nameOf(const Member &member, const Evidence &evidence)
{
    if (const auto own = evidence.meta.find("framework");
        own != evidence.meta.end() && own->second == frameworkName(Framework::mindformers))
        return frameworkName(Framework::mindformers);
    const FrameworkInfo *info = frameworkOfFormat(formatName(evidence.format));
    if (!info) return {};
    const bool mindformers =
        info->id == Framework::mindspore && member.name.rank && member.name.kind == CheckpointKind::periodic;
    return mindformers ? frameworkName(Framework::mindformers) : info->name;
}

}  // namespace

std::string frameworkOf(const std::vector<Member> &members, const std::vector<EvidencePtr> &evidence)
{
    std::map<std::string_view, int> votes;
    for (std::size_t i = 0; i < members.size(); ++i)
        if (const std::string_view name = nameOf(members[i], *evidence[i]); !name.empty()) ++votes[name];
    const auto most =
        std::max_element(votes.begin(), votes.end(), [](const auto &a, const auto &b) { return a.second < b.second; });
    const bool nothing =
        std::none_of(evidence.begin(), evidence.end(), [](const EvidencePtr &e) { return isUnread(*e); });
    return std::string(most != votes.end() ? most->first : nothing ? "unknown" : "mindspore");
}

}  // namespace rankdeck
