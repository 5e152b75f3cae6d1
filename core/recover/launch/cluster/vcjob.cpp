// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/launch/cluster/vcjob.h"

#include "core/base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace rankdeck {

using nlohmann::ordered_json;

namespace {

// Record of a job without device faults, exactly as MindCluster's components marshal it. They marshal their struct
// again and compare the SHA-256 of the text with checkCode.
constexpr const char *faultKey = "fault-npus";
constexpr const char *freshReset =
    R"({"RankList":[],"UpdateTime":0,"RetryTime":0,"FaultFlushing":false,"GracefulExit":0,"RestartFaultProcess":false})";
constexpr std::string_view inMemory = "memory://";  // for /dev/shm, which otherwise has 64 MiB in a pod
constexpr const char *ringLabel = "ring-controller.atlas";
constexpr const char *freshRankTable = R"({"status":"initializing"})";  // initial text in the vendor's samples
constexpr const char *freshResetSha256 = "2e3fdb96df01322d394485be117076da0914f97a9b3cc2abb9ceb13bcbf96e5f";

std::string scalar(const ordered_json &value)
{
    return value.dump(-1, ' ', true, ordered_json::error_handler_t::replace);  // JSON's scalars are YAML's
}

bool flowOnly(const ordered_json &value)
{
    if (!value.is_structured() || value.empty()) return true;
    return value.is_array() &&
           std::none_of(value.begin(), value.end(), [](const ordered_json &v) { return v.is_structured(); });
}

void write(std::string &out, const ordered_json &value, std::size_t indent)
{
    const std::string blanks(indent, ' ');
    if (value.is_array()) {
        for (const ordered_json &item : value) {
            std::string inner;
            write(inner, item, indent + 2);
            out += blanks + "- " + inner.substr(std::min(indent + 2, inner.size()));
        }
        return;
    }
    for (const auto &[key, item] : value.items()) {
        const bool plain =
            key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos;
        out += blanks + (plain ? key : scalar(key)) + ":";
        if (flowOnly(item)) {
            out += " " + scalar(item) + "\n";
            continue;
        }
        out += "\n";
        write(out, item, indent + (item.is_array() ? 0 : 2));
    }
}

ordered_json mountsOf(const Job &job)
{
    ordered_json mounts = ordered_json::array();
    int number = 0;
    for (const auto &[path, host] : job.launch.volcano.mounts)
        mounts.push_back({{"name", "mount-" + std::to_string(number++)}, {"mountPath", validUtf8(path)}});
    mounts.push_back({{"name", "reset-config"}, {"mountPath", "/user/restore/reset/config"}});
    if (hasRankTable(job))
        mounts.push_back({{"name", "rings-config"}, {"mountPath", "/user/serverid/devindex/config"}});
    if (mountsFaultConfig(job))
        mounts.push_back({{"name", "fault-config"}, {"mountPath", validUtf8(dirName(job.launch.faultNpus))}});
    return mounts;
}

ordered_json volumesOf(const Job &job)
{
    ordered_json volumes = ordered_json::array();
    int number = 0;
    for (const auto &[path, host] : job.launch.volcano.mounts) {
        ordered_json volume{{"name", "mount-" + std::to_string(number++)}};
        const std::size_t slash = host.find('/', 6);
        if (host.starts_with(inMemory))
            volume["emptyDir"] = {{"medium", "Memory"}, {"sizeLimit", validUtf8(host.substr(inMemory.size()))}};
        else if (host.starts_with("nfs://") && slash != std::string::npos)
            volume["nfs"] = {{"server", validUtf8(host.substr(6, slash - 6))}, {"path", validUtf8(host.substr(slash))}};
        else
            volume["hostPath"] = {{"path", validUtf8(host)}};
        volumes.push_back(std::move(volume));
    }
    volumes.push_back({{"name", "reset-config"}, {"configMap", {{"name", "reset-config-" + vcjobName(job)}}}});
    if (hasRankTable(job))
        volumes.push_back({{"name", "rings-config"}, {"configMap", {{"name", "rings-config-" + vcjobName(job)}}}});
    if (mountsFaultConfig(job))
        volumes.push_back({{"name", "fault-config"},
                           {"configMap", {{"name", "fault-config-" + vcjobName(job)}, {"optional", true}}}});
    return volumes;
}

ordered_json containerOf(const RecipeInput &input, const std::vector<std::string> &command, std::size_t devices)
{
    const Job &job = input.view.job;
    ordered_json container{{"name", "worker"}, {"image", validUtf8(job.launch.volcano.image)}, {"command", command}};
    if (!job.launch.workdir.empty()) container["workingDir"] = validUtf8(job.launch.workdir);
    container["env"] = ordered_json::array(
        {{{"name", "XDL_IP"}, {"valueFrom", {{"fieldRef", {{"fieldPath", "status.hostIP"}}}}}},
         {{"name", "POD_IP"}, {"valueFrom", {{"fieldRef", {{"fieldPath", "status.podIP"}}}}}},
         // MindX DL's components in the pod use this variable to identify the pod's job.
         {{"name", "mindx-dls-test"}, {"valueFrom", {{"fieldRef", {{"fieldPath", "metadata.name"}}}}}}});
    // Volcano's device plugin writes the devices of the pod there; the Ascend container runtime reads the variable.
    const std::string &resource = job.launch.volcano.resource;
    if (resource.starts_with("huawei.com/") && resource.find('\'') == std::string::npos)
        container["env"].push_back(
            {{"name", "ASCEND_VISIBLE_DEVICES"},
             {"valueFrom", {{"fieldRef", {{"fieldPath", "metadata.annotations['" + resource + "']"}}}}}});
    for (const auto &[name, value] : job.launch.env)
        container["env"].push_back({{"name", validUtf8(name)}, {"value", validUtf8(value)}});
    if (!job.launch.volcano.resource.empty()) {
        ordered_json wanted = ordered_json::object();
        wanted[job.launch.volcano.resource] = std::to_string(devices);
        container["resources"] = {{"requests", wanted}, {"limits", wanted}};
    }
    container["volumeMounts"] = mountsOf(job);
    return container;
}

}  // namespace

