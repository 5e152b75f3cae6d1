// SPDX-License-Identifier: GPL-3.0-or-later
// Converter between one entry and one line of JSON. Pure. Bytes that are not text are replaced, so that a path or a
// config file of a node always gives a readable line.
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
