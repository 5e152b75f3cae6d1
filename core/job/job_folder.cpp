// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/job_folder.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <algorithm>
#include <filesystem>
#include <functional>

namespace rankdeck {

namespace {

constexpr int mostOfOneName = 1000;

// The job's name as the name of a file: it may hold any characters.
std::string stemOf(const std::string &name)
{
    std::string stem;
    for (const char c : name) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                           c == '_' || (c == '.' && !stem.empty());
        stem += plain ? c : '-';
    }
    return stem.empty() ? "job" : stem.substr(0, 100);
}

}  // namespace

Result<std::string> keepJobFile(const std::string &directory, const Job &job)
{
    if (Status made = makeLocalDirectories(directory); !made) return made.error();
    const std::string text = jobToJson(job), stem = stemOf(job.name);
    for (int number = 1; number < mostOfOneName; ++number) {
        const std::string path =
            joinPath(directory, stem + (number > 1 ? "-" + std::to_string(number) : "") + ".rankdeck.json");
        std::error_code unknown;
        if (std::filesystem::exists(path, unknown)) {
            const auto there = readLocalFile(path);
            if (there && *there == text) return path;
            continue;
        }
        if (Status written = writeLocalFileAtomically(path, text); !written) return written.error();
        return path;
    }
    return fail(
        ErrorKind::conflict,
        message(
            "Found no free name for the job file in %1: there are already %2 job files named %3. Remove some of them.",
            directory, mostOfOneName, stem));
}

std::vector<Job> readJobFolder(const std::string &directory, std::size_t most)
{
    using Entry = std::pair<std::filesystem::file_time_type, std::filesystem::path>;
    std::vector<Entry> files;
    std::error_code unknown;
    for (const auto &entry : std::filesystem::directory_iterator(directory, unknown))
        if (entry.path().string().ends_with(".rankdeck.json"))
            files.emplace_back(entry.last_write_time(unknown), entry.path());
    std::sort(files.begin(), files.end(), std::greater<Entry>());
    std::vector<Job> jobs;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (i >= most) {
            std::filesystem::remove(files[i].second, unknown);
        } else if (auto file = readJobFile(files[i].second.string())) {
            file->job.file.clear();  // these files may change at any time
            jobs.push_back(std::move(file->job));
        }
    }
    return jobs;
}

}  // namespace rankdeck
