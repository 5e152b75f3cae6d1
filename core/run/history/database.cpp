// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/history/database.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <utility>

namespace rankdeck {

Statement::Statement(Database &database, std::string sql) : m_database(database), m_sql(std::move(sql))
{
    if (const auto known = database.m_atRest.find(m_sql); known != database.m_atRest.end())
        m_statement = std::exchange(known->second, nullptr);
    if (m_statement == nullptr)
        m_code = sqlite3_prepare_v2(database.m_handle, m_sql.c_str(), -1, &m_statement, nullptr);
}

Statement::~Statement()
{
    if (m_statement == nullptr) return;
    sqlite3_reset(m_statement);
    sqlite3_clear_bindings(m_statement);
    sqlite3_finalize(std::exchange(m_database.m_atRest[m_sql], m_statement));  // keeps one statement for each text
}

Statement &Statement::bind(std::int64_t value)
{
    sqlite3_bind_int64(m_statement, ++m_bound, value);
    return *this;
}

Statement &Statement::bind(double value)
{
    // SQLite would store NaN as NULL, which means "no value" when it is read. Therefore losses are stored as text or
    // blobs.
    sqlite3_bind_double(m_statement, ++m_bound, value);
    return *this;
}

Statement &Statement::bind(const std::optional<std::int64_t> &value)
{
    if (value) return bind(*value);
    sqlite3_bind_null(m_statement, ++m_bound);
    return *this;
}

Statement &Statement::bind(const std::optional<double> &value)
{
    if (value) return bind(*value);
    sqlite3_bind_null(m_statement, ++m_bound);
    return *this;
}

Statement &Statement::bindText(std::string_view value)
{
    sqlite3_bind_text64(m_statement, ++m_bound, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    return *this;
}

Statement &Statement::bindBlob(std::string_view value)
{
    const char *const bytes = value.empty() ? "" : value.data();
    sqlite3_bind_blob64(m_statement, ++m_bound, bytes, value.size(), SQLITE_TRANSIENT);
    return *this;
}

Status Statement::run()
{
    while (next()) {}
    Status result = status();
    sqlite3_reset(m_statement);
    m_bound = 0;
    return result;
}

bool Statement::next()
{
    if (m_statement == nullptr) return false;
    m_code = sqlite3_step(m_statement);
    return m_code == SQLITE_ROW;
}

Status Statement::status() const
{
    if (m_code == SQLITE_OK || m_code == SQLITE_DONE || m_code == SQLITE_ROW) return Done{};
    return m_database.error(m_code);
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(m_statement, column); }
double Statement::real(int column) const { return sqlite3_column_double(m_statement, column); }

std::optional<std::int64_t> Statement::maybeInteger(int column) const
{
    if (sqlite3_column_type(m_statement, column) == SQLITE_NULL) return std::nullopt;
    return integer(column);
}

std::optional<double> Statement::maybeReal(int column) const
{
    if (sqlite3_column_type(m_statement, column) == SQLITE_NULL) return std::nullopt;
    return real(column);
}

std::string Statement::bytes(int column) const
{
    const void *const data = sqlite3_column_blob(m_statement, column);
    const int size = sqlite3_column_bytes(m_statement, column);
    return data == nullptr ? std::string()
                           : std::string(static_cast<const char *>(data), static_cast<std::size_t>(size));
}

Result<std::unique_ptr<Database>> Database::open(const std::string &path, bool readOnly)
{
    std::unique_ptr<Database> database(new Database(path));
    // SQLite itself would create the file, and its journal, with the mode of the login's umask.
    if (const int made = readOnly ? -1 : ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
        made >= 0)
        ::close(made);
    const int flags = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    const int code = sqlite3_open_v2(path.c_str(), &database->m_handle, flags | SQLITE_OPEN_NOMUTEX, nullptr);
    if (code != SQLITE_OK) return database->error(code);
    sqlite3_extended_result_codes(database->m_handle, 1);
    sqlite3_busy_timeout(database->m_handle, 2000);
    return database;
}

Database::~Database()
{
    for (const auto &[sql, statement] : m_atRest) sqlite3_finalize(statement);
    sqlite3_close_v2(m_handle);
}

Status Database::execute(const char *sql)
{
    const int code = sqlite3_exec(m_handle, sql, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) return error(code);
    return Done{};
}

Result<std::int64_t> Database::integer(const char *sql)
{
    Statement statement(*this, sql);
    const std::int64_t value = statement.next() ? statement.integer(0) : 0;
    const Status status = statement.status();
    if (!status) return status.error();
    return value;
}

bool Database::hasTable(const std::string &name)
{
    Statement rows(*this, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
    return rows.bindText(name).next();
}

Error Database::error(int code) const
{
    const std::string reason = m_handle == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(m_handle);
    const std::string detail = "SQLite error " + std::to_string(code) + ": " + reason;
    switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return fail(ErrorKind::protocol, message("The history %1 is damaged: %2.", m_path, reason), detail);
    case SQLITE_FULL:
        return fail(ErrorKind::noSpace,
                    message("The history %1 cannot grow: the disk is full. Free some space; nothing is lost until the "
                            "console ends.",
                            m_path),
                    detail);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return fail(
            ErrorKind::conflict,
            message("The history %1 is in use by another program. Close that program, or use a different --state-dir.",
                    m_path),
            detail);
    case SQLITE_PERM:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
        return fail(
            ErrorKind::permission,
            message(
                "The history %1 cannot be written: %2. Check who owns the directory, or use a different --state-dir.",
                m_path, reason),
            detail);
    default: return fail(ErrorKind::internal, message("The history %1 cannot be used: %2.", m_path, reason), detail);
    }
}

Transaction::~Transaction()
{
    // If the rollback fails, nothing more can be done: the next BEGIN reports the error.
    if (m_status.has_value() && !m_committed) (void)m_database.execute("ROLLBACK");
}

Status Transaction::commit()
{
    Status status = m_database.execute("COMMIT");
    m_committed = status.has_value();
    return status;
}

}  // namespace rankdeck
