// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/stop/exit_proof.h"

#include "core/base/text.h"
#include "core/recover/stop/checks/response_time.h"
#include "core/recover/stop_method.h"
#include "core/recover/wording.h"

#include <algorithm>

namespace rankdeck {

namespace {

// The config and the checkpoints may be on file servers with different clocks. Files that existed before the exit are
// recognised by their name and their earlier time. New files are recognised by their step, if the loss curve has steps.
bool savedSince(const CheckpointSet &set, const MemberVerdict &member, const ExitBaseline &baseline)
{
    if (!member.time || (member.state != MemberState::ok && member.state != MemberState::unread)) return false;
    const auto before = baseline.filesBefore.find({member.node, member.path});
    if (before != baseline.filesBefore.end() && before->second == *member.time) return false;
    const auto step = baseline.positions.find(member.rank);
    const bool laterByStep = set.position && step != baseline.positions.end() && *set.position >= step->second;
    return laterByStep || isSavedAfterRequest(member, baseline);
}

bool wholeSince(const CheckpointSet &set, const ExitBaseline &baseline)
{
    return !set.members.empty() &&
           std::all_of(set.members.begin(), set.members.end(), [&](const MemberVerdict &member) {
               return member.state == MemberState::replica || savedSince(set, member, baseline);
           });
}

// The periodic save at the end of the train call is preferred to the exit's own file of the same step. The exit's own
// file contains a scalar global_step, which the next start cannot load.
const CheckpointSet *provenSet(const JobState &view, const ExitBaseline &baseline)
{
    const CheckpointSet *best = nullptr;
    for (const CheckpointSet &set : view.checkpoints.sets) {
        if (set.verdict != Verdict::valid || !wholeSince(set, baseline)) continue;
        if (best == nullptr || (best->kind == CheckpointKind::graceful && set.kind != CheckpointKind::graceful &&
                                set.position == best->position))
            best = &set;
    }
    return best;
}

// True if a set after the proven one may still appear. Then a set is being judged, or a directory was last listed
// before its rank ended. A periodic save between the request and the exit is not the last one. A periodic save at the
// step of the exit is.
bool mayBeMore(const CheckpointSet *proven, const JobState &view, const std::vector<RankExit> &ranks)
{
    if (proven == nullptr) return false;
    const bool periodic = proven->kind != CheckpointKind::graceful;
    const auto isOpen = [&](const CheckpointSet &set) {
        if (set.verdict != Verdict::inProgress && set.verdict != Verdict::unknown) return false;
        if (!set.position || !proven->position) return true;
        if (*set.position == *proven->position) return !periodic && set.kind != CheckpointKind::graceful;
        return *set.position > *proven->position;
    };
    if (std::any_of(view.checkpoints.sets.begin(), view.checkpoints.sets.end(), isOpen)) return true;
    return std::any_of(ranks.begin(), ranks.end(), [&](const RankExit &rank) {
        const auto listed = view.inventory->listed.find(rank.rank);
        return rank.exitedAt && listed != view.inventory->listed.end() && listed->second.asOf < *rank.exitedAt;
    });
}

void findSave(RankExit &rank, const JobState &view, const ExitBaseline &baseline, const CheckpointSet *proven)
{
    const auto take = [&](const CheckpointSet &set) {
        for (const MemberVerdict &member : set.members)
            if (member.rank == rank.rank && (&set == proven || savedSince(set, member, baseline))) {
                rank.savedPath = member.path;
                rank.savedVerdict = set.verdict;
                rank.savedAt = member.time;
                rank.savedBy = message("%1, %2, in set %3: %4", printable(member.path), bytesText(member.bytes), set.id,
                                       verdictMessage(set.verdict));
                return true;
            }
        return false;
    };
    if (proven && take(*proven)) return;
    for (const CheckpointSet &set : view.checkpoints.sets)
        if (take(set)) return;
}

bool gone(const RankState &rank, const ExitBaseline &baseline)
{
    const auto before = baseline.processes.find(rank.rank);
    if (rank.alive.isNo()) return true;
    if (!rank.alive.isYes() || before == baseline.processes.end() || !rank.process) return false;
    // True if the rank now has another process.
    return rank.process->id.pid != before->second.pid || rank.process->id.startTicks != before->second.startTicks;
}

constexpr double copySeconds = 90;  // delay of a ConfigMap into the pods: the kubelet's sync period and its cache
constexpr double graceSeconds = 3;  // a line arrives up to a second after it was written, and a save takes some time

Message processText(const ProcessId &process)
{
    return message("pid %1 (start time %2)", process.pid, process.startTicks);
}

std::optional<std::int64_t> linesAfter(const JobState &view, const RankState &rank,
                                       const std::map<int, std::int64_t> &positions)
{
    const auto before = positions.find(rank.rank);
    if (!rank.progress.position) return {};
    if (before == positions.end()) return 2;  // the rank began to train after the write
    const std::int64_t gap = std::max<std::int64_t>(1, stepsPerLine(view));
    const std::int64_t steps = *rank.progress.position - before->second;
    return steps <= 0 ? 0 : (steps + gap - 1) / gap;
}

// Records what was observed of one rank, in the order in which it happens.
void observe(RankExit &rank, const RankState &state, const JobState &view, const ExitBaseline &baseline, WallTime now)
{
    const auto lines = linesAfter(view, state, baseline.delivered.empty() ? baseline.positions : baseline.delivered);
    const bool mayHaveRead = !baseline.unseen.contains(rank.rank);
    rank.seen = rank.confirmed || (mayHaveRead && lines.value_or(0) >= 2);
    if (rank.confirmed) rank.confirmedBy = message("the exit line in %1", printable(state.logPath));
    if (rank.seen && lines.value_or(0) >= 2 && mayHaveRead && state.progress.position)
        rank.seenBy = message("its loss line for step %1 is the second since the request was written",
                              grouped(*state.progress.position));
    else if (rank.confirmed)
        rank.seenBy = rank.confirmedBy;
    if (rank.seen) rank.seenAt = rank.confirmed && rank.confirmedAt ? *rank.confirmedAt : now;
    if (!rank.exited) return;
    rank.exitedAt = now;
    const auto process = baseline.processes.find(rank.rank);
    rank.exitedBy = process == baseline.processes.end() ? message("its process is no longer found")
                                                        : message("%1 is gone", processText(process->second));
    if (rank.exitCode) rank.exitedBy = message("%1, exit code %2", rank.exitedBy, *rank.exitCode);
}

void keepFirst(std::optional<WallTime> &now, const std::optional<WallTime> &before)
{
    if (now && before) now = before;
}

// The first answers show how long the others should take; before them, the step time does.
WallTime answerDue(const ExitProof &proof, const ExitBaseline &baseline)
{
    std::optional<WallTime> first;
    for (const RankExit &other : proof.ranks)
        if (other.confirmedAt && (!first || *other.confirmedAt < *first)) first = other.confirmedAt;
    if (first) return secondsAfter(*first, graceSeconds - 1);
    if (!baseline.unseen.empty()) return secondsAfter(baseline.armedAt, baseline.answer.value_or(10) + copySeconds);
    return secondsAfter(baseline.armedAt, baseline.answer.value_or(10) + graceSeconds);
}

bool isStopped(const RankState &rank)
{
    return rank.process && (rank.process->state == 'T' || rank.process->state == 't');
}

void findLate(ExitProof &proof, const JobState &view, const ExitBaseline &baseline, WallTime now)
{
    const double late = secondsBetween(answerDue(proof, baseline), now);
    std::vector<int> stopped;
    for (const RankState &rank : view.ranks)
        if (rank.alive.isYes() && isStopped(rank)) stopped.push_back(rank.rank);
    for (std::size_t i = 0; i < proof.ranks.size(); ++i) {
        RankExit &rank = proof.ranks[i];
        if (rank.exited) {
            if (!rank.confirmed && isConfirmed(baseline.way)) rank.note = message("gone; its log has no exit line");
            continue;
        }
        if (rank.confirmed) continue;
        const auto unsent = baseline.unsent.find(rank.rank);
        if (unsent != baseline.unsent.end()) rank.note = unsent->second;
        if (late <= 0) continue;
        rank.lateSeconds = late;
        if (unsent != baseline.unsent.end()) continue;
        const bool own = std::find(stopped.begin(), stopped.end(), rank.rank) != stopped.end();
        rank.note = own               ? message("%1 late, stopped by a signal (state T)", durationText(late))
                    : stopped.empty() ? message("%1 late", durationText(late))
                                      : message("waiting for %1", ranksText(stopped));
    }
}

}  // namespace

bool isSavedAfterRequest(const MemberVerdict &member, const ExitBaseline &baseline)
{
    std::int64_t since = 0;
    if (const auto own = baseline.armedNs.find(member.node); own != baseline.armedNs.end())
        since = own->second;
    else
        for (const auto &[node, ns] : baseline.armedNs) since = since == 0 ? ns : std::min(since, ns);
    return since != 0 && *member.time >= wallFromNs(since);
}

std::vector<int> ExitProof::missing(bool RankExit::*done) const
{
    std::vector<int> list;
    for (const RankExit &rank : ranks)
        if (!(rank.*done)) list.push_back(rank.rank);
    return list;
}

bool ExitProof::allConfirmed() const { return !ranks.empty() && missing(&RankExit::confirmed).empty(); }

bool ExitProof::anyConfirmed() const
{
    return std::any_of(ranks.begin(), ranks.end(), [](const RankExit &rank) { return rank.confirmed; });
}

bool ExitProof::anyExited() const
{
    return std::any_of(ranks.begin(), ranks.end(), [](const RankExit &rank) { return rank.exited; });
}

bool ExitProof::allExited() const { return !ranks.empty() && missing(&RankExit::exited).empty(); }

bool ExitProof::complete(StopMethod way) const
{
    return (allConfirmed() || !isConfirmed(way)) && allExited() && (set.has_value() || savesNothing);
}

ExitProof proveExit(const JobState &view, const ExitBaseline &baseline, WallTime now,
                    const std::vector<RankExit> &before)
{
    ExitProof proof;
    const CheckpointSet *proven = provenSet(view, baseline);
    if (proven) {
        proof.set = proven->id;
        proof.setStep = proven->position ? proven->position : proven->globalStep;
    }
    proof.savesNothing = baseline.savesNothing;
    for (const RankState &state : view.ranks) {
        RankExit rank{.rank = state.rank,
                      .armed = baseline.armedRanks.contains(state.rank),
                      .confirmed = state.gracefulExitSeen,
                      .confirmedAt = state.gracefulExitTime,
                      .exited = gone(state, baseline),
                      .exitCode = state.exitCode};
        findSave(rank, view, baseline, proven);
        observe(rank, state, view, baseline, now);
        const auto last =
            std::find_if(before.begin(), before.end(), [&](const RankExit &other) { return other.rank == rank.rank; });
        if (last != before.end()) {
            keepFirst(rank.seenAt, last->seenAt);
            keepFirst(rank.exitedAt, last->exitedAt);
        }
        proof.ranks.push_back(std::move(rank));
    }
    findLate(proof, view, baseline, now);
    proof.mayBeMore = mayBeMore(proven, view, proof.ranks);
    return proof;
}

std::optional<std::int64_t> linesSince(const JobState &view, const RankState &rank, const ExitBaseline &baseline)
{
    return linesAfter(view, rank, baseline.positions);
}

std::vector<int> ranksThatMayHold(const JobState &view, const ExitBaseline &baseline)
{
    std::vector<int> ranks;
    for (const RankState &rank : view.ranks) {
        if (!baseline.armedRanks.contains(rank.rank)) continue;
        const bool gone = rank.alive.isNo() && !rank.gracefulExitSeen;
        // A rank reads the file at a step. If a rank has no loss lines, it may have read the request. A signal needs no
        // step.
        const bool stepped = !leavesAFile(baseline.way) || linesSince(view, rank, baseline).value_or(1) > 0;
        if (rank.gracefulExitSeen || (stepped && !gone)) ranks.push_back(rank.rank);
    }
    return ranks;
}

Message missingText(const ExitProof &proof, StopMethod way, double waitedSeconds)
{
    std::vector<Message> sentences;
    const Message within = durationText(waitedSeconds);
    if (const auto ranks = proof.missing(&RankExit::confirmed); !ranks.empty() && isConfirmed(way))
        sentences.push_back(message("%1 did not confirm within %2.", ranksText(ranks), within));
    if (!proof.set) {
        std::vector<int> unsaved;
        for (const RankExit &rank : proof.ranks)
            if (rank.savedPath.empty()) unsaved.push_back(rank.rank);
        sentences.push_back(unsaved.empty() ? message("The saved files did not become a VALID set within %1.", within)
                                            : message("No save by %1 was seen within %2.", ranksText(unsaved), within));
    }
    if (const auto ranks = proof.missing(&RankExit::exited); !ranks.empty())
        sentences.push_back(message("The process of %1 may still be running.", ranksText(ranks)));
    return joined(sentences);
}

}  // namespace rankdeck
