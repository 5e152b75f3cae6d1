// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts that a running job names: in its environment, its rank table, its hostfile. Missing ranks are probably on those
// that were not searched. Pure.
#pragma once

#include "core/discover/job_evidence.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

// Absolute paths of the files that name the hosts of a rank's job: an Ascend rank table, the hostfile of its launcher.
std::vector<std::string> hostFilesOf(const RankTrace &rank);

// A machine's own IPv4 addresses, from its /proc/net/fib_trie (Linux, net/ipv4/fib_trie.c), without loopback.
std::vector<std::string> localAddresses(std::string_view fibTrie);

// By name or by address, each once, in the order of Slurm's list, otherwise of the job's files, otherwise its master. A
// name is compared with searched hosts by its part before the first dot. An address is compared with the hosts' own
// addresses. It is left out if a host's own are unknown, as with IPv6. None for pods.
std::vector<std::string> hostsNotAsked(const RankTrace &first, const std::vector<HostTraces> &asked,
                                       const std::vector<std::string> &inFiles);

}  // namespace rankdeck
