// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/host/ended_pods.h"

#include "core/recover/launch/recipe.h"

#include <algorithm>

namespace rankdeck {

namespace {

const NodeStatus *statusOf(const JobState &view, const std::string &node)
{
    const auto found = std::find_if(view.nodes.begin(), view.nodes.end(),
                                    [&](const NodeStatus &status) { return status.name == node; });
    return found == view.nodes.end() ? nullptr : &*found;
}

}  // namespace

bool podHasEnded(const JobState &view, const std::string &node)
{
    const NodeStatus *status = statusOf(view, node);
    return status && status->containerEnded;
}

std::string standInFor(const JobState &view, const std::string &node)
{
    if (view.job.launch.recipe != "volcano" || !view.job.pathsShared || !podHasEnded(view, node)) return {};
    const NodeSpec *submits = submitNode(view.job);
    const NodeStatus *status = submits ? statusOf(view, submits->name) : nullptr;
    return status && status->state == NodeState::live ? submits->name : std::string();
}

NodeClient *WithStandIns::node(const std::string &name)
{
    const std::string other = standInFor(m_host.view(), name);
    return m_host.node(other.empty() ? name : other);
}

}  // namespace rankdeck
