// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/discovery/discovery_session.h"

#include "core/base/deadline.h"
#include "core/engine/discovery/session_impl.h"
#include "core/node/session/reach/ssh_config.h"
#include "core/node/transport/session_factory.h"

#include <algorithm>

namespace rankdeck {

namespace {

NodeSpec specOf(const std::string &host)
{
    NodeSpec spec{.name = nodeNameOf(host), .host = host};
    if (host == "local") spec.transport = TransportKind::local;
    return spec;
}

// Readable address; empty if ssh itself does not know the host.
std::string reachedAs(const std::string &host, const ConnectOptions &connect, const std::function<bool()> &stopped)
{
    if (host == "local") return "this machine";
    const auto target = parseSshTarget(host);
    if (!target) return {};
    const auto config = querySshConfig(*target, connect.sshConfig, stopped, connect.sshProgram);
    if (!config) return {};
    std::string text = config->user + "@" + config->hostname;
    if (config->port != 22) text += ":" + std::to_string(config->port);
    if (!config->proxyJump.empty()) return text + " via " + config->proxyJump;
    return config->proxyCommand.empty() ? text : text + " via ProxyCommand";
}

}  // namespace

DiscoverySession::Impl::Impl(DiscoverySetup setup, std::function<void()> changed)
    : m_setup(std::move(setup)), m_changed(std::move(changed))
{
    if (!m_setup.sessions) m_setup.sessions = makeSessionFactory();
    m_thread = std::thread([this] { run(); });
}

DiscoverySession::Impl::~Impl()
{
    m_ends = true;
    {
        const std::scoped_lock lock(m_mutex);
        m_stop = true;
        m_wake.notify_all();
    }
    m_thread.join();
    for (const auto &entry : m_jobs) *entry->asked.over = true;
    for (const auto &[host, node] : m_nodes) node->leave(*this);
}

void DiscoverySession::Impl::post(std::function<void()> call)
{
    const std::scoped_lock lock(m_mutex);
    m_calls.push_back(std::move(call));
    m_wake.notify_all();
}

void DiscoverySession::Impl::add(const std::string &host)
{
    if (hostOf(host) != nullptr) return;
    auto entry = std::make_unique<Host>();
    entry->look.host = host;
    entry->look.node.name = host;
    m_hosts.push_back(std::move(entry));
    auto node = std::make_shared<ConnectedNode>(specOf(host), m_setup.connect, m_setup.sessions, *this, host);
    m_setup.timing ? node->node().start(*m_setup.timing) : node->node().start();
    const std::scoped_lock lock(m_mutex);
    m_nodes[host] = std::move(node);
}

void DiscoverySession::Impl::remove(const std::string &host)
{
    std::shared_ptr<ConnectedNode> node;
    {
        const std::scoped_lock lock(m_mutex);
        const auto found = m_nodes.find(host);
        if (found == m_nodes.end()) return;
        node = std::move(found->second);
        m_nodes.erase(found);
    }
    node->leave(*this);
    const auto gone = std::find_if(m_hosts.begin(), m_hosts.end(),
                                   [&](const std::unique_ptr<Host> &one) { return one->look.host == host; });
    if (gone == m_hosts.end()) return;
    if ((*gone)->scan.valid())
        m_left.push_back(std::async(std::launch::async,
                                    [scan = std::make_shared<std::future<Result<HostTraces>>>(std::move((*gone)->scan)),
                                     node] { scan->wait(); }));
    m_hosts.erase(gone);
    regroup();
    // A login in progress takes a while to notice that it is no longer wanted, so it is not ended on this thread.
    m_left.push_back(std::async(std::launch::async, [last = std::move(node)]() mutable { last.reset(); }));
}

std::shared_ptr<ConnectedNode> DiscoverySession::Impl::connected(const std::string &host) const
{
    const std::scoped_lock lock(m_mutex);
    const auto found = m_nodes.find(host);
    return found == m_nodes.end() ? nullptr : found->second;
}

void DiscoverySession::Impl::nodeStatus(const std::string &host, const NodeStatus &status)
{
    post([this, host, status] {
        if (Host *own = hostOf(host)) own->look.node = status;
    });
}

DiscoverySession::Impl::Host *DiscoverySession::Impl::hostOf(const std::string &host)
{
    for (const auto &one : m_hosts)
        if (one->look.host == host) return one.get();
    return nullptr;
}

// Handles one host after the other: each needs a process of ours, and the answers are not urgent.
void DiscoverySession::Impl::nameReached()
{
    if (m_reaching.valid()) {
        if (m_reaching.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
        const auto [host, text] = m_reaching.get();
        if (Host *own = hostOf(host)) own->look.reachedAs = text.empty() ? "?" : text;
    }
    for (const auto &host : m_hosts) {
        if (!host->look.reachedAs.empty()) continue;
        m_reaching = std::async(std::launch::async, [this, name = host->look.host] {
            return std::pair(name, reachedAs(name, m_setup.connect, [this] { return m_ends.load(); }));
        });
        return;
    }
}

DiscoverySession::DiscoverySession(DiscoverySetup setup, std::function<void()> changed)
    : m_impl(std::make_unique<Impl>(std::move(setup), std::move(changed)))
{}

DiscoverySession::~DiscoverySession() = default;

void DiscoverySession::add(const std::string &host)
{
    m_impl->post([this, host] { m_impl->add(host); });
}

void DiscoverySession::remove(const std::string &host)
{
    m_impl->post([this, host] { m_impl->remove(host); });
}

void DiscoverySession::setPast(std::vector<Job> jobs)
{
    m_impl->post([this, jobs = std::move(jobs)] {
        for (const Job &job : jobs) m_impl->addPast(job);
    });
}

void DiscoverySession::check(std::size_t id, Job job)
{
    m_impl->post([this, id, job = std::move(job)] { m_impl->check(id, job); });
}

void DiscoverySession::checkNothing()
{
    m_impl->post([this] { m_impl->check(0, std::nullopt); });
}

void DiscoverySession::answer(const std::string &host, Answer answer)
{
    if (const auto node = m_impl->connected(host)) node->node().answer(std::move(answer));
}

void DiscoverySession::retryNow(const std::string &host)
{
    if (const auto node = m_impl->connected(host)) node->node().retryNow();
}

std::shared_ptr<const DiscoveryPicture> DiscoverySession::picture() const
{
    const std::scoped_lock lock(m_impl->m_mutex);
    return m_impl->m_picture;
}

std::map<std::string, std::shared_ptr<ConnectedNode>> DiscoverySession::nodesFor(const Job &job) const
{
    std::map<std::string, std::shared_ptr<ConnectedNode>> nodes;
    for (const NodeSpec &spec : job.nodes) {
        const auto node = m_impl->connected(spec.host);
        const bool taken = std::any_of(nodes.begin(), nodes.end(), [&](const auto &one) { return one.second == node; });
        if (node && !taken) nodes[spec.name] = node;
    }
    return nodes;
}

std::shared_ptr<SessionFactory> DiscoverySession::sessions() const { return m_impl->m_setup.sessions; }

}  // namespace rankdeck
