// SPDX-License-Identifier: GPL-3.0-or-later
// How a command is run in a pod or a container: the text of a POSIX shell script, for this machine or for the host that has
// kubectl, podman or docker. Names are those that core/job/container_host.h lets through; everything else is quoted.
// The far shell prints a line first (see GreetedTransport). When the exec ends badly the script asks once what became of
// the pod and what it wrote last, and prints that on stderr, for core/node/session/container/exec_errors.h. Pure; cannot fail.
#pragma once

#include "core/job/container_host.h"
#include "core/job/job.h"

#include <string>
#include <string_view>

namespace rankdeck {

inline constexpr std::string_view lastWordsMark = "rankdeck-wrote|";  // before each of a pod's last lines
inline constexpr std::string_view execGreeting = "rankdeck: in the container\n";

std::string quotedForShell(std::string_view text);
std::string execScript(const ContainerHost &host, const KubernetesSpec &cluster, const std::string &command);
// What a pod prints: the line of outputMark, then kubectl logs -f.
std::string outputScript(const ContainerHost &pod, const KubernetesSpec &cluster);
// For a login shell that need not be a POSIX one.
std::string asLoginCommand(const std::string &script);

}  // namespace rankdeck
