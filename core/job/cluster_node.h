// SPDX-License-Identifier: GPL-3.0-or-later
// The name under which acts find the cluster's own store of ConfigMaps among the nodes; no node of a job may have this
// name.
#pragma once

namespace rankdeck {

inline constexpr const char *clusterNodeName = "kubernetes";
inline constexpr const char *resetConfigKey = "reset.json";  // the key of graceful_exit.configmap

}  // namespace rankdeck
