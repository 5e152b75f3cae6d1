// SPDX-License-Identifier: GPL-3.0-or-later
// Command lines that run a program in a pod or a container, as POSIX shell scripts. They run on this machine or on the
// host that has kubectl, podman or docker. Names are those that core/job/container_host.h accepts; everything else is
// quoted. The far shell first prints a line (see GreetedTransport). If the exec fails, the script asks once for the
// pod's state and last output, and prints both on stderr for core/node/session/container/exec_errors.h. Pure; cannot
// fail.
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
// Output of a pod: the header line with outputMark, then kubectl logs -f.
std::string outputScript(const ContainerHost &pod, const KubernetesSpec &cluster);
// Wraps a script for a login shell that may not be a POSIX shell.
std::string asLoginCommand(const std::string &script);

}  // namespace rankdeck
