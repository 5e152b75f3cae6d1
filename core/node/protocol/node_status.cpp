// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/protocol/node_status.h"

namespace rankdeck {

const char *nodeStateName(NodeState state)
{
    switch (state) {
    case NodeState::queued: return "queued";
    case NodeState::connecting: return "connecting";
    case NodeState::needsYou: return "needs_you";
    case NodeState::live: return "live";
    case NodeState::stale: return "stale";
    case NodeState::lost: return "lost";
    case NodeState::refused: return "refused";
    case NodeState::unsupported: return "unsupported";
    }
    return "unknown";
}

}  // namespace rankdeck
