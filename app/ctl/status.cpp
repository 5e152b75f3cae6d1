// SPDX-License-Identifier: GPL-3.0-or-later
// Current state: nodes, ranks, stop request, newest VALID set, lost work.
#include "app/ctl/act_json.h"
#include "app/ctl/alarm_json.h"
#include "app/ctl/command.h"
#include "app/ctl/output/columns.h"
#include "app/ctl/output/scheduler_words.h"
#include "app/ctl/output/status_words.h"

#include "core/base/deadline.h"
#include "core/base/text.h"
#include "core/journal/journal.h"
#include "core/recover/stop/exit_consoles.h"
#include "core/state/protection.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

namespace rankdeck::ctl {
namespace {

Json age(WallTime heard, WallTime now)
{
    return heard == WallTime{} ? Json(nullptr) : Json(std::max(0.0, secondsBetween(heard, now)));
}

Json metricsJson(const RankProgress &at)
{
    return Json{{"lr", orNull(at.learningRate)},
                {"grad_norm", at.gradNorm ? lossJson(*at.gradNorm) : Json(nullptr)},
                {"loss_scale", orNull(at.lossScale)},
                {"step_seconds", orNull(at.stepSeconds)},
                {"throughput", orNull(at.throughput)}};
}

// Failures that the rank's environment protects it from ("TTP", "UCE" …); null: the environment is unknown.
Json faultToleranceJson(const RankState &rank)
{
    const auto modes = protectionOf(rank);
    return modes ? Json(*modes) : Json(nullptr);
}

Json progressJson(const RankProgress &at)
{
    const auto &step = at.position, &total = at.total;
    const bool known = step && total && at.stepSeconds && *total >= *step;
    return Json{{"step", orNull(step)},
                {"total", orNull(total)},
                {"eta_seconds", known ? Json(static_cast<double>(*total - *step) * *at.stepSeconds) : Json(nullptr)}};
}

Json keptJson(const KeptSets &kept)
{
    Json sets = Json::array();
    for (const KeptSet &set : kept.sets) {
        Json nodes = Json::array();
        for (const KeptFiles &files : set.nodes)
            nodes.push_back({{"node", files.node}, {"files", files.paths.size()}, {"bytes", files.bytes}});
        sets.push_back({{"set", validUtf8(set.id)},
                        {"attempt", set.attempt},
                        {"global_step", orNull(set.position)},
                        {"time", set.time ? Json(isoTime(*set.time)) : Json(nullptr)},
                        {"whole", orNull(set.whole)},
                        {"problem", validUtf8(set.problem)},
                        {"bytes", bytesOf(set)},
                        {"nodes", std::move(nodes)}});
    }
    return {
        {"listing", keptListingName(kept.listing)}, {"problem", validUtf8(kept.problem)}, {"sets", std::move(sets)}};
}

Json statusJson(const Snapshot &snapshot, const std::vector<ExitElsewhere> &exits)
{
    const JobState &view = snapshot.view;
    Json out{{"rankdeckctl", 1},
             {"job", view.job.name},
             {"time", isoTime(snapshot.at)},
             {"nodes", Json::array()},
             {"ranks", Json::array()}};
    for (const NodeStatus &node : view.nodes)
        out["nodes"].push_back({{"name", node.name},
                                {"state", nodeStateName(node.state)},
                                {"age", age(node.lastContact, snapshot.at)},
                                {"reason", node.reason}});
    const Fates fates = pictureOf(snapshot, snapshot.at).fates;
    for (std::size_t i = 0; i < view.ranks.size(); ++i) {
        const RankState &rank = view.ranks[i];
        out["ranks"].push_back(
            {{"rank", rank.rank},
             {"node", rank.node},
             {"attempt", rank.progress.attempt},
             {"epoch", orNull(rank.progress.epoch)},
             {"step", orNull(rank.progress.step)},
             {"global_step", orNull(rank.progress.position)},
             {"loss", rank.progress.hasLoss ? lossJson(rank.progress.loss) : Json(nullptr)},
             {"age", age(rank.progress.heard, snapshot.at)},
             {"alive", orNull(rank.alive)},
             {"pid", rank.process && rank.alive.isYes() ? Json(rank.process->id.pid) : Json(nullptr)},
             {"exit_confirmed", rank.gracefulExitSeen},
             {"state", fateName(fates.of[i])},
             {"metrics", metricsJson(rank.progress)},
             {"fault_tolerance", faultToleranceJson(rank)},
             {"progress", progressJson(rank.progress)}});
    }
    const bool armed =
        std::any_of(view.flags.begin(), view.flags.end(), [](const FlagState &flag) { return flag.armed; });
    out["armed"] = armed;
    out["graceful_exit"] = Json::array();
    for (const FlagState &flag : view.flags) {
        Json entry{{"node", flag.node}, {"path", flag.path}, {"value", orNull(flag.value)}, {"armed", flag.armed}};
        if (flag.since) entry["since"] = isoTime(*flag.since);
        if (!flag.problem.empty()) entry["problem"] = flag.problem;
        out["graceful_exit"].push_back(std::move(entry));
    }
    out["scheduler"] = schedulerJson(snapshot.scheduler.get());
    out["exits_in_progress"] = elsewhereJson(exits);
    out["newest_valid"] = orNull(view.checkpoints.recommended);
    out["lost_work"] = lostWorkJson(view.lostWork);
    if (view.lostWork.known) {
        out["lost_work"]["at_most"] = view.lostWork.atMost && !view.lostWork.asOf;
        out["lost_work"]["as_of"] = view.lostWork.asOf ? Json(isoTime(*view.lostWork.asOf)) : Json(nullptr);
        out["lost_work"]["from_kept"] = view.lostWork.fromKept;
    }
    out["kept"] = keptJson(*view.kept);
    out["settled"] = snapshot.settled;
    out["awaited"] = Json::array();
    for (const std::string &what : snapshot.awaited) out["awaited"].push_back(validUtf8(what));
    out["alarms"] = Json::array();
    for (const Alarm &alarm : snapshot.alarms) out["alarms"].push_back(alarmJson(alarm));
    return out;
}

bool allLive(const SharedVector<NodeStatus> &nodes)
{
    return std::all_of(nodes.begin(), nodes.end(),
                       [](const NodeStatus &node) { return node.state == NodeState::live; });
}

// The state is unknown if the file was not read yet, or if its node has never answered.
const char *flagText(const Snapshot &snapshot, const FlagState &flag)
{
    if (flag.armed) return "ARMED";
    const JobState &view = snapshot.view;
    const bool answers = std::any_of(view.nodes.begin(), view.nodes.end(), [&](const NodeStatus &node) {
        return node.name == flag.node && node.state == NodeState::live;
    });
    return flag.value || (answers && snapshot.settled) ? "not armed" : "not known";
}

void statusText(const Snapshot &snapshot, const std::vector<ExitElsewhere> &exits)
{
    const JobState &view = snapshot.view;
    printToFit(printable(view.job.name));
    for (const Alarm &alarm : snapshot.alarms) printToFit("  " + alarmText(alarm), alarm.severity == Severity::alarm);
    std::ostringstream out;
    const Fates fates = pictureOf(snapshot, snapshot.at).fates;
    for (const NodeStatus &node : view.nodes)
        out << "  node " << node.name << ": " << nodeStateName(node.state)
            << (node.reason.empty() ? "" : ", " + printable(node.reason)) << "\n";
    if (snapshot.scheduler)
        for (const std::string &line : schedulerLines(*snapshot.scheduler)) out << "  " << line << "\n";
    printToFit(out.str());
    for (std::size_t i = 0; i < view.ranks.size(); ++i) {
        const RankState &rank = view.ranks[i];
        const RankProgress &at = rank.progress;
        char line[160];
        std::snprintf(
            line, sizeof line, "  rank %4d  step %10s  loss %-12s %8s  %s", rank.rank,
            at.position ? grouped(*at.position).c_str() : "-", at.hasLoss ? std::to_string(at.loss).c_str() : "-",
            at.seen() ? durationText(secondsBetween(at.heard, snapshot.at)).c_str() : "", fateText(fates.of[i]));
        printToFit(line, fates.of[i] == Fate::died);
    }
    out.str({});
    for (const FlagState &flag : view.flags)
        out << "  graceful exit on " << flag.node << ": " << flagText(snapshot, flag)
            << (flag.since ? " since " + isoTime(*flag.since) : "")
            << (flag.problem.empty() ? "" : ", " + printable(flag.problem)) << "\n";
    for (const ExitElsewhere &exit : exits)
        out << "  exit " << exit.action << " by " << printable(exit.user) << "@" << printable(exit.host) << ": "
            << printable(exit.state) << " at " << isoTime(exit.since)
            << (exit.live ? "" : ", its console was killed: `exit` or `exit --cancel` finishes it") << "\n";
    const CheckpointSet *valid = view.checkpoints.newestValid();
    const std::string at = valid && valid->position ? ", step " + grouped(*valid->position) : "";
    out << "  newest VALID set: "
        << (valid                                                               ? valid->id + at
            : !snapshot.settled || view.lostWork.atMost || !allLive(view.nodes) ? "none known"
                                                                                : "none")
        << unlistedText(view.checkpoints) << "\n  " << lostCaption(pictureOf(snapshot, snapshot.at)) << ": "
        << lostText(view.lostWork) << "\n";
    for (const std::string &line : keptLines(*view.kept)) out << "  " << line << "\n";
    for (const std::string &what : snapshot.awaited) out << "  waiting for: " << printable(what) << "\n";
    printToFit(out.str());
}

// Waits for the scheduler's first answers separately, because they may come later than those of the nodes.
void hearScheduler(Engine &engine, const Globals &globals)
{
    constexpr double longest = 20;
    const SteadyTime deadline = inSeconds(std::min(globals.timeout, longest));
    while (!interruptRequested() && steadyNow() < deadline) {
        const auto snapshot = engine.snapshot();
        if (!snapshot->scheduler || !snapshot->scheduler->answers.empty()) return;
        engine.waitChange(snapshot->generation, 0.2);
    }
}

}  // namespace

int status(const Globals &globals)
{
    Opened opened = open(globals);
    if (!opened.engine) return opened.code;
    const int code = settle(*opened.engine, globals, true);
    if (code == interrupted) return code;
    hearScheduler(*opened.engine, globals);
    const auto snapshot = opened.engine->snapshot();
    std::vector<ExitElsewhere> exits;
    if (const auto journal = Journal::open(globals.stateDirectory); !journal)
        warn(journal.error().message);
    else if (auto others = otherExits(**journal, snapshot->view.job, ""))
        exits = std::move(*others);
    else
        warn("Cannot tell whether another console is stopping this job: " + others.error().message);
    if (globals.json)
        print(statusJson(*snapshot, exits));
    else
        statusText(*snapshot, exits);
    return code == done && !snapshot->settled ? answerIsNo : code;  // the wait timed out
}

}  // namespace rankdeck::ctl
