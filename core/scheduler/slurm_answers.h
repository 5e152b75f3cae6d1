// SPDX-License-Identifier: GPL-3.0-or-later
// Parser of the answers of Slurm's own programs about a job, which gives facts. Pure. Text is returned printable. Times
// are requested in UTC (TZ), because Slurm prints them without a zone: 2026-11-21T09:42:57. Formats of Slurm 22.05.
// Errors: notFound, if Slurm has forgotten the job (MinJobAge, five minutes by default); invalid: another text.
#pragma once

#include "core/base/result.h"
#include "core/job/job.h"
#include "core/scheduler/scheduler_state.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct SlurmJobAnswer {
    std::string state = {}, partition = {};
    std::string nodes = {};  // in Slurm's form: n[0-3]; empty: none yet
    int restarts = 0;
    std::optional<WallTime> ends = {};  // while it runs under a time limit
    std::vector<SchedulerFact> facts = {};
};
// Output of `scontrol show job --oneliner ID`.
Result<SlurmJobAnswer> readSlurmJob(std::string_view line);
// Output of `scontrol show node --oneliner LIST`.
Result<std::vector<SchedulerFact>> readSlurmNodes(std::string_view lines, const Job &job);
// Output of `sacct --noheader --parsable2 --allocations --duplicates --format=jobid,state,exitcode,start,end`: the end
// of each of its starts.
std::vector<SchedulerFact> readSlurmAccounting(std::string_view lines);
// Output of `squeue --noheader --format="%i %j"`: the newest job whose name begins with the prefix; empty: none.
std::string newestSlurmJob(std::string_view lines, std::string_view prefix);

}  // namespace rankdeck
