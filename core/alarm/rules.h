// SPDX-License-Identifier: GPL-3.0-or-later
// The rules, one per file, and the parts that they share. Internal to alarm. Each rule returns its current alarms; the
// list may be empty.
#pragma once

#include "core/alarm/alarm.h"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace rankdeck {

std::vector<Alarm> diedAlarms(const Picture &picture);          // job_died, rank_died
std::vector<Alarm> stopStuckAlarms(const Picture &picture);     // stop_stuck
std::vector<Alarm> nanAlarms(const Picture &picture);           // nan_loss
std::vector<Alarm> stalledAlarms(const Picture &picture);       // stalled
std::vector<Alarm> notProvenAlarms(const Picture &picture);     // not_proven
std::vector<Alarm> beganAnewAlarms(const Picture &picture);     // began_anew
std::vector<Alarm> nodeAlarms(const Picture &picture);          // node_lost, node_needs_you, node_stale
std::vector<Alarm> armedAlarms(const Picture &picture);         // armed_long, left_armed
std::vector<Alarm> silentLogsAlarms(const Picture &picture);    // logs_silent
std::vector<Alarm> saveAlarms(const Picture &picture);          // disk_full, save_failed, save_overdue
std::vector<Alarm> nothingValidAlarms(const Picture &picture);  // nothing_valid
std::vector<Alarm> schedulerAlarms(const Picture &picture);     // job_waits, time_limit, device_unhealthy
std::vector<Alarm> rendezvousAlarms(const Picture &picture);    // job_waits
std::vector<Alarm> noteAlarms(const Picture &picture);          // note

namespace alarm {

const RankState *stateOf(const Picture &picture, int rank);
Message ranksText(const std::vector<int> &ranks, int all);     // "rank 3", "ranks 0–5, 7", "all 8 ranks"
Message ranksStart(const std::vector<int> &ranks, int all);    // the same at the start of a sentence
Message firstLine(const Message &text);                        // printable, without a full stop
Message sentence(const Message &text);                         // its first line, with a full stop; may be empty
std::string setText(const CheckpointSet &set);                 // "600", or its id
std::string resumeFix(const Picture &picture);                 // "Resume from 580."
Message keptWay(const KeptSet &set);                           // "160 is kept: put it back, then resume from it."
Message keptUnknown(const JobState &view);                     // "The kept sets are not listed yet.", or empty
void tellKept(Alarm &alarm, const KeptSet &set);               // makes the alarm refer to that kept set
std::optional<std::int64_t> lastStep(const Picture &picture);  // last step of the current attempt

// Finder of nodes by name. Successive ranks are mostly on the same node or the next one, which is checked first. All
// others are found with an index, which is made when it is first needed. The nodes must outlive the finder.
class NodeFinder {
public:
    explicit NodeFinder(const SharedVector<NodeStatus> &nodes) : m_nodes(nodes) {}
    const NodeStatus *find(const std::string &name);  // nullptr: not among them
    bool answers(const std::string &name);            // true for an unknown node as well
    WallTime heard(const std::string &name, WallTime otherwise);

private:
    const SharedVector<NodeStatus> &m_nodes;
    std::size_t m_at = 0;
    std::unordered_map<std::string_view, std::size_t> m_index;
};

// Ranks that may run, split by whether their node answers now.
struct Contacts {
    std::vector<int> running = {};
    std::vector<int> unheard = {};
    std::vector<std::string> silentNodes = {};
    std::optional<double> silentSeconds = {};  // silence of the node that has been silent longest
};
Contacts heardOf(const Picture &picture);
std::vector<int>
silentCulprits(const Picture &picture);       // silent ranks without an error for which all dead ranks had waited
Message unknownRanks(const Contacts &heard);  // "Status of 4 ranks unknown (node1: no contact for 40 s).", or empty
void takeUnknown(Alarm &alarm, Contacts &&heard);  // into the alarm's fields

}  // namespace alarm
}  // namespace rankdeck
