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
Result<JournalEntry> parseJournalLine(std::string_view line);
// Each line of a journal; a torn or foreign one comes as an Error that names its line number.
void forEachJournalLine(std::string_view text, const std::function<void(Result<JournalEntry>)> &use);

}  // namespace rankdeck
