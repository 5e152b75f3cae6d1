// SPDX-License-Identifier: GPL-3.0-or-later
// Result of each step of a plan, written to the journal as soon as the answer arrives. Therefore an undo changes only
// what this action did. A step whose answer was lost may have been carried out; then the file itself must prove it, by
// its inode or its text. Used by one thread.
#pragma once

#include "core/base/result.h"
#include "core/journal/journal.h"
#include "core/recover/plan.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace rankdeck {

enum class StepKind : std::uint8_t { copy, edit, file, newFile };
enum class StepFate : std::uint8_t { notDone, lost, done };
struct StepState {
    StepFate fate = StepFate::notDone;
    std::uint64_t inode = 0;  // inode of a copy; 0: unknown
};

class StepLog {
public:
    // Appends one entry to the journal. If it fails, the step fails.
    using Keep = std::function<Status(const std::string &data)>;
    explicit StepLog(Keep keep = {});
    // The log that the journal contains. On each node, the first step without an entry may already have been sent. If
    // an entry cannot be read, any step may have been carried out.
    StepLog(const Plan &plan, const std::vector<JournalEntry> &entries, Keep keep);

    void put(const std::string &node, StepKind kind, std::size_t index, StepState state);
    Status flush();  // writes the results since the last flush as one entry
    [[nodiscard]] StepState of(const std::string &node, StepKind kind, std::size_t index) const;
    // Fate of a step with this error: notDone if the step was refused; after any other error it may have been carried
    // out.
    static StepFate fateOf(const Error &error);

private:
    using Key = std::tuple<std::string, StepKind, std::size_t>;
    void take(const std::string &data);

    Keep m_keep;
    std::map<Key, StepState> m_states;
    StepState m_untold = {};  // state of a step without an entry
    std::vector<Key> m_unkept;
};

// Readable results of an entry's steps: "n0: move /a to /b: done". A long list shows the first steps and the number of
// the others.
std::string stepsText(const Plan &plan, const std::string &data);

constexpr const char *stepEntry = "step";  // state of the journal entries

}  // namespace rankdeck
