// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/cluster_keys.h"

#include "core/base/text.h"
#include "core/job/cluster_node.h"
#include "core/job/container_host.h"

namespace rankdeck {

namespace {

using nlohmann::json;

// The parser's words have expected and found.
void wrongAt(ReadState &state, const std::string &key, const Error &error)
{
    if (!state.error) state.error = fail(ErrorKind::invalid, state.where(key) + ": " + error.message);
}

bool hasControls(const std::string &text) { return printable(text) != text; }

struct WrongKey {
    std::string key, expected, found;
};

std::optional<WrongKey> wrongIn(const KubernetesSpec &spec)
{
    const auto wrong = [](const char *key, const char *expected, const std::string &value) {
        return WrongKey{.key = key, .expected = expected, .found = "\"" + printable(value) + "\""};
    };
    if (isContainerHost(spec.via) || spec.via == "local")
        return wrong("via", "what ssh takes: the host on which kubectl runs", spec.via);
    if (!spec.kubeconfig.empty() && (spec.kubeconfig.front() != '/' || hasControls(spec.kubeconfig)))
        return wrong("kubeconfig", "an absolute path on the host that runs kubectl", spec.kubeconfig);
    if (hasControls(spec.context)) return wrong("context", "the name of a context", spec.context);
    constexpr const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/+-";
    const bool relative =
        !spec.kubectl.empty() && spec.kubectl.front() != '/' && spec.kubectl.find('/') != std::string::npos;
    if (spec.kubectl.empty() || spec.kubectl.front() == '-' || relative ||
        spec.kubectl.find_first_not_of(plain) != std::string::npos)
        return wrong("kubectl", "a program's name or absolute path, of letters, digits and ._/+-", spec.kubectl);
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
            state.wrong(key + ".via",
                        "a host that is a pod or a container (k8s:… or container:…); other jumps are ssh's own "
                        "(ProxyJump)",
                        "\"" + printable(node.host) + "\"");
        return;
    }
    const auto host = parseContainerHost(node.host);
    if (!host) return wrongAt(state, key + ".host", host.error());
    if (isContainerHost(node.via) || node.via == "local")
        state.wrong(key + ".via", "what ssh takes", "\"" + printable(node.via) + "\"");
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
            state.wrong("nodes[" + std::to_string(i) + "].name", "another name: this one stands for the cluster itself",
                        "\"" + job.nodes[i].name + "\"");
}

Status checkKubernetes(const KubernetesSpec &spec)
{
    if (const auto wrong = wrongIn(spec))
        return fail(ErrorKind::invalid,
                    "--" + wrong->key + ": expected " + wrong->expected + ", found " + wrong->found);
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
