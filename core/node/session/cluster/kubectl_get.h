// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of a cluster's objects, with kubectl on the host that has it. Blocks the calling thread until the deadline.
// Errors: notFound (there is no kubectl), permission (this login may not read these objects, but perhaps others).
// Errors refused and invalid: kubectl cannot ask this cluster at all, because of its login or its context. Also
// unreachable and timeout. The messages say what to do.
#pragma once

#include "core/job/job.h"
#include "core/node/session/cluster/shell_runner.h"

#include <string>

namespace rankdeck {

// Machine on which kubectl runs: kubernetes.via, otherwise this machine.
NodeSpec kubectlPlace(const Job &job);

class KubectlGet {
public:
    KubectlGet(const KubernetesSpec &cluster, ShellRunner &shell) : m_cluster(cluster), m_shell(shell) {}

    // what: the kind of object, for messages ("pods"). words: arguments of `kubectl get`, quoted if the shell needs
    // that; the caller checks names. The result is empty if the cluster itself reports that it does not know such a
    // kind of object.
    Result<std::string> get(const std::string &what, const std::string &words, SteadyTime deadline,
                            const std::string &output = "json");

private:
    Result<std::string> ofNoKind(const std::string &what, const std::string &words, const std::string &errors,
                                 SteadyTime deadline);
    [[nodiscard]] Result<std::string> problem(const std::string &what, const std::string &errors) const;

    const KubernetesSpec &m_cluster;
    ShellRunner &m_shell;
};

}  // namespace rankdeck
