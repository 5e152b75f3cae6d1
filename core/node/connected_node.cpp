// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/connected_node.h"

#include <mutex>

namespace rankdeck {

class ConnectedNode::Switch final : public NodeListener {
public:
    Switch(NodeListener &to, std::string name) : m_to(&to), m_name(std::move(name)) {}

    void turnTo(NodeListener &to, std::string name, Node &node)
    {
        const std::scoped_lock lock(m_mutex);
        m_to = &to;
        m_name = std::move(name);
        node.watch({});  // the next job's watch must not continue at the position of this one
    }
    void watch(const NodeListener &listener, WatchSpec spec, Node &node)
    {
        const std::scoped_lock lock(m_mutex);
        if (m_to == &listener) node.watch(std::move(spec));
    }
    void leave(const NodeListener &listener)
    {
        const std::scoped_lock lock(m_mutex);
        if (m_to == &listener) m_to = nullptr;
    }

    void nodeStatus(const std::string &, const NodeStatus &status) override
    {
        tell([&](NodeListener &to) {
            NodeStatus named = status;
            named.name = m_name;
            to.nodeStatus(m_name, named);
        });
    }
    void tailChunk(const std::string &, TailChunk chunk) override
    {
        tell([&](NodeListener &to) { to.tailChunk(m_name, std::move(chunk)); });
    }
    void tailEvent(const std::string &, TailEvent event) override
    {
        tell([&](NodeListener &to) { to.tailEvent(m_name, std::move(event)); });
    }
    void directory(const std::string &, int id, Listing listing) override
    {
        tell([&](NodeListener &to) { to.directory(m_name, id, std::move(listing)); });
    }
    void directoryUnchanged(const std::string &, int id, std::int64_t asOfNs) override
    {
        tell([&](NodeListener &to) { to.directoryUnchanged(m_name, id, asOfNs); });
    }
    void processes(const std::string &, ProcessList list) override
    {
        tell([&](NodeListener &to) { to.processes(m_name, std::move(list)); });
    }

private:
    template <class Tell>
    void tell(Tell say)
    {
        const std::scoped_lock lock(m_mutex);
        if (m_to != nullptr) say(*m_to);
    }

    std::mutex m_mutex;
    NodeListener *m_to;
    std::string m_name;
};

ConnectedNode::ConnectedNode(NodeSpec spec, ConnectOptions options, std::shared_ptr<SessionFactory> sessions,
                             NodeListener &listener, std::string name)
    : m_spec(std::move(spec)), m_switch(std::make_unique<Switch>(listener, std::move(name))),
      m_node(std::make_unique<Node>(m_spec, std::move(options), std::move(sessions), *m_switch))
{}

ConnectedNode::~ConnectedNode() = default;

void ConnectedNode::handTo(NodeListener &listener, std::string name)
{
    m_switch->turnTo(listener, std::move(name), *m_node);
    m_switch->nodeStatus({}, m_node->status());
}

void ConnectedNode::watch(const NodeListener &listener, WatchSpec spec)
{
    m_switch->watch(listener, std::move(spec), *m_node);
}

void ConnectedNode::leave(const NodeListener &listener) { m_switch->leave(listener); }

}  // namespace rankdeck
