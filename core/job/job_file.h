// SPDX-License-Identifier: GPL-3.0-or-later
// The job file (*.rankdeck.json): converter from JSON to Job and back. Error invalid, naming line, key, expected and
// found. Refused are a wrong type, a rank on no node or on two, a rank beyond the world size, and a bad placeholder. An
// unknown key is a warning with the nearest known key. Relative paths of the file are kept as they are: they are paths
// on the nodes.
#pragma once

#include "core/base/result.h"
#include "core/job/job.h"

#include <string>
#include <vector>

namespace rankdeck {

struct JobFile {
    Job job;
    std::vector<Message> warnings = {};
};

Result<JobFile> readJobFile(const std::string &path);
Result<JobFile> parseJob(const std::string &json, const std::string &fileName = {});
std::string jobToJson(const Job &job);

}  // namespace rankdeck
