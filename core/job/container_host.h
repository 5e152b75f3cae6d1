// SPDX-License-Identifier: GPL-3.0-or-later
// A node that is no machine of its own: a pod by its name ("k8s:NAMESPACE/POD[:CONTAINER]"), or by labels that it alone has
// ("k8s:NAMESPACE/KEY=VALUE,KEY=VALUE[:CONTAINER]": the one that takes its place under another name has them, too), or a
// container of podman or docker ("container:NAME"). Names are checked here as Kubernetes and docker check them, so that no
// name can be taken for an option or a word of a shell. Pure.
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
std::string selectorOf(const PodLabels &labels);  // "KEY=VALUE,KEY=VALUE", as kubectl takes it

bool isContainerHost(std::string_view host);
// Error invalid, in the words of the job file: expected, found.
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
// usualNamespace: where the text names none. Error invalid: expected, found.
Result<ConfigMapName> parseConfigMapName(std::string_view text, const std::string &usualNamespace);

}  // namespace rankdeck
