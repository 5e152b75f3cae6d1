// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/action_context.h"

#include "core/job/cluster_node.h"
#include "core/node/node.h"

namespace rankdeck {

FileStore *ActionContext::store(const std::string &name) { return name == clusterNodeName ? cluster() : node(name); }

}  // namespace rankdeck
