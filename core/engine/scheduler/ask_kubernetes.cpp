// SPDX-License-Identifier: GPL-3.0-or-later
// Questions about the pods of the job and their owner, the records of MindX DL, and the machines of the pods.
#include "core/engine/scheduler/scheduler_asker.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/job/container_host.h"
#include "core/node/session/cluster/kubectl_get.h"
#include "core/scheduler/kubernetes_answers.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr const char *jobLabel = "volcano.sh/job-name";
constexpr const char *podsQuestion = "pods";
constexpr const char *evictionsQuestion = "evictions";
constexpr const char *vcjobQuestion = "vcjob";
constexpr const char *groupQuestion = "pod group";
constexpr const char *queueQuestion = "queue";
constexpr const char *faultsQuestion = "recorded faults";
constexpr const char *reschedulesQuestion = "reschedules";
constexpr const char *devicesQuestion = "devices";

class KubernetesAsker final : public SchedulerAsker {
public:
    KubernetesAsker(const Job &job, ShellRunner &shell) : m_cluster(job.kubernetes), m_kubectl(m_cluster, shell)
    {
        for (const NodeSpec &node : job.nodes) {
            const auto host = parseContainerHost(node.host);
            if (!host || !host->pod) continue;
            if (m_nameSpace.empty()) m_nameSpace = host->nameSpace;
            if (host->nameSpace != m_nameSpace) continue;
            if (host->name.empty())
                m_labels.emplace_back(host->labels, node.name);
            else
                m_nodes[host->name] = node.name;
        }
        m_common = commonLabels(m_labels);
        if (const auto named = m_common.find(jobLabel); named != m_common.end() && isObjectName(named->second))
            m_pods.vcjob = named->second;
    }

    SchedulerState round(const std::string & /*slurmJob*/) override
    {
        m_answers.begin();
        m_stopped.reset();
        askPods();
        ask(evictionsQuestion, "events --field-selector=involvedObject.kind=Pod,reason=Evicted",
            [this](const std::string &text) { return readEvictions(text, m_nodes); });
        if (!m_pods.vcjob.empty()) askVolcano();
        askMachines();
        if (m_stopped) m_answers.fail(*m_stopped);
        SchedulerState state{.kind = SchedulerKind::kubernetes,
                             .job = m_pods.vcjob,
                             .state = m_vcjob.phase,
                             .queue = m_vcjob.queue.empty() ? m_pods.queue : m_vcjob.queue,
                             .restarts = m_vcjob.restarts,
                             .restartLimit = m_vcjob.restartLimit,
                             .ends = m_pods.ends};
        state.answers = m_answers.all();
        return state;
    }

    [[nodiscard]] bool refused() const override
    {
        return m_stopped && m_stopped->kind != ErrorKind::unreachable && m_stopped->kind != ErrorKind::timeout;
    }

private:
    // Asks one question, reads the answer and keeps it. If the answer shows that nothing can be asked now, the rest of
    // the round is skipped.
    template <class Read>
    void ask(const char *question, const std::string &words, const std::string &output, Read read)
    {
        const SteadyTime now = steadyNow();
        if (m_stopped || !m_answers.due(question, now)) return;
        const auto text = m_kubectl.get(question, words + " --ignore-not-found", now + schedulerAnswerTime, output);
        if (!text && text.error().kind != ErrorKind::permission) m_stopped = text.error();
        m_answers.take(question, text ? read(*text) : SchedulerFacts(text.error()), now);
    }
    template <class Read>
    void ask(const char *question, const std::string &words, Read read)
    {
        ask(question, "--namespace=" + m_nameSpace + " " + words, "json", read);
    }

    void askPods()
    {
        if (m_pods.vcjob.empty() && m_labels.empty()) findVcjob();
        ask(podsQuestion, "pods" + whichPods(), [this](const std::string &text) -> SchedulerFacts {
            for (const auto &[pod, node] : podsWithLabels(text, m_labels)) m_nodes[pod] = node;
            auto said = readPods(text, m_nodes);
            if (!said) return said.error();
            if (said->vcjob.empty() || !isObjectName(said->vcjob)) said->vcjob = m_pods.vcjob;
            if (said->podGroup.empty() || !isObjectName(said->podGroup)) said->podGroup = m_pods.podGroup;
            if (said->pods.empty()) said->pods = m_pods.pods;  // the pods of the last answer
            m_pods = std::move(*said);
            return m_pods.facts;
        });
    }

