// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/relay_keys.h"

#include "core/base/text.h"
#include "core/job/container_host.h"

#include <map>
#include <set>

namespace rankdeck {

namespace {

using NodesByName = std::map<std::string, std::size_t>;

bool needsNone(const NodeSpec &node) { return isContainerHost(node.host) || node.transport == TransportKind::local; }

NodesByName namesOf(const Job &job)
{
    NodesByName names;
    for (std::size_t i = 0; i < job.nodes.size(); ++i) names.emplace(job.nodes[i].name, i);
    for (std::size_t i = 0; i < job.nodes.size(); ++i)
        names.emplace(job.nodes[i].host, i);  // a name goes before a host
    return names;
}

void share(Job &job, const NodesByName &names, const std::vector<std::string> &relays)
{
    std::set<std::size_t> heads;
    for (const std::string &name : relays)
        if (const auto it = names.find(name); it != names.end()) heads.insert(it->second);
    std::vector<std::size_t> behind;
    for (std::size_t i = 0; i < job.nodes.size(); ++i) {
        const NodeSpec &node = std::as_const(job).nodes[i];
        if (node.relay.name.empty() && !needsNone(node) && heads.count(i) == 0) behind.push_back(i);
    }
    for (std::size_t i = 0; i < behind.size(); ++i)
        job.nodes[behind[i]].relay.name = relays[i * relays.size() / behind.size()];
}

void resolve(ReadState &state, const std::string &key, Job &job, std::size_t index, const NodesByName &names)
{
    const SharedVector<NodeSpec> &nodes = job.nodes;
    const NodeSpec &node = nodes[index];
    RelaySpec relay = node.relay;
    const auto wrong = [&](const char *expected, const std::string &value) {
        state.wrong(key, expected, "\"" + printable(value) + "\"");
    };
    if (needsNone(node)) return wrong("a relay for a host that ssh takes only", node.host);
    if (const auto it = names.find(relay.name); it != names.end()) {
        const NodeSpec &head = nodes[it->second];
        if (it->second == index) return wrong("another node than this one", relay.name);
        if (!head.relay.name.empty()) return wrong("a node that is reached without a relay itself", relay.name);
        relay.host = head.host;
        relay.transport = head.transport;
        relay.python = head.python;
    } else {
        relay.host = relay.name;
        relay.transport = relay.name == "local" ? TransportKind::local : node.transport;
    }
    if (isContainerHost(relay.host)) return wrong("a node of the job or what ssh takes, no pod", relay.name);
    job.nodes[index].relay = std::move(relay);
}

}  // namespace

void readRelays(ReadState &state, ObjectReader &root, Job &job)
{
    std::vector<std::string> relays;
    root.texts("relays", relays);
    for (std::size_t i = 0; i < relays.size(); ++i)
        if (relays[i].empty())
            state.wrong("relays[" + std::to_string(i) + "]", "the name of a node or what ssh takes", "\"\"");
    const NodesByName names = namesOf(job);
    if (!relays.empty()) share(job, names, relays);
    for (std::size_t i = 0; i < job.nodes.size(); ++i)
        if (!std::as_const(job).nodes[i].relay.name.empty())
            resolve(state, relays.empty() ? "nodes[" + std::to_string(i) + "].relay" : "relays", job, i, names);
}

}  // namespace rankdeck
