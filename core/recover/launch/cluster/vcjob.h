// SPDX-License-Identifier: GPL-3.0-or-later
// Objects for Volcano and MindX DL's components, for one launch. The vcjob (batch.volcano.sh/v1alpha1 Job). The
// ConfigMap reset-config-<job>, both complete and as a merge patch that sets GracefulExit back to 0 and keeps other
// keys and labels. If the job has the label ring-controller.atlas: rings-config-<job>, into which MindX DL's controller
// writes the rank table. Pure.
#pragma once

#include "core/recover/launch/recipe.h"

#include <string>
#include <vector>

namespace rankdeck {

std::string vcjobName(const Job &job);  // at most 52 of a-z, 0-9 and '-', as Kubernetes allows
// command: the command of one pod. pods: their number; each gets devices of launch.volcano.resource.
std::string vcjobYaml(const RecipeInput &input, const std::vector<std::string> &command, std::size_t pods,
                      std::size_t devices);
std::string resetConfigYaml(const Job &job);
std::string resetConfigPatch();
bool hasRankTable(const Job &job);  // by the label ring-controller.atlas
inline constexpr const char *rankTableInPods = "/user/serverid/devindex/config/hccl.json";
std::string ringsConfigYaml(const Job &job);
std::string ringsConfigPatch();
// The ConfigMap fault-config-<job>, in which MindX DL's components record failed ranks for the pods (fault-npus).
// record: the text of this record.
std::string faultConfigYaml(const Job &job, const std::string &record);
std::string faultConfigPatch(const std::string &record);
// True if the vcjob mounts this ConfigMap at launch.fault_npus. Our own vcjobs do so for the script that reads it.
bool mountsFaultConfig(const Job &job);

}  // namespace rankdeck
