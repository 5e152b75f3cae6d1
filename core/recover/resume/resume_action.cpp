// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/resume_action.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/journal/journal.h"
#include "core/node/wait_for.h"
#include "core/recover/actions.h"
#include "core/recover/plan/copy_room.h"
#include "core/recover/plan/plan_json.h"
#include "core/recover/resume/checks/resume_checks.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <set>

namespace rankdeck {

namespace {

constexpr double planSeconds = 30;
constexpr double growthSeconds = 3;    // allowance for slow checks
constexpr double collectSeconds = 30;  // time for a launcher to collect its workers
constexpr double roomSeconds = 10;
constexpr double readSeconds = 60;  // limit for reading the newest set, or for judging a set that was put back

std::string proofJson(const std::vector<RankProof> &ranks)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const RankProof &rank : ranks) {
        nlohmann::ordered_json entry{{"rank", rank.rank}, {"proven", rank.proven}, {"note", validUtf8(rank.note)}};
        if (rank.loadedGlobalStep) entry["loaded_global_step"] = *rank.loadedGlobalStep;
        if (rank.firstStep) entry["first_step"] = *rank.firstStep;
        list.push_back(std::move(entry));
    }
    return list.dump();
}

// Nodes on which the job is reserved, and whether each has launches or only file steps.
std::set<std::pair<std::string, bool>> placesOf(const Plan &plan)
{
    std::set<std::pair<std::string, bool>> places;
    for (const NodePlan &node : plan.nodes)
        if (!node.launches.empty() || !node.files.empty()) places.emplace(node.node, !node.launches.empty());
    return places;
}

// Findings that may disappear when a kept set is put back.
bool isOfTheSet(const Finding &finding)
{
    return finding.code == "kept_set" || finding.code == "no_valid_set" || finding.code == "set_not_valid";
}

bool isOfALauncher(const Finding &finding)
{
    return finding.code == "attempt_running" || finding.code == "launcher_alive" || finding.code == "port_in_use";
}

NewestWrites writesOf(const ResumeFacts &facts)
{
    return facts.choice.fit() ? newestWrites(facts.view, facts.book, facts.processes, facts.running) : NewestWrites{};
}

}  // namespace

ResumeAction::ResumeAction(ActionContext &host, ResumeOptions options, ResumeProgress progress)
    : m_pods(host), m_host(m_pods), m_options(std::move(options)), m_progress(std::move(progress)),
      m_reservation(m_host)
{
    m_report.started = wallNow();
    m_steps = StepLog([this](const std::string &data) -> Status {
        if (record(stepEntry, stepsText(m_report.plan, data), data)) return Done{};
        return fail(ErrorKind::internal, m_report.preflight.back().text);
    });
}

void ResumeAction::tell(ResumePhase phase)
{
    m_report.phase = phase;
    const std::string print = std::string(phase.word()) + "|" + m_report.outcome.word() + "|" + m_report.text + "|" +
                              proofJson(m_report.ranks);
    if (print == m_told || !m_progress) return;
    m_told = print;
    m_progress(m_report);
}

JournalEntry ResumeAction::entryOf(const std::string &state, const Message &text, const std::string &data) const
{
    return {.action = m_report.journal,
            .job = m_view.job.name,
            .file = m_view.job.file,
            .kind = "resume",
            .state = state,
            .text = text,
            .data = data};
}

bool ResumeAction::record(const std::string &state, const Message &text, const std::string &data)
{
    const Status kept = m_host.journal().append(entryOf(state, text, data));
    if (!kept)
        m_report.preflight.push_back(
            refusal("journal", kept.error().message,
                    message("make the journal writable, then try again; Rankdeck records every action there")));
    return kept.has_value();
}

ResumeReport ResumeAction::finish(ResumeOutcome outcome, const Message &text, const Message &left)
{
    m_report.outcome = outcome;
    m_report.text = text;
    if (!m_report.journal.empty() && left.empty()) record(outcome.word(), text, proofJson(m_report.ranks));
    // The entry about the remaining files comes last, so that the next console finds it and finishes the work.
    if (!m_report.journal.empty() && !left.empty())
        if (const Status kept = m_host.journal().appendBoth(entryOf(outcome.word(), text, proofJson(m_report.ranks)),
                                                            entryOf("rollback_left", left));
            !kept)
            m_report.preflight.push_back(
                refusal("journal", kept.error().message,
                        message("make the journal writable, then try again; Rankdeck records every action there")));
    tell("done");
    return m_report;
}

