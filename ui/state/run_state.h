// SPDX-License-Identifier: GPL-3.0-or-later
// The meaning of a snapshot for the operator: running and dead ranks, whether a stop is requested, and the numbers of
// the header. Pure: a snapshot and the time in, values and texts out.
#pragma once

#include "core/engine.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace rankdeck::ui {

struct RunState {
    int ranks = 0;
    std::vector<int> alive = {};
    std::vector<int> died = {};     // ended without an exit line; the first to fail is first
    std::vector<int> exited = {};   // ended with proof: exit line in the log, exit code 0, or a proven stop
    std::vector<int> ended = {};    // ended for an unknown reason: end of training, or before this console watched
    std::vector<int> unknown = {};  // no node could answer for these ranks
    [[nodiscard]] bool running() const { return !alive.empty(); }
    [[nodiscard]] bool mayRun() const { return running() || !unknown.empty(); }
    [[nodiscard]] bool hasDied() const { return !died.empty(); }
};
RunState runState(const Snapshot &snapshot);

struct ArmedState {
    bool armed = false;  // true until all nodes report the request as 0
    QStringList nodes = {};
    std::optional<WallTime> since = {};  // time at which this console armed it
};
ArmedState armedState(const Snapshot &snapshot);

// True if the newest loss of a rank is NaN or Inf. Sets saved now contain it, too.
bool lossIsBroken(const Snapshot &snapshot);

struct NodeCounts {
    int all = 0, live = 0, stale = 0, lost = 0, needYou = 0, refused = 0, onTheWay = 0;
};
NodeCounts nodeCounts(const SharedVector<NodeStatus> &nodes);

struct Vital {
    QString caption, value, note;
    bool old = false;
    QString tip = {};
};
// Step, loss, last sample, step time, protection. If there is no room, they are dropped from the right. A vital without
// a caption is not shown.
std::vector<Vital> vitals(const Snapshot &snapshot, WallTime now);

struct LostWords {
    QString caption, value, note;
};
LostWords lostWords(const Snapshot &snapshot, WallTime now);
// The lost work of going back to this set instead of the newest VALID one.
LostWork lostWith(const Snapshot &snapshot, const CheckpointSet &set);
LostWork lostSince(const Snapshot &snapshot, std::int64_t position);  // lost work of going back to this position
QString lostValue(const LostWork &lost);                              // "437 steps · 30 min 40 s · 4.1 device-hours"

QString attemptWords(int index);                          // "attempt 3"; users count from 1
QString jobLine(const Snapshot &snapshot, WallTime now);  // "attempt 3 · running 2 h 56 min"
std::optional<WallTime> lastSampleAt(const Snapshot &snapshot);
std::optional<std::int64_t> lastPosition(const Snapshot &snapshot);
// Time of the newest data, for a job that is not watched live: "05:11:17", with the date if it is not today.
QString asOfWords(const Snapshot &snapshot, WallTime now);
// Time of the first failure in the attempt that ended before this decision; empty if it was stopped or did not fail.
std::optional<WallTime> failureBefore(const Snapshot &snapshot, WallTime decision);

}  // namespace rankdeck::ui
