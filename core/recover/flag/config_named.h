// SPDX-License-Identifier: GPL-3.0-or-later
// Which JSON file the training itself takes for its graceful exit: has open, names in its arguments, or names in its
// script or yaml; to be compared with the job file's. Pure.
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
// `configured`: the job file's path for this rank; another open JSON file counts only when it has that file's name.
// Names that hold a placeholder which is not {rank} say nothing and are left out.
std::vector<NamedConfig> namedConfigs(const ProcessInfo &process, const ProcDetails &look, int rank,
                                      const std::string &configured);
// What its script says of the callback: nothing without OnRequestExit(…); what it does not switch off, it saves.
struct ExitCallback {
    bool savesCheckpoint = true;   // save_ckpt=False
    bool savesMindir = true;       // save_mindir=False
    std::string fileName = "Net";  // file_name="…"; empty: what its text does not show
};
std::optional<ExitCallback> exitCallbackOf(std::string_view script);
// "/a/./b/../c" → "/a/c"; relative ones below `directory`.
std::string plainPath(const std::string &directory, const std::string &path);

}  // namespace rankdeck
