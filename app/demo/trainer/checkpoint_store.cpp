// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/trainer/checkpoint_store.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck::demo {
namespace {

bool endsWith(const std::string &text, std::string_view end)
{
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool allDigits(const std::string &text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

std::vector<std::string> namesIn(const std::string &directory)
{
    std::vector<std::string> names;
    DIR *open = opendir(directory.c_str());
    if (!open) return names;
    while (const dirent *entry = readdir(open)) names.emplace_back(entry->d_name);
    closedir(open);
    return names;
}

void removeOwned(const std::string &path)
{
    chmod(path.c_str(), 0200);
    unlink(path.c_str());
}

std::string temporaryOf(const std::string &path) { return path.substr(0, path.size() - std::strlen(".ckpt")) + ".tmp"; }

// A real file size limit for one write: the kernel refuses bytes beyond it, as on a full disk.
class FileSizeLimit {
public:
    explicit FileSizeLimit(bool on) : m_on(on)
    {
        if (!m_on) return;
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit small{65536, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
    }
    ~FileSizeLimit()
    {
        if (m_on) setrlimit(RLIMIT_FSIZE, &m_before);
    }
    FileSizeLimit(const FileSizeLimit &) = delete;
    FileSizeLimit &operator=(const FileSizeLimit &) = delete;

private:
    bool m_on;
    rlimit m_before{};
};

int writeFile(const std::string &path, std::string_view bytes)
{
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0) return errno;
    int problem = 0;
    while (!bytes.empty() && problem == 0) {
        const auto done = write(fd, bytes.data(), std::min<std::size_t>(bytes.size(), 16384));
        if (done > 0)
            bytes.remove_prefix(static_cast<std::size_t>(done));
        else if (errno != EINTR)
            problem = errno;
    }
    if (close(fd) != 0 && problem == 0) problem = errno;
    return problem;
}

}  // namespace

std::string rerunPrefix(const std::vector<std::string> &names, const std::string &prefix)
{
    long long number = 0;
    for (const auto &name : names) {
        const bool checkpoint =
            (endsWith(name, ".ckpt") || endsWith(name, ".safetensors")) && !endsWith(name, "_breakpoint.ckpt");
        if (!checkpoint || name.rfind(prefix, 0) != 0 || name.size() == prefix.size()) continue;
        if (std::isalpha(static_cast<unsigned char>(name[prefix.size()]))) continue;
        const auto dash = name.find('-', prefix.size());
        if (dash == prefix.size())
            number = std::max(number, 1LL);
        else if (dash != std::string::npos) {
            const std::string middle = name.substr(prefix.size() + 1, dash - prefix.size() - 1);
            if (allDigits(middle) && middle.size() < 10) number = std::max(number, std::stoll(middle) + 1);
        }
    }
    return number == 0 ? prefix : prefix + "_" + std::to_string(number);
}

Status saveCheckpoint(const std::string &path, const std::vector<TensorRecord> &records, const MindSporeLog &log,
                      SaveFault fault)
{
    const std::string temporary = temporaryOf(path);
    removeOwned(path);
    removeOwned(temporary);
    int problem = 0;
    {
        const FileSizeLimit limit(fault == SaveFault::diskFull);
        problem = writeFile(temporary, encodeTensors(records));
    }
    if (problem == 0 && fault == SaveFault::torn) {
        struct stat found {};
        if (stat(temporary.c_str(), &found) != 0 || truncate(temporary.c_str(), found.st_size * 3 / 5) != 0)
            problem = errno;
    }
    if (problem == 0 && rename(temporary.c_str(), path.c_str()) != 0) problem = errno;
    if (problem == 0 && chmod(path.c_str(), 0400) != 0) problem = errno;
    if (problem == 0) return Done{};
    log.python("CRITICAL", "mindspore/train/serialization.py:478",
               "Failed to save the checkpoint file " + path +
                   ". Maybe don't have the permission to write files, or the disk space is insufficient and so on.");
    return fail(problem == ENOSPC || problem == EFBIG ? ErrorKind::noSpace : ErrorKind::permission,
                "[Errno " + std::to_string(problem) + "] " + std::strerror(problem), "OSError");
}

Result<std::vector<TensorRecord>> loadCheckpoint(const std::string &path)
{
    auto bytes = readLocalFile(path);
    if (!bytes)
        return fail(bytes.error().kind,
                    "For 'load_checkpoint', the checkpoint file: " + path +
                        " does not exist or cannot be read: " + bytes.error().message,
                    "ValueError");
    auto records = decodeTensors(bytes.value(), path);
    if (!records) return fail(records.error().kind, records.error().message, "ValueError");
    return records;
}

Result<CheckpointStore> CheckpointStore::open(std::string directory, const std::string &prefix, int keep)
{
    if (auto made = makeLocalDirectories(directory, 0700); !made) return made.error();
    CheckpointStore store;
    store.m_prefix = rerunPrefix(namesIn(directory), prefix);
    store.m_directory = std::move(directory);
    store.m_keep = std::max(1, keep);
    return store;
}

void CheckpointStore::prune() const
{
    std::vector<std::pair<timespec, std::string>> files;
    for (const auto &name : namesIn(m_directory)) {
        if (!endsWith(name, ".ckpt") || name.rfind(m_prefix + "-", 0) != 0) continue;
        const std::string middle = name.substr(m_prefix.size(), name.size() - m_prefix.size() - std::strlen(".ckpt"));
        if (std::any_of(middle.begin(), middle.end(), [](unsigned char c) { return std::isalpha(c); })) continue;
        struct stat found {};
        if (stat(joinPath(m_directory, name).c_str(), &found) == 0)
            files.emplace_back(found.st_mtim, joinPath(m_directory, name));
    }
    if (files.size() < static_cast<std::size_t>(m_keep)) return;
    const auto oldest = std::min_element(files.begin(), files.end(), [](const auto &a, const auto &b) {
        return a.first.tv_sec != b.first.tv_sec ? a.first.tv_sec < b.first.tv_sec : a.first.tv_nsec < b.first.tv_nsec;
    });
    removeOwned(oldest->second);
}

Status CheckpointStore::save(std::int64_t epoch, std::int64_t stepInEpoch, const std::vector<TensorRecord> &records,
                             const MindSporeLog &log, SaveFault fault)
{
    prune();
    const std::string name = m_prefix + "-" + std::to_string(epoch) + "_" + std::to_string(stepInEpoch) + ".ckpt";
    return saveCheckpoint(joinPath(m_directory, name), records, log, fault);
}

}  // namespace rankdeck::demo
