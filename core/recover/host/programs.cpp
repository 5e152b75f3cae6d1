// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/host/programs.h"

#include <algorithm>
#include <array>

namespace rankdeck {
namespace {

template <std::size_t N>
bool isOneOf(std::string_view comm, const std::array<std::string_view, N> &known)
{
    return std::find(known.begin(), known.end(), comm) != known.end();
}

}  // namespace

bool isFilterProgram(std::string_view comm)
{
    static constexpr auto known = std::to_array<std::string_view>(
        {"tee",  "sed",    "awk",    "gawk",       "mawk",     "ts",       "grep",   "egrep",
         "cat",  "tr",     "cut",    "rotatelogs", "cronolog", "multilog", "svlogd", "logger",
         "head", "tai64n", "column", "pv",         "split",    "fold",     "uniq"});
    return isOneOf(comm, known);
}

bool isWrapperProgram(std::string_view comm)
{
    static constexpr auto known = std::to_array<std::string_view>(
        {"bash",    "sh",     "dash",    "zsh",  "ksh",  "csh",  "tcsh",    "fish",  "ash",
         "busybox", "env",    "timeout", "time", "sudo", "su",   "runuser", "conda", "unbuffer",
         "script",  "strace", "gdb",     "nsys", "ncu",  "perf", "msprof",  "py-spy"});
    return isOneOf(comm, known);
}

bool isUtility(std::string_view comm)
{
    static constexpr auto known = std::to_array<std::string_view>(
        {"sleep", "yes",    "echo",   "printf",      "nvidia-smi", "npu-smi", "tail", "watch", "top",   "htop",
         "dstat", "iostat", "vmstat", "inotifywait", "date",       "df",      "du",   "ls",    "rsync", "scp"});
    return isOneOf(comm, known);
}

}  // namespace rankdeck
