// SPDX-License-Identifier: GPL-3.0-or-later
// What became of each step of a plan, kept in the journal as soon as the answer came, so that an undo touches only what
// this action did. A step whose answer was lost may have been done: then the file itself must prove it, by its inode or
// its text. Used by one thread.
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
    std::uint64_t inode = 0;  // of a copy; 0: not known
};

class StepLog {
public:
    // Appends one entry to the journal. Its failure is the failure of the step.
    using Keep = std::function<Status(const std::string &data)>;
    explicit StepLog(Keep keep = {});
    // As the journal tells it. The first step of a node of which nothing stands there may have been on its way; where an
    // entry cannot be read, any may have been done.
    StepLog(const Plan &plan, const std::vector<JournalEntry> &entries, Keep keep);

    void put(const std::string &node, StepKind kind, std::size_t index, StepState state);
    Status flush();  // what was put since the last one, as one entry
    [[nodiscard]] StepState of(const std::string &node, StepKind kind, std::size_t index) const;
    // What an error of the node says of the step: refused is not done, anything else may have been done.
    static StepFate fateOf(const Error &error);

private:
    using Key = std::tuple<std::string, StepKind, std::size_t>;
    void take(const std::string &data);

    Keep m_keep;
    std::map<Key, StepState> m_states;
    StepState m_untold = {};  // of a step of which nothing stands there
    std::vector<Key> m_unkept;
};

// What an entry's data says of the plan's steps, for people: "n0: move /a to /b: done". Of many, how many more.
std::string stepsText(const Plan &plan, const std::string &data);

constexpr const char *stepEntry = "step";  // state of the journal entries

}  // namespace rankdeck
