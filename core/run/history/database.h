// SPDX-License-Identifier: GPL-3.0-or-later
// The part of SQLite that the history needs. It has a connection, prepared statements (parsed once and reused), and a
// transaction that rolls back unless it was committed. Every failure is a Result; ErrorKind::protocol means that the
// file is damaged. Internal to run.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace rankdeck {

class Database;

class Statement {
public:
    Statement(Database &database, std::string sql);
    ~Statement();
    Statement(const Statement &) = delete;
    Statement &operator=(const Statement &) = delete;

    Statement &bind(std::int64_t value);
    Statement &bind(int value) { return bind(static_cast<std::int64_t>(value)); }
    Statement &bind(double value);
    Statement &bind(const std::optional<std::int64_t> &value);
    Statement &bind(const std::optional<double> &value);
    Statement &bindText(std::string_view value);
    Statement &bindBlob(std::string_view value);
    // Executes the statement completely; afterwards it can be bound again.
    Status run();
    // The next row; false: no more, or status() is an error.
    bool next();
    [[nodiscard]] Status status() const;

    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] double real(int column) const;
    [[nodiscard]] std::optional<std::int64_t> maybeInteger(int column) const;
    [[nodiscard]] std::optional<double> maybeReal(int column) const;
    [[nodiscard]] std::string bytes(int column) const;

private:
    Database &m_database;
    const std::string m_sql;
    sqlite3_stmt *m_statement = nullptr;
    int m_bound = 0;
    int m_code = 0;
};

class Database {
public:
    static Result<std::unique_ptr<Database>> open(const std::string &path, bool readOnly);
    ~Database();
    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;

    Status execute(const char *sql);
    [[nodiscard]] bool hasTable(const std::string &name);
    Result<std::int64_t> integer(const char *sql);  // of the first row; 0 when there is none
    [[nodiscard]] Error error(int code) const;
    [[nodiscard]] const std::string &path() const { return m_path; }

private:
    friend class Statement;
    explicit Database(std::string path) : m_path(std::move(path)) {}
    std::string m_path;
    sqlite3 *m_handle = nullptr;
    std::map<std::string, sqlite3_stmt *> m_atRest;  // unused statements, by their text
};

class Transaction {
public:
    explicit Transaction(Database &database) : m_database(database), m_status(database.execute("BEGIN IMMEDIATE")) {}
    ~Transaction();
    Transaction(const Transaction &) = delete;
    Transaction &operator=(const Transaction &) = delete;
    [[nodiscard]] const Status &begun() const { return m_status; }
    Status commit();

private:
    Database &m_database;
    Status m_status;
    bool m_committed = false;
};

}  // namespace rankdeck
