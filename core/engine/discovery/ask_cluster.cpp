// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/discovery/ask_cluster.h"

#include "core/node/session/cluster/kubectl_get.h"

namespace rankdeck {

namespace {

class Asking {
public:
    Asking(std::string nameSpace, const KubernetesSpec &cluster, ShellRunner &shell, SteadyTime deadline)
        : m_nameSpace(std::move(nameSpace)), m_kubectl(cluster, shell), m_deadline(deadline)
    {}

    // Objects as JSON, or in the form of `output`; empty if a single object does not exist.
    Result<std::string> get(const std::string &words, const std::string &output = "json")
    {
        return m_kubectl.get("namespace " + m_nameSpace, "--namespace=" + m_nameSpace + " " + words, m_deadline,
                             output);
    }

private:
    const std::string m_nameSpace;
    KubectlGet m_kubectl;
    SteadyTime m_deadline;
};

}  // namespace

Result<ClusterAnswer> askCluster(const std::string &nameSpace, const KubernetesSpec &cluster, ShellRunner &shell,
                                 SteadyTime deadline)
{
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
