// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/history/history.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/run/history/history_writer.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>

namespace rankdeck {

namespace {

constexpr std::int64_t schemaVersion = 1;
constexpr const char *extension = ".sqlite";

constexpr const char *schema =
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value BLOB);"
    "CREATE TABLE rule(id INTEGER PRIMARY KEY, given INTEGER, said INTEGER, finished INTEGER, largest INTEGER, "
    "from_zero INTEGER);"
    "CREATE TABLE attempts(attempt INTEGER PRIMARY KEY, started INTEGER, resumed_from INTEGER, step_offset INTEGER);"
    "CREATE TABLE anchors(attempt INTEGER, position INTEGER, time INTEGER, PRIMARY KEY(attempt, position)) WITHOUT "
    "ROWID;"
    "CREATE TABLE samples(attempt INTEGER, rank INTEGER, first INTEGER, data BLOB, PRIMARY KEY(attempt, rank, first));"
    "CREATE TABLE ranks(attempt INTEGER, rank INTEGER, epoch INTEGER, step INTEGER, position INTEGER, loss BLOB, "
    "has_loss INTEGER,"
    " heard INTEGER, step_seconds REAL, learning_rate REAL, waiting BLOB, PRIMARY KEY(attempt, rank));"
    "CREATE TABLE events(id INTEGER PRIMARY KEY, time INTEGER, rank INTEGER, ranks TEXT, attempt INTEGER, kind TEXT, "
    "text TEXT,"
    " position INTEGER, log_path BLOB, log_offset INTEGER, node TEXT);"
    "CREATE TABLE positions(rank INTEGER, path BLOB, attempt INTEGER, device INTEGER, inode INTEGER, offset INTEGER, "
    "tail_hash TEXT,"
    " first_offset INTEGER, pid INTEGER, partial BLOB, PRIMARY KEY(rank, path));";

std::string directoryIn(const std::string &stateDirectory) { return joinPath(stateDirectory, "history"); }

// A readable file name, different for different jobs, whatever characters the job name contains.
std::string fileNameOf(const std::string &jobName, const std::string &jobFile)
{
    std::string name;
    std::uint64_t hash = 1469598103934665603u;
    const auto add = [&hash](char c) { hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u; };
    for (const char c : jobName) {
        add(c);
        const bool plain =
            std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || (c == '.' && !name.empty());
        if (name.size() < 80) name += plain ? c : '_';
    }
    if (name == jobName && !name.empty() && jobFile.empty()) return name + extension;
    add('\0');
    for (const char c : jobFile) add(c);
    char digits[24];
    std::snprintf(digits, sizeof digits, "-%016llx", static_cast<unsigned long long>(hash));
    return name + digits + extension;
}

// File lock that is held as long as the process lives, so a killed console releases it.
class Lock {
public:
    explicit Lock(const std::string &path) : m_fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600))
    {
        m_held = m_fd >= 0 && ::flock(m_fd, LOCK_EX | LOCK_NB) == 0;
    }
    ~Lock()
    {
        if (m_fd >= 0) ::close(m_fd);
    }
    Lock(const Lock &) = delete;
    Lock &operator=(const Lock &) = delete;
    [[nodiscard]] bool held() const { return m_held; }

private:
    int m_fd;
    bool m_held = false;
};

class SqliteHistory final : public History {
public:
    SqliteHistory(std::unique_ptr<Lock> lock, std::unique_ptr<Database> database, std::string note, bool empty)
        : m_lock(std::move(lock)), m_database(std::move(database)), m_writer(*m_database), m_note(std::move(note)),
          m_empty(empty)
    {}

    Status load(Run &run, std::vector<LogPosition> &positions) override
    {
        m_loaded = true;
        if (m_empty) return Done{};
        const Status status = m_writer.load(run, positions);
        if (m_writer.damagedRows() > 0) {
            if (!m_note.empty()) m_note += ' ';
            m_note += grouped(static_cast<std::int64_t>(m_writer.damagedRows()));
            m_note += " rows of the history could not be read and were left out.";
        }
        return status;
    }

    Status flush(const Run &run, const std::vector<LogPosition> &positions) override
    {
        if (readOnly()) return conflict();
        if (!m_loaded) return fail(ErrorKind::internal, message("The history must be loaded before it is written."));
        return m_writer.flush(run, positions);
    }

    Status putSightings(const std::vector<RankSighting> &sightings) override
    {
        return readOnly() ? Status(conflict()) : m_writer.putSightings(sightings);
    }
    Result<std::vector<RankSighting>> sightings() const override { return m_writer.sightings(); }
    Status putReport(const std::string &json) override { return put("report", json); }
    Result<std::string> report() const override { return get("report"); }
    Status putJob(const std::string &jobJson) override { return put("job", jobJson); }
    Result<std::string> job() const override { return get("job"); }
    std::string path() const override { return m_database->path(); }
    bool readOnly() const override { return !m_lock->held(); }
    std::string note() const override { return m_note; }

    Status put(const char *key, const std::string &value)
    {
        if (readOnly()) return conflict();
        Statement statement(*m_database, "INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?)");
        return statement.bindText(key).bindBlob(value).run();
    }

private:
    [[nodiscard]] Error conflict() const
    {
        return fail(ErrorKind::conflict,
                    message("Another console writes the history of this job (%1): this console only shows it. Close "
                            "the other console, or use a different --state-dir.",
                            path()));
    }
    [[nodiscard]] Result<std::string> get(const char *key) const
    {
        if (m_empty && readOnly()) return std::string();
        Statement statement(*m_database, "SELECT value FROM meta WHERE key = ?");
        statement.bindText(key);
        std::string value = statement.next() ? statement.bytes(0) : std::string();
        const Status status = statement.status();
        if (!status) return status.error();
        return value;
    }