std::string vcjobName(const Job &job)
{
    std::string name;
    for (const char c : job.name) {
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            name += c;
        else if (c >= 'A' && c <= 'Z')
            name += static_cast<char>(c - 'A' + 'a');
        else if (!name.empty() && name.back() != '-')
            name += '-';
    }
    name.resize(std::min<std::size_t>(name.size(), 52));
    while (!name.empty() && name.back() == '-') name.pop_back();
    if (name.empty() || (name.front() >= '0' && name.front() <= '9')) name = "job-" + name;  // also a service's name
    while (name.back() == '-') name.pop_back();
    return name;
}

std::string vcjobYaml(const RecipeInput &input, const std::vector<std::string> &command, std::size_t pods,
                      std::size_t devices)
{
    const Job &job = input.view.job;
    const VolcanoSpec &volcano = job.launch.volcano;
    ordered_json labels = ordered_json::object();
    labels["fault-scheduling"] = "grace";
    for (const auto &[name, value] : volcano.labels) labels[name] = value;
    ordered_json pod{{"restartPolicy", "Never"},
                     {"terminationGracePeriodSeconds", volcano.graceSeconds},
                     {"containers", ordered_json::array({containerOf(input, command, devices)})},
                     {"volumes", volumesOf(job)}};
    if (!volcano.nodeSelector.empty()) pod["nodeSelector"] = volcano.nodeSelector;
    const auto policy = [](const char *event, const char *action) {
        return ordered_json{{"event", event}, {"action", action}};
    };
    const ordered_json document{
        {"apiVersion", "batch.volcano.sh/v1alpha1"},
        {"kind", "Job"},
        {"metadata",
         {{"name", vcjobName(job)},
          {"namespace", volcano.nameSpace},
          {"labels", labels},
          {"annotations", {{"rankdeck/action", input.id}, {"rankdeck/set", validUtf8(input.set.id)}}}}},
        {"spec",
         {{"minAvailable", pods},
          {"schedulerName", "volcano"},
          {"queue", volcano.queue},
          {"maxRetry", 1},
          // Pods must not restart automatically: a restarted pod would load this set again and ignore all later saves.
          {"policies", ordered_json::array({policy("PodEvicted", "AbortJob"), policy("PodFailed", "AbortJob"),
                                            policy("TaskCompleted", "CompleteJob")})},
          {"plugins", {{"ssh", ordered_json::array()}, {"env", ordered_json::array()}, {"svc", ordered_json::array()}}},
          {"tasks", ordered_json::array({{{"name", "worker"},
                                          {"replicas", pods},
                                          {"template", {{"metadata", {{"labels", labels}}}, {"spec", pod}}}}})}}}};
    std::string text;
    write(text, document, 0);
    return text;
}

std::string resetConfigYaml(const Job &job)
{
    const ordered_json document{{"apiVersion", "v1"},
                                {"kind", "ConfigMap"},
                                {"metadata",
                                 {{"name", "reset-config-" + vcjobName(job)},
                                  {"namespace", job.launch.volcano.nameSpace},
                                  {"labels", {{"reset", "true"}}}}},
                                {"data", {{"reset.json", freshReset}, {"checkCode", freshResetSha256}}}};
    std::string text;
    write(text, document, 0);
    return text;
}

std::string resetConfigPatch()
{
    ordered_json patch = ordered_json::object();
    patch["data"] = {{"reset.json", freshReset}, {"checkCode", freshResetSha256}};
    return patch.dump(2) + "\n";
}

bool mountsFaultConfig(const Job &job)
{
    return job.launch.script == "pangu" && job.launch.faultNpus.starts_with("/") &&
           baseName(job.launch.faultNpus) == faultKey;
}

std::string faultConfigYaml(const Job &job, const std::string &record)
{
    const ordered_json document{
        {"apiVersion", "v1"},
        {"kind", "ConfigMap"},
        {"metadata", {{"name", "fault-config-" + vcjobName(job)}, {"namespace", job.launch.volcano.nameSpace}}},
        {"data", {{faultKey, record}}}};
    std::string text;
    write(text, document, 0);
    return text;
}

std::string faultConfigPatch(const std::string &record)
{
    ordered_json patch = ordered_json::object();
    patch["data"][faultKey] = record;
    return patch.dump(2) + "\n";
}

bool hasRankTable(const Job &job) { return job.launch.volcano.labels.contains(ringLabel); }

std::string ringsConfigYaml(const Job &job)
{
    const auto label = job.launch.volcano.labels.find(ringLabel);
    ordered_json document{
        {"apiVersion", "v1"},
        {"kind", "ConfigMap"},
        {"metadata", {{"name", "rings-config-" + vcjobName(job)}, {"namespace", job.launch.volcano.nameSpace}}},
        {"data", {{"hccl.json", freshRankTable}}}};
    if (label != job.launch.volcano.labels.end()) document["metadata"]["labels"][ringLabel] = validUtf8(label->second);
    std::string text;
    write(text, document, 0);
    return text;
}

std::string ringsConfigPatch()
{
    ordered_json patch = ordered_json::object();
    patch["data"]["hccl.json"] = freshRankTable;
    return patch.dump(2) + "\n";
}

}  // namespace rankdeck
