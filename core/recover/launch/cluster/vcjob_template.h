// SPDX-License-Identifier: GPL-3.0-or-later
// The operator's own vcjob as a template. The object that is launched is the template with the command for the chosen
// set and a note about its owner; nothing else changes. Also checks the rules in MindX DL's documents for such objects,
// and returns findings for the operator's and for our own object. Pure. Errors invalid, naming what was expected in the
// file.
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
    std::vector<std::map<std::string, std::string>> environments = {};  // environments of its containers, each by name
    std::size_t pods = 0;
};
// Parses the vcjob in a YAML file, which must contain exactly one. The vcjob must have one task with at least one
// container; the first container runs the training.
Result<VcjobTemplate> parseVcjobTemplate(const std::string &yaml);
std::string vcjobAsItIs(const VcjobTemplate &from);  // in the form of vcjobOf, for a diff
// The object to be created. env: added to the environment of the first container; replaces variables of the same name.
std::string vcjobOf(const VcjobTemplate &from, const std::vector<std::string> &command,
                    const std::map<std::string, std::string> &env, const std::string &action, const std::string &set);
// The same object under an unused name (the name plus "-check"). The server can check it while the old object still
// exists.
std::string vcjobForCheck(const std::string &object);
// New files in the directory of the submitting script, with which this script records these faults for the pods. Empty
// if the vcjob (yaml: the operator's own) does not mount the ConfigMap at launch.fault_npus.
std::vector<FileEdit> faultConfigFiles(const Job &job, const std::optional<Result<std::string>> &yaml,
                                       const std::string &directory, const std::string &record);
// Findings about automatic restarts, saves without enough time or room, and settings that do not fit the ranks. object:
// JSON.
std::vector<Finding> vcjobFindings(const std::string &object, const std::string &resource, std::size_t pods,
                                   std::size_t ranksPerPod);

}  // namespace rankdeck
