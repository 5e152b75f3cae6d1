// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/crash_report.h"

#include "core/base/files.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <execinfo.h>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <unistd.h>

namespace rankdeck {

namespace {

constexpr std::string_view unread = ".new.txt", told = ".txt";
constexpr int mostCalls = 64;

// Buffers are filled before a crash, because the handler must not allocate.
std::array<char, 1024> path{};
std::array<char, 128> version{};

void put(int file, const char *text) { [[maybe_unused]] const auto written = ::write(file, text, std::strlen(text)); }

void reportCrash(int signal)
{
    const int file = ::open(path.data(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file >= 0) {
        put(file, version.data());
        put(file, "\nended by signal ");
        const std::array<char, 4> number{static_cast<char>('0' + signal / 10), static_cast<char>('0' + signal % 10),
                                         '\n', 0};
        put(file, number.data());
        std::array<void *, mostCalls> calls{};
        ::backtrace_symbols_fd(calls.data(), ::backtrace(calls.data(), mostCalls), file);
        ::close(file);
    }
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

}  // namespace

void reportCrashesIn(const std::string &directory, const std::string &programVersion)
{
    if (!makeLocalDirectories(directory)) return;  // an unusable state directory is reported by the code that needs it
    const std::string file = directory + "/crash-" + std::to_string(::getpid()) + std::string(unread);
    if (file.size() >= path.size() || programVersion.size() >= version.size()) return;
    std::copy(file.begin(), file.end(), path.begin());
    std::copy(programVersion.begin(), programVersion.end(), version.begin());
    std::array<void *, 1> calls{};
    ::backtrace(calls.data(), 1);  // loads its library now; the handler must not load it
    struct sigaction action {};
    action.sa_handler = reportCrash;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
    for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) sigaction(signal, &action, nullptr);
}

std::vector<std::string> takeCrashReports(const std::string &directory)
{
    std::vector<std::filesystem::directory_entry> found;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(directory, error))
        if (entry.path().filename().string().ends_with(unread)) found.push_back(entry);
    std::sort(found.begin(), found.end(), [](const auto &a, const auto &b) {
        std::error_code none;
        return a.last_write_time(none) < b.last_write_time(none);
    });
    std::vector<std::string> reports;
    for (const auto &entry : found) {
        const std::string name = entry.path().string();
        const auto seconds =
            std::chrono::duration_cast<std::chrono::seconds>(entry.last_write_time(error).time_since_epoch()).count();
        const std::string kept =
            name.substr(0, name.size() - unread.size()) + "-" + std::to_string(seconds) + std::string(told);
        std::filesystem::rename(name, kept, error);
        reports.push_back(error ? name : kept);
    }
    return reports;
}

}  // namespace rankdeck
