// SPDX-License-Identifier: GPL-3.0-or-later
// A job's paths on its nodes, as absolute paths: the templates of the job file, with the rank filled in. A relative
// path is below the launch's working directory. Pure. Empty path: the job file does not name it.
#pragma once

#include "core/base/result.h"
#include "core/job/job.h"
#include "core/job/path_template.h"

#include <string>
#include <vector>

namespace rankdeck {

// launch.workdir on that node; empty: the job file has none.
std::string workdirOn(const Job &job, const NodeSpec &node);
// Relative paths are below the working directory. node: fills in the node's placeholders.
std::string absolutePath(const Job &job, const std::string &path, const NodeSpec *node = nullptr);
Result<std::string> pathOfRank(const Job &job, const std::string &pathTemplate, int rank);
std::vector<std::string> logsOfRanks(const Job &job, const NodeSpec &node);
// Directories in which a rank's graceful-exit save may be. OnRequestExit names its directory by the device number.
// MindSpore takes this number from DEVICE_ID, or counts over all ranks that share a host name. (CPU, 2.7.0: device =
// rank if two "nodes" are one machine.) Both directories are returned. Empty: the job file has no such path, or an
// invalid one.
std::vector<std::string> savesOfRank(const Job &job, int rank);
// The value of --strategy_load_ckpt_path in the command, as Pangu's script takes it; empty if it is missing or differs
// between ranks.
std::string strategyToLoad(const Job &job, const NodeSpec &node);
// Rankdeck's own directory for a job's launches and staging directories.
std::string ownDirectory(const Job &job, const NodeSpec *node = nullptr);
// File for the launcher's stdout in an attempt. It is beside the log directory, so that it stays in place when that
// directory is renamed.
std::string launcherOutput(const std::string &logDirectory, const std::string &id, const std::string &node);

}  // namespace rankdeck
