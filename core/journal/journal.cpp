// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/journal.h"

#include "core/base/clock.h"
#include "core/base/console.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/journal/journal_line.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <mutex>
#include <random>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck {

namespace {

class FileDescriptor {
public:
    explicit FileDescriptor(int fd) : m_fd(fd) {}
    ~FileDescriptor()
    {
        if (m_fd >= 0) ::close(m_fd);
    }
    FileDescriptor(const FileDescriptor &) = delete;
    FileDescriptor &operator=(const FileDescriptor &) = delete;
    [[nodiscard]] int get() const { return m_fd; }

private:
    int m_fd;
};

Error systemError(const std::string &what, const std::string &path)
{
    const int code = errno;
    const ErrorKind kind = code == ENOSPC || code == EDQUOT                   ? ErrorKind::noSpace
                           : code == EACCES || code == EPERM || code == EROFS ? ErrorKind::permission
                                                                              : ErrorKind::internal;
    return fail(kind, message("The journal %1 could not be %2: %3. Rankdeck does nothing without a record: free some "
                              "space or correct the journal's owner, then try again.",
                              path, what, std::strerror(code)));
}

// Writers of other consoles wait here; the lock goes with the descriptor, also when this process is killed.
bool lockWhole(int fd)
{
    while (::flock(fd, LOCK_EX) != 0)
        if (errno != EINTR) return false;
    return true;
}

bool endsWithNewline(int fd, off_t size)
{
    char last = '\n';
    return size == 0 || (::pread(fd, &last, 1, size - 1) == 1 && last == '\n');
}

// When a process of this machine began; nullopt when it is gone.
std::optional<WallTime> startOf(int pid)
{
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat"), machine("/proc/stat");
    std::string line, word;
    long long bootSeconds = 0;
    while (machine >> word)
        if (word == "btime") machine >> bootSeconds;
    if (!std::getline(stat, line) || line.rfind(')') == std::string::npos) return {};
    std::istringstream fields(line.substr(line.rfind(')') + 1));
    long long ticks = 0;
    for (int field = 3; field < 22; ++field) fields >> word;
    if (!(fields >> ticks)) return {};
    return wallFromNs((bootSeconds + ticks / ::sysconf(_SC_CLK_TCK)) * 1000000000LL);
}

constexpr std::size_t mostBytes = std::size_t{512} << 20;

int openOwn(const std::string &path)
{
    return ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
}

// Whether a line is of this job, as defined for `read`. A line of a newer version may be of this job even if it names
// none.
auto isOf(const std::string &job, const std::string &file)
{
    return [job, place = canonicalPath(file)](const JournalLine &line) {
        const JournalEntry &entry = line.entry;
        return (job.empty() || entry.job == job || (line.newer && entry.job.empty())) &&
               (place.empty() || entry.file.empty() || entry.file == place);
    };
}

class FileJournal final : public Journal {
public:
    explicit FileJournal(std::string path) : m_path(std::move(path)), m_user(userName()), m_host(hostName()) {}

    Status append(JournalEntry entry) override { return write(lineOf(std::move(entry))); }
    Status appendBoth(JournalEntry first, JournalEntry second) override
    {
        return write(lineOf(std::move(first)) + lineOf(std::move(second)));
    }

    Result<std::vector<JournalEntry>> read(const std::string &job, const std::string &file) const override
    {
        return collect(isOf(job, file));
    }

    Result<std::vector<JournalEntry>> ofAction(const std::string &action) const override
    {
        return collect([&](const JournalLine &line) { return line.entry.action == action; });
    }

    Result<std::vector<JournalEntry>> unfinished(const std::string &job, const std::string &file) const override
    {
        std::size_t newer = 0;
        auto entries = collect(isOf(job, file), &newer);
        if (!entries) return entries;
        if (newer != 0)
            return fail(
                ErrorKind::unsupported,
                message("The journal %1 has entries of a newer version, the last in line %2, so actions in progress "
                        "are unknown. Use the newer version, or move the journal away when no action is in progress.",
                        m_path, newer));
        std::vector<JournalEntry> last;  // in the order of the actions' beginnings
        for (JournalEntry &entry : entries.value()) {
            const auto same = std::find_if(last.begin(), last.end(),
                                           [&](const JournalEntry &other) { return other.action == entry.action; });
            if (same == last.end())
                last.push_back(std::move(entry));
            else
                *same = std::move(entry);
        }
        std::erase_if(last, [](const JournalEntry &entry) { return isFinal(entry.state); });
        return last;
    }

    std::vector<std::string> warnings() const override
    {
        const std::lock_guard lock(m_mutex);
        return m_warnings;
    }

    std::string path() const override { return m_path; }

