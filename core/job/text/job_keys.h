// SPDX-License-Identifier: GPL-3.0-or-later
// Table of all keys of the job file, in the order in which a form shows them. A new key needs a row here, in
// docs/job-file.md and in rankdeck-job(5); the reader takes its known keys from here. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

// Type of a key's value: words are an array of strings, a map is an object of strings, other is any JSON.
enum class JobValue : std::uint8_t { text, number, boolean, choice, ranks, words, map, other };

struct JobKey {
    std::string_view path;  // "launch.volcano.image"; of each node "nodes[].host"
    JobValue value = JobValue::text;
    std::string_view choices = {};  // "a|b"; for a choice without them: choicesOf()
};

// clang-format off
inline constexpr std::array jobKeys{
    JobKey{"rankdeck", JobValue::number},
    JobKey{"name"},
    JobKey{"world_size", JobValue::number},
    JobKey{"framework", JobValue::choice},
    JobKey{"paths_shared", JobValue::boolean},
    JobKey{"steps_per_epoch", JobValue::number},
    JobKey{"ssh_config"},
    JobKey{"relays", JobValue::words},
    JobKey{"nodes[].name"},
    JobKey{"nodes[].host"},
    JobKey{"nodes[].ranks", JobValue::ranks},
    JobKey{"nodes[].via"},
    JobKey{"nodes[].relay"},
    JobKey{"nodes[].transport", JobValue::choice, "libssh|ssh"},
    JobKey{"nodes[].python"},
    JobKey{"nodes[].env", JobValue::map},
    JobKey{"logs.path"},
    JobKey{"logs.launcher"},
    JobKey{"logs.ttp"},
    JobKey{"logs.sample"},
    JobKey{"logs.resume"},
    JobKey{"logs.fields", JobValue::map},
    JobKey{"checkpoints.path"},
    JobKey{"checkpoints.prefix"},
    JobKey{"checkpoints.replica_groups", JobValue::other},
    JobKey{"checkpoints.saved_by", JobValue::choice, "every_rank|first_of_node|rank0"},
    JobKey{"graceful_exit.config"},
    JobKey{"graceful_exit.configmap"},
    JobKey{"graceful_exit.saves"},
    JobKey{"graceful_exit.signal", JobValue::choice, "TERM|INT|USR1|USR2"},
    JobKey{"graceful_exit.stop_file"},
    JobKey{"graceful_exit.scancel", JobValue::choice, "TERM|INT|USR1|USR2"},
    JobKey{"graceful_exit.slurm_job"},
    JobKey{"launch.recipe", JobValue::choice, "msrun|command|torchrun|mpirun|slurm|volcano"},
    JobKey{"launch.command", JobValue::words},
    JobKey{"launch.workdir"},
    JobKey{"launch.env", JobValue::map},
    JobKey{"launch.script", JobValue::choice},
    JobKey{"launch.config"},
    JobKey{"launch.set", JobValue::other},
    JobKey{"launch.per_node", JobValue::boolean},
    JobKey{"launch.fault_tolerance", JobValue::words},
    JobKey{"launch.options", JobValue::words},
    JobKey{"launch.master_addr"},
    JobKey{"launch.master_port", JobValue::number},
    JobKey{"launch.msrun"},
    JobKey{"launch.rank_table"},
    JobKey{"launch.fault_npus"},
    JobKey{"launch.views"},
    JobKey{"launch.submit_on"},
    JobKey{"launch.volcano.file"},
    JobKey{"launch.volcano.image"},
    JobKey{"launch.volcano.namespace"},
    JobKey{"launch.volcano.queue"},
    JobKey{"launch.volcano.resource"},
    JobKey{"launch.volcano.mounts", JobValue::map},
    JobKey{"launch.volcano.labels", JobValue::map},
    JobKey{"launch.volcano.node_selector", JobValue::map},
    JobKey{"launch.volcano.grace_seconds", JobValue::number},
    JobKey{"launch.volcano.per_pod", JobValue::boolean},
    JobKey{"kubernetes.via"},
    JobKey{"kubernetes.context"},
    JobKey{"kubernetes.kubeconfig"},
    JobKey{"kubernetes.kubectl"},
};
// clang-format on

// The row of "nodes[3].host" is that of "nodes[].host"; nullptr: no key of the job file.
const JobKey *jobKeyOf(std::string_view path);
// The names that an object of the job file may have: of "launch" recipe, … volcano; of "" name, … launch.
std::vector<std::string> jobKeysIn(std::string_view object);
std::vector<std::string> choicesOf(const JobKey &key);  // empty: not a choice

}  // namespace rankdeck
