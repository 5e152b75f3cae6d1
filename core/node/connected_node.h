// SPDX-License-Identifier: GPL-3.0-or-later
// A node whose listener can be replaced while it is connected. The search for jobs hands it to the engine that watches
// a found job, so that no second login is needed. Any thread; nothing here fails.
#pragma once

#include "core/node/node.h"

#include <memory>
#include <string>

namespace rankdeck {

class ConnectedNode {
public:
    // name: the node's name in calls to the listener, whatever the spec says.
    ConnectedNode(NodeSpec spec, ConnectOptions options, std::shared_ptr<SessionFactory> sessions,
                  NodeListener &listener, std::string name);
    ~ConnectedNode();

    [[nodiscard]] Node &node() { return *m_node; }
    [[nodiscard]] const NodeSpec &spec() const { return m_spec; }
    // Makes this object the listener. When the call returns, the previous listener is not called any more, and the node
    // no longer watches anything for it. The new listener is called with the state at once.
    void handTo(NodeListener &listener, std::string name);
    // Like Node::watch(), for the present listener; has no effect for a previous one.
    void watch(const NodeListener &listener, WatchSpec spec);
    // Removes the listener if it is still the present one.
    void leave(const NodeListener &listener);

private:
    class Switch;
    const NodeSpec m_spec;
    std::unique_ptr<Switch> m_switch;
    std::unique_ptr<Node> m_node;  // destroyed before the objects that it calls
};

}  // namespace rankdeck
