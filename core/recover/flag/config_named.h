// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON files that the training itself may use for its graceful exit: open files, and files that its arguments,
// script or yaml name. They are compared with the path in the job file. Pure.
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
// `configured`: the path in the job file for this rank; other open JSON files count only if they have the same file
// name. Names with placeholders other than {rank} are skipped.
std::vector<NamedConfig> namedConfigs(const ProcessInfo &process, const ProcDetails &look, int rank,
                                      const std::string &configured);
// The callback OnRequestExit(…) as the script sets it up; nullopt: the script has none. It saves everything unless the
// script switches that off.
struct ExitCallback {
    bool savesCheckpoint = true;   // save_ckpt=False
    bool savesMindir = true;       // save_mindir=False
    std::string fileName = "Net";  // file_name="…"; empty: not visible in its text
};
std::optional<ExitCallback> exitCallbackOf(std::string_view script);
// "/a/./b/../c" → "/a/c"; relative ones below `directory`.
std::string plainPath(const std::string &directory, const std::string &path);

}  // namespace rankdeck