    bool writerMayLive(const JournalEntry &entry) const override
    {
        if (entry.host != m_host) return true;
        if (entry.pid <= 0 || entry.pid == ::getpid()) return false;  // one action at a time in a process: it is over
        const auto started = startOf(entry.pid);
        // A process that began after the entry has reused the number.
        return started && *started <= entry.time + std::chrono::seconds(1);
    }

private:
    std::string lineOf(JournalEntry entry) const
    {
        entry.user = m_user;
        entry.host = m_host;
        entry.pid = ::getpid();
        entry.file = canonicalPath(entry.file);
        if (entry.time == WallTime{}) entry.time = wallNow();
        return journalLine(entry);
    }

    Status write(const std::string &line)
    {
        const FileDescriptor file(openOwn(m_path));
        if (file.get() < 0) return systemError("opened", m_path);
        if (const Status own = checkOwnPlace(m_path); !own) return own;
        if (!lockWhole(file.get())) return systemError("locked", m_path);
        struct stat stat {};
        if (::fstat(file.get(), &stat) != 0) return systemError("read", m_path);
        // An unreadable journal can neither arbitrate between consoles nor show what a killed one left.
        if (stat.st_size > static_cast<off_t>(mostBytes))
            return fail(ErrorKind::conflict,
                        message("The journal %1 is larger than %2, so it cannot be read: move it away, then try again.",
                                m_path, bytesText(mostBytes)));
        // A writer that was killed leaves half a line: the new line must not become its other half.
        const std::string text = (endsWithNewline(file.get(), stat.st_size) ? "" : "\n") + line;
        std::size_t done = 0;
        while (done < text.size()) {
            const ssize_t count = ::write(file.get(), text.data() + done, text.size() - done);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) {
                Error error = systemError("written", m_path);
                if (done > 0 && ::ftruncate(file.get(), stat.st_size) != 0) error.detail = "a torn line is left behind";
                return error;
            }
            done += static_cast<std::size_t>(count);
        }
        if (::fsync(file.get()) != 0) return systemError("synced", m_path);
        return Done{};
    }

    // newer: the number of the last wanted line that a newer version has written; 0: none.
    template <class Wanted>
    Result<std::vector<JournalEntry>> collect(const Wanted &wanted, std::size_t *newer = nullptr) const
    {
        std::vector<std::string> warnings;
        std::vector<JournalEntry> entries;
        if (::access(m_path.c_str(), F_OK) == 0 || errno != ENOENT) {
            if (const Status own = checkOwnPlace(m_path); !own) return own.error();
            const auto text = readLocalFile(m_path, mostBytes);
            if (!text) return text.error();
            forEachJournalLine(text.value(), [&](std::size_t number, Result<JournalLine> line) {
                if (!line) {
                    warnings.push_back(m_path + ": " + line.error().message);
                } else if (!wanted(line.value())) {
                    return;
                } else if (!line->newer) {
                    entries.push_back(std::move(line->entry));
                } else {
                    if (newer != nullptr) *newer = number;
                    warnings.push_back(m_path + ": line " + std::to_string(number) +
                                       ": the entry was written by a newer version; it was skipped");
                }
            });
        }
        const std::lock_guard lock(m_mutex);
        m_warnings = std::move(warnings);
        return entries;
    }

    const std::string m_path;
    const std::string m_user;
    const std::string m_host;
    mutable std::mutex m_mutex;
    mutable std::vector<std::string> m_warnings;
};

}  // namespace

Result<std::unique_ptr<Journal>> Journal::open(const std::string &stateDirectory)
{
    const std::string directory = stateDirectory.empty() ? defaultStateDirectory() : stateDirectory;
    if (directory.empty())
        return fail(ErrorKind::invalid,
                    message("There is no home directory for the journal: set a directory with --state-dir."));
    if (const Status made = makeStateDirectory(directory); !made) return made.error();
    const std::string path = joinPath(directory, "journal.jsonl");
    if (const Status own = checkOwnPlace(directory); !own) return own.error();
    const FileDescriptor probe(openOwn(path));
    if (probe.get() < 0) return systemError("opened", path);
    if (const Status own = checkOwnPlace(path); !own) return own.error();
    return std::unique_ptr<Journal>(std::make_unique<FileJournal>(path));
}

bool Journal::isFinal(const std::string &state)
{
    static const std::array<std::string_view, 12> final{"stopped",   "refused",  "cancelled",   "cancel_too_late",
                                                        "timed_out", "dry_run",  "proven",      "launched",
                                                        "failed",    "finished", "rolled_back", "ended"};
    return std::find(final.begin(), final.end(), state) != final.end();
}

std::string Journal::newActionId(const std::string &kind)
{
    const std::time_t now = std::chrono::system_clock::to_time_t(wallNow());
    std::tm local{};
    ::localtime_r(&now, &local);
    std::array<char, 32> stamp{};
    std::strftime(stamp.data(), stamp.size(), "%Y%m%d-%H%M%S", &local);
    std::array<char, 12> suffix{};
    std::random_device random;
    std::snprintf(suffix.data(), suffix.size(), "%08x", random() & 0xffffffffu);
    return kind + "-" + stamp.data() + "-" + suffix.data();
}

}  // namespace rankdeck
