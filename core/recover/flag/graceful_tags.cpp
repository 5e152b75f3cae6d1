// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/flag/graceful_tags.h"

#include "core/checkpoint/survey/survey.h"

#include <algorithm>

namespace rankdeck {

Known carriesGracefulTags(ActionContext &host, const JobState &view, const CheckpointSet &set)
{
    if (set.kind == CheckpointKind::graceful) return true;
    for (const MemberVerdict &wanted : set.members) {
        const auto member =
            std::find_if(view.inventory->members.begin(), view.inventory->members.end(), [&](const Member &other) {
                return other.node == wanted.node && other.file.path == wanted.path;
            });
        if (member == view.inventory->members.end() || wanted.state == MemberState::torn) continue;
        Survey survey([&host](const std::string &name) { return host.node(name); });
        const auto evidence = survey.read({*member}, EvidenceLevel::L1, [&host] { return host.stopRequested(); });
        if (evidence.empty() || evidence.front().tensors.empty()) return {};
        return evidence.front().graceful;
    }
    return {};
}

Known gracefulReadiness(ActionContext &host, const JobState &view)
{
    if (!view.newestIsGracefulReady.isUnknown()) return view.newestIsGracefulReady;
    if (view.checkpoints.framework != "mindspore") return {};
    for (const CheckpointSet &set : view.checkpoints.sets)
        if (set.attempt == view.attempt && (set.verdict == Verdict::valid || set.verdict == Verdict::validUnproven))
            return carriesGracefulTags(host, view, set);
    return {};
}

}  // namespace rankdeck
