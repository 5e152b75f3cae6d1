// SPDX-License-Identifier: GPL-3.0-or-later
// Where a job's things lie on its nodes, as absolute paths: the templates of the job file with the rank filled in, and
// relative ones below the launch's working directory. Pure. Empty path: the job file does not say.
#pragma once

#include "core/base/result.h"
#include "core/job/job.h"
#include "core/job/path_template.h"

#include <string>
#include <vector>

namespace rankdeck {

// launch.workdir as it is on that node; empty: the job file has none.
std::string workdirOn(const Job &job, const NodeSpec &node);
// Below the working directory when relative; node: where that names the node.
std::string absolutePath(const Job &job, const std::string &path, const NodeSpec *node = nullptr);
Result<std::string> pathOfRank(const Job &job, const std::string &pathTemplate, int rank);
std::vector<std::string> logsOfRanks(const Job &job, const NodeSpec &node);
// Where a rank's graceful-exit save may lie. OnRequestExit names its folder by the device number, which MindSpore takes
// from DEVICE_ID or counts anew over all ranks that share a host name (CPU, 2.7.0: device = rank when two "nodes" are one
// machine): both places. Empty when the job file has none, or a wrong one.
std::vector<std::string> savesOfRank(const Job &job, int rank);
// --strategy_load_ckpt_path of the command, as Pangu's script takes it; empty: none is told, or it differs by rank.
std::string strategyToLoad(const Job &job, const NodeSpec &node);
// rankdeck's own directory for a job's launches and views.
std::string ownDirectory(const Job &job, const NodeSpec *node = nullptr);
// Where the launcher's stdout of an attempt goes: beside the log directory, so that moving that aside keeps it.
std::string launcherOutput(const std::string &logDirectory, const std::string &id, const std::string &node);

}  // namespace rankdeck
