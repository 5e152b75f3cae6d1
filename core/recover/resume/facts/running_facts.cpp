// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/facts/running_facts.h"

#include "core/base/clock.h"
#include "core/journal/journal.h"

namespace rankdeck {

RunningFacts readRunning(ActionContext &host, const JobState &view, const std::string &own, SteadyTime deadline)
{
    RunningFacts facts{.claims = readClaims(host, view, own, deadline), .now = wallNow()};
    if (const auto open = host.journal().unfinished(view.job.name, view.job.file); !open) facts.journal = open.error();
    const auto entries = host.journal().read(view.job.name, view.job.file);
    if (!entries) return facts;
    for (const JournalEntry &entry : entries.value())
        if (entry.kind == "exit" && entry.state == "stopped") facts.stopped = entry.time;
    return facts;
}

}  // namespace rankdeck
