// SPDX-License-Identifier: GPL-3.0-or-later
// What Slurm's own programs answered about a job, as facts. Pure. Text comes out printable. Times are asked for in UTC (TZ),
// as Slurm prints them without a zone: 2026-11-21T09:42:57. Formats as Slurm 22.05 prints them.
// Errors: notFound, when Slurm has forgotten the job (MinJobAge, five minutes by default); invalid: another text.
#pragma once

#include "core/base/result.h"
#include "core/job/job.h"
#include "core/scheduler/scheduler_state.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct SlurmJobSaid {
    std::string state = {}, partition = {};
    std::string nodes = {};  // as Slurm names them: n[0-3]; empty: none yet
    int restarts = 0;
    std::optional<WallTime> ends = {};  // while it runs under a time limit
    std::vector<SchedulerFact> facts = {};
};
// Of `scontrol show job --oneliner ID`.
Result<SlurmJobSaid> readSlurmJob(std::string_view line);
// Of `scontrol show node --oneliner LIST`.
Result<std::vector<SchedulerFact>> readSlurmNodes(std::string_view lines, const Job &job);
// Of `sacct --noheader --parsable2 --allocations --duplicates --format=jobid,state,exitcode,start,end`: how each of its
// starts ended.
std::vector<SchedulerFact> readSlurmAccounting(std::string_view lines);
// Of `squeue --noheader --format="%i %j"`: the newest job whose name begins so; empty: none.
std::string newestSlurmJob(std::string_view lines, std::string_view prefix);

}  // namespace rankdeck
