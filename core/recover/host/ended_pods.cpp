// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/host/ended_pods.h"

#include <algorithm>

namespace rankdeck {

const NodeStatus *nodeStatusOf(const JobState &view, const std::string &node)
{
    const auto found = std::find_if(view.nodes.begin(), view.nodes.end(),
                                    [&](const NodeStatus &status) { return status.name == node; });
    return found == view.nodes.end() ? nullptr : &*found;
}

bool podHasEnded(const JobState &view, const std::string &node)
{
    const NodeStatus *status = nodeStatusOf(view, node);
    return status && status->container == ContainerFate::ended;
}

bool podIsGone(const JobState &view, const std::string &node)
{
    const NodeStatus *status = nodeStatusOf(view, node);
    return status && status->container == ContainerFate::gone;
}

}  // namespace rankdeck