    // Selector of the job's pods, as exact as the job file allows.
    [[nodiscard]] std::string whichPods() const
    {
        if (!m_pods.vcjob.empty()) return std::string(" --selector=") + jobLabel + "=" + m_pods.vcjob;
        if (!m_common.empty()) return " --selector=" + selectorOf(m_common);
        std::string names;
        if (m_labels.empty())
            for (const auto &[pod, node] : m_nodes) names += " " + pod;
        return names;
    }

    // Finds the vcjob by the names of the pods, even before it has pods. If two vcjobs fit, the longer name counts:
    // JOB-TASK-INDEX.
    void findVcjob()
    {
        ask(vcjobQuestion, "--namespace=" + m_nameSpace + " jobs.batch.volcano.sh", "name",
            [this](const std::string &text) -> SchedulerFacts {
                for (const std::string &line : split(text, '\n')) {
                    const std::string name = line.substr(line.find('/') + 1);
                    const auto isPodOf = [&](const auto &pod) { return pod.first.starts_with(name + "-"); };
                    if (isObjectName(name) && name.size() > m_pods.vcjob.size() &&
                        std::any_of(m_nodes.begin(), m_nodes.end(), isPodOf))
                        m_pods.vcjob = name;
                }
                return std::vector<SchedulerFact>{};
            });
    }

    void askVolcano()
    {
        ask(vcjobQuestion, "jobs.batch.volcano.sh " + m_pods.vcjob, [this](const std::string &text) -> SchedulerFacts {
            auto said = readVcjob(text);
            if (!said) return said.error();
            m_vcjob = *said;
            return said->facts;
        });
        std::string groups = m_pods.podGroup;
        if (groups.empty() && !m_vcjob.uid.empty()) groups = m_pods.vcjob + "-" + m_vcjob.uid;
        if (!groups.empty() && isObjectName(groups))
            ask(groupQuestion, "podgroups.scheduling.volcano.sh " + groups, readPodGroup);
        askQueue();
        ask(faultsQuestion, "--namespace=" + m_nameSpace + " configmap fault-config-" + m_pods.vcjob,
            R"('jsonpath={.data.fault-npus}')", readFaultRanks);
        ask(reschedulesQuestion, "--namespace=mindx-dl configmap job-reschedule-reason",
            R"('jsonpath={.data.recent-reschedule-records}')",
            [this](const std::string &text) { return readReschedules(text, m_nameSpace, m_pods.vcjob, m_nodes); });
    }

    // Asks about the queue, which is useful only while the job waits.
    void askQueue()
    {
        const bool waits = m_vcjob.phase.empty() || m_vcjob.phase == "Pending";
        if (!waits || m_vcjob.queue.empty() || !isObjectName(m_vcjob.queue)) return m_answers.forget(queueQuestion);
        ask(queueQuestion, "queues.scheduling.volcano.sh " + m_vcjob.queue, "json", readQueue);
    }

    void askMachines()
    {
        const NodesOfMachine machines = nodesOfMachines(m_pods.pods, m_nodes);
        std::string names, maps;
        for (const auto &[machine, nodes] : machines) {
            if (!isObjectName(machine)) continue;
            names += " " + machine;
            maps += " " + std::string(deviceInfoPrefix) + machine;
        }
        if (names.empty()) return;
        bool ascend = true;  // true until an answer shows otherwise
        ask(machinesQuestion, "nodes" + names, "json", [&](const std::string &text) {
            ascend = text.find("huawei.com/") != std::string::npos;
            return readMachines(text, machines);
        });
        if (ascend)
            ask(devicesQuestion, "--namespace=kube-system configmap" + maps, "json",
                [&](const std::string &text) { return readDevices(text, machines); });
    }

    const KubernetesSpec m_cluster;
    KubectlGet m_kubectl;
    std::string m_nameSpace;
    NodeOfPod m_nodes;      // by name, and the pods that were seen with the labels of a node
    NodeOfLabels m_labels;  // nodes by labels
    PodLabels m_common;
    PodsAnswer m_pods;
    VcjobAnswer m_vcjob;
    SchedulerAnswers m_answers;
    std::optional<Error> m_stopped;
};

}  // namespace

std::unique_ptr<SchedulerAsker> askKubernetes(const Job &job, ShellRunner &shell)
{
    return std::make_unique<KubernetesAsker>(job, shell);
}

}  // namespace rankdeck
