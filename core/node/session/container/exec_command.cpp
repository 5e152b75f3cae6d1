// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/container/exec_command.h"

#include "core/base/text.h"

namespace rankdeck {

namespace {

// One line of the pod, one of each container, fields between bars: execError takes them apart.
constexpr std::string_view podState =
    R"('jsonpath={"rankdeck-pod|"}{.status.phase}|{.status.reason}|{.spec.nodeName}|{.metadata.deletionTimestamp}|{.status.message}{"\n"}{range .status.containerStatuses[*]}{"rankdeck-container|"}{.name}|{.restartCount}|{.state.waiting.reason}|{.state.terminated.reason}|{.state.terminated.exitCode}|{.lastState.terminated.reason}|{.lastState.terminated.exitCode}{"\n"}{end}')";
constexpr std::string_view containerState =
    R"('rankdeck-container|{{.Name}}||{{.State.Status}}|{{if .State.OOMKilled}}OOMKilled{{end}}|{{.State.ExitCode}}||')";

std::string greeted(const std::string &command)
{
    return quotedForShell("echo " + std::string(execGreeting.substr(0, execGreeting.size() - 1)) + "; " + command);
}

// One line each: a csh takes no other.
std::string podScript(const ContainerHost &host, const KubernetesSpec &cluster, const std::string &command)
{
    const std::string kubectl = kubectlWords(cluster);
    const std::string pod = " --namespace=" + host.nameSpace + " ";
    return "command -v " + cluster.kubectl + " >/dev/null 2>&1 || { echo rankdeck: no kubectl >&2; exit 127; }; " +
           kubectl + " exec -i" + pod + host.name + (host.container.empty() ? "" : " -c " + host.container) +
           " -- /bin/sh -c " + greeted(command) + "; code=$?; [ $code = 0 ] || " + kubectl + " get pod" + pod +
           host.name + " --request-timeout=5s --output=" + std::string(podState) + " </dev/null >&2; exit $code";
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