void ResumeAction::look(const std::string &id)
{
    m_report.ranks.clear();
    m_view = m_host.view();
    m_facts = readResumeFacts(m_host, m_view, m_options, id, inSeconds(planSeconds));
    m_report.set = m_facts.choice.set ? m_facts.choice.set->id : m_options.set.value_or("");
    std::vector<Finding> findings = resumeFindings(m_facts);
    std::move(findings.begin(), findings.end(), std::back_inserter(m_report.preflight));
    m_report.plan = resumePlan(m_facts);
    checkRoom();
    for (const RankState &rank : m_view.ranks) m_report.ranks.push_back({.rank = rank.rank});
}

// Checks the room for the copies that the plan makes; room for later saves has its own finding.
void ResumeAction::checkRoom()
{
    const auto sizeOf = [this](const std::string &node, const std::string &path) -> std::uint64_t {
        for (const PinnedFile &file : m_facts.layout.members)
            if (file.node == node && (file.path == path || file.pathNow == path)) return file.stat.size;
        const auto stat = m_facts.book.stat(node, path);
        return stat ? stat->size : 0;
    };
    for (const CopyRoom &room : tightDisks(m_host, m_report.plan, sizeOf, inSeconds(roomSeconds))) {
        const Finding finding =
            room.free ? refusal("disk_room", copyRoomText(room), message("free some space there; nothing was copied"))
                      : warning("disk_room", copyRoomText(room), message("check the disk there before you resume"));
        m_report.preflight.push_back(onNode(finding, room.node));
    }
}

// Files that grew recently may belong to a run, and an unread set may be the newest VALID one. If there is no other
// reason against the resume, waits until the files stay unchanged or grow again, or until the set has been read.
void ResumeAction::lookUntilQuiet(const std::string &id)
{
    const std::vector<Finding> before = m_report.preflight;
    const SteadyTime began = steadyNow();
    look(id);
    NewestWrites writes = writesOf(m_facts);
    for (double seconds = worthWaiting(); seconds != 0; seconds = worthWaiting()) {
        const bool chosen = m_facts.choice.fit();
        const Message why = collecting() ? message("The launcher is collecting its workers.")
                            : chosen     ? message("Waiting to see whether the run has ended.")
                                         : message("Waiting for the newest set.");
        m_report.text = joined({why, refusalsText(m_report.preflight)});
        tell("preflight");
        const SteadyTime now = steadyNow();
        if (wroteSince(writes, writesOf(m_facts)) || m_host.stopRequested() ||
            now - began >= std::chrono::duration<double>(seconds))
            return;
        m_host.waitForChange(inSeconds(1));
        m_report.preflight = before;
        look(id);
        if (!chosen) writes = writesOf(m_facts);
    }
}

bool ResumeAction::isRefused(FindingCode code) const
{
    return std::any_of(m_report.preflight.begin(), m_report.preflight.end(), [&](const Finding &finding) {
        return finding.result == Finding::Result::refuse && finding.code == code;
    });
}

// True if the ranks are gone, but their launcher or scheduler still runs: it ends within seconds.
bool ResumeAction::collecting() const
{
    const bool anyAlive =
        std::any_of(m_view.ranks.begin(), m_view.ranks.end(), [](const RankState &rank) { return rank.alive.isYes(); });
    return !anyAlive && (isRefused("attempt_running") || isRefused("launcher_alive"));
}

// Seconds after which the refusals may have disappeared without any action; 0: there is no refusal, or one that will
// stay.
double ResumeAction::worthWaiting() const
{
    const bool unread = !m_options.set && unreadBeforeRecommended(m_view.checkpoints), launcherEnds = collecting();
    const bool only = std::all_of(m_report.preflight.begin(), m_report.preflight.end(), [&](const Finding &finding) {
        return finding.result != Finding::Result::refuse || finding.code == "run_moving" ||
               (launcherEnds && isOfALauncher(finding)) || (unread && finding.code == "set_not_valid");
    });
    if (!only) return 0;
    if (unread && isRefused("set_not_valid")) return readSeconds;
    if (isRefused("run_moving")) return quietSeconds(m_view) + growthSeconds;
    return launcherEnds ? collectSeconds : 0;
}

// A resume waits for the end of a launcher, so its plan only warns of it.
void ResumeAction::sayWhatEnds()
{
    if (!collecting() || worthWaiting() == 0 || isRefused("attempt_running")) return;
    for (Finding &finding : m_report.preflight) {
        if (finding.result != Finding::Result::refuse || !isOfALauncher(finding)) continue;
        finding.result = Finding::Result::warn;
        finding.fix =
            message("the launcher is collecting its workers: the resume waits up to %1 s for the launcher to end",
                    static_cast<int>(collectSeconds));
    }
}

