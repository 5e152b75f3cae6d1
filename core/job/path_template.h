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
// As expand(), for texts that may contain braces of their own (environments, options: "{TTP:1,UCE:1}", JSON,
// "${HOME}"). Only {lower_case} is a placeholder, and {{lower_case}} becomes the same in single braces.
Result<std::string> expandWords(const std::string &text, const Placeholders &values);
// Whether a value of launch.env or of a node's env holds that placeholder.
bool environmentUses(const Job &job, const std::string &name);
// A text for which expandWords() returns the present text unchanged.
std::string literalWords(const std::string &text);
// The placeholders that are the same for all ranks of a node.
Placeholders nodePlaceholders(const Job &job, const NodeSpec &node);
// Value of a key in the section "launch" on one node (workdir, views, options, env). A text with a placeholder that is
// unknown there stays as it is; such job files are refused when they are read.
std::string textOnNode(const std::string &text, const Job &job, const NodeSpec &node);
// True when the text names this placeholder.
bool usesPlaceholder(const std::string &text, const std::string &name);

}  // namespace rankdeck
