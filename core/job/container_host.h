// SPDX-License-Identifier: GPL-3.0-or-later
// A node that is not a machine: a pod or a container. A pod is given by its name ("k8s:NAMESPACE/POD[:CONTAINER]"), or
// by labels that it alone has. The form is "k8s:NAMESPACE/KEY=VALUE,KEY=VALUE[:CONTAINER]"; a pod that replaces it
// under another name has the same labels. A container of podman or docker is "container:NAME". Names are checked as
// Kubernetes and docker check them. Therefore no name can be taken for an option or another part of a shell command.
// Pure.
#pragma once

#include "core/base/result.h"

#include <map>
#include <string>
#include <string_view>

namespace rankdeck {

using PodLabels = std::map<std::string, std::string>;

struct ContainerHost {
    bool pod = true;
    std::string nameSpace = {};  // of a pod
    std::string name = {};       // of the pod or the container; empty: a pod by its labels
    std::string container = {};  // in the pod; empty: the one that kubectl takes
    PodLabels labels = {};
};
std::string selectorOf(const PodLabels &labels);  // "KEY=VALUE,KEY=VALUE", the form that kubectl takes

bool isContainerHost(std::string_view host);
// Error invalid, with the job file's terms: expected, found.
Result<ContainerHost> parseContainerHost(std::string_view host);

bool isNamespaceName(std::string_view name);  // also a container's in a pod: a DNS label
bool isObjectName(std::string_view name);     // of a pod, a ConfigMap: a DNS subdomain

// "kubectl --kubeconfig=… --context=…" for a shell, quoted.
struct KubernetesSpec;
std::string kubectlWords(const KubernetesSpec &cluster);

// The ConfigMap of graceful_exit.configmap, "[NAMESPACE/]NAME".
struct ConfigMapName {
    std::string nameSpace = {};
    std::string name = {};
};
// usualNamespace: used if the text names none. Error invalid: expected, found.
Result<ConfigMapName> parseConfigMapName(std::string_view text, const std::string &usualNamespace);

}  // namespace rankdeck
