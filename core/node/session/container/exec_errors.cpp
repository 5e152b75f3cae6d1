// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/container/exec_errors.h"

#include "core/base/text.h"
#include "core/job/container_host.h"
#include "core/node/session/container/exec_command.h"
#include "core/node/transport/transport.h"

#include <algorithm>
#include <array>

namespace rankdeck {

namespace {

// One row: if any of these texts occurs → error kind, and what to do.
struct Meaning {
    ErrorKind kind;
    std::array<std::string_view, 4> words;
    Message (*text)();
};

struct Said {
    std::string text;   // kubectl's own lines, joined, safe to print
    std::string state;  // the pod's state and last output
    [[nodiscard]] bool has(std::string_view words) const { return text.find(words) != std::string::npos; }
};

// Errors of a cluster that cannot be asked at all, in the order in which kubectl notices them.
constexpr std::array<Meaning, 7> clusterMeanings{{
    {ErrorKind::invalid,
     {"context was not found", "no context exists", "error: context \""},
     [] {
         return message(
             "kubectl does not know this context. \"kubectl config get-contexts\" lists the known ones; correct "
             "kubernetes.context in the job file");
     }},
    {ErrorKind::invalid,
     {"no configuration has been provided", "error loading config file", "error: stat ", "invalid configuration"},
     [] {
         return message("kubectl has no usable configuration there. Set kubernetes.kubeconfig in the job file to its "
                        "path, or log in to "
                        "the cluster with kubectl first");
     }},
    {ErrorKind::refused,
     {"Unauthorized", "must be logged in", "getting credentials", "token has expired"},
     [] {
         return message("the cluster does not accept kubectl's login: the login has expired, or belongs to another "
                        "cluster. Log in again "
                        "with kubectl, then retry");
     }},
    {ErrorKind::refused,
     {"x509:", "certificate signed by"},
     [] {
         return message("kubectl does not trust the cluster's certificate. Ask for the right kubeconfig; do not turn "
                        "off the check");
     }},
    {ErrorKind::refused,
     {"(Forbidden)", "is forbidden"},
     [] {
         return message("this login may not do that in the cluster. Ask for the missing role from docs/kubernetes.md: "
                        "one is for watching "
                        "(get on pods, create on pods/exec), one for acting (get and update on configmaps)");
     }},
    {ErrorKind::unreachable,
     {"The connection to the server", "Unable to connect to the server", "TLS handshake timeout", "no route to host"},
     [] { return message("the API server does not answer; Rankdeck tries again"); }},
    {ErrorKind::unreachable,
     {"etcdserver:", "(ServiceUnavailable)", "(InternalError)", "(Timeout)"},
     [] { return message("the cluster cannot answer now; Rankdeck tries again"); }},
}};

bool anyOf(const Said &said, const Meaning &meaning)
{
    return std::any_of(meaning.words.begin(), meaning.words.end(),
                       [&](std::string_view words) { return !words.empty() && said.has(words); });
}

std::string fieldOf(const std::vector<std::string> &fields, std::size_t at)
{
    return at < fields.size() ? printable(fields[at]) : std::string();
}

std::string endText(const std::string &reason, const std::string &code)
{
    if (reason.empty() && (code.empty() || code == "0")) return {};
    return (reason.empty() ? "ended" : reason) + (code.empty() ? "" : ", exit code " + code);
}

std::string containerText(const std::vector<std::string> &fields)
{
    std::string text;
    const auto add = [&](const std::string &part) { text += part.empty() ? "" : (text.empty() ? "" : ", ") + part; };
    add(fieldOf(fields, 3));
    add(endText(fieldOf(fields, 4), fieldOf(fields, 5)));
    const std::string before = endText(fieldOf(fields, 6), fieldOf(fields, 7));
    if (!before.empty()) add("before that " + before);
    const std::string restarts = fieldOf(fields, 2);
    if (!restarts.empty() && restarts != "0") add("restarted " + restarts + (restarts == "1" ? " time" : " times"));
    return text.empty() ? text : "container " + fieldOf(fields, 1) + ": " + text;
}

// "stopped" is podman's state before it has cleaned up.
bool isOver(const std::string &state) { return state == "exited" || state == "stopped" || state == "dead"; }

// True if the container of this node has stopped: it has ended, or waits to be restarted. If the job names no
// container, kubectl used the first one in the pod's template. These lines have another order, so all containers must
// have ended.
bool hasEnded(const ContainerHost &host, const std::string &errorOutput)
{
    bool known = false, ended = true;
    for (const std::string &line : split(errorOutput, '\n')) {
        const std::vector<std::string> fields = split(line, '|');
        if (fields.size() < 8 || fields[0] != "rankdeck-container") continue;
        if (!host.container.empty() && fields[1] != host.container) continue;
        known = true;
        ended =
            ended && (host.pod ? !fields[3].empty() || !fields[4].empty() || !fields[5].empty() : isOver(fields[3]));
    }
    return known && ended;
}

std::string podText(const std::vector<std::string> &fields)
{
    std::string text = fieldOf(fields, 1);
    const std::string reason = fieldOf(fields, 2), node = fieldOf(fields, 3), message = withoutStop(fieldOf(fields, 5));
    if (!reason.empty()) text += " (" + reason + (message.empty() ? "" : ": " + message) + ")";
    if (!node.empty()) text += " on " + node;
    if (!fieldOf(fields, 4).empty()) text += ", being deleted since " + fieldOf(fields, 4);
    return text;
}

// Last output of the container, which kubectl keeps after its end.
std::string lastWords(const std::string &errorOutput)
{
    constexpr std::size_t most = 200;  // characters of a line
    std::string text;
    for (const std::string &line : split(errorOutput, '\n')) {
        if (!line.starts_with(lastWordsMark) || line.size() == lastWordsMark.size()) continue;
        text += (text.empty() ? "" : " | ") + printable(line.substr(lastWordsMark.size(), most));
    }
    return text;
}

// "E1122 20:49:41.123456   17076 memcache.go:265] the words"
std::string withoutLogHead(const std::string &line)
{
    const bool head = line.size() > 6 && std::string_view("EWIF").find(line[0]) != std::string_view::npos &&
                      std::all_of(line.begin() + 1, line.begin() + 5, [](char c) { return c >= '0' && c <= '9'; }) &&
                      line[5] == ' ';
    const std::size_t end = line.find("] ");
    return head && end != std::string::npos ? line.substr(end + 2) : line;
}

Said saidIn(const std::string &errorOutput)
{
    return {.text = kubectlText(errorOutput), .state = podStateText(errorOutput)};
}

std::optional<Error> clusterErrorOf(const std::string &what, const Said &said)
{
    for (const Meaning &meaning : clusterMeanings)
        if (anyOf(said, meaning))
            return fail(meaning.kind,
                        message("%1 cannot be reached: %2. kubectl said: %3.", what, meaning.text(), said.text),
                        said.text);
    return {};
}

Error noProgram(const NodeSpec &node, bool pod)
{
    const Message where = node.via.empty() ? message("this machine") : Message(printable(node.via));
    return fail(ErrorKind::notFound,
                pod ? message("There is no %1 on %2. Install it there, or set kubernetes.kubectl in the job file to "
                              "its path, or kubernetes.via to a host that has it.",
                              node.kubernetes.kubectl, where)
                    : message("%2 cannot be reached, because neither podman nor docker was found on %1. Set \"via\" to "
                              "the host that runs the container.",
                              where, printable(node.host)));
}

Error podError(const ContainerHost &host, const Said &said, const Error &ended)
{
    const bool named = !host.name.empty();
    const Message pod = named ? message("pod %1", host.nameSpace + "/" + host.name)
                              : message("pod %1 in %2", selectorOf(host.labels), host.nameSpace);
    const Message state = said.state.empty() ? Message() : message(" The pod is %1.", said.state);
    const auto with = [&](ErrorKind kind, const Message &text) { return fail(kind, text, said.text); };
    if (said.has("rankdeck: several pods"))
        return with(ErrorKind::unreachable,
                    message("Several pods match %1, and any of them may be this node; correct nodes[].host in the job "
                            "file, or end the wrong pods. Rankdeck searches again: %2.",
                            pod, said.text));
    const bool gone = said.has(named ? "pods \"" + host.name + "\" not found" : "rankdeck: no pod");
    if (gone || said.has("namespaces \"" + host.nameSpace + "\" not found"))
        return fail(ErrorKind::unreachable,
                    message("There is no %1 now. Rankdeck searches again, because a restarted job has pods with the "
                            "same %2; \"kubectl get pods -n %3\" lists the existing pods.",
                            pod, named ? message("names") : message("labels"), host.nameSpace),
                    gone ? podGoneDetail : said.text);
    if (const auto error = clusterErrorOf("The " + pod, said)) return *error;
    if (said.has("completed pod"))
        return with(
            ErrorKind::unreachable,
            message("The %1 has ended.%2 Its files can be read only through another pod or host that mounts them.", pod,
                    state));
    if (said.has("is not valid for pod") || (said.has("container ") && said.has(" not found in pod")))
        return with(ErrorKind::invalid,
                    message("The %1 has no container \"%2\"; correct nodes[].host in the job file. kubectl said: %3.",
                            pod, host.container, said.text));
    if (said.has("/bin/sh") && (said.has("no such file") || said.has("not found")))
        return with(
            ErrorKind::unsupported,
            message(
                "The image of %1 has no /bin/sh; Rankdeck needs /bin/sh and python3 in the image. kubectl said: %2.",
                pod, said.text));
    if (said.has("container not found") || said.has("does not have a host assigned"))
        return with(ErrorKind::unreachable,
                    message("The container of %1 is not running.%2 Rankdeck searches again.", pod, state));
    if (!state.empty())
        return with(ErrorKind::unreachable,
                    message("The connection to %1 ended.%2%3", pod, state,
                            said.text.empty() ? Message() : message(" kubectl said: %1.", said.text)));
    // For example, because the API server is stopped.
    if (said.text.empty())
        return with(ErrorKind::unreachable,
                    message("The connection to %1 ended without a message from kubectl: %2", pod, ended.message));
    return with(ErrorKind::unreachable, message("The connection to %1 ended. kubectl said: %2.", pod, said.text));
}

Error containerError(const ContainerHost &host, const Said &said, const Error &ended)
{
    const Message name = message("container %1", host.name);
    const Message state = said.state.empty() ? Message() : message(" It says: %1.", said.state);
    const auto with = [&](ErrorKind kind, const Message &text) { return fail(kind, text, said.text); };
    if (said.has("permission denied") && said.has("docker"))
        return with(
            ErrorKind::refused,
            message("This login may not use docker: %1. Ask to join the group docker, or use podman.", said.text));
    if (said.has("annot connect to the Docker daemon"))
        return with(ErrorKind::unreachable, message("The state of %1 is unknown: podman does not have it or is not "
                                                    "installed, and docker does not answer: %2.",
                                                    name, said.text));
    if (said.has("o such container") || said.has("no container with name") || said.has("No such object"))
        return with(ErrorKind::unreachable, message("There is no %1 now; Rankdeck searches again. \"podman ps\" or "
                                                    "\"docker ps\" lists the running containers.",
                                                    name));
    if (said.has("not running") || said.has("container state improper") || said.has("running containers"))
        return with(ErrorKind::unreachable, message("The %1 is not running.%2 Rankdeck searches again.", name, state));
    if (said.has("/bin/sh") && (said.has("no such file") || said.has("not found")))
        return with(ErrorKind::unsupported,
                    message("The image of %1 has no /bin/sh; Rankdeck needs /bin/sh and python3 in the image.", name));
    if (said.text.empty() && state.empty()) return ended;
    return with(ErrorKind::unreachable, message("The connection to %1 ended.%2%3", name, state,
                                                said.text.empty() ? Message() : message(" %1.", said.text)));
}

}  // namespace

std::string kubectlText(const std::string &errorOutput)
{
    std::vector<std::pair<std::string, std::size_t>> lines;
    for (const std::string &line : split(errorOutput, '\n')) {
        if (line.empty() || line.starts_with("rankdeck-") || line.starts_with("Default")) continue;
        const std::string words = withoutLogHead(line);
        const auto same = std::find_if(lines.begin(), lines.end(), [&](const auto &one) { return one.first == words; });
        if (same == lines.end())
            lines.emplace_back(words, 1);
        else
            ++same->second;
    }
    std::string text;
    for (const auto &[words, count] : lines) {
        text += (text.empty() ? "" : " | ") + printable(words);
        // The query for the pod's state fails in the same way as the exec, so two equal lines are usual.
        if (count > 2) text += " (" + std::to_string(count) + " times)";
    }
    return text;
}

std::string podStateText(const std::string &errorOutput)
{
    std::string pod, containers;
    for (const std::string &line : split(errorOutput, '\n')) {
        const std::vector<std::string> fields = split(line, '|');
        std::string text;
        if (fields.front() == "rankdeck-pod")
            pod = podText(fields);
        else if (fields.front() == "rankdeck-container")
            text = containerText(fields);
        if (!text.empty()) containers += (containers.empty() ? "" : "; ") + text;
    }
    return pod.empty() || containers.empty() ? pod + containers : pod + "; " + containers;
}

std::optional<Error> clusterError(const std::string &what, const std::string &errorOutput)
{
    return clusterErrorOf(what, saidIn(errorOutput));
}

std::string withoutState(const std::string &errorOutput)
{
    std::string rest;
    for (const std::string &line : split(errorOutput, '\n'))
        if (!line.empty() && !line.starts_with("rankdeck-")) rest += line + "\n";
    return rest;
}

Error execError(const NodeSpec &node, const std::string &errorOutput, const Error &ended)
{
    const auto host = parseContainerHost(node.host);
    if (!host) return host.error();
    const Said said = saidIn(errorOutput);
    // The node's own thread uses the same text to decide whether there is an interpreter.
    if (said.has("no python3 that is new enough")) return ended;
    if (said.has("rankdeck: no kubectl") || said.has("rankdeck: neither podman")) return noProgram(node, host->pod);
    Error error = host->pod ? podError(*host, said, ended) : containerError(*host, said, ended);
    if (error.kind != ErrorKind::unreachable || !hasEnded(*host, errorOutput)) return error;
    error.detail = containerEndedDetail;
    if (const std::string words = lastWords(errorOutput); !words.empty()) error.message += " Its last output: " + words;
    return error;
}

}  // namespace rankdeck
