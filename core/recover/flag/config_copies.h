// SPDX-License-Identifier: GPL-3.0-or-later
// Copies of the graceful-exit config on the nodes: one per node, one per rank, or one file that several nodes see. A
// stop file also counts as a copy: its presence means the same as a 1 in the config. Reading asks all nodes at once and
// blocks until the deadline; the detection of shared files is pure.
#pragma once

#include "core/base/known.h"
#include "core/recover/action_context.h"
#include "core/recover/flag/flag_edit.h"
#include "core/recover/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct ConfigCopy {
    std::string node;
    std::string path;
    bool presence = false;        // a stop file: its existence is the request
    bool configMap = false;       // a ConfigMap of the cluster, not a file of a node
    std::vector<int> ranks = {};  // ranks that read this copy
    std::optional<FileContent> content = {};
    std::optional<FlagReading> flag = {};      // set if MindSpore can read the content
    std::optional<Error> problem = {};         // otherwise the reason
    FindingCode problemCode = {};              // "config_missing", "config_invalid" …
    std::string sameAs = {};                   // node through which this same file is written
    bool asked = false;                        // this console wrote the stop request here, or may have written it
    std::optional<std::uint64_t> device = {};  // device of a stop file, while it existed
    bool uncertain = false;                    // a write was sent and never answered: the content may still change
};

// Error invalid if the path's placeholders are wrong. Empty for a stop method without a file. Reads nothing.
Result<std::vector<ConfigCopy>> configPlaces(const Job &job);
// Paths at which the pods see the ConfigMap (graceful_exit.config beside graceful_exit.configmap): they are read, never
// written. Empty if the job file does not name them. Error as above.
Result<std::vector<ConfigCopy>> mountedPlaces(const Job &job);
// Stores the answer about one copy: its content or its problem.
void takeContent(ConfigCopy &copy, Result<FileContent> content);
void readConfigs(ActionContext &host, std::vector<ConfigCopy> &copies, SteadyTime deadline);
// Sets sameAs if the job's paths_shared says so, or if two nodes see the same file of one machine or of one network
// file system.
void findShared(std::vector<ConfigCopy> &copies, const JobState &view);

// Nodes with a stop request, and nodes whose request is unknown. A missing config counts as no request, unless this
// console wrote a request to it. Its file system may be unmounted, and return with the request.
struct Requests {
    std::vector<std::string> armed = {}, unknown = {};
    Message problem = {};  // clause about the first node whose request is unknown
};
Requests requestsOf(const std::vector<ConfigCopy> &copies);
// Whether a stop request is set, from the latest contents that the engine read. Known::yes: at least one place has it.
// Known::unknown: a place to which the request was written cannot be read.
Known requestStands(const JobState &view, const std::vector<ConfigCopy> &copies);

}  // namespace rankdeck
