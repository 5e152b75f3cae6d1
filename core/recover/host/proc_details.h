// SPDX-License-Identifier: GPL-3.0-or-later
// Details of the rank processes from /proc: caught signals, open files, and the text of the script and yaml files that
// their command lines name. Blocks until the deadline. Late or forbidden answers stay empty or unknown; ranks without a
// known process are skipped.
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

// Parses /proc/PID/status.
ProcDetails signalMasks(std::string_view status);
// The files among a process's arguments that may name its config: its script and yaml files, absolute.
std::vector<std::string> sourcesOf(const ProcessInfo &process);
std::map<int, ProcDetails> lookAtProcesses(ActionContext &host, const ProcessSnapshot &picture, SteadyTime deadline);

}  // namespace rankdeck
