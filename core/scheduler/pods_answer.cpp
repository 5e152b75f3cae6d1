// SPDX-License-Identifier: GPL-3.0-or-later
// Pods: their machines, their owners, and the states of their containers.
#include "core/scheduler/kubernetes_answers.h"
#include "core/scheduler/objects.h"

#include "core/base/json_at.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace rankdeck {

namespace {

using nlohmann::ordered_json;

constexpr std::int64_t graceOverTime = 900;  // seconds; its usual value

// True for reasons that every starting pod has: not news.
bool isUsualWait(const std::string &reason)
{
    return reason.empty() || reason == "ContainerCreating" || reason == "PodInitializing";
}

bool failed(const ordered_json &terminated)
{
    const ordered_json &code = at(terminated, {"exitCode"});
    return (code.is_number_integer() && code != 0) || textAt(terminated, {"reason"}) == "OOMKilled";
}

class PodReader {
public:
    PodReader(PodsAnswer &said, const NodeOfPod &nodes) : m_said(said), m_nodes(nodes) {}

    void read(const ordered_json &pod)
    {
        m_name = textAt(pod, {"metadata", "name"});
        const auto node = m_nodes.find(m_name);
        m_node = node == m_nodes.end() ? std::string() : node->second;
        m_said.pods.push_back({.name = m_name, .machine = textAt(pod, {"spec", "nodeName"})});
        take(m_said.vcjob, textAt(pod, {"metadata", "labels", "volcano.sh/job-name"}));
        take(m_said.podGroup, textAt(pod, {"metadata", "annotations", "scheduling.k8s.io/group-name"}));
        take(m_said.queue, textAt(pod, {"metadata", "labels", "volcano.sh/queue-name"}));
        evicted(pod);
        deleted(pod);
        for (const ordered_json &container : listAt(pod, {"status", "containerStatuses"})) ofContainer(container);
        if (textAt(pod, {"status", "phase"}) == "Pending") unscheduled(pod);
    }

    void finish()
    {
        nameTheFirst();
        if (m_unscheduled.empty()) return;
        std::string nodes;
        for (const std::string &node : m_unscheduledNodes) nodes += (nodes.empty() ? "" : ", ") + node;
        m_said.facts.push_back({.code = SchedulerFactCode::jobWaits,
                                .text = std::to_string(m_unscheduledPods) + " of " +
                                        std::to_string(m_said.pods.size()) +
                                        " pods have no machine: " + printable(m_unscheduled),
                                .node = nodes});
    }

private:
    struct Failure {
        WallTime time;
        std::size_t fact;
    };

    // Marks the first failure as the cause of the others, if it was before all others.
    void nameTheFirst()
    {
        std::sort(m_failures.begin(), m_failures.end(),
                  [](const Failure &a, const Failure &b) { return a.time < b.time; });
        if (m_failures.size() > 1 && m_failures[0].time < m_failures[1].time)
            m_said.facts[m_failures[0].fact].text += ": the first to fail";
    }

    static void take(std::string &into, const std::string &value)
    {
        if (into.empty()) into = value;
    }

    void add(SchedulerFactCode code, const std::string &text, std::optional<WallTime> time = {})
    {
        m_said.facts.push_back(
            {.code = code, .text = "pod " + m_name + ": " + printable(text), .node = m_node, .time = time});
    }

    void evicted(const ordered_json &pod)
    {
        const std::string reason = textAt(pod, {"status", "reason"}), message = textAt(pod, {"status", "message"});
        if (reason.empty()) return;
        std::optional<WallTime> time;
        for (const ordered_json &condition : listAt(pod, {"status", "conditions"}))
            if (const std::string type = textAt(condition, {"type"}); type == "DisruptionTarget" || type == "Ready")
                time = std::max(time, parseIsoTime(textAt(condition, {"lastTransitionTime"})));
        add(SchedulerFactCode::podEnded, reason + (message.empty() ? "" : ": " + message), time);
        if (time) m_failures.push_back({*time, m_said.facts.size() - 1});
    }

    // For a pod that is being deleted, the API server gives the time when its grace ends. Volcano, which deletes the
    // pods that it moves to another node, waits no longer than its argument grace-over-time, even if the pod asks for
    // more.
    void deleted(const ordered_json &pod)
    {
        std::optional<WallTime> ends = parseIsoTime(textAt(pod, {"metadata", "deletionTimestamp"}));
        if (!ends) return;
        const ordered_json &grace = at(pod, {"metadata", "deletionGracePeriodSeconds"});
        const bool byVolcano = !textAt(pod, {"metadata", "labels", "volcano.sh/job-name"}).empty();
        std::string why = "terminationGracePeriodSeconds";
        if (grace.is_number_integer()) {
            const auto seconds = grace.get<std::int64_t>();
            const WallTime begun = *ends - std::chrono::seconds(std::clamp<std::int64_t>(seconds, 0, 1000000));
            if (byVolcano && seconds > graceOverTime) {
                *ends = begun + std::chrono::seconds(graceOverTime);
                why = "Volcano's grace-over-time, " + std::to_string(graceOverTime) + " s";
            }
        }
        add(SchedulerFactCode::rescheduled,
            "is being deleted, and will be ended by force at " + isoTime(*ends) + " (" + why + ")");
        if (!m_said.ends || *ends < *m_said.ends) m_said.ends = ends;
    }

