// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/discover/cluster_jobs.h"

#include "core/base/json_at.h"
#include "core/base/text.h"
#include "core/job/cluster_node.h"
#include "core/job/container_host.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace rankdeck {

namespace {

using nlohmann::ordered_json;

constexpr const char *jobLabel = "volcano.sh/job-name";
constexpr const char *appliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

Result<ordered_json> itemsOf(const std::string &text, const char *what)
{
    const ordered_json document = ordered_json::parse(text, nullptr, false);
    if (!at(document, {"items"}).is_array())
        return fail(ErrorKind::invalid, message("expected a list of %1 as JSON from kubectl, found \"%2\"", what,
                                                printable(text.substr(0, 60))));
    return document["items"];
}

// job-worker-2 before job-worker-10
bool byNumber(const std::string &a, const std::string &b)
{
    const auto parted = [](const std::string &name) {
        const std::size_t last = name.find_last_not_of("0123456789");
        const std::size_t digits = last == std::string::npos ? 0 : last + 1;
        return std::tuple(name.substr(0, digits), name.size() - digits, name.substr(digits));
    };
    return parted(a) < parted(b);
}

// The container of the training: the one that kubectl takes, otherwise the first.
std::string containerOf(const ordered_json &pod)
{
    const ordered_json &containers = listAt(pod, {"spec", "containers"});
    if (containers.size() < 2) return {};
    const std::string usual = textAt(pod, {"metadata", "annotations", "kubectl.kubernetes.io/default-container"});
    return usual.empty() ? textAt(containers.front(), {"name"}) : usual;
}

std::string endOf(const ordered_json &state)
{
    const ordered_json &ended = at(state, {"terminated"});
    if (!ended.is_object()) return {};
    const ordered_json &code = at(ended, {"exitCode"});
    return (textAt(ended, {"reason"}).empty() ? "ended" : textAt(ended, {"reason"})) +
           (code.is_number_integer() ? ", exit code " + std::to_string(code.get<std::int64_t>()) : std::string());
}

// Reason why a pod cannot be entered. Empty: its container runs.
std::string stateOf(const ordered_json &pod, const std::string &container)
{
    const std::string phase = textAt(pod, {"status", "phase"}), reason = textAt(pod, {"status", "reason"});
    const std::string message = textAt(pod, {"status", "message"});
    for (const ordered_json &status : listAt(pod, {"status", "containerStatuses"})) {
        if (!container.empty() && textAt(status, {"name"}) != container) continue;
        if (at(status, {"state", "running"}).is_object()) return {};
        const std::string waiting = textAt(status, {"state", "waiting", "reason"});
        const std::string ended = endOf(at(status, {"state"})), before = endOf(at(status, {"lastState"}));
        std::string text =
            phase + (reason.empty() ? "" : " (" + reason + (message.empty() ? "" : ": " + message) + ")");
        for (const std::string &part : {waiting, ended}) text += part.empty() ? "" : ", " + part;
        return printable(text + (before.empty() ? "" : ", before that " + before));
    }
    std::string text = phase.empty() ? "without a phase" : phase;
    if (!reason.empty()) text += " (" + reason + (message.empty() ? "" : ": " + message) + ")";
    for (const ordered_json &condition : listAt(pod, {"status", "conditions"}))
        if (textAt(condition, {"type"}) == "PodScheduled" && textAt(condition, {"status"}) == "False")
            text += ", not scheduled: " + textAt(condition, {"message"});
    return printable(text);
}

// Leaves out the parts that the cluster's controllers have added.
std::string objectOf(const ordered_json &job)
{
    const std::string applied = textAt(job, {"metadata", "annotations", appliedAnnotation});
    ordered_json object = applied.empty() ? job : ordered_json::parse(applied, nullptr, false);
    if (!object.is_object()) object = job;
    object.erase("status");
    ordered_json &metadata = object["metadata"];
    for (const char *key : {"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "selfLink"})
        metadata.erase(key);
    if (metadata.contains("annotations") && metadata["annotations"].is_object()) {
        for (const char *key : {appliedAnnotation, "rankdeck/action", "rankdeck/set"})
            metadata["annotations"].erase(key);
        if (metadata["annotations"].empty()) metadata.erase("annotations");
    }
    return object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

void takeConfigMap(ClusterJob &job, const std::string &name, const ordered_json &mount)
{
    const std::string path = textAt(mount, {"mountPath"}), part = textAt(mount, {"subPath"});
    if (!name.starts_with("reset-config-") || !isObjectName(name) || path.empty()) return;
    job.configMap = name;
    job.configFrozen = !part.empty();
    job.configPath = part.empty() ? joinPath(path, resetConfigKey) : path;
}

// The pods are alike: takes the mounts of the first.
void takeMounts(ClusterJob &job, const ordered_json &pod, const std::string &container)
{
    for (const ordered_json &one : listAt(pod, {"spec", "containers"})) {
        if (!container.empty() && textAt(one, {"name"}) != container) continue;
        for (const ordered_json &mount : listAt(one, {"volumeMounts"}))
            for (const ordered_json &volume : listAt(pod, {"spec", "volumes"})) {
                if (textAt(volume, {"name"}) != textAt(mount, {"name"})) continue;
                for (const auto &[key, value] : volume.items())
                    if (key != "name") job.mounts[textAt(mount, {"mountPath"})] = key;
                takeConfigMap(job, textAt(volume, {"configMap", "name"}), mount);
            }
        if (const ordered_json &limits = at(one, {"resources", "limits"}); limits.is_object())
            for (const auto &[key, value] : limits.items())
                if (key.find('/') != std::string::npos && job.resource.empty()) job.resource = key;
        return;
    }
}

ClusterJob &ownerOf(std::vector<ClusterJob> &jobs, const ordered_json &pod, const std::string &nameSpace)
{
    std::string uid;
    for (const ordered_json &owner : listAt(pod, {"metadata", "ownerReferences"}))
        if (textAt(owner, {"kind"}) == "Job") uid = textAt(owner, {"uid"});
    const std::string name = textAt(pod, {"metadata", "labels", jobLabel});
    for (ClusterJob &job : jobs)
        if (job.name == name && job.uid == uid) return job;
    jobs.push_back({.nameSpace = nameSpace, .name = name, .uid = uid});
    return jobs.back();
}

}  // namespace

std::string clusterNamespaceOf(std::string_view text)
{
    if (!text.starts_with("k8s:")) return {};
    text.remove_prefix(4);
    return isNamespaceName(text) ? std::string(text) : std::string();
}

Result<std::vector<ClusterJob>> clusterJobs(const std::string &nameSpace, const std::string &pods,
                                            const std::string &jobs)
{
    std::vector<ClusterJob> found;
    if (!jobs.empty()) {
        const auto items = itemsOf(jobs, "Volcano's jobs");
        if (!items) return items.error();
        for (const ordered_json &job : *items)
            if (isObjectName(textAt(job, {"metadata", "name"})))
                found.push_back({.nameSpace = nameSpace,
                                 .name = textAt(job, {"metadata", "name"}),
                                 .uid = textAt(job, {"metadata", "uid"}),
                                 .phase = printable(textAt(job, {"status", "state", "phase"})),
                                 .isThere = true,
                                 .object = objectOf(job)});
    }
    const auto items = itemsOf(pods, "pods");
    if (!items) return items.error();
    for (const ordered_json &pod : *items) {
        ClusterPod one{.name = textAt(pod, {"metadata", "name"}), .container = containerOf(pod)};
        if (!isObjectName(one.name) || !isObjectName(textAt(pod, {"metadata", "labels", jobLabel}))) continue;
        if (!one.container.empty() && !isNamespaceName(one.container)) continue;
        const ordered_json &machines = at(pod, {"spec", "hostNetwork"});
        if (!machines.is_boolean() || !machines.get<bool>()) one.ip = textAt(pod, {"status", "podIP"});
        one.state = stateOf(pod, one.container);
        ClusterJob &job = ownerOf(found, pod, nameSpace);
        if (job.pods.empty()) takeMounts(job, pod, one.container);
        job.pods.push_back(std::move(one));
    }
    for (ClusterJob &job : found) {
        std::sort(job.pods.begin(), job.pods.end(),
                  [](const ClusterPod &a, const ClusterPod &b) { return byNumber(a.name, b.name); });
        if (job.configMap.empty()) job.configMap = "reset-config-" + job.name;
    }
    return found;
}

std::string volumeOf(const ClusterJob &job, const std::string &path)
{
    std::string longest, kind;
    for (const auto &[mount, volume] : job.mounts)
        if (mount.size() >= longest.size() && (path == mount || path.starts_with(mount == "/" ? mount : mount + "/"))) {
            longest = mount;
            kind = volume;
        }
    return kind;
}

std::string rankTableStatus(const std::string &hccl)
{
    return printable(textAt(ordered_json::parse(hccl, nullptr, false), {"status"}));
}

}  // namespace rankdeck
