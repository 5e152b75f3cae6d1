// SPDX-License-Identifier: GPL-3.0-or-later
// Pods that have ended answer nothing, and where the cluster starts the ranks anew (recipe volcano) they need not be back
// before a resume: what is asked of such a node's files goes to the node that submits, which sees the same (paths_shared).
// So for a pod that the cluster has no more. A pod of which nobody knows whether it runs has no stand-in.
#pragma once

#include "core/recover/forwarding_context.h"

#include <map>
#include <optional>
#include <string>

namespace rankdeck {

// The node that answers for it; empty: it must answer for itself.
std::string standInFor(const JobState &view, const std::string &node);

// The host of an act, in which ended pods have their stand-ins.
class WithStandIns final : public ForwardingContext {
public:
    using ForwardingContext::ForwardingContext;
    NodeClient *node(const std::string &name) override;
    // From now on who stands in for whom stays as it is: what is done through a node is undone through it, whatever pods of
    // the same names another console has started meanwhile. Until the ranks of this act are looked for (letGo).
    void hold();
    void letGo() { m_held.reset(); }

private:
    std::optional<std::map<std::string, std::string>> m_held;  // node → its stand-in
};

}  // namespace rankdeck
