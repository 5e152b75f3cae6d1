// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/stop/checks/exit_checks.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/recover/stop/checks/response_time.h"
#include "core/recover/stop_method.h"
#include "core/recover/wording.h"

#include <algorithm>
#include <array>

namespace rankdeck {

namespace {

constexpr std::array mindioModes{"TTP:1", "UCE:1", "ARF:1", "HCCE:1"};

constexpr double slowAnswer = 60;

bool isStopped(const RankProcess &rank)
{
    return rank.alive.isYes() && rank.process && (rank.process->state == 'T' || rank.process->state == 't');
}

// MindFormers sets the switch itself, from its yaml, so the environment at the start of the process proves nothing.
bool setsTheSwitchItself(const JobState &view, const ProcessInfo &process)
{
    const FrameworkInfo *info = frameworkInfo(view.job.framework);
    return (info && info->ownsStopSwitch) ||
           std::any_of(process.argv.begin(), process.argv.end(),
                       [](const std::string &word) { return baseName(word).find("mindformer") != std::string::npos; });
}

void checkByYaml(Findings &into, const ExitFacts &facts, const std::vector<int> &ranks)
{
    if (facts.gracefulReady == true)
        into.push_back(okFinding(
            "graceful_env", message("%1 run MindFormers, and the newest checkpoint shows that use_graceful_exit is on",
                                    ranksText(ranks))));
    else
        into.push_back(
            warning("graceful_env",
                    message("%1 run MindFormers, which sets MS_ENABLE_GRACEFUL_EXIT from its yaml: cannot tell from "
                            "outside whether use_graceful_exit is True there",
                            ranksText(ranks)),
                    message("check use_graceful_exit in the yaml; if it is False, the stop would do nothing")));
}

// True if any rank's log has grown within max(60 s, 10 steps).
bool anyMoves(const JobState &view, WallTime now)
{
    const double quiet = std::max(60.0, 10 * view.stepSeconds.value_or(0));
    return std::any_of(view.ranks.begin(), view.ranks.end(), [&](const RankState &rank) {
        return rank.progress.position && secondsBetween(rank.progress.heard, now) < quiet;
    });
}

// True if the config of an ended rank has a stop request, and no error of the rank is known. Then the rank may have obeyed,
// even if its last lines are not read yet.
bool mayHaveObeyed(const JobState &view, const ExitFacts &facts, int rank)
{
    const bool requested = std::any_of(facts.copies.begin(), facts.copies.end(), [&](const ConfigCopy &copy) {
        return copy.flag && copy.flag->armed &&
               std::find(copy.ranks.begin(), copy.ranks.end(), rank) != copy.ranks.end();
    });
    return requested && std::none_of(view.ranks.begin(), view.ranks.end(), [&](const RankState &state) {
               return state.rank == rank && (state.error || state.oomKill || state.exitCode.value_or(0) != 0);
           });
}

void checkDead(Findings &into, const JobState &view, const ExitFacts &facts, const std::vector<int> &dead)
{
    if (dead.empty()) return;
    if (std::all_of(dead.begin(), dead.end(), [&](int rank) { return mayHaveObeyed(view, facts, rank); }))
        into.push_back(warning(
            "rank_dead", message("%1 ended, perhaps because of the stop request that is already set", ranksText(dead)),
            message("wait for the other ranks; if they do not end, force a stop")));
    else
        into.push_back(
            refusal("rank_dead",
                    message("expected all %1 ranks alive, found no process of %2", view.ranks.size(), ranksText(dead)),
                    message("a graceful stop needs every rank to agree, so it would never finish: end the others, then "
                            "resume from the newest VALID set")));
}

}  // namespace

void checkRanks(Findings &into, const JobState &view, const ExitFacts &facts)
{
    std::vector<int> dead, unknown, alive, stopped;
    for (const RankProcess &rank : facts.processes.ranks) {
        (rank.alive.isUnknown() ? unknown : rank.alive.isYes() ? alive : dead).push_back(rank.rank);
        if (isStopped(rank)) stopped.push_back(rank.rank);
    }
    if (alive.empty() && unknown.empty()) {
        into.push_back(refusal("not_running", message("expected running ranks, found no process of this job"),
                               message("there is nothing to stop; resume starts the job again")));
        return;
    }
    // If this login cannot read the rank processes, the logs show whether the ranks run.
    if (alive.empty() && !anyMoves(view, facts.now)) {
        into.push_back(
            refusal("ranks_unknown",
                    message("expected running ranks, found no process that is known to belong to this job and no log "
                            "that is growing; cannot tell whether %1 %2",
                            ranksText(unknown), unknown.size() == 1 ? message("is running") : message("are running")),
                    message("a request that no rank reads would stop the next start: find the ranks with status, or "
                            "with ps on their nodes")));
        return;
    }
    for (const auto &[node, sorted] : facts.processes.nodes)
        for (const auto &[rank, second] : sorted.claims)
            into.push_back(
                onRank(onNode(refusal("ranks_unknown",
                                      message("two processes claim to be rank %1 on node %2: %3", rank, printable(node),
                                              pidsText({sorted.ranks.at(rank), second})),
                                      message("find out which of the two is the rank, and end the other one by hand")),
                              node),
                       rank));
    checkDead(into, view, facts, dead);
    if (!stopped.empty())
        into.push_back(warning(
            "rank_silent",
            message("the process of %1 is stopped by a signal (state T): it reads nothing until it is continued",
                    ranksText(stopped)),
            dead.empty()
                ? message("continue it (kill -CONT), or find out why it was stopped; until then the ranks cannot agree")
                : message("a stopped process does not handle SIGTERM either; if you end the other ranks, end it with "
                          "SIGKILL")));
    if (!unknown.empty())
        into.push_back(warning("rank_silent",
                               message("cannot tell whether %1 %2", ranksText(unknown),
                                       unknown.size() == 1 ? message("is running") : message("are running")),
                               message("log in as the user who runs the training, so that /proc can be read")));
}

void checkEnvironment(Findings &into, const JobState &view, const ExitFacts &facts)
{
    std::vector<int> without, hidden, byYaml;
    Message found;
    for (const RankProcess &rank : facts.processes.ranks) {
        if (!rank.alive.isYes()) continue;
        if (rank.process && setsTheSwitchItself(view, *rank.process)) {
            byYaml.push_back(rank.rank);
            continue;
        }
        if (!rank.process || !rank.process->envReadable) {
            hidden.push_back(rank.rank);
            continue;
        }
        const auto value = rank.process->env.find("MS_ENABLE_GRACEFUL_EXIT");
        if (value != rank.process->env.end() && value->second == "1") continue;
        without.push_back(rank.rank);
        found =
            value == rank.process->env.end() ? message("it unset") : Message("\"" + printable(value->second) + "\"");
    }
    if (!byYaml.empty()) checkByYaml(into, facts, byYaml);
    if (!without.empty())
        into.push_back(refusal("graceful_env",
                               message("expected MS_ENABLE_GRACEFUL_EXIT=1 in the environment of %1, found %2: "
                                       "MindSpore then never reads the config, so the stop would do nothing",
                                       ranksText(without), found),
                               message("start the job with MS_ENABLE_GRACEFUL_EXIT=1 (launch.env of the job file) next "
                                       "time; for now, wait for a checkpoint and kill the job")));
    if (!hidden.empty())
        into.push_back(warning(
            "graceful_env",
            message("the environment of %1 cannot be read, so MS_ENABLE_GRACEFUL_EXIT is unknown", ranksText(hidden)),
            message("log in as the user who runs the training")));
}

// MindIO's controller watches the ranks, but does not know about the stop request.
void checkController(Findings &into, const ExitFacts &facts)
{
    std::vector<int> watched;
    std::string modes;
    for (const RankProcess &rank : facts.processes.ranks) {
        if (!rank.alive.isYes() || !rank.process) continue;
        const auto told = rank.process->env.find("MS_ENABLE_TFT");
        if (told == rank.process->env.end()) continue;
        const bool mindio = std::any_of(mindioModes.begin(), mindioModes.end(),
                                        [&](const char *mode) { return told->second.find(mode) != std::string::npos; });
        if (!mindio) continue;
        watched.push_back(rank.rank);
        modes = told->second;
    }
    if (watched.empty()) return;
    into.push_back(warning("fault_tolerance",
                           message("MindIO's controller watches %1 (MS_ENABLE_TFT is %2): it may treat their end as a "
                                   "fault, and save an emergency checkpoint or restart them",
                                   ranksText(watched), printable(modes)),
                           message("afterwards, check that no process has come back, and which set is the newest; a "
                                   "t*p_saved_checkpoints folder from this minute was made by the controller")));
}

// Without a handler, the signal's default action ends the process in the middle of a step, without a save.
void checkSignal(Findings &into, const JobState &view, const ExitFacts &facts)
{
    const std::string name =
        facts.way == StopMethod::scancel ? view.job.gracefulExit.scancel : view.job.gracefulExit.signal;
    const auto signal = signalOf(name);
    if (!signal) return;
    std::vector<int> caught, fatal, ignored, unknown;
    for (const RankProcess &rank : facts.processes.ranks) {
        if (!rank.alive.isYes()) continue;
        const auto look = facts.looks.find(rank.rank);
        const bool told = look != facts.looks.end();
        const Known catches = told ? look->second.catches(signalNumber(*signal)) : Known::unknown;
        const Known ignores = told ? look->second.ignores(signalNumber(*signal)) : Known::unknown;
        if (catches.isYes())
            caught.push_back(rank.rank);
        else if (ignores.isYes())
            ignored.push_back(rank.rank);
        else
            (catches.isNo() && ignores.isNo() ? fatal : unknown).push_back(rank.rank);
    }
    if (!fatal.empty())
        into.push_back(
            refusal("signal_handler",
                    message("expected a handler for SIG%1 in %2, found none: the signal would end the process at once, "
                            "without a save",
                            name, ranksText(fatal)),
                    message("install the handler in the script, or set the signal that it handles in the job file")));
    if (!ignored.empty())
        into.push_back(refusal("signal_handler",
                               message("%1 ignores SIG%2: the signal would do nothing", ranksText(ignored), name),
                               message("set the signal that the script handles in the job file")));
    if (!unknown.empty())
        into.push_back(warning("signal_handler",
                               message("cannot tell from /proc whether %1 handles SIG%2", ranksText(unknown), name),
                               message("log in as the user who runs the training")));
    if (!caught.empty())
        into.push_back(okFinding("signal_handler", message("%1 has a handler for SIG%2", ranksText(caught), name)));
    if (name == "INT" && !caught.empty())
        into.push_back(warning("signal_handler",
                               message("Python itself handles SIGINT, as KeyboardInterrupt: having a handler does not "
                                       "mean that the script saves"),
                               message("make sure that the script saves on KeyboardInterrupt")));
}

void checkPace(Findings &into, const JobState &view, WallTime now)
{
    const std::int64_t gap = stepsPerLine(view);
    if (const auto answer = answerSeconds(view, now)) {
        const double line = *lineSeconds(view);
        Message text = message("the stop request is read when the next step begins: a step takes about %1, and the "
                               "next one ends in about %2",
                               durationText(*view.stepSeconds), durationText(*answer));
        if (gap > 1)
            text = message("a loss line appears every %1 steps: if that many run in one sink, the stop request is read "
                           "every %2, next in about %3",
                           grouped(gap), durationText(line), durationText(*answer));
        if (line > slowAnswer)
            into.push_back(warning(
                "step_time", text,
                message("the ranks answer only after that time; wait%1", terminalWords(", or increase --wait"))));
        else
            into.push_back(okFinding("step_time", text));
    }
    const double patience = std::max(60.0, 10 * lineSeconds(view).value_or(0));
    std::vector<int> silent;
    for (const RankState &rank : view.ranks)
        if (rank.alive.isYes() && rank.progress.heard != WallTime{} &&
            secondsBetween(rank.progress.heard, now) > patience)
            silent.push_back(rank.rank);
    if (!silent.empty())
        into.push_back(warning(
            "rank_silent", message("%1 logged no step for more than %2", ranksText(silent), durationText(patience)),
            message("a rank that hangs never agrees to the stop; check its log, or be ready for a force stop")));
}

// Volcano kills pods that it moves elsewhere, and Slurm kills a job whose time is over; both lose the unsaved work.
void checkForcedEnd(Findings &into, const JobState &view, const ExitFacts &facts)
{
    if (!facts.ends) return;
    const double left = secondsBetween(facts.now, *facts.ends);
    if (left < 0) return;
    const auto answer = answerSeconds(view, facts.now);
    const Message text =
        message("the scheduler will end the job by force at %1, in %2: the save must be finished by then",
                clockTime(*facts.ends), durationText(left));
    if (answer && *answer < left)
        into.push_back(okFinding("step_time", text));
    else
        into.push_back(warning(
            "step_time",
            answer ? message("%1, and the next step ends in about %2", text, durationText(*answer))
                   : message("%1, and the step time is unknown", text),
            message(
                "work since the newest VALID set is lost if it is not saved by then; waiting longer does not help")));
}

}  // namespace rankdeck
