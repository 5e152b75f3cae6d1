// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/cluster_keys.h"

#include "core/base/text.h"
#include "core/job/cluster_node.h"
#include "core/job/container_host.h"

#include <map>
#include <set>

namespace rankdeck {

namespace {

using nlohmann::json;

// The parser's error already has expected and found.
void wrongAt(ReadState &state, const std::string &key, const Error &error)
{
    if (!state.error) state.error = fail(ErrorKind::invalid, state.where(key) + ": " + error.message);
}

bool hasControls(const std::string &text) { return printable(text) != text; }

struct WrongKey {
    std::string key;
    Message expected;
    std::string found;
};

std::optional<WrongKey> wrongIn(const KubernetesSpec &spec)
{
    const auto wrong = [](const char *key, const Message &expected, const std::string &value) {
        return WrongKey{.key = key, .expected = expected, .found = "\"" + printable(value) + "\""};
    };
    if (isContainerHost(spec.via) || spec.via == "local")
        return wrong("via", message("an ssh host on which kubectl runs"), spec.via);
    if (!spec.kubeconfig.empty() && (spec.kubeconfig.front() != '/' || hasControls(spec.kubeconfig)))
        return wrong("kubeconfig", message("an absolute path on the host that runs kubectl"), spec.kubeconfig);
    if (hasControls(spec.context)) return wrong("context", message("the name of a context"), spec.context);
    constexpr const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/+-";
    const bool relative =
        !spec.kubectl.empty() && spec.kubectl.front() != '/' && spec.kubectl.find('/') != std::string::npos;
    if (spec.kubectl.empty() || spec.kubectl.front() == '-' || relative ||
        spec.kubectl.find_first_not_of(plain) != std::string::npos)
        return wrong("kubectl", message("the name or absolute path of a program, with only letters, digits and ._/+-"),
                     spec.kubectl);
    return {};
}

void readKubernetes(ReadState &state, const json &object, KubernetesSpec &spec)
{
    ObjectReader reader(state, object, "kubernetes");
    reader.text("via", spec.via);
    reader.text("kubeconfig", spec.kubeconfig);
    reader.text("context", spec.context);
    reader.text("kubectl", spec.kubectl);
    if (const auto wrong = wrongIn(spec)) state.wrong("kubernetes." + wrong->key, wrong->expected, wrong->found);
}

void checkNode(ReadState &state, const std::string &key, NodeSpec &node, const KubernetesSpec &cluster)
{
    if (!isContainerHost(node.host)) {
        if (!node.via.empty())
            state.wrong(
                key + ".via",
                message(
                    "a host that is a pod or a container (k8s:… or container:…); for other jumps, use ssh's ProxyJump"),
                "\"" + printable(node.host) + "\"");
        return;
    }
    const auto host = parseContainerHost(node.host);
    if (!host) return wrongAt(state, key + ".host", host.error());
    if (isContainerHost(node.via) || node.via == "local")
        state.wrong(key + ".via", message("an ssh host"), "\"" + printable(node.via) + "\"");
    if (!host->pod) return;
    node.kubernetes = cluster;
    if (node.via.empty()) node.via = cluster.via;
    node.kubernetes.via.clear();
}

std::string usualNamespace(const Job &job)
{
    for (const NodeSpec &node : job.nodes)
        if (node.host.starts_with("k8s:"))
            if (const auto host = parseContainerHost(node.host)) return host->nameSpace;
    return job.launch.volcano.nameSpace;
}

using NodesByName = std::map<std::string, std::size_t>;

bool needsNone(const NodeSpec &node) { return isContainerHost(node.host) || node.transport == TransportKind::local; }

NodesByName namesOf(const Job &job)
{
    NodesByName names;
    for (std::size_t i = 0; i < job.nodes.size(); ++i) names.emplace(job.nodes[i].name, i);
    for (std::size_t i = 0; i < job.nodes.size(); ++i)
        names.emplace(job.nodes[i].host, i);  // a node's name has precedence over a host
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
    const auto wrong = [&](const Message &expected, const std::string &value) {
        state.wrong(key, expected, "\"" + printable(value) + "\"");
    };
    if (needsNone(node)) return wrong(message("a relay only for a host that ssh can reach"), node.host);
    if (const auto it = names.find(relay.name); it != names.end()) {
        const NodeSpec &head = nodes[it->second];
        if (it->second == index) return wrong(message("a node other than this one"), relay.name);
        if (!head.relay.name.empty())
            return wrong(message("a node that is itself reached without a relay"), relay.name);
        relay.host = head.host;
        relay.transport = head.transport;
        relay.python = head.python;
    } else {
        relay.host = relay.name;
        relay.transport = relay.name == "local" ? TransportKind::local : node.transport;
    }
    if (isContainerHost(relay.host))
        return wrong(message("a node of the job or an ssh host, but not a pod"), relay.name);
    job.nodes[index].relay = std::move(relay);
}

}  // namespace

void readCluster(ReadState &state, ObjectReader &root, Job &job)
{
    if (const json *object = root.object("kubernetes")) readKubernetes(state, *object, job.kubernetes);
    for (std::size_t i = 0; i < job.nodes.size(); ++i)
        checkNode(state, "nodes[" + std::to_string(i) + "]", job.nodes[i], job.kubernetes);
    std::string &configMap = job.gracefulExit.configMap;
    if (configMap.empty()) return;
    const auto name = parseConfigMapName(configMap, usualNamespace(job));
    if (!name) return wrongAt(state, "graceful_exit.configmap", name.error());
    configMap = name->nameSpace + "/" + name->name;
    for (std::size_t i = 0; i < job.nodes.size(); ++i)
        if (job.nodes[i].name == clusterNodeName)
            state.wrong("nodes[" + std::to_string(i) + "].name",
                        message("a different name, because this name means the cluster itself"),
                        "\"" + job.nodes[i].name + "\"");
}

void readRelays(ReadState &state, ObjectReader &root, Job &job)
{
    std::vector<std::string> relays;
    root.texts("relays", relays);
    for (std::size_t i = 0; i < relays.size(); ++i)
        if (relays[i].empty())
            state.wrong("relays[" + std::to_string(i) + "]", message("the name of a node, or an ssh host"), "\"\"");
    const NodesByName names = namesOf(job);
    if (!relays.empty()) share(job, names, relays);
    for (std::size_t i = 0; i < job.nodes.size(); ++i)
        if (!std::as_const(job).nodes[i].relay.name.empty())
            resolve(state, relays.empty() ? "nodes[" + std::to_string(i) + "].relay" : "relays", job, i, names);
}

Status checkKubernetes(const KubernetesSpec &spec)
{
    if (const auto wrong = wrongIn(spec))
        return fail(ErrorKind::invalid,
                    message("--%1: expected %2, found %3", wrong->key, wrong->expected, wrong->found));
    return Done{};
}

void clusterToJson(const KubernetesSpec &spec, nlohmann::ordered_json &into)
{
    const KubernetesSpec usual;
    const auto text = [&](const char *key, const std::string &value, const std::string &usually) {
        if (value != usually) into["kubernetes"][key] = value;
    };
    text("via", spec.via, usual.via);
    text("kubeconfig", spec.kubeconfig, usual.kubeconfig);
    text("context", spec.context, usual.context);
    text("kubectl", spec.kubectl, usual.kubectl);
}

}  // namespace rankdeck
