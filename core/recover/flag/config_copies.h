// SPDX-License-Identifier: GPL-3.0-or-later
// The graceful-exit config as it lies on the nodes: one copy per node, or per rank, or one file that several nodes see.
// A stop file is one too: its presence is what a 1 is in the config. Reading asks all nodes at once and blocks until the
// deadline; finding out what is shared is pure.
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
    bool presence = false;        // a stop file: being there is the request
    bool configMap = false;       // of the cluster, and no file of a node
    std::vector<int> ranks = {};  // that read this copy
    std::optional<FileContent> content = {};
    std::optional<FlagReading> flag = {};      // when content is what MindSpore can read
    std::optional<Error> problem = {};         // else why not
    FindingCode problemCode = {};              // "config_missing", "config_not_json" …
    std::string sameAs = {};                   // the node through which this very file is written
    bool asked = false;                        // the request to stop was written here, or may have been
    std::optional<std::uint64_t> device = {};  // of a stop file, while it was there
    bool uncertain = false;  // a write was sent and never answered: what the file says may still change
};

// Error invalid when the path's placeholders are wrong. Empty for a way that leaves no file. Nothing is read yet.
Result<std::vector<ConfigCopy>> configPlaces(const Job &job);
// Where the pods see the ConfigMap (graceful_exit.config beside graceful_exit.configmap): to be read, never written. Empty
// when that is not told. Error as above.
Result<std::vector<ConfigCopy>> mountedPlaces(const Job &job);
// What an answer about one copy means.
void takeContent(ConfigCopy &copy, Result<FileContent> content);
void readConfigs(ActionContext &host, std::vector<ConfigCopy> &copies, SteadyTime deadline);
// Sets sameAs: by the job's paths_shared, or when the same file of one machine or of one network file system is seen.
void findShared(std::vector<ConfigCopy> &copies, const JobState &view);

// Nodes where the request stands, and where that is not known. A config that is not there holds none for sure, unless the
// request was written to it: its file system may be away, and come back with it.
struct Requests {
    std::vector<std::string> armed = {}, unknown = {};
    std::string problem = {};  // of the first unknown one
};
Requests requestsOf(const std::vector<ConfigCopy> &copies);
// Whether the request stands, as the engine last saw the places: yes where any asks; unknown when one at which it was asked
// cannot be read.
Known requestStands(const JobState &view, const std::vector<ConfigCopy> &copies);

}  // namespace rankdeck
