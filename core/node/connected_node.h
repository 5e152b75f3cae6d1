// SPDX-License-Identifier: GPL-3.0-or-later
// A node whose listener can change while it is connected: who looked for jobs on it hands it to the engine that watches
// one, and nobody logs in a second time. Any thread; nothing here fails.
#pragma once

#include "core/node/node.h"

#include <memory>
#include <string>

namespace rankdeck {

class ConnectedNode {
public:
    // name: the one by which the listener hears of it, whatever the spec says.
    ConnectedNode(NodeSpec spec, ConnectOptions options, std::shared_ptr<SessionFactory> sessions,
                  NodeListener &listener, std::string name);
    ~ConnectedNode();

    [[nodiscard]] Node &node() { return *m_node; }
    [[nodiscard]] const NodeSpec &spec() const { return m_spec; }
    // The one before is not called any more once this returns, and what it watched is watched no more; this one is told the
    // state at once.
    void handTo(NodeListener &listener, std::string name);
    // As Node::watch(), for who listens now; of one from whom it was taken nothing happens.
    void watch(const NodeListener &listener, WatchSpec spec);
    // Nobody listens from now on, if it was this one.
    void leave(const NodeListener &listener);

private:
    class Switch;
    const NodeSpec m_spec;
    std::unique_ptr<Switch> m_switch;
    std::unique_ptr<Node> m_node;  // gone before what it tells
};

}  // namespace rankdeck
