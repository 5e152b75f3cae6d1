// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/stop/checks/exit_checks.h"

#include "core/base/text.h"
#include "core/recover/wording.h"

#include <algorithm>
#include <cmath>

namespace rankdeck {

namespace {

constexpr std::size_t setsLookedAt = 5;

// The largest file that each rank saved recently. The newest set alone is not enough, because it may still be
// incomplete.
std::map<int, std::uint64_t> bytesOfRanks(const JobState &view)
{
    std::map<int, std::uint64_t> bytes;
    for (std::size_t i = 0; i < std::min(setsLookedAt, view.checkpoints.sets.size()); ++i)
        for (const MemberVerdict &member : view.checkpoints.sets[i].members)
            bytes[member.rank] = std::max(bytes[member.rank], member.bytes);
    return bytes;
}

// Number of checkpoint-sized files that each rank writes. They are the exit's own file, the save at the end of the
// training, and the graph with its weights, which OnRequestExit exports by default.
unsigned filesOfARank(const ExitFacts &facts)
{
    if (!facts.callback) return 2;
    return 1U + (facts.callback->savesCheckpoint ? 1U : 0U) + (facts.callback->savesMindir ? 1U : 0U);
}

std::string filesText(const ExitFacts &facts)
{
    if (!facts.callback) return {};
    const bool mindir = facts.callback->savesMindir;
    return facts.callback->savesCheckpoint ? (mindir ? " (per rank: two checkpoints and a .mindir)" : "")
           : mindir                        ? " (per rank: the last checkpoint and a .mindir)"
                                           : " (per rank: the last checkpoint)";
}

std::map<std::string, std::uint64_t> bytesToSave(const JobState &view, unsigned files)
{
    std::map<std::string, std::uint64_t> needed;
    const auto bytes = bytesOfRanks(view);
    for (const NodeSpec &node : view.job.nodes)
        for (const int rank : node.ranks)
            if (const auto own = bytes.find(rank); own != bytes.end())
                needed[view.job.pathsShared ? view.job.nodes.front().name : node.name] += files * own->second;
    return needed;
}

const ProcessInfo *anyProcess(const ExitFacts &facts, const std::string &node)
{
    for (const RankProcess &rank : facts.processes.ranks)
        if (rank.node == node && rank.process) return &*rank.process;
    return nullptr;
}

void checkPermission(Findings &into, const JobState &view, const ExitFacts &facts, const std::string &node,
                     const DiskSpace &room)
{
    const std::string which = printable(room.directory) + " on node " + printable(node);
    if (!room.error.empty()) {
        into.push_back(onNode(
            warning("save_not_writable",
                    message("the directory of the exit save, %1, cannot be checked: %2", which, printable(room.error)),
                    message("log in as the user who runs the training")),
            node));
        return;
    }
    if (room.writable) return;
    const ProcessInfo *process = anyProcess(facts, node);
    const auto status =
        std::find_if(view.nodes.begin(), view.nodes.end(), [&](const NodeStatus &one) { return one.name == node; });
    const bool own = process && status != view.nodes.end() && status->facts.uid == process->uid;
    const Message text =
        message("the exit saves into %1, but %2", which,
                own ? message("the training may not write there") : message("this login may not write there"));
    into.push_back(onNode(
        own ? refusal("save_not_writable", text,
                      message("without a save the stop loses work: make the directory writable for the training"))
            : warning("save_not_writable",
                      message("%1; the training runs as a different user, which may be allowed to", text),
                      message("make sure that the training's user may write there")),
        node));
}

void checkAge(Findings &into, const JobState &view)
{
    const CheckpointSet *valid = view.checkpoints.newestValid();
    if (!valid || !valid->position || !view.lostWork.known || view.lostWork.fromKept) return;
    std::int64_t usual = 0, after = *valid->position;
    for (const CheckpointSet &set : view.checkpoints.sets) {
        const bool periodic = set.kind == CheckpointKind::periodic && set.attempt == valid->attempt && set.position;
        if (!periodic || *set.position >= after) continue;
        usual = std::max(usual, after - *set.position);
        after = *set.position;
    }
    if (usual <= 0 || view.lostWork.steps <= 2 * usual) return;
    into.push_back(warning(
        "checkpoint_old",
        message(
            "no VALID checkpoint set since step %1, %2 steps ago; before that, there was one at least every %3 steps",
            grouped(*valid->position), grouped(view.lostWork.steps), grouped(usual)),
        message("find out why the saves stopped: the save of this stop may fail the same way")));
}

}  // namespace

void checkRoom(Findings &into, const JobState &view, const ExitFacts &facts)
{
    const auto needed = bytesToSave(view, filesOfARank(facts));
    for (const auto &[node, rooms] : facts.room) {
        std::set<std::string> said;
        const DiskSpace *tightest = nullptr;
        for (const DiskSpace &room : rooms) {
            if (said.insert(room.directory).second) checkPermission(into, view, facts, node, room);
            if (room.error.empty() && (!tightest || room.freeBytes < tightest->freeBytes)) tightest = &room;
        }
        const auto need = needed.find(node);
        if (!tightest || need == needed.end()) continue;
        const Message text =
            message("the exit saves about %1 on node %2%3, and %4 is free there", bytesText(need->second),
                    printable(node), filesText(facts), bytesText(tightest->freeBytes));
        if (tightest->freeBytes < need->second)
            into.push_back(onNode(refusal("disk_full", text,
                                          message("free some space in %1 first: a save that does not fit would be torn",
                                                  printable(tightest->directory))),
                                  node));
        else
            into.push_back(onNode(okFinding("disk_room", text), node));
    }
}

// Text about the worth of a stop if there is no older set from which the job can be resumed.
Message withoutSets(const JobState &view, const ExitFacts &facts)
{
    const bool broken = std::any_of(view.ranks.begin(), view.ranks.end(), [&](const RankState &rank) {
        return rank.progress.attempt == view.attempt && isBroken(rank.progress);
    });
    if (broken)
        return message("the loss or the gradients are NaN or Inf, and a graceful stop would save that: nothing of this "
                       "run can be kept");
    if (facts.callback && !facts.callback->savesCheckpoint) return message("a stop would lose everything");
    return message("a kill would lose everything; a graceful stop saves first");
}

void checkCheckpoints(Findings &into, const JobState &view, const ExitFacts &facts)
{
    if (!facts.staleSaves.empty()) {
        std::vector<int> ranks;
        for (const auto &[rank, path] : facts.staleSaves) ranks.push_back(rank);
        into.push_back(warning("stale_train_ckpt",
                               message("an earlier exit left %1%2 (%3)", printable(facts.staleSaves.begin()->second),
                                       ranks.size() > 1 ? message(" and others") : Message(""), ranksText(ranks)),
                               message("this stop overwrites them; copy them if they are still needed")));
    }
    if (facts.callback && !facts.callback->savesCheckpoint)
        into.push_back(warning(
            "saves_nothing",
            message("the script's OnRequestExit has save_ckpt=False: the ranks end without a save%1",
                    view.lostWork.known && view.lostWork.steps > 0
                        ? message(", and %1%2", grouped(view.lostWork.steps),
                                  view.lostWork.fromKept ? message(" steps since the newest kept set are lost")
                                                         : message(" steps since the newest VALID set are lost"))
                        : Message(std::string())),
            message("wait for the next periodic save, if the script has one")));
    if (facts.gracefulReady == false)
        into.push_back(warning(
            "graceful_tags_missing",
            message(
                "the newest checkpoint has no graceful_exit and graceful_init parameters. If the script overrides "
                "TrainOneStepCell without the branch that stops it, the run accepts the stop request but never stops"),
            message("call exit_by_request in the overridden TrainOneStepCell; until then, be ready for a force stop")));
    if (view.checkpoints.newestValid() == nullptr)
        into.push_back(warning("no_valid_set", message("no VALID checkpoint set yet"), withoutSets(view, facts)));
    checkAge(into, view);
}

}  // namespace rankdeck
