// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/launch/cluster/vcjob_template.h"

#include "core/base/text.h"
#include "core/job/container_host.h"
#include "core/recover/edit/yaml_json.h"
#include "core/recover/launch/cluster/vcjob.h"
#include "core/recover/launch/cluster/vcjob_recovery.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace rankdeck {

namespace {

using nlohmann::ordered_json;

constexpr std::int64_t graceOverTime = 900;  // Volcano's argument grace-over-time: after it a pod is killed

// The value under a path of keys and indexes; null if missing.
const ordered_json &at(const ordered_json &object, const std::vector<std::string> &path)
{
    static const ordered_json nothing;
    const ordered_json *now = &object;
    for (const std::string &key : path) {
        if (now->is_object() && now->contains(key))
            now = &(*now)[key];
        else if (now->is_array() && key == "0" && !now->empty())
            now = &now->front();
        else
            return nothing;
    }
    return *now;
}

std::string textAt(const ordered_json &object, const std::vector<std::string> &path)
{
    const ordered_json &value = at(object, path);
    return value.is_string() ? value.get<std::string>() : std::string();
}

std::optional<std::int64_t> numberAt(const ordered_json &object, const std::vector<std::string> &path)
{
    const ordered_json &value = at(object, path);
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (!value.is_string()) return {};
    const std::string text = value.get<std::string>();
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    return problem == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

const std::vector<std::string> taskPath{"spec", "tasks", "0"};
const std::vector<std::string> podPath{"spec", "tasks", "0", "template", "spec"};

std::vector<std::string> inPod(const std::vector<std::string> &more)
{
    std::vector<std::string> path = podPath;
    path.insert(path.end(), more.begin(), more.end());
    return path;
}

Error wrong(const std::string &expected, const std::string &found)
{
    return fail(ErrorKind::invalid, message("expected %1, found %2", expected, found));
}

bool isVcjob(const ordered_json &document)
{
    return textAt(document, {"kind"}) == "Job" && textAt(document, {"apiVersion"}).starts_with("batch.volcano.sh/");
}

std::vector<std::map<std::string, std::string>> environmentsOf(const ordered_json &job)
{
    std::vector<std::map<std::string, std::string>> found;
    for (const char *kind : {"containers", "initContainers"}) {
        const ordered_json &containers = at(job, inPod({kind}));
        if (!containers.is_array()) continue;
        for (const ordered_json &container : containers) {
            const ordered_json &variables = at(container, {"env"});
            if (!variables.is_array()) continue;
            auto &own = found.emplace_back();
            for (const ordered_json &one : variables) own[textAt(one, {"name"})] = textAt(one, {"value"});
        }
    }
    return found;
}

bool sharedMemory(const ordered_json &object)
{
    const ordered_json &mounts = at(object, inPod({"containers", "0", "volumeMounts"}));
    const ordered_json &volumes = at(object, inPod({"volumes"}));
    if (!mounts.is_array() || !volumes.is_array()) return false;
    for (const ordered_json &mount : mounts) {
        if (textAt(mount, {"mountPath"}) != "/dev/shm") continue;
        for (const ordered_json &volume : volumes)
            if (textAt(volume, {"name"}) == textAt(mount, {"name"}))
                return textAt(volume, {"emptyDir", "medium"}) == "Memory";
    }
    return false;
}

// Policies of the job and of its tasks that restart pods or the job.
std::vector<std::string> restarts(const ordered_json &object)
{
    std::vector<std::string> found;
    for (const std::vector<std::string> &path :
         {std::vector<std::string>{"spec", "policies"}, {"spec", "tasks", "0", "policies"}}) {
        const ordered_json &policies = at(object, path);
        if (!policies.is_array()) continue;
        for (const ordered_json &policy : policies)
            if (textAt(policy, {"action"}).starts_with("Restart"))
                found.push_back(textAt(policy, {"event"}) + " → " + textAt(policy, {"action"}));
    }
    return found;
}

void checkEnd(std::vector<Finding> &into, const ordered_json &object)
{
    const std::int64_t grace = numberAt(object, inPod({"terminationGracePeriodSeconds"})).value_or(30);
    if (grace <= 0 || grace >= graceOverTime)
        into.push_back(warning(
            "vcjob_policy",
            message("expected terminationGracePeriodSeconds above 0 and below %1 (grace-over-time), found %2",
                    graceOverTime, grace),
            message(
                "a smaller value leaves no time for a save; with a larger value, the pods are ended during the save")));
    const std::string scheduling = textAt(object, {"metadata", "labels", "fault-scheduling"});
    if (scheduling == "force")
        into.push_back(warning(
            "vcjob_policy",
            message("fault-scheduling is \"force\": after a fault, pods are deleted without their grace period"),
            message("\"grace\" gives the pods time to save an emergency checkpoint")));
    if (!scheduling.empty() && scheduling != "force" && scheduling != "grace" && scheduling != "off")
        into.push_back(warning("vcjob_policy",
                               message("expected fault-scheduling \"grace\", \"force\" or \"off\", found %1: it is "
                                       "treated as off, and no pod is deleted after a fault",
                                       printable(scheduling)),
                               message("use one of these three values")));
}

// Checks whether a preStop hook saves when the pod is deleted. Without such a hook, our program passes SIGTERM on to
// the ranks.
void checkPreStop(std::vector<Finding> &into, const ordered_json &object)
{
    const ordered_json &hook = at(object, inPod({"containers", "0", "lifecycle", "preStop"}));
    if (!hook.is_object()) return;
    const auto add = [&](const Message &text, const Message &fix) {
        into.push_back(warning("vcjob_policy", text, fix));
    };
    const ordered_json &command = at(hook, {"exec", "command"});
    if (!command.is_array() || command.empty())
        add(message("preStop runs no command (exec.command): nothing makes the ranks save before the pod ends"),
            message("let preStop send the signal that makes the ranks save, or remove preStop: the ranks then get "
                    "SIGTERM"));
    if (at(object, inPod({"terminationGracePeriodSeconds"})).is_null())
        add(message("preStop and the saves that it triggers share Kubernetes' default grace period of 30 s"),
            message("set terminationGracePeriodSeconds to the duration of a save, below %1", graceOverTime));
    const std::string scheduling = textAt(object, {"metadata", "labels", "fault-scheduling"});
    if (scheduling.empty() || scheduling == "off")
        add(message("preStop runs when a pod is deleted, and %1: after a device fault MindX DL deletes no pod, so no "
                    "emergency checkpoint is saved",
                    scheduling.empty() ? message("fault-scheduling is not set")
                                       : message("fault-scheduling is \"off\"")),
            message("\"grace\" deletes the pods with their grace period"));
}

// True for an image name that may mean another image later: "name", "name:latest". The colon in "registry:5000/name" is
// not a tag.
void checkImage(std::vector<Finding> &into, const ordered_json &object)
{
    const std::string image = textAt(object, inPod({"containers", "0", "image"}));
    if (image.find('@') != std::string::npos) return;
    const std::string last = image.substr(image.rfind('/') == std::string::npos ? 0 : image.rfind('/') + 1);
    const std::size_t colon = last.find(':');
    if (colon != std::string::npos && last.substr(colon) != ":latest") return;
    into.push_back(
        warning("vcjob",
                message("image %1 has no fixed tag: a machine may start a different image than the one used so far",
                        printable(image)),
                message("specify the image by a fixed tag or by its digest")));
}

void checkRestarts(std::vector<Finding> &into, const ordered_json &object)
{
    const auto found = restarts(object);
    const std::string restart = textAt(object, inPod({"restartPolicy"}));
    std::string text;
    for (const std::string &one : found) text += (text.empty() ? "" : ", ") + printable(one);
    if (restart == "Always" || restart == "OnFailure")
        text += (text.empty() ? "" : ", ") + ("restartPolicy " + restart);
    if (text.empty()) return;
    const auto retry = numberAt(object, {"spec", "maxRetry"});
    into.push_back(
        warning("vcjob_policy",
                message("Volcano will restart this job (%1; maxRetry %2), every time with the set that is chosen now",
                        text, std::to_string(retry.value_or(3))),
                message("let the policies abort the job (AbortJob), so that the next resume chooses the newest set")));
}

}  // namespace

Result<VcjobTemplate> parseVcjobTemplate(const std::string &yaml)
{
    const auto documents = yamlToJson(yaml);
    if (!documents) return documents.error();
    std::vector<ordered_json> jobs;
    for (const std::string &text : *documents)
        if (ordered_json document = ordered_json::parse(text, nullptr, false); isVcjob(document))
            jobs.push_back(std::move(document));
    if (jobs.size() != 1) return wrong("one Job of batch.volcano.sh", std::to_string(jobs.size()));
    const ordered_json &job = jobs.front();
    VcjobTemplate found{.json = job.dump(),
                        .name = textAt(job, {"metadata", "name"}),
                        .nameSpace = textAt(job, {"metadata", "namespace"}),
                        .task = textAt(job, {"spec", "tasks", "0", "name"}),
                        .image = textAt(job, inPod({"containers", "0", "image"}))};
    if (found.nameSpace.empty()) found.nameSpace = "default";
    if (!isObjectName(found.name) || !isNamespaceName(found.nameSpace))
        return wrong("metadata.name and namespace as Kubernetes allows them",
                     printable(found.nameSpace + "/" + found.name));
    const ordered_json &tasks = at(job, {"spec", "tasks"});
    if (!tasks.is_array() || tasks.size() != 1) return wrong("one task in spec.tasks", std::to_string(tasks.size()));
    const ordered_json &annotations = at(job, {"metadata", "annotations"});
    if (!annotations.is_null() && !annotations.is_object())
        return wrong("metadata.annotations as a map", annotations.type_name());
    if (!at(job, inPod({"containers", "0"})).is_object()) return wrong("a container in the task's template", "none");
    found.pods = static_cast<std::size_t>(
        std::max<std::int64_t>(0, numberAt(job, {"spec", "tasks", "0", "replicas"}).value_or(1)));
    found.environments = environmentsOf(job);
    if (const ordered_json &labels = at(job, {"metadata", "labels"}); labels.is_object())
        for (const auto &[key, value] : labels.items())
            if (value.is_string()) found.labels[key] = value.get<std::string>();
    if (const ordered_json &mounts = at(job, inPod({"containers", "0", "volumeMounts"})); mounts.is_array())
        for (const ordered_json &mount : mounts) found.mounts[textAt(mount, {"mountPath"})] = textAt(mount, {"name"});
    return found;
}

std::string vcjobAsItIs(const VcjobTemplate &from)
{
    return ordered_json::parse(from.json, nullptr, false).dump(2, ' ', false, ordered_json::error_handler_t::replace) +
           "\n";
}

std::string vcjobOf(const VcjobTemplate &from, const std::vector<std::string> &command,
                    const std::map<std::string, std::string> &env, const std::string &action, const std::string &set)
{
    ordered_json job = ordered_json::parse(from.json, nullptr, false);
    job["metadata"]["annotations"]["rankdeck/action"] = action;
    job["metadata"]["annotations"]["rankdeck/set"] = validUtf8(set);
    ordered_json &container = job["spec"]["tasks"][0]["template"]["spec"]["containers"][0];
    container["command"] = command;
    container.erase("args");
    for (const auto &[name, value] : env) {
        ordered_json entry{{"name", validUtf8(name)}, {"value", validUtf8(value)}};
        ordered_json &list = container["env"];
        if (!list.is_array()) list = ordered_json::array();
        const auto own = std::find_if(list.begin(), list.end(), [&wanted = name](const ordered_json &one) {
            return textAt(one, {"name"}) == wanted;
        });
        if (own == list.end())
            list.push_back(std::move(entry));
        else
            *own = std::move(entry);
    }
    return job.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string vcjobForCheck(const std::string &object)
{
    const auto documents = yamlToJson(object);
    if (!documents || documents->size() != 1) return object;
    ordered_json job = ordered_json::parse(documents->front(), nullptr, false);
    if (!at(job, {"metadata", "name"}).is_string()) return object;
    job["metadata"]["name"] = textAt(job, {"metadata", "name"}) + "-check";
    return job.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::vector<Finding> vcjobFindings(const std::string &object, const std::string &resource, std::size_t pods,
                                   std::size_t ranksPerPod)
{
    std::vector<Finding> findings;
    const ordered_json job = ordered_json::parse(object, nullptr, false);
    const auto replicas = numberAt(job, {"spec", "tasks", "0", "replicas"}).value_or(1);
    if (replicas != static_cast<std::int64_t>(pods))
        findings.push_back(refusal(
            "recipe_ranks",
            message("expected %1 replicas, one for each node with ranks in the job file, found %2", pods, replicas),
            message("correct the nodes in the job file, or spec.tasks[0].replicas")));
    const auto minimum = numberAt(job, {"spec", "minAvailable"}).value_or(replicas);
    if (minimum != replicas)
        findings.push_back(warning(
            "vcjob",
            message(
                "minAvailable is %1 of %2 pods: Volcano may start only some of them, which then wait for the others",
                minimum, replicas),
            message("set minAvailable to the number of pods")));
    const auto devices = numberAt(job, inPod({"containers", "0", "resources", "limits", resource}));
    if (!resource.empty() && devices && *devices != static_cast<std::int64_t>(ranksPerPod))
        findings.push_back(
            refusal("vcjob",
                    message("expected %1 of %2 in a pod, one for each rank, found %3", ranksPerPod, printable(resource),
                            *devices),
                    message("correct the ranks of the nodes in the job file, or the container's resources")));
    if (!sharedMemory(job))
        findings.push_back(warning(
            "vcjob",
            message("the pods have no /dev/shm in memory: it has 64 MiB, too little for collectives and data loaders"),
            message("add \"/dev/shm\": \"memory://16Gi\" to launch.volcano.mounts, or an emptyDir of medium Memory "
                    "to the YAML")));
    checkEnd(findings, job);
    checkPreStop(findings, job);
    checkImage(findings, job);
    checkRestarts(findings, job);
    std::map<std::string, std::string> told;
    for (const char *key : {"labels", "annotations"})
        if (const ordered_json &part = at(job, {"metadata", key}); part.is_object())
            for (const auto &[name, value] : part.items())
                if (value.is_string()) told[name] = value.get<std::string>();
    checkRecovery(findings, told);
    return findings;
}

std::vector<FileEdit> faultConfigFiles(const Job &job, const std::optional<Result<std::string>> &yaml,
                                       const std::string &directory, const std::string &record)
{
    Job named = job;
    bool mounted = mountsFaultConfig(job);
    if (!job.launch.volcano.file.empty()) {
        const auto own =
            yaml && *yaml ? parseVcjobTemplate(yaml->value()) : fail(ErrorKind::invalid, message("not read"));
        if (!own) return {};
        named.name = own->name;
        named.launch.volcano.nameSpace = own->nameSpace;
        mounted = own->mounts.contains(dirName(job.launch.faultNpus));
    }
    if (!mounted) return {};
    return {newFile(joinPath(directory, "fault-config.yaml"), faultConfigYaml(named, record)),
            newFile(joinPath(directory, "fault-patch.json"), faultConfigPatch(record))};
}

}  // namespace rankdeck
