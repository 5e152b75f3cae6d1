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

// Death of an earlier attempt that had made steps, while the present attempt has made none.
struct EarlierDeath {
    int attempt = 0;  // index of that attempt
    int rank = 0;     // the first to fail, if any failed for a reason of its own
    std::optional<std::int64_t> step = {};
    WallTime time = {};
    std::string how = {};  // printable, without a full stop
    bool operator==(const EarlierDeath &) const = default;
};

struct Alarm {
    AlarmCode code = AlarmCode::note;
    AlarmCase which = AlarmCase::only;
    Severity severity = Severity::warn;
    std::optional<WallTime> since = {};    // begin of the problem, not of its detection
    std::optional<WallTime> noticed = {};  // first time at which this console could know the problem, if later
    std::vector<int> ranks = {};           // the suspects, or the failed ranks, the first to fail first
    std::vector<std::string> nodes = {};
    Message text = {};  // the complete alarm in one or two sentences, with its numbers
    Message fix = {};   // what to do, as a sentence
    std::vector<AlarmAct> acts = {};

    // The numbers in the text, for translators.
    int of = 0;        // ranks of the job
    int stillRun = 0;  // number of ranks that still run, on nodes that answer
    // Ranks of unknown state, their nodes that do not answer, and the longest silence of these nodes. A rank that ran
    // at the last contact may have died since.
    std::vector<int> unheard = {};
    std::vector<std::string> silentNodes = {};
    std::optional<double> silentSeconds = {};
    // Ranks for which the others wait: those that hang while the others gave up, or those that died.
    std::vector<int> waitedFor = {};
    bool othersCancelled = false;               // the scheduler ended the ranks after the first to fail
    bool waitedForSilent = false;               // they are silent, and it is unknown whether they run
    std::optional<std::int64_t> step = {};      // step at which it happened
    std::optional<std::int64_t> behindAt = {};  // isBehind: the suspects' step
    std::string where = {}, othersWhere = {};   // differs: where the suspects wait, and the others; empty: they compute
    bool mayGoOn = false;                       // isStopped: SIGCONT helps, because no rank has died of the wait yet
    bool looked = false;                        // stalled: the stack traces of all ranks were read, and none differs
    bool someCompute = false;                   // looked: not all of them wait
    // nan_loss: only the gradients are NaN; the loss is finite or not printed.
    bool gradients = false;
    bool withoutReason = false;     // of deaths: no log shows how the first of them ended
    double seconds = 0, usual = 0;  // duration, and the usual duration
    // Number of ranks that confirmed. For deaths: how many of the first listed ranks died first. For a stop without
    // confirming lines: the number of ranks that ended.
    int confirmed = 0;
    Message detail = {};                      // the error's own text
    std::optional<EarlierDeath> before = {};  // job_died, rank_died: the death after which the failed start was made
    FailureCause cause = FailureCause::unknown;
    std::string set = {};  // id of the set it is about
    std::optional<std::int64_t> setStep = {};
    bool setKept = false;  // that set is safe from rotation
    // True if the set exists only as a kept set: it must be put back among the checkpoints before a resume.
    bool putBack = false;
    std::optional<int> savesLeft = {};        // number of saves until rotation deletes that set; empty: unknown
    std::optional<double> savesSeconds = {};  // time of these saves at the usual pace
    bool operator==(const Alarm &) const = default;
};

// All current alarms, the most important first.
std::vector<Alarm> findAlarms(const Picture &picture);

// True if alarms with this code and different nodes are different alarms. False for failing saves and full disks, which
// spread from node to node.
bool isOfNodes(AlarmCode code);
bool sameAlarm(const Alarm &a, const Alarm &b);

}  // namespace rankdeck
