// SPDX-License-Identifier: GPL-3.0-or-later
// A node whose listener can change while it is connected. The search for jobs hands it to the engine that watches one,
// so that no second login is needed. Any thread; nothing here fails.
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
    // Makes this one the listener. When it returns, the previous listener is not called any more, and its watched items
    // are no longer watched. The new listener is called with the state at once.
    void handTo(NodeListener &listener, std::string name);
    // As Node::watch(), for the present listener; has no effect for a previous one.
    void watch(const NodeListener &listener, WatchSpec spec);
    // Removes the listener, if it is this one.
    void leave(const NodeListener &listener);

private:
    class Switch;
    const NodeSpec m_spec;
    std::unique_ptr<Switch> m_switch;
    std::unique_ptr<Node> m_node;  // destroyed before the objects that it calls
};

}  // namespace rankdeck
