// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testbed/process_count.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

namespace rankdeck {

namespace {

std::string slurp(const std::string &path)
{
    std::ostringstream all;
    all << std::ifstream(path, std::ios::binary).rdbuf();
    return all.str();
}

struct Stat {
    char state = '?';
    int parent = 0;
};

Stat statOf(int pid)
{
    const std::string text = slurp("/proc/" + std::to_string(pid) + "/stat");
    const std::size_t after = text.rfind(')');  // the name may hold blanks and brackets
    Stat stat;
    if (after == std::string::npos) return stat;
    std::istringstream rest(text.substr(after + 1));
    rest >> stat.state >> stat.parent;
    return stat;
}

std::vector<int> allProcesses()
{
    std::vector<int> pids;
    std::error_code gone;
    for (const auto &entry : std::filesystem::directory_iterator("/proc", gone)) {
        const std::string name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") == std::string::npos) pids.push_back(std::stoi(name));
    }
    return pids;
}

void addUnder(int pid, const std::multimap<int, int> &children, std::vector<int> &into)
{
    const auto [first, last] = children.equal_range(pid);
    for (auto it = first; it != last; ++it) addUnder(it->second, children, into);
    into.push_back(pid);
}

}  // namespace

std::vector<int> processesWithEnvironment(const std::string &mark)
{
    std::vector<int> found;
    for (const int pid : allProcesses()) {
        const std::string environment = '\0' + slurp("/proc/" + std::to_string(pid) + "/environ") + '\0';
        if (environment.find('\0' + mark + '\0') == std::string::npos) continue;
        const char state = statOf(pid).state;
        if (state != 'Z' && state != 'X' && state != '?') found.push_back(pid);
    }
    return found;
}

std::vector<int> processTree(int pid)
{
    std::multimap<int, int> children;
    for (const int each : allProcesses()) children.emplace(statOf(each).parent, each);
    std::vector<int> tree;
    addUnder(pid, children, tree);
    return tree;
}

std::string commandLine(int pid)
{
    std::string text = slurp("/proc/" + std::to_string(pid) + "/cmdline");
    std::replace(text.begin(), text.end(), '\0', ' ');
    return text;
}

bool eventually(const std::function<bool()> &reached, std::chrono::milliseconds atMost)
{
    const auto end = std::chrono::steady_clock::now() + atMost;
    while (!reached()) {
        if (std::chrono::steady_clock::now() > end) return reached();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));  // wait: poll
    }
    return true;
}

}  // namespace rankdeck
