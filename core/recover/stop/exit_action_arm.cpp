// SPDX-License-Identifier: GPL-3.0-or-later
// How an exit asks the ranks to stop, and takes that back.
#include "core/base/text.h"
#include "core/journal/journal.h"
#include "core/node/wait_for.h"
#include "core/recover/actions.h"
#include "core/recover/flag/stop_method.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/plan/plan_json.h"
#include "core/recover/stop/escalate.h"
#include "core/recover/stop/exit_action.h"
#include "core/recover/stop/exit_consoles.h"
#include "core/recover/stop/response_time.h"
#include "core/recover/wording.h"

#include <algorithm>
#include <thread>

namespace rankdeck {

namespace {

constexpr double questionSeconds = 20;  // of the nodes, for one round
constexpr double putBackSeconds = 30;

std::string problemsText(const std::vector<FlagWrite> &writes)
{
    std::string text;
    for (const FlagWrite &write : writes)
        if (!write.asWanted && write.problem)
            text += (text.empty() ? "" : " ") + std::string("Node ") + printable(write.node) + ": " +
                    printable(write.problem->message) + ".";
    return text;
}

std::int64_t nodeNow(const JobState &view, const std::string &node, WallTime at)
{
    double skew = 0;
    for (const NodeStatus &status : view.nodes)
        if (status.name == node) skew = status.facts.clockSkewSeconds;
    return std::chrono::duration_cast<std::chrono::nanoseconds>(at.time_since_epoch()).count() +
           static_cast<std::int64_t>(skew * 1e9);
}

// Runs to its end on the node; the error says what it printed.
Status runOnNode(ActionContext &host, const std::string &name, const LaunchRequest &request, SteadyTime deadline)
{
    NodeClient *node = host.node(name);
    if (!node) return fail(ErrorKind::unreachable, "node " + printable(name) + " is not there");
    auto started = node->launch(request);
    auto state = waitFor(started, deadline, name);
    while (state && !state->exitCode && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        auto asked = node->launchStatus(request.id, request.runDirectory);
        state = waitFor(asked, deadline, name);
    }
    if (!state) return state.error();
    if (!state->exitCode) return fail(ErrorKind::timeout, request.argv.front() + " did not end in time");
    if (*state->exitCode == 0) return Done{};
    auto asked = node->readFile(request.output, 4096);
    const auto said = waitFor(asked, deadline, name);
    return fail(ErrorKind::refused, request.argv.front() + " ended with " + std::to_string(*state->exitCode) +
                                        (said ? ": " + printable(said->bytes) : ""));
}

}  // namespace

// A console that was killed has left its flag: put back where all ranks are gone, taken over where they run.
void ExitAction::finishWhatWasLeft()
{
    const Job job = m_host.view().job;
    for (const ExitElsewhere &other : otherExits(m_host.journal(), job, m_report.journal))
        if (other.live) return;  // that one is at work; the preflight refuses
    if (const std::string found = finishInterrupted(m_host); !found.empty())
        m_report.preflight.push_back(warning("left_behind", found, ""));
}

void ExitAction::takeBaseline()
{
    m_view = m_host.view();  // as late as can be: what was read before is not what the flag brought about
    m_baseline.way = m_facts.way;
    m_baseline.armedAt = std::chrono::system_clock::now();
    m_baseline.answer = answerSeconds(m_view, m_baseline.armedAt);
    for (const RankProcess &rank : m_facts.processes.ranks)
        if (rank.process) m_baseline.processes[rank.rank] = rank.process->id;
    for (const RankState &rank : m_view.ranks)
        if (rank.progress.position) m_baseline.positions[rank.rank] = *rank.progress.position;
    m_proof = proveExit(m_view, m_baseline, m_baseline.armedAt);
}

// Of two consoles that come to this point at once the journal lets one go on.
bool ExitAction::mayArm()
{
    const auto earlier = earlierExit(m_host.journal(), m_view.job, m_report.journal);
    if (!earlier) return true;
    m_report.elsewhere = {*earlier};
    m_report.preflight.push_back(refusal("exit_elsewhere",
                                         "another console of " + printable(earlier->user) + "@" +
                                             printable(earlier->host) + " was faster: " + printable(earlier->state) +
                                             " by " + printable(earlier->action) + " at " + clockTime(earlier->since),
                                         "watch it there, or take it back with --cancel"));
    finish("refused", refusalsText(m_report.preflight));
    return false;
}

bool ExitAction::arm()
{
    tell("arming");
    if (!record("arming", "the ranks are about to be asked: " + exitWayText(m_view.job), planToJson(m_report.plan))) {
        finish("refused", refusalsText(m_report.preflight));
        return false;
    }
    if (!mayArm()) return false;
    for (const ExitElsewhere &other : m_facts.consoles)
        if (!other.live) m_adopted.push_back(other.action);
    takeBaseline();
    switch (m_facts.way) {
    case StopMethod::signal: return armBySignal();
    case StopMethod::scancel: return armByScancel();
    case StopMethod::config:
    case StopMethod::stopFile:
    case StopMethod::none: break;
    }
    return armByFile();
}

void ExitAction::armed(const std::string &how, const std::string &data)
{
    record("armed", how, data);
    m_report.started = m_baseline.armedAt;
    m_linesDue = inSeconds(lineDelaySeconds);
    takeDelivered();
}

bool ExitAction::notArmed(const std::string &why, const std::string &data)
{
    record("arming_failed", why, data);
    putBack();
    const std::string left = m_report.flagReset ? " Nothing is left behind." : " " + m_flagLeft;
    finish("refused", "The ranks could not be asked everywhere: " + why + (leavesAFile(m_facts.way) ? left : ""));
    return false;
}

bool ExitAction::armByFile()
{
    const auto writes = writeFlag(m_host, m_facts.copies, true, inSeconds(questionSeconds));
    m_armed = true;
    m_host.refreshFlags();
    bool whole = true;
    for (std::size_t i = 0; i < writes.size(); ++i) {
        const ConfigCopy &copy = m_facts.copies[i];
        if (writes[i].asWanted) {
            m_baseline.armedRanks.insert(copy.ranks.begin(), copy.ranks.end());
            std::int64_t &since = m_baseline.armedNs[copy.node];
            since = since == 0 ? writes[i].atNs : std::min(since, writes[i].atNs);
        } else if (!(m_options.allowUnreachable && copy.problemCode == "node_not_live")) {
            whole = false;
        }
    }
    if (!whole || m_baseline.armedRanks.empty()) return notArmed(problemsText(writes), flagWritesJson(writes));
    const std::string ranks = ranksText({m_baseline.armedRanks.begin(), m_baseline.armedRanks.end()});
    armed(m_facts.way == StopMethod::config ? "GracefulExit is 1 for " + ranks : "the stop file is there for " + ranks,
          flagWritesJson(writes));
    m_report.text = "The flag is written; the ranks read it at their next step.";
    return true;
}

bool ExitAction::armBySignal()
{
    const auto signal = signalOf(m_view.job.gracefulExit.signal).value_or(Signal::term);
    auto list = signalList(m_view, m_facts.processes, signal);
    sendSignals(m_host, list, signal, inSeconds(questionSeconds));
    std::string unsent;
    for (const Signalled &target : list) {
        if (target.sent) {
            m_baseline.armedRanks.insert(target.rank);
            m_baseline.armedNs[target.node] = nodeNow(m_view, target.node, m_baseline.armedAt);
        } else {
            unsent += " Rank " + std::to_string(target.rank) + ": " + printable(target.reason) + ".";
        }
    }
    if (list.empty() || m_baseline.armedRanks.empty())
        return notArmed(list.empty() ? "no process was found" : unsent.substr(1), signalledJson(list));
    armed(signalledText(list, signal), signalledJson(list));
    m_report.text = "The signal is sent." + unsent;
    return true;
}

bool ExitAction::armByScancel()
{
    const std::string id = launchId(m_report.journal, "scancel");
    const std::string directory = runDirectory(m_view.job);
    LaunchRequest request{.id = id,
                          .runDirectory = directory,
                          .argv = {"scancel", "--signal=" + m_view.job.gracefulExit.scancel, m_facts.slurmJob},
                          .output = joinPath(directory, id + ".out")};
    const std::string &submits = m_view.job.launch.submitOn;
    const std::string node = submits.empty() ? m_view.job.nodes.front().name : submits;
    const Status done = runOnNode(m_host, node, request, inSeconds(questionSeconds));
    if (!done) return notArmed(done.error().message, "");
    for (const RankProcess &rank : m_facts.processes.ranks) {
        if (rank.alive == false) continue;
        m_baseline.armedRanks.insert(rank.rank);
        m_baseline.armedNs[rank.node] = nodeNow(m_view, rank.node, m_baseline.armedAt);
    }
    armed("scancel --signal=" + m_view.job.gracefulExit.scancel + " " + m_facts.slurmJob + " on node " +
              printable(node),
          "");
    m_report.text = "Slurm sends the signal.";
    return true;
}

void ExitAction::putBack()
{
    if (!leavesAFile(m_facts.way)) {
        m_report.flagReset = true;  // nothing was left on a node
        return;
    }
    if (!m_armed) return;
    tell("resetting");
    record("resetting", "the request is about to be taken back");
    const SteadyTime deadline = inSeconds(putBackSeconds);
    std::vector<FlagWrite> writes;
    while (true) {
        readConfigs(m_host, m_facts.copies, inSeconds(questionSeconds));
        writes = writeFlag(m_host, m_facts.copies, false, inSeconds(questionSeconds));
        std::vector<std::string> left;
        for (std::size_t i = 0; i < writes.size(); ++i) {
            const bool ours = m_baseline.armedNs.contains(writes[i].node) ||
                              (m_facts.copies[i].flag && m_facts.copies[i].flag->armed);
            const bool nothingThere = m_facts.copies[i].problemCode == "config_missing";
            if (!writes[i].asWanted && ours && !nothingThere)
                left.push_back(writes[i].path + " on node " + writes[i].node);
        }
        m_report.flagReset = left.empty();
        m_flagLeft = left.empty() ? ""
                                  : "The request may still stand in " + namesText(left) +
                                        ": take it back before the next start, or the run stops after its first step.";
        if (m_report.flagReset || std::chrono::steady_clock::now() >= deadline || m_host.stopRequested()) break;
        m_host.waitForChange(inSeconds(2));
    }
    m_armed = !m_report.flagReset;
    record("reset", m_report.flagReset ? "the request is taken back on every node" : m_flagLeft,
           flagWritesJson(writes));
    m_host.refreshFlags();
    if (!m_report.flagReset) return;
    for (const std::string &action : m_adopted)
        if (!m_host.journal().append({.action = action,
                                      .job = m_view.job.name,
                                      .file = m_view.job.file,
                                      .kind = "exit",
                                      .state = "finished",
                                      .text = "taken over and ended by " + m_report.journal}))
            break;
    m_adopted.clear();
}

}  // namespace rankdeck
