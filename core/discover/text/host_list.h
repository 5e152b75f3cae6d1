// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts of a cluster from one word or one file: "ascend-[01-64]", a hostfile of mpirun or DeepSpeed, an Ascend rank
// table. Pure; at most 1,024 hosts. Error invalid has what was expected and found.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

// "a[1-3,7],b" → a1 a2 a3 a7 b; leading zeros stay. As Slurm writes lists of hosts: several brackets are possible. A
// bracket after a colon or '@', as of "[::1]:22", is an address.
Result<std::vector<std::string>> expandHosts(std::string_view text);
// A line per host, beginning with its name; "slots=8" and similar text may follow, and "#" comments. Each line may be a
// list as above.
Result<std::vector<std::string>> hostsOfHostfile(std::string_view text);
// The server_id of each server of hccl.json; in their order, each once.
Result<std::vector<std::string>> hostsOfRankTable(const std::string &json);
// Hosts in such a file; its content shows its kind.
Result<std::vector<std::string>> hostsOfFile(const std::string &text);

// "slurm:4711", or an element of an array as "slurm:4711_3" → "4711_3"; empty: the text does not name a Slurm job.
std::string slurmJobOf(std::string_view text);
// Command that asks Slurm on this machine for the nodes of a job, and parser of its answer: exit code, stdout, stderr.
std::vector<std::string> slurmHostsCommand(const std::string &job);
Result<std::vector<std::string>> hostsOfSlurm(const std::string &job, int exitCode, std::string_view output,
                                              std::string_view errors);

}  // namespace rankdeck
