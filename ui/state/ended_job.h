// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs from this console's histories that no longer run on the hosts just scanned: their paths and how they ended. Pure
// except readEndedJobs(), which reads the histories and leaves out unreadable ones.
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
// Jobs of the list that have certainly ended: the processes of all their nodes are known, and no job running there may
// be the same. A running job may be the same if it has the same name, logs or checkpoints.
[[nodiscard]] std::vector<EndedJob> endedOn(const std::vector<EndedJob> &all, const DiscoveryPicture &picture);
// Example: "ended 3 h ago at step 41,037: rank 5 died".
[[nodiscard]] QString endedWords(const EndedJob &job, WallTime now);

}  // namespace rankdeck::ui
