// SPDX-License-Identifier: GPL-3.0-or-later
// Append-only record of all actions: user, time, place, the exact commands and bytes before and after, every state
// change, the outcome. One JSON object per line, O_APPEND + fsync per entry. Therefore kill -9 loses at most a torn
// last line, which readers skip and report. Several consoles may append at once. Any thread.
#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct JournalEntry {
    std::string action;                // id of the action this belongs to: "exit-20261121-031207-4f2a91c0"
    std::string job;                   // its name, and the file it was read from: two files may have one name
    std::string file = {};             // empty in entries of older versions, which belong to every job of that name
    std::string kind;                  // "exit" | "resume" | "cancel" | "escalate" | "rollback"
    std::string state;                 // "planned", "armed", "written", "confirmed", "stopped", "failed" …
    Message text;                      // for people
    std::string user = {}, host = {};  // of the console; filled in by append
    WallTime time = {};
    int pid = 0;            // of the console; filled in by append
    std::string data = {};  // JSON text of one value: plan, bytes before and after, proof
};

class Journal {
public:
    static Result<std::unique_ptr<Journal>> open(const std::string &stateDirectory);
    virtual ~Journal() = default;
    virtual Status append(JournalEntry entry) = 0;
    // In one write: if the console is killed, both are there or none.
    virtual Status appendBoth(JournalEntry first, JournalEntry second) = 0;
    // Oldest first. An empty name is every job, an empty file every job of that name.
    [[nodiscard]] virtual Result<std::vector<JournalEntry>> read(const std::string &job = {},
                                                                 const std::string &file = {}) const = 0;
    // The last entry of each action of this job that has not reached a final state.
    [[nodiscard]] virtual Result<std::vector<JournalEntry>> unfinished(const std::string &job,
                                                                       const std::string &file = {}) const = 0;
    // All entries of one action, oldest first.
    [[nodiscard]] virtual Result<std::vector<JournalEntry>> ofAction(const std::string &action) const = 0;
    // Lines that the last read had to skip, as sentences: a torn last line, lines of a newer version.
    [[nodiscard]] virtual std::vector<std::string> warnings() const = 0;
    [[nodiscard]] virtual std::string path() const = 0;
    // False when the console that wrote this entry is known to be gone: its process on this machine no longer runs.
    // True for another process that runs, and for an entry of another machine, as its process is unknown.
    [[nodiscard]] virtual bool writerMayLive(const JournalEntry &entry) const = 0;
    // True for the states after which nothing is left to be done.
    static bool isFinal(const std::string &state);
    static std::string newActionId(const std::string &kind);
};

}  // namespace rankdeck
