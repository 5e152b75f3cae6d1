// SPDX-License-Identifier: GPL-3.0-or-later
// What a snapshot means for the people in front of it: who runs, who died, whether a stop is armed, and the numbers of
// the header. Pure: a snapshot and the time in, values and words out.
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
    std::vector<int> died = {};    // gone without a word of leaving, first to fail first
    std::vector<int> exited = {};  // gone with proof: the exit's line in the log, exit code 0, or a proven stop
    std::vector<int> ended = {};  // gone, and nothing says how: the end of training, or from before this console looked
    std::vector<int> unknown = {};  // nobody could answer
    [[nodiscard]] bool running() const { return !alive.empty(); }
    [[nodiscard]] bool mayRun() const { return running() || !unknown.empty(); }
    [[nodiscard]] bool hasDied() const { return !died.empty(); }
};
RunState runState(const Snapshot &snapshot);

struct ArmedState {
    bool armed = false;  // until the flag is seen as 0 everywhere
    QStringList nodes = {};
    std::optional<WallTime> since = {};  // when this console armed it
};
ArmedState armedState(const Snapshot &snapshot);

// The newest loss of a rank is NaN or Inf: what is saved now holds it, too.
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
// Step, loss, last sample, step time, protection: in the order in which they may be dropped from the right. One without a
// caption is not shown.
std::vector<Vital> vitals(const Snapshot &snapshot, WallTime now);

struct LostWords {
    QString caption, value, note;
};
LostWords lostWords(const Snapshot &snapshot, WallTime now);
// The price of going back to this set instead of the newest VALID one.
LostWork lostWith(const Snapshot &snapshot, const CheckpointSet &set);
LostWork lostSince(const Snapshot &snapshot, std::int64_t position);  // of going back there
QString lostValue(const LostWork &lost);                              // "437 steps · 30 min 40 s · 4.1 device-hours"

QString attemptWords(int index);                          // "attempt 3"; people count from 1
QString jobLine(const Snapshot &snapshot, WallTime now);  // "attempt 3 · running 2 h 56 min"
std::optional<WallTime> lastSampleAt(const Snapshot &snapshot);
std::optional<std::int64_t> lastPosition(const Snapshot &snapshot);
// The newest thing that is known, for a picture that does not move any more: "05:11:17", with the date when it is not today.
QString asOfWords(const Snapshot &snapshot, WallTime now);
// When the attempt that ended before this decision failed first; nothing when it was stopped, or had not failed.
std::optional<WallTime> failureBefore(const Snapshot &snapshot, WallTime decision);

}  // namespace rankdeck::ui
