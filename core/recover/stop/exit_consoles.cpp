// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/stop/exit_consoles.h"

#include <algorithm>
#include <set>

namespace rankdeck {

namespace {

ExitElsewhere elsewhereOf(const Journal &journal, const JournalEntry &last)
{
    ExitElsewhere other{.kind = last.kind,
                        .action = last.action,
                        .user = last.user,
                        .host = last.host,
                        .state = last.state,
                        .since = last.time,
                        .live = journal.writerMayLive(last)};
    const auto entries = journal.ofAction(last.action);
    if (!entries || entries->empty()) return other;
    other.since = entries->front().time;
    for (const JournalEntry &entry : entries.value())
        if (entry.state == "armed") {
            other.since = entry.time;
            other.state = "armed";
        }
    return other;
}

}  // namespace

Result<std::vector<ExitElsewhere>> otherExits(const Journal &journal, const Job &job, const std::string &own)
{
    std::vector<ExitElsewhere> others;
    const auto unfinished = journal.unfinished(job.name, job.file);
    if (!unfinished) return unfinished.error();
    for (const JournalEntry &last : unfinished.value())
        if (last.kind == "exit" && last.action != own) others.push_back(elsewhereOf(journal, last));
    return others;
}

Result<std::vector<ExitElsewhere>> otherResumes(const Journal &journal, const Job &job, const std::string &own)
{
    static const std::set<std::string> writing{"preparing", "prepared", "launching"};
    std::vector<ExitElsewhere> others;
    const auto unfinished = journal.unfinished(job.name, job.file);
    if (!unfinished) return unfinished.error();
    for (const JournalEntry &last : unfinished.value())
        if (last.kind == "resume" && last.action != own && writing.contains(last.state) && journal.writerMayLive(last))
            others.push_back(elsewhereOf(journal, last));
    return others;
}

Result<std::optional<ExitElsewhere>> earlierAct(const Journal &journal, const Job &job, const std::string &own)
{
    const auto entries = journal.read(job.name, job.file);
    if (!entries) return entries.error();
    auto others = otherExits(journal, job, own);
    if (!others) return others.error();
    std::erase_if(*others, [](const ExitElsewhere &other) { return !other.live; });
    auto resumes = otherResumes(journal, job, own);
    if (!resumes) return resumes.error();
    for (ExitElsewhere &resume : *resumes) others->push_back(std::move(resume));
    for (const JournalEntry &entry : entries.value()) {
        if (entry.state != "arming" && entry.state != "preparing") continue;
        if (entry.action == own) return std::optional<ExitElsewhere>();
        const auto other = std::find_if(others->begin(), others->end(), [&](const ExitElsewhere &candidate) {
            return candidate.action == entry.action;
        });
        if (other != others->end()) return std::optional(*other);
    }
    return fail(ErrorKind::conflict,
                message("The journal %1 no longer contains what %2 wrote into it, so other actions are unknown. Find "
                        "out what moves the journal away, then try again.",
                        journal.path(), own));
}

}  // namespace rankdeck
