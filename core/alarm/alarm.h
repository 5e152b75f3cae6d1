// SPDX-License-Identifier: GPL-3.0-or-later
// Current problems of a job. The rules are pure functions of a Picture, one file each, listed in alarms.cpp. The
// window, `status`, `watch` and the JSON show the same alarms. Nothing here fails: if facts are unknown, a rule raises
// no alarm about them. Text from a node is printable and one line.
#pragma once

#include "core/base/message.h"
#include "core/state/picture.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

// In order of importance: the banner shows the first alarm that is raised.
enum class AlarmCode {
    jobDied,
    rankDied,
    stopStuck,
    nanLoss,
    stalled,
    notProven,
    beganAnew,
    jobWaits,
    nodeLost,
    armedLong,
    timeLimit,
    logsSilent,
    diskFull,
    saveFailed,
    nothingValid,
    deviceUnhealthy,
    saveOverdue,
    nodeNeedsYou,
    nodeStale,
    leftArmed,
    note,
};
const char *alarmCodeName(AlarmCode code);  // "job_died" …: stable, in the JSON

enum class Severity { info, warn, alarm };
const char *severityName(Severity severity);

// Effect of a click on the alarm.
enum class AlarmAct {
    none,
    showFailure,
    showLog,
    resume,
    showSets,
    showStop,
    stop,
    clearFlag,
    retryNode,
    answerNode,
    keepSet
};

// Variant of an alarm code that has several variants.
enum class AlarmCase {
    only,
    ranksDied,      // stop_stuck: the ranks that have not confirmed have died
    ranksHang,      // stop_stuck: the ranks hang before their next check
    ranksLeft,      // stop_stuck: they had already exited, and the remaining ranks wait for them
    armed,          // armed_long: the stop request is still set
    endedUnproven,  // armed_long: the stop has ended without its proof, and ranks run
    willCheck,      // left_armed: the run will read the request at its next check, and stop there
    mayCheck,       // left_armed: a process may still run, and may read the request
    nobodyChecks,   // left_armed: only a new run would read the request
    isStopped,      // stalled: the suspects are stopped by a signal
    waitsForDisk,   // stalled: the suspects wait for their disk or file server
    isBehind,       // stalled: the suspects are at a step before the others'
    differs,        // stalled: the suspects do something different from all others
    wasGivenUp,     // stalled: the other ranks ended because they waited too long for the suspects, which still run
    peersLeft,      // stalled: a rank has exited; the remaining ranks may be waiting for it
    nextSave,       // disk_full: no save has failed yet
    cannotMeet,     // job_waits: ranks run, but cannot reach the scheduler of their own framework
    isUnseen,       // stalled: no rank is known to run
    isDeserted,     // stalled: the same, no process of the job is on any node, and the run had not reached its end
};

struct Alarm {
    AlarmCode code = AlarmCode::note;
    AlarmCase which = AlarmCase::only;
    Severity severity = Severity::warn;
    std::optional<WallTime> since = {};    // begin of the problem, not of its detection
    std::optional<WallTime> noticed = {};  // first time at which this console could know the problem, if later
    std::vector<int> ranks = {};           // the suspects, or the failed ranks, the first to fail first
    std::vector<std::string> nodes = {};
    Message fact = {};     // the headline, without a full stop: "Rank 3 died at step 600"
    Message rest = {};     // more sentences about it; may be empty
    std::string fix = {};  // what to do, as sentences for the terminal; the window offers `acts`
    std::vector<AlarmAct> acts = {};

    int of = 0;                                 // ranks of the job
    int stillRun = 0;                           // number of ranks that still run, on nodes that answer
    std::vector<int> unheard = {};              // ranks of unknown state; of nan_loss: ranks that log no loss
    std::vector<std::string> silentNodes = {};  // nodes of these ranks that do not answer
    // Ranks for which the others wait: those that hang while the others gave up, or those that died.
    std::vector<int> waitedFor = {};
    std::optional<std::int64_t> step = {};  // step at which it happened
    double seconds = 0;                     // its duration
    // Number of ranks that confirmed. For deaths: how many of the first listed ranks died first. For stalled: how many
    // of them are suspects. For a stop without confirming lines: the number of ranks that ended.
    int confirmed = 0;
    Message detail = {};  // of deaths and failed saves: the error's own text; of stop_stuck: "rank 3 hangs"
    FailureCause cause = FailureCause::unknown;
    std::string set = {};  // id of the set it is about
    std::optional<std::int64_t> setStep = {};
    bool setKept = false;  // that set is safe from rotation
    // True if the set exists only as a kept set: it must be put back among the checkpoints before a resume.
    bool putBack = false;

    [[nodiscard]] Message text() const;  // fact and rest, as sentences
    bool operator==(const Alarm &) const = default;
};

// All current alarms, the most important first.
std::vector<Alarm> findAlarms(const Picture &picture);

// True if alarms with this code and different nodes are different alarms. False for failing saves and full disks, which
// spread from node to node.
bool isOfNodes(AlarmCode code);
bool sameAlarm(const Alarm &a, const Alarm &b);

}  // namespace rankdeck
