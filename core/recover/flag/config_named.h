// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON files that the training itself may use for its graceful exit: open files, and files named in its arguments,
// script or yaml. They are compared with the job file's path. Pure.
#pragma once

#include "core/recover/host/proc_details.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct NamedConfig {
    enum class By { open, argument, source } by = By::argument;
    std::string path;   // absolute, without "." and ".."
    std::string where;  // "--graceful of its command line", "config_file in train.py"
};
// `configured`: the job file's path for this rank; another open JSON file counts only if it has the same file name.
// Names with placeholders other than {rank} are left out.
std::vector<NamedConfig> namedConfigs(const ProcessInfo &process, const ProcDetails &look, int rank,
                                      const std::string &configured);
// The callback as the script sets it: nullopt without OnRequestExit(…). It saves everything that the script does not
// switch off.
struct ExitCallback {
    bool savesCheckpoint = true;   // save_ckpt=False
    bool savesMindir = true;       // save_mindir=False
    std::string fileName = "Net";  // file_name="…"; empty: not visible in its text
};
std::optional<ExitCallback> exitCallbackOf(std::string_view script);
// "/a/./b/../c" → "/a/c"; relative ones below `directory`.
std::string plainPath(const std::string &directory, const std::string &path);

}  // namespace rankdeck
