// SPDX-License-Identifier: GPL-3.0-or-later
// Stand-ins for pods that have ended and therefore cannot answer. If the cluster starts the ranks again (recipe
// volcano), the pods need not exist before a resume. Questions about their files go to the node that submits the job,
// which sees the same files (paths_shared). Only pods that the cluster has removed have a stand-in, not pods that may
// still run.
#pragma once

#include "core/recover/forwarding_context.h"

#include <map>
#include <optional>
#include <string>

namespace rankdeck {

// The node that answers in place of this node; empty: no stand-in.
std::string standInFor(const JobState &view, const std::string &node);

// Host of an action, with stand-ins for ended pods.
class WithStandIns final : public ForwardingContext {
public:
    using ForwardingContext::ForwardingContext;
    NodeClient *node(const std::string &name) override;
    // Keeps the present stand-ins until they are released. Then a step is undone through the node that made it, even if
    // another console starts pods with the same names.
    void hold();
    // Called before this action looks for its new ranks.
    void letGo() { m_held.reset(); }

private:
    std::optional<std::map<std::string, std::string>> m_held;  // node → its stand-in
};

}  // namespace rankdeck
