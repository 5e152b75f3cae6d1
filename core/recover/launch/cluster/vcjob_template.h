// SPDX-License-Identifier: GPL-3.0-or-later
// The operator's own vcjob as a template: what is launched is that object with the command of the chosen set, and nothing else
// of it changed but a note of whose it is. And the rules that MindX DL's documents give for such objects, as findings: for the
// operator's and for ours. Pure. Errors invalid, naming what was expected in the file.
#pragma once

#include "core/recover/launch/recipe.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

struct VcjobTemplate {
    std::string json = {};  // the object
    std::string name = {}, nameSpace = {}, task = {}, image = {};
    std::map<std::string, std::string> labels = {};
    std::map<std::string, std::string> mounts = {};                     // path in the pods → name of the volume
    std::vector<std::map<std::string, std::string>> environments = {};  // of its containers, each by name
    std::size_t pods = 0;
};
// Of the one vcjob among the documents of a YAML file, with one task of at least one container (the first is the training's).
Result<VcjobTemplate> parseVcjobTemplate(const std::string &yaml);
std::string vcjobAsItIs(const VcjobTemplate &from);  // as vcjobOf writes it, for a diff
// The object to be created. env: added to the first container's, or put in the place of its own of that name.
std::string vcjobOf(const VcjobTemplate &from, const std::vector<std::string> &command,
                    const std::map<std::string, std::string> &env, const std::string &action, const std::string &set);
// The same under a name that no job has (this one with "-check"), for the server to look at while the old one is still there.
std::string vcjobForCheck(const std::string &object);
// New files by which the script that submits records these faults for the pods, in its directory; empty where the vcjob
// (yaml: the operator's own) does not mount the ConfigMap where launch.fault_npus is.
std::vector<FileEdit> faultConfigFiles(const Job &job, const std::optional<Result<std::string>> &yaml,
                                       const std::string &directory, const std::string &record);
// What comes back by itself, what a save has no time or room for, what does not fit the ranks. object: JSON.
std::vector<Finding> vcjobFindings(const std::string &object, const std::string &resource, std::size_t pods,
                                   std::size_t ranksPerPod);

}  // namespace rankdeck
