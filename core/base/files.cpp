// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"

#include "core/base/text.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <pwd.h>
#include <random>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace rankdeck {
namespace {

class Descriptor {
public:
    explicit Descriptor(int fd) : m_fd(fd) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    [[nodiscard]] int get() const { return m_fd; }
    bool close()
    {
        const int fd = std::exchange(m_fd, -1);
        return fd < 0 || ::close(fd) == 0;
    }

private:
    int m_fd;
};

Error systemError(const std::string &what, const std::string &path, int code)
{
    ErrorKind kind = ErrorKind::internal;
    if (code == ENOENT || code == ENOTDIR) kind = ErrorKind::notFound;
    if (code == EACCES || code == EPERM || code == EROFS) kind = ErrorKind::permission;
    if (code == ENOSPC || code == EDQUOT) kind = ErrorKind::noSpace;
    return fail(kind, what + " " + path + ": " + std::strerror(code));
}

bool writeAll(int fd, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

// Files and directories that only this user may write. Links stay as they are, and so do files that others may have changed.
void closeToOthers(const std::string &path)
{
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0 || info.st_uid != ::geteuid()) return;
    if (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) return;
    if ((info.st_mode & 077) != 0 && checkOwnPlace(path)) ::chmod(path.c_str(), info.st_mode & 0700);
}

}  // namespace

Result<std::string> readLocalFile(const std::string &path, std::size_t maxBytes)
{
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0) return systemError("Cannot read", path, errno);
    struct stat info {};
    if (::fstat(file.get(), &info) == 0 && S_ISDIR(info.st_mode))
        return fail(ErrorKind::invalid, message("Cannot read %1: expected a file, found a directory", path));
    std::string bytes;
    char buffer[65536];
    for (;;) {
        const ssize_t n = ::read(file.get(), buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return systemError("Cannot read", path, errno);
        if (n == 0) return bytes;
        bytes.append(buffer, static_cast<std::size_t>(n));
        if (bytes.size() > maxBytes)
            return fail(ErrorKind::invalid,
                        message("%1 is larger than %2, the limit for such a file", path, bytesText(maxBytes)));
    }
}

Status writeLocalFileAtomically(const std::string &path, std::string_view bytes, unsigned mode)
{
    std::random_device random;
    const std::string temporary = path + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(random());
    Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (file.get() < 0) return systemError("Cannot write", temporary, errno);
    if (!writeAll(file.get(), bytes) || ::fsync(file.get()) != 0 || !file.close() ||
        ::rename(temporary.c_str(), path.c_str()) != 0) {
        const Error error = systemError("Cannot write", path, errno);
        ::unlink(temporary.c_str());
        return error;
    }
    const Descriptor directory(::open(dirName(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.get() >= 0) ::fsync(directory.get());
    return Done{};
}

Status makeLocalDirectories(const std::string &path, unsigned mode)
{
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) return Done{};
    if (const std::string parent = dirName(path); parent != path && parent != ".")
        if (Status made = makeLocalDirectories(parent, mode); !made) return made;
    if (::mkdir(path.c_str(), mode) != 0 && errno != EEXIST)
        return systemError("Cannot create the directory", path, errno);
    return Done{};
}

std::string canonicalPath(const std::string &path)
{
    if (path.empty()) return {};
    std::error_code error;
    const std::filesystem::path found = std::filesystem::weakly_canonical(path, error);
    return error ? path : found.string();
}

std::string defaultStateDirectory()
{
    if (const char *state = std::getenv("XDG_STATE_HOME"); state && state[0] == '/') return joinPath(state, "rankdeck");
    const char *home = std::getenv("HOME");
    if (home && home[0] == '/') return joinPath(home, ".local/state/rankdeck");
    std::array<char, 4096> buffer{};
    passwd entry{};
    passwd *found = nullptr;
    if (::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found &&
        found->pw_dir[0] == '/')
        return joinPath(found->pw_dir, ".local/state/rankdeck");
    return {};
}

Status checkOwnPlace(const std::string &path)
{
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return systemError("Cannot read", path, errno);
    if (info.st_uid != ::geteuid())
        return fail(ErrorKind::permission,
                    message("%1: expected the owner to be user %2, found user %3, so Rankdeck does not trust it. Set a "
                            "different directory with --state-dir, or correct the owner",
                            path, ::geteuid(), info.st_uid));
    // A login's own group, which Debian creates with the user's number, has no other members; a shared group may have
    // some.
    const bool ownGroup = info.st_gid == ::getegid() && info.st_gid == ::geteuid();
    const bool group = (info.st_mode & S_IWGRP) != 0 && !ownGroup;
    if (group || (info.st_mode & S_IWOTH) != 0)
        return fail(ErrorKind::permission,
                    message("%1: expected write permission only for its owner, but its group or others have it too. "
                            "Remove that permission (chmod go-w), then try again",
                            path));
    return Done{};
}

Status makeStateDirectory(const std::string &path)
{
    if (const Status made = makeLocalDirectories(path); !made) return made;
    const char *home = std::getenv("HOME");
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return systemError("Cannot read", path, errno);
    if ((info.st_mode & S_ISVTX) != 0 || (home && canonicalPath(home) == canonicalPath(path))) return Done{};
    if (const Status own = checkOwnPlace(path); !own) return own;
    closeToOthers(path);
    std::error_code error;
    constexpr int most = 10000;
    int seen = 0;
    for (std::filesystem::recursive_directory_iterator at(path, error), end; !error && at != end && seen < most;
         at.increment(error), ++seen)
        closeToOthers(at->path().string());
    return Done{};
}

}  // namespace rankdeck