    void ended(const std::string &container, const ordered_json &terminated)
    {
        if (!terminated.is_object()) return;
        const ordered_json &code = at(terminated, {"exitCode"}), &signal = at(terminated, {"signal"});
        const std::string reason = textAt(terminated, {"reason"});
        std::string text = "container " + container + ": " + (reason.empty() ? "ended" : reason);
        if (code.is_number_integer()) text += ", exit code " + std::to_string(code.get<int>());
        if (signal.is_number_integer()) text += ", signal " + std::to_string(signal.get<int>());
        if (const std::string message = textAt(terminated, {"message"}); !message.empty()) text += ": " + message;
        const auto time = parseIsoTime(textAt(terminated, {"finishedAt"}));
        add(SchedulerFactCode::podEnded, text, time);
        if (time && failed(terminated)) m_failures.push_back({*time, m_said.facts.size() - 1});
    }

    void ofContainer(const ordered_json &container)
    {
        const std::string name = textAt(container, {"name"});
        ended(name, at(container, {"lastState", "terminated"}));
        ended(name, at(container, {"state", "terminated"}));
        const std::string waits = textAt(container, {"state", "waiting", "reason"});
        if (isUsualWait(waits)) return;
        const ordered_json &restarts = at(container, {"restartCount"});
        std::string text = "container " + name + " waits: " + waits;
        if (restarts.is_number_integer() && restarts > 0)
            text += ", restarted " + std::to_string(restarts.get<int>()) + (restarts == 1 ? " time" : " times");
        add(SchedulerFactCode::podWaits, text);
    }

    void unscheduled(const ordered_json &pod)
    {
        for (const ordered_json &condition : listAt(pod, {"status", "conditions"})) {
            if (textAt(condition, {"type"}) != "PodScheduled" || textAt(condition, {"status"}) != "False") continue;
            const std::string message = textAt(condition, {"message"});
            ++m_unscheduledPods;
            if (!m_node.empty()) m_unscheduledNodes.push_back(m_node);
            take(m_unscheduled, textAt(condition, {"reason"}) + (message.empty() ? "" : ": " + message));
        }
    }

    PodsAnswer &m_said;
    const NodeOfPod &m_nodes;
    std::vector<Failure> m_failures;
    std::string m_name, m_node;
    int m_unscheduledPods = 0;
    std::string m_unscheduled;  // text of the first
    std::vector<std::string> m_unscheduledNodes;
};

}  // namespace

NodeOfPod podsWithLabels(const std::string &text, const NodeOfLabels &nodes)
{
    NodeOfPod found;
    const auto pods = objectsIn(text, "pods");
    if (!pods) return found;
    for (const ordered_json &pod : *pods)
        for (const auto &[labels, node] : nodes) {
            const auto has = [&](const auto &label) {
                return textAt(pod, {"metadata", "labels", label.first}) == label.second;
            };
            if (std::all_of(labels.begin(), labels.end(), has)) found[textAt(pod, {"metadata", "name"})] = node;
        }
    return found;
}

PodLabels commonLabels(const NodeOfLabels &nodes)
{
    PodLabels common = nodes.empty() ? PodLabels() : nodes.front().first;
    for (const auto &[labels, node] : nodes)
        std::erase_if(common, [&own = labels](const auto &label) {
            const auto at = own.find(label.first);
            return at == own.end() || at->second != label.second;
        });
    return common;
}

Result<PodsAnswer> readPods(const std::string &text, const NodeOfPod &nodes)
{
    const auto pods = objectsIn(text, "pods");
    if (!pods) return pods.error();
    PodsAnswer said;
    PodReader reader(said, nodes);
    for (const ordered_json &pod : *pods) reader.read(pod);
    reader.finish();
    return said;
}

Result<std::vector<SchedulerFact>> readEvictions(const std::string &text, const NodeOfPod &nodes)
{
    return factsOf(text, "events", [&nodes](Facts &facts, const ordered_json &event) {
        const std::string pod = textAt(event, {"involvedObject", "name"}), message = textAt(event, {"message"});
        const auto node = nodes.find(pod);
        if (node == nodes.end() || textAt(event, {"involvedObject", "kind"}) != "Pod") return;
        auto time = parseIsoTime(textAt(event, {"lastTimestamp"}));
        if (!time) time = parseIsoTime(textAt(event, {"eventTime"}));
        facts.push_back(
            {.code = SchedulerFactCode::podEnded,
             .text = "pod " + pod + ": Evicted" + (message.empty() ? "" : ": " + withoutStop(printable(message))),
             .node = node->second,
             .time = time});
    });
}

NodesOfMachine nodesOfMachines(const std::vector<PodPlace> &pods, const NodeOfPod &nodes)
{
    NodesOfMachine found;
    for (const PodPlace &pod : pods) {
        if (pod.machine.empty()) continue;
        std::string &names = found[pod.machine];
        if (const auto node = nodes.find(pod.name); node != nodes.end())
            names += (names.empty() ? "" : ", ") + node->second;
    }
    return found;
}

}  // namespace rankdeck