// A confirmed list of processes is ended exactly as it was shown, or not at all.
void ResumeAction::checkEnds()
{
    if (!m_options.mayEnd) m_options.mayEnd = endsOf(m_report.plan);
    for (const NodePlan &node : m_report.plan.nodes)
        for (const ProcessEnd &end : node.ends) {
            const auto known =
                std::find(m_options.mayEnd->begin(), m_options.mayEnd->end(), std::pair(node.node, end.process));
            if (known != m_options.mayEnd->end()) continue;
            m_report.preflight.push_back(
                onNode(refusal("survivors",
                               message("%1 is running on node %2, but was not in the list of processes to end",
                                       printable(end.text), printable(node.node)),
                               message("check again, and confirm the new list")),
                       node.node));
        }
}

// The kept set that should be put back. None if the resume is refused anyway, or if ranks run: their rotation may
// delete the set again.
const KeptSet *ResumeAction::wantedBack() const
{
    if (!m_options.fixing("kept_set")) return nullptr;
    const bool runs =
        std::any_of(m_view.ranks.begin(), m_view.ranks.end(), [](const RankState &rank) { return rank.alive.isYes(); });
    std::vector<Finding> others = chooseResume(m_view, m_options).findings;
    std::erase_if(others, isOfTheSet);
    return runs || anyRefusal(others) ? nullptr : keptToPutBack(m_view, m_options);
}

// Adds the steps that put the kept set back. The plan of the resume itself is made later, after the set has been judged
// again.
void ResumeAction::planPutBack()
{
    const std::string id = wantedBack()->id;
    const KeepReport put = runKeep(m_host, {.set = id, .act = KeepAct::restore, .dryRun = true});
    std::erase_if(m_report.preflight, isOfTheSet);
    if (put.outcome != "dry_run") {
        m_report.preflight.push_back(refusal("kept_set", put.text, message("check the kept sets there")));
        return;
    }
    m_report.set = id;
    m_report.plan = put.plan;
    m_report.plan.summary = message("%1. Then Rankdeck judges it and plans the resume from it", m_report.plan.summary);
    Finding finding = okFinding("kept_set", put.text);
    finding.fixable = true;
    m_report.preflight.push_back(std::move(finding));
}

// The set stays among the checkpoints, whatever the result of the resume; the kept copy stays, too.
bool ResumeAction::putBack()
{
    m_view = m_host.view();
    const KeptSet *kept = wantedBack();
    if (!kept) return true;
    const std::string id = kept->id;
    m_report.text = message("Set %1 is being put back.", printable(id));
    tell("preflight");
    const KeepReport put = runKeep(m_host, {.set = id, .act = KeepAct::restore});
    if (put.outcome != "restored") {
        m_report.preflight.push_back(refusal("kept_set", put.text, message("check the kept sets there")));
        return false;
    }
    m_report.preflight.push_back(okFinding("kept_set", put.text));
    m_options.set = id;
    const SteadyTime deadline = inSeconds(readSeconds);
    const auto judged = [&] {
        const CheckpointSet *set = m_view.checkpoints.find(id);
        return set && set->verdict != Verdict::unknown && set->verdict != Verdict::inProgress &&
               set->verdict != Verdict::incomplete;
    };
    for (m_view = m_host.view(); !judged() && !m_host.stopRequested() && steadyNow() < deadline; m_view = m_host.view())
        m_host.waitForChange(std::min(deadline, inSeconds(1)));
    return true;
}

// Repeats the checks while the job is reserved. Another console may have made changes between the first checks and the
// reservation, but cannot make any now.
bool ResumeAction::lookWhileHeld()
{
    const Plan before = m_report.plan;
    std::vector<Finding> told;
    std::copy_if(
        m_report.preflight.begin(), m_report.preflight.end(), std::back_inserter(told),
        [](const Finding &finding) { return finding.code == "interrupted_action" || finding.code == "kept_set"; });
    m_report.preflight = std::move(told);
    lookUntilQuiet(before.id);  // leftover processes may have saved in the meantime
    const std::string changed = planToJson(withoutSecrets(m_report.plan));
    const bool same = changed == planToJson(withoutSecrets(before));
    if (!same && !anyRefusal(m_report.preflight) && placesOf(m_report.plan) != placesOf(before))
        m_report.preflight.push_back(
            refusal("other_console",
                    message("the job has changed since it was checked; the new plan: %1", m_report.plan.summary),
                    message("review the new plan")));
    checkEnds();
    if (anyRefusal(m_report.preflight)) {
        finish("refused", refusalsText(m_report.preflight));
        return false;
    }
    if (!same && !record("planned", m_report.plan.summary, changed)) {
        finish("refused", refusalsText(m_report.preflight));
        return false;
    }
    takeBaseline();
    return true;
}

