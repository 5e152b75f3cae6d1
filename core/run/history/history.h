// SPDX-License-Identifier: GPL-3.0-or-later
// SQLite history of one job under the state directory: attempts, samples (packed blobs per rank, attempt and segment),
// events, checkpoint reports. Survives kill -9 (WAL, one transaction per flush). A newer schema is refused with a clear
// error; a damaged file is renamed as a backup, and a note reports that. One thread at a time; flush() is called by the
// engine every few seconds. One console keeps a job's history; a second one that opens it can load but not write.
#pragma once

#include "core/base/result.h"
#include "core/node/protocol/messages.h"
#include "core/run/run.h"

#include <map>
#include <memory>
#include <string>

namespace rankdeck {

struct LogPosition {  // position in one followed log, so that a restart continues there
    int rank = -1;    // -1: a launcher's output, identified by path
    int attempt = 0;
    std::string path;
    ResumePoint resume;
    std::uint64_t firstOffset = 0;  // the back-fill has come down to this offset
    int pid = 0;
    std::string partial = {};  // bytes of the incomplete line before resume.offset: LineFollower::partial()
};

// A rank's process, as it was last seen alive. It shows a later console which process was this rank.
struct RankSighting {
    int rank = 0;
    int attempt = 0;
    std::string node;
    ProcessId process = {};
    std::string program = {};  // its comm
    WallTime seen = {};        // last time at which it was known to live; when read back, the oldest of all
};

class History {
public:
    // One database file per job, identified by the job's name and the path of its job file, if there is one. Jobs with
    // one name in two files are two jobs.
    static Result<std::unique_ptr<History>> open(const std::string &stateDirectory, const std::string &jobName,
                                                 const std::string &jobFile = {});
    virtual ~History() = default;
    // Loads everything from the database into an empty run.
    virtual Status load(Run &run, std::vector<LogPosition> &positions) = 0;
    // Writes the changes in run since the last flush; cheap if there are none.
    virtual Status flush(const Run &run, const std::vector<LogPosition> &positions) = 0;
    // Replaces the stored processes by those that the next console must know.
    virtual Status putSightings(const std::vector<RankSighting> &sightings) = 0;
    [[nodiscard]] virtual Result<std::vector<RankSighting>> sightings() const = 0;
    virtual Status putReport(const std::string &json) = 0;         // the newest checkpoint report, as JSON
    [[nodiscard]] virtual Result<std::string> report() const = 0;  // "" if there is none
    virtual Status putJob(const std::string &jobJson) = 0;
    [[nodiscard]] virtual Result<std::string> job() const = 0;
    [[nodiscard]] virtual std::string path() const = 0;
    // True if another console keeps this history: then flush() and the puts do nothing and return Error conflict.
    [[nodiscard]] virtual bool readOnly() const = 0;
    [[nodiscard]] virtual std::string note() const = 0;  // for the operator: the backup that was made; "" if none
};

struct HistoryEntry {
    std::string jobName;
    std::string jobFile;  // empty: the job was not read from a file
    std::string path;
    WallTime changed;
};
std::vector<HistoryEntry> listHistories(const std::string &stateDirectory);  // newest first

}  // namespace rankdeck
