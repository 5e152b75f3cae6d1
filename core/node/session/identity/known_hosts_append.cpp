// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/node/session/identity/known_hosts.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck {

namespace {

Error cannot(const std::string &path, int error)
{
    return fail(
        error == EACCES || error == EPERM || error == EROFS ? ErrorKind::permission
        : error == ENOSPC || error == EDQUOT                ? ErrorKind::noSpace
                                                            : ErrorKind::internal,
        message("The host key cannot be added to %1: %2. Make it writable, or set a different UserKnownHostsFile.",
                path, std::strerror(error)));
}

std::string nameField(const std::string &name, bool hashed)
{
    const std::string salt = hashed ? randomBytes(20) : std::string();
    return salt.empty() ? name : "|1|" + toBase64(salt) + "|" + toBase64(hmacSha1(salt, name));
}

Status appendLocked(int fd, const std::string &path, const std::string &name, const PublicKey &key, bool hashed)
{
    while (flock(fd, LOCK_EX) != 0)
        if (errno != EINTR) return cannot(path, errno);
    const auto now = readKnownHosts({path});
    if (!now) return now.error();
    if (checkHostKey(name, key, *now).state == HostKeyState::ok) return Done{};
    const bool openEnd = !now->empty() && !now->front().text.empty() && now->front().text.back() != '\n';
    const std::string line =
        (openEnd ? "\n" : "") + nameField(name, hashed) + " " + key.type + " " + key.base64() + "\n";
    const ssize_t written = write(fd, line.data(), line.size());
    if (written == ssize_t(line.size())) return Done{};
    return cannot(path, written < 0 ? errno : ENOSPC);
}

}  // namespace

Status addKnownHost(const std::string &path, const std::string &name, const PublicKey &key, bool hashed)
{
    struct stat there = {};
    if (stat(dirName(path).c_str(), &there) != 0)
        if (const Status made = makeLocalDirectories(dirName(path)); !made) return made;
    const int fd = open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600);
    if (fd < 0) return cannot(path, errno);
    Status status = fstat(fd, &there) == 0 && S_ISREG(there.st_mode)
                        ? appendLocked(fd, path, name, key, hashed)
                        : Status(fail(ErrorKind::invalid, message("%1 is not a regular file, so no host key can be "
                                                                  "stored there. Set a different UserKnownHostsFile.",
                                                                  path)));
    close(fd);
    return status;
}

}  // namespace rankdeck
