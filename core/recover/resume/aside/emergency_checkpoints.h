// SPDX-License-Identifier: GPL-3.0-or-later
// How a training script loads emergency checkpoints (*_breakpoint.ckpt), found in its text, and the files that it needs
// to load the chosen one. MindX DL's adaptations have three loaders. One takes the newest file in the rank's own
// folder. One takes the file of the rank in RESTORE_RANKS_MAP. One lets mindx_elastic's generator choose, which uses
// the recorded faults and ignores the environment. Pure, except readFaultRecords, which asks all nodes at once and
// blocks until the deadline.
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

enum class EmergencyLoader : std::uint8_t { notSeen, ownFolder, variables, generator };

struct EmergencyFacts {
    EmergencyLoader loader = EmergencyLoader::notSeen;  // notSeen: no script that was read loads one; imports may
    bool podsAreTold = false;                           // the launch writes the ConfigMap that the pods read
    // Contents of launch.fault_npus on the nodes; read only for the generator and an emergency checkpoint.
    std::vector<ConfigCopy> records = {};
    std::int64_t at = 0;  // seconds since 1970
};

// node → text of the training script
EmergencyLoader emergencyLoaderOf(const std::map<std::string, std::string> &scripts);
// Path at which the member's rank looks for its file: the member's path or, for a replica's file, the same file under
// this rank's name.
std::string ownPlace(const MemberVerdict &member);

std::vector<ConfigCopy> readFaultRecords(ActionContext &host, const JobState &view, SteadyTime deadline);
// Ranks that must be recorded as faulty, so that the generator takes the files of the set: the ranks that another
// rank's file serves. If there are none, one rank with a known replica. Empty: the generator would not take an
// emergency checkpoint at all.
std::vector<int> faultsFor(const CheckpointSet &set);
std::string faultRecord(const std::vector<int> &faults, std::int64_t at);

// For the loader of the own folder: links to the replicas' files in the folders of the ranks that they serve. node →
// steps
std::map<std::string, std::vector<FileActionRequest>> emergencyLinks(const JobState &view, const CheckpointSet &set,
                                                                     const PathStats &book);
// For the generator: the record as it must be. node → edits
std::map<std::string, std::vector<FileEdit>> faultRecordEdits(const CheckpointSet &set, const EmergencyFacts &gasps);

}  // namespace rankdeck
