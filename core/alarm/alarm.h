// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with a job now. The rules are pure functions of a picture, one file each, listed in alarms.cpp; the same
// alarms stand in the window, in `status`, `watch` and the JSON. Nothing here fails: what a rule cannot know, it does not
// say. Text that came from a node is printable and one line.
#pragma once

#include "core/state/picture.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

// In the order in which they matter: the first that holds is the banner.
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

// What a click on it does.
enum class AlarmAct {
    none,
    showMoment,
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

// Which of its cases a code stands for, where it has several.
enum class AlarmCase {
    only,
    ranksDied,      // stop_stuck: they cannot confirm any more
    ranksHang,      // stop_stuck: they do not come to their next check
    ranksLeft,      // stop_stuck: they had exited by themselves before it, and who is left waits for them
    armed,          // armed_long: the request stands
    endedUnproven,  // armed_long: the stop has ended without its proof, and ranks run
    willCheck,      // left_armed: the run comes to its next check, and stops there
    mayCheck,       // left_armed: something may still run, and may come to one
    nobodyChecks,   // left_armed: only a new run would
    isStopped,      // stalled: the suspects are stopped by a signal
    waitsForDisk,   // stalled: the suspects wait for their disk or file server
    isBehind,       // stalled: the suspects are at a step before the others'
    differs,        // stalled: the suspects do something else than all others
    wasGivenUp,     // stalled: the others died of waiting for the suspects, which still run
    peersLeft,      // stalled: somebody has exited by itself; the remaining ranks may be waiting for it
    nextSave,       // disk_full: no save has failed yet
    cannotMeet,     // job_waits: ranks run, and do not reach the scheduler of their own framework
    isUnseen,       // stalled: of no rank it is known whether it runs
    isDeserted,     // stalled: the same, nothing of the job is on any node, and the run was not at its end
};

// How an attempt before ended that had made steps, where the one now has made none.
struct EarlierDeath {
    int attempt = 0;  // its index
    int rank = 0;     // who failed first, by itself if any did
    std::optional<std::int64_t> step = {};
    WallTime time = {};
    std::string how = {};  // printable, without a full stop
    bool operator==(const EarlierDeath &) const = default;
};

struct Alarm {
    AlarmCode code = AlarmCode::note;
    AlarmCase which = AlarmCase::only;
    Severity severity = Severity::warn;
    std::optional<WallTime> since = {};    // of what is wrong, not of when it was noticed
    std::optional<WallTime> noticed = {};  // when this console could know, where that differs
    std::vector<int> ranks = {};           // the suspect or the first to fail first
    std::vector<std::string> nodes = {};
    std::string text = {};  // the whole in one or two sentences, with its numbers
    std::string fix = {};   // what to do, as a sentence
    std::vector<AlarmAct> acts = {};

    // The numbers of the text, for who words it in another language.
    int of = 0;        // ranks of the job
    int stillRun = 0;  // on nodes that answer
    // Of whom nothing is known, the nodes of theirs that do not answer, and for how long the longest silent one: a rank that
    // ran when its node was heard last may have died since.
    std::vector<int> unheard = {};
    std::vector<std::string> silentNodes = {};
    std::optional<double> silentSeconds = {};
    std::vector<int> waitedFor = {};            // whom the others wait for: who hangs while they gave up, who died
    bool othersCancelled = false;               // the scheduler ended those behind the first to fail
    bool waitedForSilent = false;               // those are silent, and whether they run is unknown
    std::optional<std::int64_t> step = {};      // where it happened
    std::optional<std::int64_t> behindAt = {};  // isBehind: the suspects' step
    std::string where = {}, othersWhere = {};   // differs: in what they wait, and the others; empty: they compute
    bool mayGoOn = false;                       // isStopped: SIGCONT mends it, as nobody has died of it
    bool looked = false;                        // stalled: at what all ranks do, and nobody stood out by it
    bool someCompute = false;                   // looked: not all of them wait
    bool gradients = false;                     // nan_loss: the gradients are, while the loss is finite or not printed
    bool wordless = false;                      // of deaths: nothing says how the first of them ended
    double seconds = 0, usual = 0;              // how long it lasts, and what is usual
    // Ranks that did; of deaths how many of the leading ones were first, of a stop that no line confirms those that left.
    int confirmed = 0;
    std::string detail = {};                  // the error's own words
    std::optional<EarlierDeath> before = {};  // job_died, rank_died: what the failed start was to mend
    FailureCause cause = FailureCause::unknown;
    std::string set = {};  // id of the set it is about
    std::optional<std::int64_t> setStep = {};
    bool setKept = false;  // that set is out of rotation's reach
    bool putBack = false;  // and nowhere else: it must be put back among the checkpoints before it can be resumed from
    std::optional<int> savesLeft = {};        // until rotation overwrites that set; empty: not known
    std::optional<double> savesSeconds = {};  // how long they take at the usual pace
    bool operator==(const Alarm &) const = default;
};

// All that holds, the worst first.
std::vector<Alarm> findAlarms(const Picture &picture);

// What began and what ended between two looks: equal code and nodes are one alarm. A save fails on one node after the other.
bool isOfNodes(AlarmCode code);
bool sameAlarm(const Alarm &a, const Alarm &b);

}  // namespace rankdeck
