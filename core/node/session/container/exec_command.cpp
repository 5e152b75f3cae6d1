// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/container/exec_command.h"

#include "core/base/text.h"

namespace rankdeck {

namespace {

// One line of the pod, one of each container, fields between bars: execError takes them apart.
constexpr std::string_view podState =
    R"('jsonpath={"rankdeck-pod|"}{.status.phase}|{.status.reason}|{.spec.nodeName}|{.metadata.deletionTimestamp}|{.status.message}{"\n"}{range .status.containerStatuses[*]}{"rankdeck-container|"}{.name}|{.restartCount}|{.state.waiting.reason}|{.state.terminated.reason}|{.state.terminated.exitCode}|{.lastState.terminated.reason}|{.lastState.terminated.exitCode}{"\n"}{end}')";
constexpr std::string_view livingPods =
    R"('go-template={{range .items}}{{if not .metadata.deletionTimestamp}}{{if and (ne .status.phase "Failed") (ne .status.phase "Succeeded")}}{{.metadata.name}} {{end}}{{end}}{{end}}')";
constexpr std::string_view podNames = R"('jsonpath={range .items[*]}{.metadata.name}{" "}{end}')";
constexpr std::string_view containerState =
    R"('rankdeck-container|{{.Name}}||{{.State.Status}}|{{if .State.OOMKilled}}OOMKilled{{end}}|{{.State.ExitCode}}||')";

std::string greeted(const std::string &command)
{
    return quotedForShell("echo " + std::string(execGreeting.substr(0, execGreeting.size() - 1)) + "; " + command);
}

// Sets $pod to the one pod of these labels that lives; else to the newest that had them, whose end is to be told.
std::string findPod(const ContainerHost &host, const std::string &kubectl)
{
    const std::string get = kubectl + " get pods --namespace=" + host.nameSpace +
                            " --selector=" + selectorOf(host.labels) + " --request-timeout=10s ";
    return "pods=$(" + get + "--output=" + std::string(livingPods) +
           " </dev/null) || exit 125; set -- $pods; [ $# -lt 2 ] || { echo \"rankdeck: several pods: $pods\" >&2; exit "
           "125; }; [ $# = 1 ] || { pods=$(" +
           get + "--sort-by=.metadata.creationTimestamp --output=" + std::string(podNames) +
           " </dev/null) || exit 125; set -- $pods; }; [ $# -gt 0 ] || { echo rankdeck: no pod >&2; exit 125; }; "
           "for pod; do :; done; ";
}

// One line each: a csh takes no other.
std::string podScript(const ContainerHost &host, const KubernetesSpec &cluster, const std::string &command)
{
    const std::string kubectl = kubectlWords(cluster);
    const std::string pod = " --namespace=" + host.nameSpace + " ";
    const std::string name =
        (host.name.empty() ? "$pod" : host.name) + (host.container.empty() ? "" : " -c " + host.container);
    return "command -v " + cluster.kubectl + " >/dev/null 2>&1 || { echo rankdeck: no kubectl >&2; exit 127; }; " +
           (host.name.empty() ? findPod(host, kubectl) : "") + kubectl + " exec -i" + pod + name + " -- /bin/sh -c " +
           greeted(command) + "; code=$?; [ $code = 0 ] || { " + kubectl + " get pod" + pod +
           name.substr(0, name.find(' ')) + " --request-timeout=5s --output=" + std::string(podState) +
           " </dev/null >&2 && " + kubectl + " logs" + pod + name +
           " --tail=3 --request-timeout=5s </dev/null 2>/dev/null | sed 's/^/" + std::string(lastWordsMark) +
           "/' >&2; }; exit $code";
}

// What a runtime says against the name counts only when none has it.
std::string containerScript(const ContainerHost &host, const std::string &command)
{
    return "said=; found=; for p in podman docker; do command -v $p >/dev/null 2>&1 || continue; found=$p; "
           "e=$($p container inspect " +
           host.name + " 2>&1 </dev/null >/dev/null) || { said=\"$said $e\"; continue; }; $p exec -i " + host.name +
           " /bin/sh -c " + greeted(command) + "; code=$?; [ $code = 0 ] || $p container inspect --format " +
           std::string(containerState) + " " + host.name +
           " </dev/null >&2; exit $code; done; "
           "[ -n \"$found\" ] || said='rankdeck: neither podman nor docker'; echo \"$said\" >&2; exit 127";
}

}  // namespace

std::string quotedForShell(std::string_view text) { return "'" + replaceAll(std::string(text), "'", "'\\''") + "'"; }

std::string execScript(const ContainerHost &host, const KubernetesSpec &cluster, const std::string &command)
{
    return host.pod ? podScript(host, cluster, command) : containerScript(host, command);
}

std::string asLoginCommand(const std::string &script) { return "exec /bin/sh -c " + quotedForShell(script); }

}  // namespace rankdeck
