// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/container_host.h"

#include "core/base/text.h"
#include "core/job/job.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr std::string_view podMark = "k8s:";
constexpr std::string_view containerMark = "container:";

bool lowerOrDigit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

bool isLabel(std::string_view text)
{
    return !text.empty() && text.size() <= 63 && lowerOrDigit(text.front()) && lowerOrDigit(text.back()) &&
           std::all_of(text.begin(), text.end(), [](char c) { return lowerOrDigit(c) || c == '-'; });
}

// As docker and podman take names and ids.
bool isContainerName(std::string_view text)
{
    const auto plain = [](char c) { return lowerOrDigit(c) || (c >= 'A' && c <= 'Z'); };
    return !text.empty() && text.size() <= 255 && plain(text.front()) &&
           std::all_of(text.begin(), text.end(), [&](char c) { return plain(c) || c == '_' || c == '.' || c == '-'; });
}

// Text of a label, or the part of its key after the prefix.
bool isLabelText(std::string_view text)
{
    const auto plain = [](char c) { return lowerOrDigit(c) || (c >= 'A' && c <= 'Z'); };
    return !text.empty() && text.size() <= 63 && plain(text.front()) && plain(text.back()) &&
           std::all_of(text.begin(), text.end(), [&](char c) { return plain(c) || c == '_' || c == '.' || c == '-'; });
}

bool isLabelKey(std::string_view key)
{
    const std::size_t slash = key.find('/');
    if (slash == std::string_view::npos) return isLabelText(key);
    return isObjectName(key.substr(0, slash)) && isLabelText(key.substr(slash + 1));
}

// Empty: not a list of labels.
PodLabels labelsIn(std::string_view text)
{
    PodLabels labels;
    for (const std::string &pair : split(text, ',')) {
        const std::string_view one = pair;
        const std::size_t equals = one.find('=');
        if (equals == std::string_view::npos) return {};
        const std::string_view key = one.substr(0, equals), value = one.substr(equals + 1);
        if (!isLabelKey(key) || !isLabelText(value)) return {};
        labels[std::string(key)] = value;
    }
    return labels;
}

Error wrong(const Message &expected, std::string_view found)
{
    return fail(ErrorKind::invalid, message("expected %1, found \"%2\"", expected, printable(found)));
}

Result<ContainerHost> parsePod(std::string_view host)
{
    const Message form = message("k8s:NAMESPACE/POD or k8s:NAMESPACE/LABEL=VALUE,LABEL=VALUE, optionally followed by "
                                 ":CONTAINER, with valid Kubernetes names");
    const std::string_view rest = host.substr(podMark.size());
    const std::size_t slash = rest.find('/');
    if (slash == std::string_view::npos) return wrong(form, host);
    std::string_view name = rest.substr(slash + 1), container;
    const std::size_t colon = name.find(':');
    if (colon != std::string_view::npos) {
        container = name.substr(colon + 1);
        name = name.substr(0, colon);
        if (!isLabel(container)) return wrong(form, host);
    }
    ContainerHost found{
        .pod = true, .nameSpace = std::string(rest.substr(0, slash)), .container = std::string(container)};
    if (name.find('=') != std::string_view::npos)
        found.labels = labelsIn(name);
    else if (isObjectName(name))
        found.name = name;
    if (!isLabel(found.nameSpace) || (found.name.empty() && found.labels.empty())) return wrong(form, host);
    return found;
}

}  // namespace

bool isNamespaceName(std::string_view name) { return isLabel(name); }

bool isObjectName(std::string_view name)
{
    if (name.empty() || name.size() > 253) return false;
    const std::vector<std::string> labels = split(name, '.');
    return std::all_of(labels.begin(), labels.end(), [](const std::string &label) {
        return !label.empty() && lowerOrDigit(label.front()) && lowerOrDigit(label.back()) &&
               std::all_of(label.begin(), label.end(), [](char c) { return lowerOrDigit(c) || c == '-'; });
    });
}

bool isContainerHost(std::string_view host) { return host.starts_with(podMark) || host.starts_with(containerMark); }

Result<ContainerHost> parseContainerHost(std::string_view host)
{
    if (host.starts_with(podMark)) return parsePod(host);
    const std::string_view name = host.substr(std::min(host.size(), containerMark.size()));
    if (!host.starts_with(containerMark) || !isContainerName(name))
        return wrong(message("container:NAME, with a podman or docker name or id"), host);
    return ContainerHost{.pod = false, .name = std::string(name)};
}

std::string selectorOf(const PodLabels &labels)
{
    std::string selector;
    for (const auto &[key, value] : labels)
        selector.append(selector.empty() ? "" : ",").append(key).append("=").append(value);
    return selector;
}

std::string kubectlWords(const KubernetesSpec &cluster)
{
    const auto quoted = [](const std::string &text) { return "'" + replaceAll(text, "'", "'\\''") + "'"; };
    std::string words = cluster.kubectl;
    if (!cluster.kubeconfig.empty()) words += " --kubeconfig=" + quoted(cluster.kubeconfig);
    if (!cluster.context.empty()) words += " --context=" + quoted(cluster.context);
    return words;
}

Result<ConfigMapName> parseConfigMapName(std::string_view text, const std::string &usualNamespace)
{
    const std::size_t slash = text.find('/');
    ConfigMapName found{.nameSpace =
                            slash == std::string_view::npos ? usualNamespace : std::string(text.substr(0, slash)),
                        .name = std::string(slash == std::string_view::npos ? text : text.substr(slash + 1))};
    if (!isNamespaceName(found.nameSpace) || !isObjectName(found.name))
        return wrong(message("the name of a ConfigMap, or NAMESPACE/NAME"), text);
    return found;
}

}  // namespace rankdeck
