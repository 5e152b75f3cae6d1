// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts that a running job names: in its environment, its rank table, its hostfile. Those that nobody asked are where the
// ranks that are missing probably are. Pure.
#pragma once

#include "core/discover/job_evidence.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

// Absolute paths of the files that say where a rank's job runs: an Ascend rank table, the hostfile of its launcher.
std::vector<std::string> hostFilesOf(const RankTrace &rank);

// A machine's own IPv4 addresses, from its /proc/net/fib_trie (Linux, net/ipv4/fib_trie.c); loopback is none.
std::vector<std::string> localAddresses(std::string_view fibTrie);

// By name or by address, each once, in the order of Slurm's list, else of the job's files, else its master. A name is told
// from one that was asked by its part before the first dot; an address by those of the hosts, so that it is left out where
// a host's own are not known, as IPv6 is. None for pods.
std::vector<std::string> hostsNotAsked(const RankTrace &first, const std::vector<HostTraces> &asked,
                                       const std::vector<std::string> &inFiles);

}  // namespace rankdeck
