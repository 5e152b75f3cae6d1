// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/hosts/named_hosts.h"

#include "core/base/deadline.h"
#include "core/base/text.h"
#include "core/discover/found_job.h"
#include "core/discover/text/host_list.h"
#include "core/engine/discovery/ask_cluster.h"
#include "core/job/cluster_keys.h"
#include "core/job/container_host.h"
#include "core/node/session/reach/run_ssh.h"
#include "core/node/transport/session_factory.h"

#include <algorithm>

namespace rankdeck::ctl {
namespace {

constexpr std::chrono::seconds slurmTime{15};

class Finder {
public:
    explicit Finder(const Naming &asked) : m_asked(asked) {}

    Result<NamedHosts> all()
    {
        if (const Status good = checkKubernetes(m_asked.kubernetes); !good) return good.error();
        for (const std::string &word : m_asked.words)
            if (const Status done = one(word); !done) return done.error();
        return std::move(m_out);
    }

private:
    Status one(const std::string &word)
    {
        if (const std::string nameSpace = clusterNamespaceOf(word); !nameSpace.empty()) return pods(nameSpace);
        const std::string job = slurmJobOf(word);
        Result<std::vector<std::string>> named = job.empty() ? expandHosts(word) : slurm(word, job);
        if (!named) return named.error();
        for (const std::string &host : *named) add(host, {});
        return Done{};
    }

    [[nodiscard]] Result<std::vector<std::string>> slurm(const std::string &word, const std::string &job) const
    {
        if (!m_asked.kubernetes.via.empty()) return slurmOver(word, job);
        const auto said = runToEnd(slurmHostsCommand(job), slurmTime, m_asked.stopped);
        if (!said && said.error().kind == ErrorKind::notFound)
            return fail(ErrorKind::notFound, "Expected squeue in the PATH of this machine for " + word +
                                                 ", found none. Give a host that has it (--via), or the job's hosts.");
        if (!said) return said.error();
        return hostsOfSlurm(job, said->exitCode, said->output, said->errors);
    }

    // Asks squeue on a login node of the cluster.
    [[nodiscard]] Result<std::vector<std::string>> slurmOver(const std::string &word, const std::string &job) const
    {
        constexpr int noSuchProgram = 127;  // exit code of a shell for a missing program
        ShellRunner shell(makeSessionFactory(), commandHost(m_asked.kubernetes), m_asked.connect, m_asked.stopped);
        std::string words;  // needs no quoting: the only variable part is a number
        for (const std::string &part : slurmHostsCommand(job)) words += (words.empty() ? "" : " ") + part;
        const auto said = shell.run(words, {}, inSeconds(m_asked.seconds));
        if (!said) return said.error();
        if (said->exitCode == noSuchProgram)
            return fail(ErrorKind::notFound, "Expected squeue in the PATH of " + printable(m_asked.kubernetes.via) +
                                                 " for " + word + ", found none. Give a host that has it (--via).");
        return hostsOfSlurm(job, said->exitCode, said->output, said->errors);
    }

    Status pods(const std::string &nameSpace)
    {
        ShellRunner shell(makeSessionFactory(), commandHost(m_asked.kubernetes), m_asked.connect, m_asked.stopped);
        const auto answer = askCluster(nameSpace, m_asked.kubernetes, shell, inSeconds(m_asked.seconds));
        // A cluster that refuses access counts as unreachable, so that a script need not distinguish the two.
        if (!answer) return fail(ErrorKind::unreachable, answer.error().message);
        m_out.cluster = true;
        if (answer->vcjobsUnknown)
            m_out.remarks.push_back("Volcano's jobs in " + nameSpace +
                                    " cannot be read, only their pods: " + answer->vcjobsUnknown->message);
        if (answer->jobs.empty())
            m_out.remarks.push_back(
                "There is no vcjob in the namespace " + nameSpace +
                ", and no pod with the label volcano.sh/job-name. \"kubectl get vcjob "
                "--all-namespaces\" lists all vcjobs in the cluster; a single pod is k8s:NAMESPACE/POD.");
        for (const ClusterJob &job : answer->jobs) take(job);
        return Done{};
    }

    void take(const ClusterJob &job)
    {
        const auto shared = std::make_shared<const ClusterJob>(job);
        const std::string name = job.nameSpace + "/" + job.name;
        if (job.pods.empty())
            m_out.remarks.push_back("vcjob " + name + " is " + (job.phase.empty() ? "without a phase" : job.phase) +
                                    " and has no pods");
        for (const ClusterPod &pod : job.pods) {
            const std::string host =
                "k8s:" + job.nameSpace + "/" + pod.name + (pod.container.empty() ? "" : ":" + pod.container);
            add(host, shared, pod.state.empty() ? "" : "The pod is " + pod.state + ". Nothing is running in it.");
        }
    }

    void add(const std::string &host, std::shared_ptr<const ClusterJob> cluster, std::string unreachable = {})
    {
        const auto same = [&](const NamedHost &one) { return one.spec.host == host; };
        if (std::any_of(m_out.hosts.begin(), m_out.hosts.end(), same)) return;
        NodeSpec spec{.name = host, .host = host};
        if (host.empty() || host == "local") spec.transport = TransportKind::local;
        if (isContainerHost(host)) {
            spec.via = m_asked.kubernetes.via;
            spec.kubernetes = m_asked.kubernetes;
            spec.kubernetes.via.clear();
        }
        m_out.hosts.push_back(
            {.spec = std::move(spec), .cluster = std::move(cluster), .unreachable = std::move(unreachable)});
    }

    const Naming &m_asked;
    NamedHosts m_out;
};

}  // namespace

NodeSpec commandHost(const KubernetesSpec &cluster)
{
    NodeSpec spec{.name = "kubectl", .host = cluster.via.empty() ? "local" : cluster.via};
    if (cluster.via.empty()) spec.transport = TransportKind::local;
    return spec;
}

Result<NamedHosts> namedHosts(const Naming &naming) { return Finder(naming).all(); }

}  // namespace rankdeck::ctl
