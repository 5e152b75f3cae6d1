// SPDX-License-Identifier: GPL-3.0-or-later
// Writing and withdrawal of an exit's stop request.
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/journal/journal.h"
#include "core/node/wait_for.h"
#include "core/recover/actions.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/plan/plan_json.h"
#include "core/recover/plan/step_log.h"
#include "core/recover/stop/checks/response_time.h"
#include "core/recover/stop/escalate.h"
#include "core/recover/stop/exit_action.h"
#include "core/recover/stop/exit_consoles.h"
#include "core/recover/stop_method.h"
#include "core/recover/wording.h"

#include <algorithm>
#include <iterator>
#include <thread>

namespace rankdeck {

namespace {

constexpr double putBackSeconds = 30;
constexpr double claimSeconds = 5;  // the ranks are already being asked

Message problemsText(const std::vector<FlagWrite> &writes)
{
    std::vector<Message> sentences;
    for (const FlagWrite &write : writes)
        if (!write.asWanted && write.problem)
            sentences.push_back(
                message("Node %1: %2.", printable(write.node), withoutStop(printable(write.problem->message))));
    return joined(sentences);
}

std::int64_t nodeNow(const JobState &view, const std::string &node, WallTime at)
{
    const WallTime there = secondsAfter(at, clockSkew(view, node));
    return std::chrono::duration_cast<std::chrono::nanoseconds>(there.time_since_epoch()).count();
}

// Copies that were written and not confirmed as withdrawn since. A copy without an answer is among them.
std::vector<FlagLeft> flagsLeft(const std::vector<ConfigCopy> &copies, const std::vector<FlagWrite> &writes)
{
    std::vector<FlagLeft> left;
    for (std::size_t i = 0; i < writes.size(); ++i) {
        const ConfigCopy &copy = copies[i];
        const bool armed = copy.flag && copy.flag->armed;
        const bool ours = copy.asked || copy.uncertain || armed;
        const bool nothingThere = copy.problemCode == "config_missing" && !copy.uncertain && !copy.asked;
        if (writes[i].asWanted || !ours || nothingThere) continue;
        FlagLeft flag{.node = copy.node, .path = copy.path};
        if (copy.flag && !copy.uncertain) flag.value = armed ? 1 : 0;
        left.push_back(std::move(flag));
    }
    return left;
}

Message leftText(const std::vector<FlagLeft> &left)
{
    if (left.empty()) return {};
    std::vector<std::string> places;
    for (const FlagLeft &flag : left)
        places.push_back(flag.path + " on node " + flag.node + (flag.value ? "" : " (it has not answered)"));
    return message("The request may still be set in %1: take it back before the next start, or the run stops after its "
                   "first step.",
                   namesText(places));
}

// Waits until the command has ended on the node; Error refused contains its output. After any other error the command
// may have been started.
Status runOnNode(ActionContext &host, const std::string &name, const LaunchRequest &request, SteadyTime deadline)
{
    NodeClient *node = host.node(name);
    if (!node || node->status().state != NodeState::live)
        return fail(ErrorKind::refused, message("node %1 is not live", printable(name)));
    auto started = node->launch(request);
    auto state = waitFor(started, deadline, name);
    while (state && !state->exitCode && steadyNow() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        auto asked = node->launchStatus(request.id, request.runDirectory);
        state = waitFor(asked, deadline, name);
    }
    if (!state) return state.error();
    if (!state->exitCode) return fail(ErrorKind::timeout, message("%1 did not end in time", request.argv.front()));
    if (*state->exitCode == 0) return Done{};
    auto asked = node->readFile(request.output, 4096);
    const auto said = waitFor(asked, deadline, name);
    return fail(
        ErrorKind::refused,
        said ? message("%1 ended with exit code %2: %3", request.argv.front(), *state->exitCode, printable(said->bytes))
             : message("%1 ended with exit code %2", request.argv.front(), *state->exitCode));
}

}  // namespace

// If a killed console left its stop request: withdraws it if all ranks are gone, and takes it over if they still run.
void ExitAction::finishWhatWasLeft()
{
    const Job job = m_host.view().job;
    const auto others = otherExits(m_host.journal(), job, m_report.journal);
    if (!others) return;  // the acting console is unknown; the preflight refuses
    for (const ExitElsewhere &other : *others)
        if (other.live) return;  // the other console still acts; the preflight refuses
    const Message found = finishInterrupted(m_host, true, m_report.journal);
    std::erase_if(m_report.preflight, [](const Finding &finding) { return finding.code == "left_behind"; });
    if (!found.empty()) m_report.preflight.push_back(warning("left_behind", found, ""));
}

// The first request on a node counts, also if an earlier console wrote it.
void ExitAction::requestedAt(const std::string &node, std::int64_t ns)
{
    std::int64_t &since = m_baseline.armedNs[node];
    since = since == 0 ? ns : std::min(since, ns);
}

void ExitAction::takeBaseline()
{
    m_view = m_host.view();  // as late as possible: changes until now are not effects of the request
    m_baseline.way = m_facts.way;
    m_baseline.savesNothing = m_facts.callback && !m_facts.callback->savesCheckpoint;
    m_baseline.armedAt = wallNow();
    m_baseline.answer = answerSeconds(m_view, m_baseline.armedAt);
    for (const RankProcess &rank : m_facts.processes.ranks) {
        if (!rank.process) continue;
        m_baseline.processes[rank.rank] = rank.process->id;
        m_attempts.insert(launchingAction(*rank.process));
    }
    for (const RankState &rank : m_view.ranks)
        if (rank.progress.position) m_baseline.positions[rank.rank] = *rank.progress.position;
    for (const ConfigCopy &copy : m_facts.copies)
        if (copy.flag && copy.flag->armed && copy.content) requestedAt(copy.node, copy.content->stat.mtimeNs);
    for (const CheckpointSet &set : m_view.checkpoints.sets)
        for (const MemberVerdict &member : set.members)
            if (member.time && !isSavedAfterRequest(member, m_baseline))
                m_baseline.filesBefore[{member.node, member.path}] = *member.time;
    m_proof = proveExit(m_view, m_baseline, m_baseline.armedAt);
}

// If two consoles reach this point at once, the journal lets only one of them go on.
bool ExitAction::mayArm()
{
    const auto earlier = earlierAct(m_host.journal(), m_view.job, m_report.journal);
    if (earlier && !*earlier) return true;
    if (earlier) m_report.elsewhere = {**earlier};
    m_report.preflight.push_back(earlier ? elsewhereFinding(**earlier) : journalFinding(earlier.error()));
    finish("refused", refusalsText(m_report.preflight));
    return false;
}

// This exit takes over and finishes the exits of killed consoles.
void ExitAction::adopt()
{
    for (const ExitElsewhere &other : m_facts.consoles)
        if (!other.live && other.kind == "exit") m_adopted.push_back(other.action);
    // A copy that cannot be read may contain the write of the killed console.
    for (ConfigCopy &copy : m_facts.copies) copy.asked = copy.flag ? copy.flag->armed : !m_adopted.empty();
    m_armed =
        std::any_of(m_facts.copies.begin(), m_facts.copies.end(), [](const ConfigCopy &copy) { return copy.asked; });
}

// A confirmed force stop needs no config, no save and no other node. Only another console that is acting can prevent
// it.
bool ExitAction::mayEscalate() const
{
    return !m_facts.consolesUnknown && std::none_of(m_facts.consoles.begin(), m_facts.consoles.end(),
                                                    [](const ExitElsewhere &other) { return other.live; });
}

bool ExitAction::arm()
{
    tell("arming");
    if (!record("arming", message("the stop request is about to be sent: %1", exitWayText(m_view.job)),
                planToJson(m_report.plan))) {
        finish("refused", refusalsText(m_report.preflight));
        return false;
    }
    if (!mayArm()) return false;
    adopt();
    takeBaseline();
    switch (m_facts.way) {
    case StopMethod::signal: return armBySignal();
    case StopMethod::scancel: return armByScancel();
    case StopMethod::config:
    case StopMethod::configMap:
    case StopMethod::stopFile:
    case StopMethod::none: break;
    }
    return armByFile();
}

void ExitAction::armed(const Message &how, const std::string &data)
{
    record("armed", how, data);
    m_report.started = m_baseline.armedAt;
    m_linesDue = inSeconds(lineDelaySeconds);
    takeDelivered();
}

bool ExitAction::notArmed(const Message &why, const std::string &data)
{
    record("arming_failed", why, data);
    putBack();
    const Message left = !leavesAFile(m_facts.way) ? Message()
                         : m_report.flagReset      ? message("Nothing is left behind.")
                                                   : m_flagLeft;
    finish("refused", joined({message("The stop could not be requested everywhere: %1", why), left}));
    return false;
}

bool ExitAction::armByFile()
{
    m_armed = true;
    const auto writes = writeFlag(m_host, m_facts.copies, true, inSeconds(questionSeconds));
    m_host.refreshFlags();
    bool whole = true;
    for (std::size_t i = 0; i < writes.size(); ++i) {
        ConfigCopy &copy = m_facts.copies[i];
        if (writes[i].asWanted) {
            copy.asked = true;
            m_baseline.armedRanks.insert(copy.ranks.begin(), copy.ranks.end());
            if (copy.configMap) m_baseline.unseen.insert(copy.ranks.begin(), copy.ranks.end());
            requestedAt(copy.node, writes[i].atNs);
        } else if (!(m_options.allowUnreachable && copy.problemCode == "node_not_live")) {
            whole = false;
        }
    }
    if (!whole || m_baseline.armedRanks.empty()) return notArmed(problemsText(writes), flagWritesJson(writes));
    if (resumedMeanwhile()) return false;
    const Message ranks = ranksText({m_baseline.armedRanks.begin(), m_baseline.armedRanks.end()});
    armed(isConfirmed(m_facts.way) ? message("GracefulExit is 1 for %1", ranks)
                                   : message("the stop file has been created for %1", ranks),
          flagWritesJson(writes));
    m_report.text =
        m_facts.way == StopMethod::configMap
            ? message(
                  "The ConfigMap has been written; the ranks read it at the first step after the cluster has copied "
                  "it.")
            : message("The stop request has been written; the ranks read it at their next step.");
    return true;
}

// A resume reserves the job and then checks the flag. An exit sets the flag and then asks which action holds the job.
// If both happen at once, at least one of them notices the other. Without this check, ranks that have just been started
// would stop at their first step, although no operator asked for that.
bool ExitAction::resumedMeanwhile()
{
    const std::vector<ClaimFact> now = readClaims(m_host, m_view, m_report.journal, inSeconds(claimSeconds));
    std::vector<Finding> findings = claimFindings(now);
    const auto isNew = [&](const ClaimFact &claim) {
        return std::any_of(m_facts.claims.begin(), m_facts.claims.end(), [&](const ClaimFact &before) {
            const bool same = before.held.isYes() && before.holder.action == claim.holder.action;
            return before.node == claim.node && !before.held.isUnknown() && !same;
        });
    };
    for (const ClaimFact &claim : now)
        if (claim.held.isYes() && !claim.holder.reserved && isNew(claim))
            findings.push_back(onNode(refusal("other_console",
                                              message("another attempt of this job was started: %1, on node %2",
                                                      printable(claim.holder.text), printable(claim.node)),
                                              message("check the job, then request the stop again")),
                                      claim.node));
    if (findings.empty()) {
        const std::vector<Finding> silent = silentSince(m_facts.claims, now);
        m_report.preflight.insert(m_report.preflight.end(), silent.begin(), silent.end());
        return false;
    }
    record("arming_failed", findings.front().text);
    std::move(findings.begin(), findings.end(), std::back_inserter(m_report.preflight));
    putBack();
    finish("refused", joined({refusalsText(m_report.preflight),
                              m_report.flagReset ? message("The request was taken back at once.") : m_flagLeft}));
    return true;
}

bool ExitAction::armBySignal()
{
    const auto signal = signalOf(m_view.job.gracefulExit.signal).value_or(Signal::term);
    auto list = signalTargets(m_view, m_facts.processes, signal);
    sendSignals(m_host, list, signal, inSeconds(questionSeconds));
    std::vector<Message> unsent;
    for (const ProcessTarget &target : list) {
        if (!target.sent.isYes()) {
            const Message why =
                target.sent.isNo()
                    ? message("%1 was not sent: %2", signalName(signal), printable(target.reason))
                    : message("%1 may have reached the process: %2", signalName(signal), printable(target.reason));
            m_baseline.unsent[target.rank] = why;
            unsent.push_back(message("Rank %1: %2.", target.rank, why));
        }
        if (target.sent.isNo()) continue;
        m_baseline.armedRanks.insert(target.rank);
        m_baseline.armedNs[target.node] = nodeNow(m_view, target.node, m_baseline.armedAt);
    }
    if (list.empty() || m_baseline.armedRanks.empty())
        return notArmed(list.empty() ? message("no process was found") : joined(unsent), targetsJson(list));
    armed(signalledText(list, signal), targetsJson(list));
    m_report.text = joined({message("The signal has been sent."), joined(unsent)});
    return true;
}

bool ExitAction::armByScancel()
{
    const std::string id = launchId(m_report.journal, "scancel");
    const std::string directory = runDirectory(m_view.job, submitNode(m_view.job));
    LaunchRequest request{.id = id,
                          .runDirectory = directory,
                          .argv = {"scancel", "--signal=" + m_view.job.gracefulExit.scancel, m_facts.slurmJob},
                          .output = joinPath(directory, id + ".out")};
    const std::string &submits = m_view.job.launch.submitOn;
    const std::string node = submits.empty() ? m_view.job.nodes.front().name : submits;
    const Status done = runOnNode(m_host, node, request, inSeconds(questionSeconds));
    const bool refused =
        !done && (done.error().kind == ErrorKind::refused || StepLog::fateOf(done.error()) == StepFate::notDone);
    if (refused) return notArmed(done.error().message, "");
    for (const RankProcess &rank : m_facts.processes.ranks) {
        if (rank.alive.isNo()) continue;
        m_baseline.armedRanks.insert(rank.rank);
        m_baseline.armedNs[rank.node] = nodeNow(m_view, rank.node, m_baseline.armedAt);
    }
    const Message sent = message("scancel --signal=%1 %2 on node %3", m_view.job.gracefulExit.scancel, m_facts.slurmJob,
                                 printable(node));
    armed(done ? sent : message("the answer was lost: %1", sent), "");
    m_report.text =
        done ? message("Slurm is sending the signal.")
             : message("The signal may have been sent through Slurm: %1.", withoutStop(done.error().message));
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
    record("resetting", message("the request is about to be taken back"));
    const SteadyTime deadline = inSeconds(putBackSeconds);
    std::vector<FlagWrite> writes;
    while (true) {
        readConfigs(m_host, m_facts.copies, inSeconds(questionSeconds));
        writes = writeFlag(m_host, m_facts.copies, false, inSeconds(questionSeconds));
        m_report.left = flagsLeft(m_facts.copies, writes);
        m_report.flagReset = m_report.left.empty();
        m_flagLeft = leftText(m_report.left);
        if (m_report.flagReset || steadyNow() >= deadline || m_host.stopRequested()) break;
        m_host.waitForChange(inSeconds(2));
    }
    m_armed = !m_report.flagReset;
    record("reset", m_report.flagReset ? message("the request has been taken back on every node") : m_flagLeft,
           flagWritesJson(writes));
    m_host.refreshFlags();
    if (!m_report.flagReset) return;
    for (const std::string &action : m_adopted)
        if (!m_host.journal().append({.action = action,
                                      .job = m_view.job.name,
                                      .file = m_view.job.file,
                                      .kind = "exit",
                                      .state = "finished",
                                      .text = message("taken over and ended by %1", m_report.journal)}))
            break;
    m_adopted.clear();
}

}  // namespace rankdeck
