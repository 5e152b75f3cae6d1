// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the journal: each action with its time, user and host.
#include "app/ctl/command.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/job/job_file.h"
#include "core/journal/journal.h"

#include <iostream>

namespace rankdeck::ctl {

int journal(const Globals &globals)
{
    Job job;
    if (!globals.job.empty()) {
        const Result<JobFile> file = readJobFile(globals.job);
        if (!file) {
            say(file.error());
            return usage;
        }
        job = file->job;
    }
    const Result<std::unique_ptr<Journal>> journal =
        Journal::open(globals.stateDirectory.empty() ? defaultStateDirectory() : globals.stateDirectory);
    if (!journal) return say(journal.error());
    const Result<std::vector<JournalEntry>> entries = (*journal)->read(job.name, job.file);
    if (!entries) return say(entries.error());
    for (const std::string &warning : (*journal)->warnings()) warn(warning);
    Json list = Json::array();
    for (const JournalEntry &entry : *entries) {
        if (!globals.json) {
            std::cout << isoTime(entry.time) << "  " << entry.user << "@" << entry.host << "  " << entry.job << "  "
                      << entry.kind << " " << entry.state << ": " << printable(entry.text) << "  (" << entry.action
                      << ")\n";
            continue;
        }
        Json data = Json::parse(entry.data, nullptr, false);
        list.push_back({{"action", entry.action},
                        {"job", entry.job},
                        {"file", entry.file},
                        {"kind", entry.kind},
                        {"state", entry.state},
                        {"text", entry.text},
                        {"user", entry.user},
                        {"host", entry.host},
                        {"time", isoTime(entry.time)},
                        {"data", data.is_discarded() ? Json(nullptr) : data}});
    }
    if (globals.json)
        print({{"rankdeckctl", 1}, {"entries", list}});
    else if (entries->empty())
        warn(globals.job.empty() ? "no action from this machine yet"
                                 : "no action on " + job.name + " from this machine yet");
    return done;
}

}  // namespace rankdeck::ctl
