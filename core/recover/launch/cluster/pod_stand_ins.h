// SPDX-License-Identifier: GPL-3.0-or-later
// Stand-ins for ended pods, which cannot answer. If the cluster starts the ranks again (recipe volcano), the pods need
// not exist before a resume. Questions about such a node's files go to the node that submits, which sees the same files
// (paths_shared). Only pods that the cluster has removed have a stand-in; a pod that may still run has none.
#pragma once

#include "core/recover/forwarding_context.h"

#include <map>
#include <optional>
#include <string>

namespace rankdeck {

// The node that answers for it; empty: no stand-in.
std::string standInFor(const JobState &view, const std::string &node);

// Host of an action, with stand-ins for ended pods.
class WithStandIns final : public ForwardingContext {
public:
    using ForwardingContext::ForwardingContext;
    NodeClient *node(const std::string &name) override;
    // Keeps the stand-ins unchanged until they are released. A step is then undone through the node that did it, even
    // if another console starts pods of the same names.
    void hold();
    // Called before the ranks of this action are searched.
    void letGo() { m_held.reset(); }

private:
    std::optional<std::map<std::string, std::string>> m_held;  // node → its stand-in
};

}  // namespace rankdeck
