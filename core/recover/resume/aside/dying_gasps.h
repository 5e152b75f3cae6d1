// SPDX-License-Identifier: GPL-3.0-or-later
// How the training script takes a dying gasp (*_breakpoint.ckpt), by its own text, and what must lie where so that it takes
// the chosen one. MindX DL's adaptations have three loaders: the newest of the rank's own folder; that of the rank which
// RESTORE_RANKS_MAP names; and that which the generator of mindx_elastic chooses from the recorded faults, whatever the
// environment says. Pure but for readFaultRecords, which asks all nodes at once and blocks until the deadline.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/flag/config_copies.h"
#include "core/recover/host/path_stats.h"
#include "core/recover/plan.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace rankdeck {

enum class GaspLoader : std::uint8_t { notSeen, ownFolder, variables, generator };

struct GaspFacts {
    GaspLoader loader = GaspLoader::notSeen;  // notSeen: no script was read that loads one; what it imports may
    bool podsAreTold = false;                 // the launch writes the ConfigMap that the pods read
    std::vector<ConfigCopy> records = {};     // launch.fault_npus on the nodes; for the generator and a gasp only
    std::int64_t at = 0;                      // seconds since 1970
};

// node → text of the training script
GaspLoader gaspLoaderOf(const std::map<std::string, std::string> &scripts);
// Where the member's rank itself looks for its file: its own, or the place of the replica's under the rank's own name.
std::string ownPlace(const MemberVerdict &member);

std::vector<ConfigCopy> readFaultRecords(ActionContext &host, const JobState &view, SteadyTime deadline);
// Ranks that are to be recorded as faulty, so that the generator takes the files of the set: those that another one's file
// serves, else one of which a replica is known. Empty: it would not take a gasp at all.
std::vector<int> faultsFor(const CheckpointSet &set);
std::string faultRecord(const std::vector<int> &faults, std::int64_t at);

// Of an own folder's loader: the replicas' files in the folders of the ranks that they serve. node → steps
std::map<std::string, std::vector<FileActionRequest>> gaspLinks(const JobState &view, const CheckpointSet &set,
                                                                const PathStats &book);
// Of a generator: the record as it must be. node → edits
std::map<std::string, std::vector<FileEdit>> faultRecordEdits(const CheckpointSet &set, const GaspFacts &gasps);

}  // namespace rankdeck
