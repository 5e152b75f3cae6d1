// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/launcher_parser.h"

#include "core/base/text.h"
#include "core/parse/lines/mindspore_lines.h"
#include "core/parse/lines/scanner.h"

#include <climits>

namespace rankdeck {

namespace {

bool takeInt(Scanner &scanner, int &value)
{
    Scanner attempt = scanner;
    const bool negative = attempt.take("-");
    std::int64_t number = 0;
    if (!attempt.takeInteger(number) || number > INT_MAX) return false;
    value = static_cast<int>(negative ? -number : number);
    scanner = attempt;
    return true;
}

std::string ended(int exitCode)
{
    return exitCode < 0 ? "by signal " + std::to_string(-exitCode) : "with code " + std::to_string(exitCode);
}

}  // namespace

void LauncherParser::line(std::string_view bytes, std::uint64_t offset, Parsed &into)
{
    const std::string_view line = bytes.substr(0, longestLine);
    LogEvent event;
    event.offset = offset;
    event.length = bytes.size();
    if (msrun(line, event)) {
        if (event.text.empty()) event.text = printable(line.substr(0, eventText));
        into.events.push_back(std::move(event));
        return;
    }
    torchrun(line, event, into);
}

bool LauncherParser::msrun(std::string_view line, LogEvent &event)
{
    Scanner scanner(line);
    int number = 0;
    if (scanner.take("Start worker process with rank id:") && takeInt(scanner, number)) {
        event.kind = EventKind::started;
        event.rank = number;
        if (scanner.take(", log file:")) {
            const std::string_view rest = scanner.rest();
            event.path = validUtf8(rest.substr(0, std::min(rest.find(". Environment variable"), rest.size())));
        }
        return true;
    }
    if (line.find("process_entity/_api.py") != std::string_view::npos)
        if (const std::size_t at = line.rfind('[', line.find("process_entity/_api.py")); at != std::string_view::npos) {
            const std::size_t start = line.rfind("ME(", at);
            Scanner own(start == std::string_view::npos ? std::string_view() : line.substr(start + 3));
            if (takeInt(own, number)) m_pid = number;
        }
    scanner = Scanner(line);
    if (scanner.seek("Worker process ") && takeInt(scanner, number) && scanner.take(" exit with exception.")) {
        event.kind = EventKind::rankDied;
        event.pid = number;
        event.text = "worker process " + std::to_string(number) + " ended";
        if (int code = 0; scanner.take(" Error code: ") && takeInt(scanner, code)) {
            event.exitCode = code;
            event.text += " " + ended(code);
        }
        return true;
    }
    scanner = Scanner(line);
    if (scanner.seek("There's worker exits with exception, kill all other workers.")) {
        event.kind = EventKind::warning;
        event.text = "msrun is killing all other workers, because one ended with an error";
        return true;
    }
    if (line.substr(0, 25) == "msrun process received SI") {
        event.kind = EventKind::warning;
        return true;
    }
    if (line.substr(0, 54) == "RuntimeError: Distributed job exited with exception. P") {
        event.kind = EventKind::error;
        return true;
    }
    return false;
}

// Parses "E1121 … failed (exitcode: -9) local_rank: 1 (pid: 3844) of binary: …", and the final block. The block has
// "rank      : 1 (local_rank: 1)" and "exitcode  : -9 (pid: 3844)" for each failure; the first failure comes last.
void LauncherParser::torchrun(std::string_view line, const LogEvent &where, Parsed &into)
{
    Scanner scanner(line);
    LogEvent event = where;
    event.kind = EventKind::rankDied;
    int code = 0;
    int pid = 0;
    int rank = 0;
    if (scanner.seek(" failed (exitcode: ") && takeInt(scanner, code) && scanner.seek(" (pid: ") &&
        takeInt(scanner, pid)) {
        flush(into);
        event.pid = pid;
        event.exitCode = code;
        event.text = "worker process " + std::to_string(pid) + " ended " + ended(code);
        m_pending = std::move(event);
        return;
    }
    scanner = Scanner(line);
    scanner.skipBlanks();
    if (scanner.take("rank ")) {
        scanner.skipBlanks();
        if (scanner.take(": ") && takeInt(scanner, rank) && scanner.take(" (local_rank: ")) m_blockRank = rank;
        return;
    }
    if (!m_blockRank || !scanner.take("exitcode ")) return;
    scanner.skipBlanks();
    if (!scanner.take(": ") || !takeInt(scanner, code) || !scanner.take(" (pid: ") || !takeInt(scanner, pid)) return;
    if (m_pending && m_pending->pid == pid) {
        m_pending->rank = m_blockRank;
        m_pending->text =
            "rank " + std::to_string(*m_blockRank) + " (process " + std::to_string(pid) + ") ended " + ended(code);
        flush(into);
    } else if (m_told.count(pid) == 0) {
        flush(into);
        event.pid = pid;
        event.rank = m_blockRank;
        event.exitCode = code;
        event.text =
            "rank " + std::to_string(*m_blockRank) + " (process " + std::to_string(pid) + ") ended " + ended(code);
        m_pending = std::move(event);
        flush(into);
    }
    m_blockRank.reset();
}

void LauncherParser::flush(Parsed &into)
{
    if (!m_pending) return;
    if (m_pending->pid && m_told.size() < 100000) m_told.insert(*m_pending->pid);
    into.events.push_back(std::move(*m_pending));
    m_pending.reset();
}

void LauncherParser::finish(Parsed &into) { flush(into); }

}  // namespace rankdeck