    std::unique_ptr<Lock> m_lock;
    std::unique_ptr<Database> m_database;
    HistoryWriter m_writer;
    std::string m_note;
    bool m_empty = false;
    bool m_loaded = false;
};

Result<std::int64_t> checkedVersion(Database &database)
{
    const Result<std::int64_t> version = database.integer("PRAGMA user_version");
    if (!version) return version;
    if (*version > schemaVersion)
        return fail(ErrorKind::unsupported,
                    message("The history %1 was written by a newer version (schema %2, this version knows %3). Update "
                            "this program, or use a different --state-dir.",
                            database.path(), *version, schemaVersion));
    Statement check(database, "PRAGMA quick_check(1)");
    const std::string verdict = check.next() ? check.bytes(0) : std::string();
    const Status status = check.status();
    if (!status) return status.error();
    if (verdict != "ok")
        return fail(ErrorKind::protocol, message("The history %1 is damaged.", database.path()), verdict);
    return version;
}

// A damaged file is kept for inspection; the new history begins empty.
Result<std::string> setAside(const std::string &path)
{
    std::error_code error;
    std::string target;
    for (int i = 1; target.empty() || std::filesystem::exists(target, error); ++i)
        target = path + ".damaged-" + std::to_string(i);
    std::filesystem::rename(path, target, error);
    if (error)
        return fail(
            ErrorKind::permission,
            message(
                "The history %1 is damaged and could not be renamed: %2. Move it away, or use a different --state-dir.",
                path, error.message()));
    std::filesystem::rename(path + "-wal", target + "-wal", error);
    std::filesystem::remove(path + "-shm", error);
    return target;
}

Status prepare(Database &database, bool fresh)
{
    Status status = database.execute(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 16777216;");
    if (!status) return status;
    if (!fresh) return HistoryWriter::makeLaterTables(database);
    Transaction transaction(database);
    if (!transaction.begun()) return transaction.begun();
    status = database.execute(schema);
    if (status) status = HistoryWriter::makeLaterTables(database);
    if (status) status = database.execute(("PRAGMA user_version = " + std::to_string(schemaVersion)).c_str());
    return status ? transaction.commit() : status;
}

}  // namespace

Result<std::unique_ptr<History>> History::open(const std::string &stateDirectory, const std::string &jobName,
                                               const std::string &jobFile)
{
    const std::string file = canonicalPath(jobFile);
    const std::string directory = directoryIn(stateDirectory);
    if (const Status made = makeStateDirectory(directory); !made) return made.error();
    const std::string path = joinPath(directory, fileNameOf(jobName, file));
    auto lock = std::make_unique<Lock>(path + ".lock");
    std::string note;
    for (int attempt = 0;; ++attempt) {
        Result<std::unique_ptr<Database>> opened = Database::open(path, false);
        if (!opened) return opened.error();
        std::unique_ptr<Database> database = std::move(opened).value();
        const Result<std::int64_t> version = checkedVersion(*database);
        if (!version) {
            if (version.error().kind != ErrorKind::protocol || attempt > 0 || !lock->held()) return version.error();
            database.reset();
            const Result<std::string> target = setAside(path);
            if (!target) return target.error();
            note = "The history was damaged. It was renamed to " + *target + ", and a new history was started.";
            continue;
        }
        const bool fresh = *version == 0;
        const Status prepared = lock->held() ? prepare(*database, fresh) : database->execute("PRAGMA query_only = ON");
        if (!prepared) return prepared.error();
        auto history = std::make_unique<SqliteHistory>(std::move(lock), std::move(database), note, fresh);
        if (fresh && !history->readOnly()) {
            if (const Status named = history->put("name", jobName); !named) return named.error();
            if (const Status placed = history->put("file", file); !placed) return placed.error();
        }
        return std::unique_ptr<History>(std::move(history));
    }
}

std::vector<HistoryEntry> listHistories(const std::string &stateDirectory)
{
    std::vector<HistoryEntry> entries;
    std::error_code error;
    for (std::filesystem::directory_iterator at(directoryIn(stateDirectory), error), end; !error && at != end;
         at.increment(error)) {
        HistoryEntry entry;
        entry.path = at->path().string();
        if (at->path().extension() != extension) continue;
        struct stat info = {};
        for (const char *const part : {"", "-wal"}) {
            if (::stat((entry.path + part).c_str(), &info) != 0) continue;
            entry.changed =
                std::max(entry.changed, wallFromNs(info.st_mtim.tv_sec * 1'000'000'000LL + info.st_mtim.tv_nsec));
        }
        entry.jobName = at->path().stem().string();
        if (Result<std::unique_ptr<Database>> database = Database::open(entry.path, true)) {
            Statement name(**database, "SELECT value FROM meta WHERE key = 'name'");
            if (name.next()) entry.jobName = name.bytes(0);
            Statement file(**database, "SELECT value FROM meta WHERE key = 'file'");
            if (file.next()) entry.jobFile = file.bytes(0);
        }
        entries.push_back(std::move(entry));
    }
    std::sort(entries.begin(), entries.end(),
              [](const HistoryEntry &a, const HistoryEntry &b) { return a.changed > b.changed; });
    return entries;
}

}  // namespace rankdeck
