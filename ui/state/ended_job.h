// SPDX-License-Identifier: GPL-3.0-or-later
// A job of this console's histories that runs no more on hosts that were looked at just now: where it was, how it ended.
// Pure but for readEndedJobs(), which reads the histories; those that cannot be read are left out.
#pragma once

#include "core/engine/discovery/discovery_session.h"
#include "core/run/history/history.h"
#include "core/run/history/history_end.h"

#include <QString>

#include <vector>

namespace rankdeck::ui {

struct EndedJob {
    HistoryEntry entry;
    Job job;
    HistoryEnd end;
};

[[nodiscard]] std::vector<EndedJob> readEndedJobs(const std::string &stateDirectory);
// Of all, those whose nodes are all among the hosts whose processes are known now, and which no running job there may
// be: none has its name, its logs or its checkpoints. Of who cannot be known to have ended nothing is said.
[[nodiscard]] std::vector<EndedJob> endedOn(const std::vector<EndedJob> &all, const DiscoveryPicture &picture);
// "ended 3 h ago at step 41,037: rank 5 died"
[[nodiscard]] QString endedWords(const EndedJob &job, WallTime now);

}  // namespace rankdeck::ui
