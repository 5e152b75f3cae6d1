// SPDX-License-Identifier: GPL-3.0-or-later
// Placeholders of job-file paths and commands: {rank} {local_rank} {device} {node} {node_index} {world_size}, in
// launch also {checkpoint} {checkpoint_dir} {epoch} {step} {global_step}; {{ and }} are literal braces. Pure.
#pragma once

#include "core/base/result.h"
#include "core/job/job.h"

#include <map>
#include <string>

namespace rankdeck {

using Placeholders = std::map<std::string, std::string>;

// The placeholders of one rank of a job (also of a rank that no node has: then without node and local rank).
Placeholders rankPlaceholders(const Job &job, int rank);
// Error invalid, naming the placeholder and those that exist there, on an unknown one or an unpaired brace.
Result<std::string> expand(const std::string &text, const Placeholders &values);
// True when the text names this placeholder.
bool usesPlaceholder(const std::string &text, const std::string &name);

}  // namespace rankdeck
