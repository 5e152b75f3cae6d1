// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/processes.h"

#include "core/base/files.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <dirent.h>
#include <set>
#include <sstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace rankdeck::demo {
namespace {

struct Stat {
    ProcessStart start;
    pid_t parent = 0;
};

Stat readStat(pid_t pid)
{
    const auto text = readLocalFile("/proc/" + std::to_string(pid) + "/stat", 4096);
    if (!text) return {};
    const auto name = text.value().rfind(')');
    if (name == std::string::npos) return {};
    std::istringstream fields(text.value().substr(name + 1));
    char state = 0;
    Stat result;
    fields >> state >> result.parent;
    std::uint64_t skipped = 0;
    std::string field;
    for (int i = 5; i < 22 && fields >> field; ++i) ++skipped;
    if (!(fields >> result.start.startTicks) || skipped != 17 || state == 'Z' || state == 'X') return {};
    result.start.pid = pid;
    return result;
}

std::vector<Stat> ownProcesses()
{
    std::vector<Stat> found;
    DIR *proc = opendir("/proc");
    if (!proc) return found;
    while (const dirent *entry = readdir(proc)) {
        pid_t pid = 0;
        const char *const end = entry->d_name + std::strlen(entry->d_name);
        if (std::from_chars(entry->d_name, end, pid).ptr != end || pid <= 1 || pid == getpid()) continue;
        struct stat owner {};
        if (stat(("/proc/" + std::string(entry->d_name)).c_str(), &owner) != 0 || owner.st_uid != geteuid()) continue;
        if (const Stat process = readStat(pid); process.start.startTicks != 0) found.push_back(process);
    }
    closedir(proc);
    return found;
}

bool carriesMark(pid_t pid, const std::string &id)
{
    const auto env = readLocalFile("/proc/" + std::to_string(pid) + "/environ", 1u << 20);
    if (!env) return false;
    const std::string wanted = '\0' + std::string(clusterMark) + "=" + id + '\0';
    return ('\0' + env.value() + '\0').find(wanted) != std::string::npos;
}

}  // namespace

ProcessStart processStart(pid_t pid) { return pid > 0 ? readStat(pid).start : ProcessStart{}; }

bool isAlive(const ProcessStart &process) { return process.startTicks != 0 && processStart(process.pid) == process; }

std::string bootId()
{
    const auto text = readLocalFile("/proc/sys/kernel/random/boot_id", 256);
    return text ? text.value().substr(0, text.value().find('\n')) : std::string();
}

std::vector<ProcessStart> processesOf(const std::string &id, const std::vector<ProcessStart> &roots)
{
    const auto all = ownProcesses();
    std::set<pid_t> members;
    for (const auto &process : all)
        if (carriesMark(process.start.pid, id) || std::find(roots.begin(), roots.end(), process.start) != roots.end())
            members.insert(process.start.pid);
    for (bool grown = true; grown;) {
        grown = false;
        for (const auto &process : all)
            if (members.contains(process.parent)) grown = members.insert(process.start.pid).second || grown;
    }
    std::vector<ProcessStart> result;
    for (const auto &process : all)
        if (members.contains(process.start.pid)) result.push_back(process.start);
    return result;
}

bool killProcessesOf(const std::string &id, const std::vector<ProcessStart> &roots, double seconds)
{
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (true) {
        const auto left = processesOf(id, roots);
        if (left.empty()) return true;
        for (const auto &process : left)
            if (process.pid > 1 && isAlive(process)) kill(process.pid, SIGKILL);
        if (std::chrono::steady_clock::now() > deadline) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
    }
}

}  // namespace rankdeck::demo
