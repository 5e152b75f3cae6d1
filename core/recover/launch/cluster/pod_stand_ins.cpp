// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/launch/cluster/pod_stand_ins.h"

#include "core/recover/host/ended_pods.h"
#include "core/recover/launch/recipe.h"

namespace rankdeck {

std::string standInFor(const JobState &view, const std::string &node)
{
    if (view.job.launch.recipe != "volcano" || !view.job.pathsShared) return {};
    if (!podHasEnded(view, node) && !podIsGone(view, node)) return {};
    const NodeSpec *submits = submitNode(view.job);
    const NodeStatus *status = submits ? nodeStatusOf(view, submits->name) : nullptr;
    return status && status->state == NodeState::live ? submits->name : std::string();
}

NodeClient *WithStandIns::node(const std::string &name)
{
    if (m_held) {
        const auto held = m_held->find(name);
        return m_host.node(held == m_held->end() ? name : held->second);
    }
    const std::string other = standInFor(m_host.view(), name);
    return m_host.node(other.empty() ? name : other);
}

void WithStandIns::hold()
{
    const JobState view = m_host.view();
    m_held.emplace();
    for (const NodeSpec &node : view.job.nodes)
        if (const std::string other = standInFor(view, node.name); !other.empty()) m_held->emplace(node.name, other);
}

}  // namespace rankdeck
