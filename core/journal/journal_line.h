// SPDX-License-Identifier: GPL-3.0-or-later
// One entry as one line of JSON and back. Pure. Bytes that are no text are replaced, so a path or a config file of a
// node can never make a line that no reader takes.
#pragma once

#include "core/base/result.h"
#include "core/journal/journal.h"

#include <functional>
#include <string>
#include <string_view>

namespace rankdeck {

std::string journalLine(const JournalEntry &entry);  // with its line end
struct JournalLine {
    JournalEntry entry;
    bool newer = false;  // of a version that is not understood here: only job and file of the entry can be relied on
};
Result<JournalLine> parseJournalLine(std::string_view line);
// Each line of a journal with its number, from 1; a torn or foreign one comes as an Error that names it.
void forEachJournalLine(std::string_view text,
                        const std::function<void(std::size_t number, Result<JournalLine> line)> &use);

}  // namespace rankdeck
