// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoint files as MindSpore 2.7 writes them: {stem}.tmp → rename → mode 0400. The rerun number is chosen once from
// the files in the directory. The oldest file by mtime is removed before a new one is written. No fsync, as in
// MindSpore.
#pragma once

#include "app/demo/trainer/mindspore_log.h"
#include "app/demo/trainer/tensor_file.h"
#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rankdeck::demo {

// prefix, or prefix_N if files of an earlier run exist. Pure.
std::string rerunPrefix(const std::vector<std::string> &names, const std::string &prefix);

enum class SaveFault { none, torn, diskFull };

// Writes one file. On failure it logs the CRITICAL line, leaves the .tmp file, and sets Error::detail to "OSError".
Status saveCheckpoint(const std::string &path, const std::vector<TensorRecord> &records, const MindSporeLog &log,
                      SaveFault fault = SaveFault::none);
Result<std::vector<TensorRecord>> loadCheckpoint(const std::string &path);

class CheckpointStore {
public:
    // Creates the directory (0700) and chooses the prefix.
    static Result<CheckpointStore> open(std::string directory, const std::string &prefix, int keep);
    Status save(std::int64_t epoch, std::int64_t stepInEpoch, const std::vector<TensorRecord> &records,
                const MindSporeLog &log, SaveFault fault);
    [[nodiscard]] const std::string &prefix() const { return m_prefix; }

private:
    void prune() const;
    std::string m_directory;
    std::string m_prefix;
    int m_keep = 5;
};

}  // namespace rankdeck::demo
