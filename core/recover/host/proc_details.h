// SPDX-License-Identifier: GPL-3.0-or-later
// What /proc says about the processes of the ranks beyond the list of processes: which signals they catch, which files
// they have open, and the text of the script and the yaml files that their command lines name. Blocks until the deadline.
// What is not answered by then, or closed to the login, stays empty or unknown; a rank whose process is not known is
// left out.
#pragma once

#include "core/base/known.h"
#include "core/recover/host/rank_processes.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct ProcDetails {
    std::optional<std::uint64_t> caught = {};  // bit n-1: signal n has a handler
    std::optional<std::uint64_t> ignored = {};
    std::vector<std::string> openJson = {};         // open files whose names end in .json
    std::map<std::string, std::string> texts = {};  // path → the script, yaml files, as far as they can be read
    [[nodiscard]] Known catches(int signal) const;
    [[nodiscard]] Known ignores(int signal) const;
};

// Of /proc/PID/status.
ProcDetails signalMasks(std::string_view status);
// The files among a process' arguments that may say which config it reads: its script and yaml files, absolute.
std::vector<std::string> sourcesOf(const ProcessInfo &process);
std::map<int, ProcDetails> lookAtProcesses(ActionContext &host, const ProcessSnapshot &picture, SteadyTime deadline);

}  // namespace rankdeck
