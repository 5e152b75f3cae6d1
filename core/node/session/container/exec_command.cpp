// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/container/exec_command.h"

#include "core/base/text.h"
#include "core/node/protocol/output_log.h"

namespace rankdeck {

namespace {

// Template that prints one line for the pod and one for each container, with fields between bars, which execError
// splits.
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

// Sets $pod to the one living pod with these labels. If there is none, to the newest pod that had them, so that its end
// can be reported.
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

struct PodWords {
    std::string kubectl, pod, container;  // pod: with its namespace
    std::string head;                     // checks that kubectl exists, and finds the pod
};

PodWords wordsOf(const ContainerHost &host, const KubernetesSpec &cluster)
{
    const std::string kubectl = kubectlWords(cluster);
    return {.kubectl = kubectl,
            .pod = " --namespace=" + host.nameSpace + " " + (host.name.empty() ? "$pod" : host.name),
            .container = host.container.empty() ? "" : " -c " + host.container,
            .head = "command -v " + cluster.kubectl +
                    " >/dev/null 2>&1 || { echo rankdeck: no kubectl >&2; exit 127; }; " +
                    (host.name.empty() ? findPod(host, kubectl) : "")};
}

// Prints the pod's state and its last output on stderr.
std::string tellState(const PodWords &words)
{
    return words.kubectl + " get pod" + words.pod + " --request-timeout=5s --output=" + std::string(podState) +
           " </dev/null >&2 && " + words.kubectl + " logs" + words.pod + words.container +
           " --tail=3 --request-timeout=5s </dev/null 2>/dev/null | sed 's/^/" + std::string(lastWordsMark) +
           "/' >&2; ";
}

// Each script is one line, because a csh accepts nothing else.
std::string podScript(const ContainerHost &host, const KubernetesSpec &cluster, const std::string &command)
{
    const PodWords words = wordsOf(host, cluster);
    return words.head + words.kubectl + " exec -i" + words.pod + words.container + " -- /bin/sh -c " +
           greeted(command) + "; code=$?; [ $code = 0 ] || { " + tellState(words) + "}; exit $code";
}

// Error messages about the name count only if no runtime has the container.
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

std::string outputScript(const ContainerHost &pod, const KubernetesSpec &cluster)
{
    const PodWords words = wordsOf(pod, cluster);
    const std::string logs = words.kubectl + " logs" + words.pod + words.container;
    const std::string once = " --timestamps --limit-bytes=40 --request-timeout=10s </dev/null)";  // a time, and a blank
    const std::string which = pod.container.empty()
                                  ? "{range .status.containerStatuses[*]}{.containerID},{end}"
                                  : "{.status.containerStatuses[?(@.name==\"" + pod.container + "\")].containerID}";
    // The stream ends when the console closes the connection, even if there is nothing to write.
    const std::string follow =
        "exec 3<&0; " + logs +
        " --follow </dev/null 3<&- & p=$!; { while read -r x; do :; done <&3; kill $p; } >/dev/null 2>&1 & w=$!; "
        "wait $p; code=$?; kill $w 2>/dev/null; ";
    return words.head + "{ id=$(" + words.kubectl + " get pod" + words.pod +
           " --request-timeout=10s --output='jsonpath=" + which + "' </dev/null) && first=$(" + logs + once +
           " && last=$(" + logs + " --tail=1" + once + "; } || { " + tellState(words) +
           "exit 125; }; first=${first%% *}; last=${last%% *}; echo \"" + std::string(outputMark) +
           "${id:--} ${first:--} ${last:--}\"; " + follow + tellState(words) + "exit $code";
}

std::string asLoginCommand(const std::string &script) { return "exec /bin/sh -c " + quotedForShell(script); }

}  // namespace rankdeck