ResumeReport ResumeAction::plan()
{
    look(Journal::newActionId("resume"));
    if (wantedBack()) planPutBack();
    sayWhatEnds();
    const bool refused = anyRefusal(m_report.preflight);
    m_report.outcome = refused ? ResumeOutcome("refused") : ResumeOutcome("dry_run");
    m_report.text =
        refused ? refusalsText(m_report.preflight) : message("%1. Nothing was done.", m_report.plan.summary);
    m_report.phase = "done";
    return m_report;
}

ResumeReport ResumeAction::run()
{
    if (m_options.dryRun) return plan();
    tell("planning");
    // First finishes the action of a killed console: the plan depends on the files that it left.
    const Message before = finishInterrupted(m_host);
    if (!before.empty())
        m_report.preflight.push_back(warning("interrupted_action", before, message("check the journal")));
    if (!putBack()) return finish("refused", refusalsText(m_report.preflight));
    lookUntilQuiet(Journal::newActionId("resume"));
    checkEnds();
    m_report.journal = m_report.plan.id;
    if (!record("planned", m_report.plan.summary, planToJson(withoutSecrets(m_report.plan))) ||
        anyRefusal(m_report.preflight))
        return finish("refused", refusalsText(m_report.preflight));
    tell("preflight");
    if (otherConsole()) return finish("refused", refusalsText(m_report.preflight));
    if (m_host.stopRequested()) return finish("refused", message("Cancelled before anything was done."));
    if (!reserve()) return m_report;
    const bool launched = lookWhileHeld() && prepare() && launch();
    m_reservation.release();
    return launched ? prove() : m_report;
}

void ResumeAction::takeBaseline()
{
    const CheckpointSet &set = *m_facts.choice.set;
    m_baseline = {.attemptBefore = m_view.attempt, .set = set};
    placeBaseline(m_baseline, m_view.stepsPerEpoch);
    m_baseline.countsAnew = !m_facts.exitLoad.files.empty();
    m_baseline.anyOf = m_facts.folders.loaded;
    const auto &views = m_facts.layout.viewDirectories;
    for (const PinnedFile &member : m_facts.layout.members) {
        const auto byExit = m_facts.exitLoad.files.find(member.rank);
        m_baseline.checkpoints[member.rank] = byExit == m_facts.exitLoad.files.end() ? member.path : byExit->second;
        if (const auto view = views.find(member.node); view != views.end())
            m_baseline.views[member.rank] = view->second;
    }
    if (!m_baseline.position) return;
    constexpr std::int64_t around = 200;
    for (const RankState &rank : m_view.ranks)
        m_baseline.oldLosses[rank.rank] =
            m_host.lossesBefore(rank.rank, *m_baseline.position - around, *m_baseline.position + around);
}

// If two actions begin at the same time, the order of their entries in the journal lets only the first go on.
bool ResumeAction::otherConsole()
{
    const auto entries = m_host.journal().read(m_view.job.name, m_view.job.file);
    const auto open = m_host.journal().unfinished(m_view.job.name, m_view.job.file);
    if (!entries || !open) {
        const Error &error = entries ? open.error() : entries.error();
        m_report.preflight.push_back(
            refusal("journal", error.message,
                    message("make the journal writable, then try again; Rankdeck records every action there")));
        return true;
    }
    for (const JournalEntry &entry : entries.value()) {
        if (entry.action == m_report.journal) return false;  // all others began later
        const bool began = entry.state == (entry.kind == "exit" ? "arming" : "planned");
        if ((entry.kind != "resume" && entry.kind != "exit") || !began) continue;
        const auto other = std::find_if(open->begin(), open->end(),
                                        [&](const JournalEntry &last) { return last.action == entry.action; });
        if (other == open->end() || !m_host.journal().writerMayLive(*other)) continue;
        m_report.preflight.push_back(
            refusal("other_console",
                    message("the %1 of this job by %2@%3 is in progress since %4", entry.kind, printable(other->user),
                            printable(other->host), clockTime(entry.time)),
                    message("wait for its outcome, or cancel it there")));
        return true;
    }
    return false;
}

ResumeReport planResume(ActionContext &host, const ResumeOptions &options)
{
    return ResumeAction(host, options, {}).plan();
}

ResumeReport runResume(ActionContext &host, const ResumeOptions &options, const ResumeProgress &progress)
{
    return ResumeAction(host, options, progress).run();
}

}  // namespace rankdeck
