// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/cluster/kubectl_get.h"

#include "core/base/text.h"
#include "core/job/cluster_node.h"
#include "core/job/container_host.h"
#include "core/node/session/container/exec_errors.h"
#include "core/node/session/container/local_files.h"

namespace rankdeck {

namespace {

constexpr const char *noSuchKind = "the server doesn't have a resource type";

// "jobs.batch.volcano.sh NAME" → "batch.volcano.sh"; empty for a kind that Kubernetes itself defines.
std::string groupIn(const std::string &words)
{
    for (const std::string &word : split(words, ' ')) {
        if (word.empty() || word.starts_with("-")) continue;
        const std::size_t dot = word.find('.');
        return dot == std::string::npos || !isObjectName(word) ? std::string() : word.substr(dot + 1);
    }
    return {};
}

}  // namespace

NodeSpec kubectlPlace(const Job &job)
{
    const std::string &via = job.kubernetes.via;
    NodeSpec where{.name = clusterNodeName, .host = via.empty() ? "local" : via};
    if (via.empty()) where.transport = TransportKind::local;
    for (const NodeSpec &node : job.nodes)
        if (!via.empty() && node.via == via) where.transport = node.transport;
    return where;
}

Result<std::string> KubectlGet::get(const std::string &what, const std::string &words, SteadyTime deadline,
                                    const std::string &output)
{
    if (Status own = m_cluster.via.empty() ? checkLocalFiles(m_cluster) : Status(Done{}); !own) return own.error();
    const auto said = m_shell.run(
        "{ command -v " + m_cluster.kubectl + " >/dev/null 2>&1 || { echo rankdeck: no kubectl >&2; false; }; } && " +
            kubectlWords(m_cluster) + " --request-timeout=10s get " + words + " --output=" + output,
        {}, deadline);
    if (!said) return said.error();
    if (said->exitCode == 0) return said->output;
    if (said->errors.find(noSuchKind) != std::string::npos) return ofNoKind(what, words, said->errors, deadline);
    return problem(what, said->errors);
}

// kubectl has the same message for an expired login and for a server that is still starting. Therefore this asks the
// cluster itself, by the group, whether it knows this kind of object.
Result<std::string> KubectlGet::ofNoKind(const std::string &what, const std::string &words, const std::string &errors,
                                         SteadyTime deadline)
{
    const std::string group = groupIn(words);
    const auto unknown = [&](const std::string &why) {
        return fail(ErrorKind::unreachable, message("The %1 cannot be read: the cluster does not report such objects "
                                                    "to kubectl, which may be temporary. kubectl said: %2.",
                                                    what, why));
    };
    if (group.empty()) return unknown(kubectlText(errors));
    const auto said =
        m_shell.run(kubectlWords(m_cluster) + " --request-timeout=10s get --raw /apis/" + group, {}, deadline);
    if (!said) return said.error();
    if (said->exitCode == 0) return unknown(kubectlText(errors));
    if (said->errors.find("(NotFound)") != std::string::npos) return std::string();
    return problem(what, said->errors);
}

Result<std::string> KubectlGet::problem(const std::string &what, const std::string &errors) const
{
    if (errors.find("rankdeck: no kubectl") != std::string::npos)
        return fail(ErrorKind::notFound,
                    message("There is no %1 on %2. Install it there, or set its path (kubernetes.kubectl, --kubectl) "
                            "or a host that has it (kubernetes.via, --via).",
                            m_cluster.kubectl,
                            m_cluster.via.empty() ? message("this machine") : Message(printable(m_cluster.via))));
    if (auto error = clusterError("The " + what, errors)) {
        if (errors.find("orbidden") != std::string::npos) error->kind = ErrorKind::permission;
        return *error;
    }
    return fail(ErrorKind::refused, message("The %1 cannot be read. kubectl said: %2.", what, kubectlText(errors)));
}

}  // namespace rankdeck
