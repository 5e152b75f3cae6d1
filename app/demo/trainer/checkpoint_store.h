// SPDX-License-Identifier: GPL-3.0-or-later
// Files as MindSpore 2.7 puts them on disk: {stem}.tmp → rename → 0400, the rerun number chosen once from what lies
// in the directory, the oldest file by mtime removed before the new one is written. Not fsynced, as there.
#pragma once

#include "app/demo/trainer/mindspore_log.h"
#include "app/demo/trainer/tensor_file.h"
#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rankdeck::demo {

// prefix, or prefix_N when files of an earlier run are there. Pure.
std::string rerunPrefix(const std::vector<std::string> &names, const std::string &prefix);

enum class SaveFault { none, torn, diskFull };

// Writes one file. On failure the CRITICAL line is logged, the .tmp stays, and Error::detail is "OSError".
Status saveCheckpoint(const std::string &path, const std::vector<TensorRecord> &records, const MindSporeLog &log,
                      SaveFault fault = SaveFault::none);
Result<std::vector<TensorRecord>> loadCheckpoint(const std::string &path);

class CheckpointStore {
public:
    // Makes the directory (0700) and chooses the prefix.
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
