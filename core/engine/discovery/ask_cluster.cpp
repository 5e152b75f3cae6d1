// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/discovery/ask_cluster.h"

#include "core/base/text.h"
#include "core/node/session/container/exec_command.h"
#include "core/node/session/container/exec_errors.h"
#include "core/node/session/container/local_files.h"

namespace rankdeck {

namespace {

class Asking {
public:
    Asking(std::string nameSpace, const KubernetesSpec &cluster, ShellRunner &shell, SteadyTime deadline)
        : m_nameSpace(std::move(nameSpace)), m_cluster(cluster), m_shell(shell), m_deadline(deadline)
    {}

    // Objects as JSON, or as `output` says; empty where a single one is not there.
    Result<std::string> get(const std::string &words, const std::string &output = "json")
    {
        const std::string kubectl = kubectlWords(m_cluster);
        const auto said = m_shell.run("{ command -v " + m_cluster.kubectl +
                                          " >/dev/null 2>&1 || { echo rankdeck: no kubectl >&2; false; }; } && " +
                                          kubectl + " --request-timeout=10s --namespace=" + m_nameSpace + " get " +
                                          words + " --output=" + output,
                                      {}, m_deadline);
        if (!said) return said.error();
        if (said->exitCode == 0) return said->output;
        return problem(said->errors);
    }

private:
    Error problem(const std::string &errors) const
    {
        const std::string what = "namespace " + m_nameSpace;
        if (errors.find("rankdeck: no kubectl") != std::string::npos)
            return fail(ErrorKind::notFound, "There is no " + m_cluster.kubectl + " on " +
                                                 (m_cluster.via.empty() ? "this machine" : printable(m_cluster.via)) +
                                                 ". Install it there, name it with --kubectl, or name a host that has "
                                                 "it with --via.");
        if (auto error = clusterError("The " + what, errors)) return *error;
        return fail(ErrorKind::refused, "The " + what + " cannot be read. kubectl said: " + kubectlText(errors) + ".");
    }

    const std::string m_nameSpace;
    const KubernetesSpec &m_cluster;
    ShellRunner &m_shell;
    SteadyTime m_deadline;
};

}  // namespace

Result<ClusterAnswer> askCluster(const std::string &nameSpace, const KubernetesSpec &cluster, ShellRunner &shell,
                                 SteadyTime deadline)
{
    if (Status own = cluster.via.empty() ? checkLocalFiles(cluster) : Status(Done{}); !own) return own.error();
    Asking ask(nameSpace, cluster, shell, deadline);
    const auto pods = ask.get("pods --selector=volcano.sh/job-name");
    if (!pods) return pods.error();
    ClusterAnswer answer;
    const auto vcjobs = ask.get("jobs.batch.volcano.sh");
    if (!vcjobs) answer.vcjobsUnknown = vcjobs.error();
    auto jobs = clusterJobs(nameSpace, *pods, vcjobs ? *vcjobs : std::string());
    if (!jobs) return jobs.error();
    answer.jobs = std::move(*jobs);
    for (ClusterJob &job : answer.jobs) {
        if (job.pods.empty()) continue;
        const auto there =
            ask.get("configmap " + job.configMap + " --ignore-not-found", R"('jsonpath={.data.reset\.json}')");
        if (!there) job.configUnknown = job.configMap + ": " + there.error().message;
        if (!there || there->find("GracefulExit") == std::string::npos) job.configMap.clear();
        const auto table =
            ask.get("configmap rings-config-" + job.name + " --ignore-not-found", R"('jsonpath={.data.hccl\.json}')");
        job.rankTable = table ? rankTableStatus(*table) : "nothing that could be read (" + table.error().message + ")";
    }
    return answer;
}

}  // namespace rankdeck
