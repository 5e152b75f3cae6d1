// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/resume_action.h"

#include "core/base/text.h"
#include "core/journal/journal.h"
#include "core/node/wait_for.h"
#include "core/recover/actions.h"
#include "core/recover/launch/staging_cleanup.h"
#include "core/recover/plan/plan_json.h"
#include "core/recover/resume/checks/running.h"
#include "core/recover/wording.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace rankdeck {

namespace {

constexpr double planSeconds = 30;
constexpr double lastLinesSeconds = 30;
constexpr double collectSeconds = 20;  // a launcher has collected its workers
constexpr double askSeconds = 3;       // between looks at what became of the launches

std::string startedJson(const std::vector<Started> &started)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Started &one : started) {
        nlohmann::ordered_json entry{{"node", validUtf8(one.node)},
                                     {"id", validUtf8(one.request.id)},
                                     {"run_directory", validUtf8(one.request.runDirectory)}};
        if (one.reply) {
            entry["pid"] = one.reply->process.pid;
            entry["start_ticks"] = one.reply->process.startTicks;
            entry["boot_id"] = validUtf8(one.reply->bootId);
            entry["started_now"] = one.reply->startedNow;
            if (one.reply->exitCode) entry["exit_code"] = *one.reply->exitCode;
        }
        if (one.problem) entry["problem"] = validUtf8(one.problem->message);
        list.push_back(std::move(entry));
    }
    return list.dump();
}

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

std::string joined(const std::vector<std::string> &sentences)
{
    std::string text;
    for (const std::string &sentence : sentences) text += (text.empty() ? "" : "; ") + sentence;
    return text;
}

}  // namespace

ResumeAction::ResumeAction(ActionContext &host, ResumeOptions options, ResumeProgress progress)
    : m_host(host), m_options(std::move(options)), m_progress(std::move(progress))
{
    m_report.started = std::chrono::system_clock::now();
    m_steps = StepLog([this](const std::string &data) -> Status {
        if (record(stepEntry, "steps of the plan", data)) return Done{};
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

bool ResumeAction::record(const std::string &state, const std::string &text, const std::string &data)
{
    const Status kept = m_host.journal().append({.action = m_report.journal,
                                                 .job = m_view.job.name,
                                                 .file = m_view.job.file,
                                                 .kind = "resume",
                                                 .state = state,
                                                 .text = text,
                                                 .data = data});
    if (!kept)
        m_report.preflight.push_back(refusal("journal", kept.error().message, "nothing is done without a record"));
    return kept.ok();
}

ResumeReport ResumeAction::finish(ResumeOutcome outcome, const std::string &text)
{
    m_report.outcome = outcome;
    m_report.text = text;
    if (!m_report.journal.empty()) record(outcome.word(), text, proofJson(m_report.ranks));
    tell("done");
    return m_report;
}

void ResumeAction::draft()
{
    m_view = m_host.view();
    const std::string id = Journal::newActionId("resume");
    m_draft = draftResume(m_host, m_view, m_options, id, inSeconds(planSeconds));
    m_report.set = m_draft.set ? m_draft.set->id : m_options.set.value_or("");
    m_report.preflight.insert(m_report.preflight.end(), m_draft.findings.begin(), m_draft.findings.end());
    m_report.plan = m_draft.plan;
    for (const RankState &rank : m_view.ranks) m_report.ranks.push_back({.rank = rank.rank});
}

// What grew a moment ago may belong to a run: where nothing else speaks against the resume, it is waited until that is
// quiet, or grows again.
void ResumeAction::draftWhenQuiet()
{
    const std::vector<Finding> before = m_report.preflight;
    const SteadyTime began = std::chrono::steady_clock::now();
    draft();
    const std::optional<WallTime> growth = m_draft.growth;
    while (const double seconds = worthWaiting()) {
        m_report.text = "Waiting whether the run is over. " + refusalsText(m_report.preflight);
        tell("preflight");
        const SteadyTime now = std::chrono::steady_clock::now();
        const bool grew = m_draft.growth && (!growth || *m_draft.growth > *growth);
        if (grew || m_host.stopRequested() || now - began >= std::chrono::duration<double>(seconds)) return;
        m_host.waitForChange(inSeconds(1));
        m_report.preflight = before;
        m_report.ranks.clear();
        draft();
    }
}

// Seconds for which a refusal may still go away by itself; 0: there is none, or none that does.
double ResumeAction::worthWaiting() const
{
    const auto refused = [](const Finding &finding) { return finding.result == Finding::Result::refuse; };
    const auto is = [&](FindingCode code) {
        return std::any_of(m_report.preflight.begin(), m_report.preflight.end(),
                           [&](const Finding &finding) { return refused(finding) && finding.code == code; });
    };
    const bool anyAlive =
        std::any_of(m_view.ranks.begin(), m_view.ranks.end(), [](const RankState &rank) { return rank.alive == true; });
    const bool collecting = is("attempt_running") && !anyAlive;  // a launcher waits for its workers
    const bool only = std::all_of(m_report.preflight.begin(), m_report.preflight.end(), [&](const Finding &finding) {
        const bool launcher =
            finding.code == "attempt_running" || finding.code == "launcher_alive" || finding.code == "port_in_use";
        return !refused(finding) || finding.code == "run_moving" || (collecting && launcher);
    });
    if (!only) return 0;
    if (is("run_moving")) return quietSeconds(m_view) + askSeconds;
    return collecting ? collectSeconds : 0;
}

ResumeReport ResumeAction::plan()
{
    draft();
    const bool refused = anyRefusal(m_report.preflight);
    m_report.outcome = refused ? ResumeOutcome("refused") : ResumeOutcome("dry_run");
    m_report.text = refused ? refusalsText(m_report.preflight) : m_report.plan.summary + ". Nothing was done.";
    m_report.phase = "done";
    return m_report;
}

ResumeReport ResumeAction::run()
{
    if (m_options.dryRun) return plan();
    tell("planning");
    // What a console that was killed has left is put right first: its files are part of what is planned with.
    const std::string before = finishInterrupted(m_host);
    if (!before.empty()) m_report.preflight.push_back(warning("interrupted_action", before, "look at the journal"));
    draftWhenQuiet();
    m_report.journal = m_report.plan.id;
    if (!record("planned", m_report.plan.summary, planToJson(m_report.plan)) || anyRefusal(m_report.preflight))
        return finish("refused", refusalsText(m_report.preflight));
    tell("preflight");
    if (otherConsole()) return finish("refused", refusalsText(m_report.preflight));
    if (m_host.stopRequested()) return finish("refused", "Cancelled before anything was done.");
    takeBaseline();
    if (!prepare() || !launch()) return m_report;
    return prove();
}

void ResumeAction::takeBaseline()
{
    const CheckpointSet &set = *m_draft.set;
    m_baseline = {
        .attemptBefore = m_view.attempt, .set = set, .position = set.position ? set.position : set.globalStep};
    for (const PinnedFile &member : m_draft.members) m_baseline.checkpoints[member.rank] = member.path;
    if (!m_baseline.position) return;
    constexpr std::int64_t around = 200;
    for (const RankState &rank : m_view.ranks)
        m_baseline.oldLosses[rank.rank] =
            m_host.lossesBefore(rank.rank, *m_baseline.position - around, *m_baseline.position + around);
}

// Judged a while ago, loaded now: the same bytes?
Status ResumeAction::checkPinned()
{
    std::map<std::string, std::vector<const PinnedFile *>> byNode;
    for (const auto *files : {&m_draft.members, &m_draft.pinned})
        for (const PinnedFile &file : *files)
            if (file.stat.kind == 'f' && file.stat.inode != 0) byNode[file.node].push_back(&file);
    for (const auto &[name, files] : byNode) {
        NodeClient *node = m_host.node(name);
        if (!node) return fail(ErrorKind::unreachable, "node " + printable(name) + " is not there");
        std::vector<RangeRequest> ranges;
        for (const PinnedFile *file : files) ranges.push_back({.path = file->path, .offset = 0, .length = 1});
        auto reply = node->read(std::move(ranges));
        const auto found = waitFor(reply, inSeconds(planSeconds), name);
        if (!found) return found.error();
        for (std::size_t i = 0; i < files.size() && i < found->size(); ++i) {
            const RangeReply &now = found.value()[i];
            const FileStat &then = files[i]->stat;
            if (now.error.empty() && now.stat.size == then.size && now.stat.inode == then.inode &&
                now.stat.mtimeNs == then.mtimeNs)
                continue;
            return fail(ErrorKind::conflict,
                        "rank " + std::to_string(files[i]->rank) + "'s checkpoint " + printable(files[i]->path) +
                            " on node " + printable(name) +
                            (now.error.empty() ? " has changed since it was judged" : ": " + printable(now.error)) +
                            "; look again");
        }
    }
    return Done{};
}

bool ResumeAction::prepare()
{
    tell("preparing");
    if (!record("preparing", "edits and file steps begin")) {
        finish("refused", refusalsText(m_report.preflight));
        return false;
    }
    Status done = endProcesses(m_host, m_report.plan);
    if (done) done = applyCopies(m_host, m_report.plan, m_steps);
    if (done) done = applyEdits(m_host, m_report.plan, m_steps);
    if (done) done = applyFiles(m_host, m_report.plan, m_steps);
    if (done) done = applyNewFiles(m_host, m_report.plan, m_steps);
    if (done) done = checkPinned();
    if (done && m_host.stopRequested()) done = fail(ErrorKind::cancelled, "cancelled before the launch");
    m_host.refreshFlags();
    if (!done) {
        rollBack(done.error().message);
        return false;
    }
    record("prepared", "edits and file steps are done");
    return true;
}

bool ResumeAction::launch()
{
    tell("launching");
    if (!record("launching", "the commands are about to be started")) {
        rollBack(refusalsText(m_report.preflight));
        return false;
    }
    const WallTime at = std::chrono::system_clock::now();
    m_started = launchAll(m_host, m_report.plan);
    awaitAccepted(m_host, m_draft.accepted, m_started);
    std::vector<std::string> problems;
    if (launchProblems(problems)) {
        record("launch_failed", joined(problems), startedJson(m_started));
        const auto running = stopStarted(m_host, m_started, m_draft.recipe->stop);
        if (!running.empty()) {
            finish("failed", "The launch failed: " + joined(problems) + ". " + joined(running) +
                                 ": end it by hand; the files are left as the plan put them.");
            record("rollback_left", "the files are left as the plan put them: " + joined(running));
            return false;
        }
        const auto held = std::find_if(m_started.begin(), m_started.end(), [](const Started &one) {
            return one.problem && one.problem->detail == jobHeldDetail;
        });
        if (held != m_started.end())
            launchRefused(*held->problem);
        else
            rollBack(joined(problems));
        return false;
    }
    record("started", std::to_string(m_started.size()) + " commands run", startedJson(m_started));
    m_report.started = at;
    m_host.attemptLaunched(at, m_baseline.position);
    return true;
}

ResumeReport ResumeAction::rollBack(const std::string &why)
{
    record("rolling_back", why);
    const auto left = undoPlan(m_host, m_report.plan, m_steps);
    m_host.refreshFlags();
    if (left.empty()) return finish("failed", "Nothing was started: " + why + ". All files are back where they were.");
    for (const Left &one : left) m_report.left.push_back({one.node, one.path, one.text});
    finish("failed", "Nothing was started: " + why + ". Not everything could be put back: " + leftText(left) +
                         ". The next resume or exit of this job tries again.");
    record("rollback_left", leftText(left));  // after the outcome, so that the next console finds it and completes it
    return m_report;
}

// Another attempt of this job lives, on the word of the node. What lies there now is that one's: nothing of it is moved.
ResumeReport ResumeAction::launchRefused(const Error &held)
{
    record("rolling_back", held.message);
    const auto left = undoPlan(m_host, m_report.plan, m_steps, false);
    m_host.refreshFlags();
    for (const Left &one : left) m_report.left.push_back({one.node, one.path, one.text});
    m_report.preflight.push_back(refusal("attempt_running", held.message, "stop that attempt first, or watch it"));
    finish("refused", refusalsText(m_report.preflight) +
                          (left.empty() ? "" : " Not everything could be put back: " + leftText(left) + "."));
    if (!left.empty()) record("rollback_left", leftText(left));
    return m_report;
}

// Of two that begin in the same moment the journal's order lets one go on.
bool ResumeAction::otherConsole()
{
    const auto entries = m_host.journal().read(m_view.job.name, m_view.job.file);
    const auto open = m_host.journal().unfinished(m_view.job.name, m_view.job.file);
    if (!entries || !open) {
        const Error &error = entries ? open.error() : entries.error();
        m_report.preflight.push_back(refusal("journal", error.message, "nothing is done without a record"));
        return true;
    }
    for (const JournalEntry &entry : entries.value()) {
        if (entry.action == m_report.journal) return false;  // all others came later
        const bool began = entry.state == (entry.kind == "exit" ? "arming" : "planned");
        if ((entry.kind != "resume" && entry.kind != "exit") || !began) continue;
        const auto other = std::find_if(open->begin(), open->end(),
                                        [&](const JournalEntry &last) { return last.action == entry.action; });
        if (other == open->end() || !m_host.journal().writerMayLive(*other)) continue;
        m_report.preflight.push_back(refusal("other_console",
                                             "the " + entry.kind + " of this job by " + printable(other->user) + "@" +
                                                 printable(other->host) + " is in progress since " +
                                                 clockTime(entry.time),
                                             "wait for its outcome, or cancel it there"));
        return true;
    }
    return false;
}

// What speaks against the launch, one sentence each; false: nothing does.
bool ResumeAction::launchProblems(std::vector<std::string> &problems)
{
    for (const Started &one : m_started) {
        if (one.problem) problems.push_back(one.problem->message);
        if (!one.reply) continue;
        if (!one.reply->startedNow)
            problems.push_back("expected to start " + one.request.id + " on node " + printable(one.node) +
                               ", found that it had been started before");
        if (one.reply->exitCode && *one.reply->exitCode != 0)
            problems.push_back(one.request.id + " ended at once with exit code " +
                               std::to_string(*one.reply->exitCode) + lastWords(one));
    }
    return !problems.empty();
}

bool ResumeAction::allEnded() const
{
    return std::all_of(m_started.begin(), m_started.end(),
                       [](const Started &one) { return one.reply && one.reply->exitCode; });
}

// The end of what a command said; empty when nothing is known.
std::string ResumeAction::lastWords(const Started &one)
{
    NodeClient *node = m_host.node(one.node);
    if (!node) return {};
    auto reply = node->read({{.path = one.request.output, .offset = 600, .length = 600, .fromEnd = true}});
    const auto tail = waitFor(reply, inSeconds(5), one.node);
    if (!tail || tail->empty() || tail->front().bytes.empty()) return {};
    return "; " + printable(one.request.output) + " ends in: " + printable(replaceAll(tail->front().bytes, "\n", " "));
}

// A launched command that has ended, with the end of what it said; empty while all run or ended well.
std::string ResumeAction::endedEarly()
{
    askLaunched(m_host, m_started);
    for (const Started &one : m_started) {
        if (!one.reply || !one.reply->exitCode || *one.reply->exitCode == 0) continue;
        const int code = *one.reply->exitCode;
        return "the command on node " + printable(one.node) +
               (code < 0 ? " was ended by signal " : " ended with exit code ") + std::to_string(std::abs(code)) +
               lastWords(one);
    }
    return {};
}

ResumeReport ResumeAction::prove()
{
    SteadyTime deadline = inSeconds(m_options.waitSeconds);
    SteadyTime ask = inSeconds(askSeconds);
    while (true) {
        m_view = m_host.view();
        const ResumeProof proof = proveResume(m_view, m_baseline);
        m_report.ranks = proof.ranks;
        m_report.continues = proof.continues();
        m_report.text = proof.text();
        tell("proving");
        if (proof.proven()) {
            for (const std::string &view : sweepViews(m_host, m_view.job, m_report.journal))
                record("swept", "removed the view directory of an earlier attempt: " + printable(view));
            return finish("proven", "All " + std::to_string(proof.ranks.size()) + " ranks continue from " +
                                        setText(m_baseline.set) + "." + proof.remarks());
        }
        const bool all = proof.started.size() == proof.ranks.size() || proof.contradicting.size() == proof.ranks.size();
        const SteadyTime now = std::chrono::steady_clock::now();
        if (!proof.contradicting.empty() && (all || now >= deadline)) return alarm(proof);
        if (now >= ask) {
            ask = inSeconds(askSeconds);
            if (const std::string ended = endedEarly(); !ended.empty())
                return finish("failed", "The new attempt ended before it was proven: " + ended + ".");
            // All commands are over, with exit code 0: only their last lines can still come.
            if (allEnded()) deadline = std::min(deadline, inSeconds(lastLinesSeconds));
        }
        if (m_host.stopRequested())
            return finish("launched", "Started; the console stopped watching before the proof. " + proof.text());
        if (now >= deadline && allEnded())
            return finish("failed", "NOT PROVEN: all commands have ended with exit code 0, and nothing shows that " +
                                        setText(m_baseline.set) + " was loaded. An exit code proves nothing. " +
                                        proof.text());
        if (now >= deadline)
            return finish("launched",
                          "Started, but not proven within " +
                              durationText(secondsBetween(*m_report.started, std::chrono::system_clock::now())) + ". " +
                              proof.text());
        m_host.waitForChange(std::min({deadline, ask, inSeconds(1)}));
    }
}

// The new attempt trains from something else. It is ended only where that was asked for: a run is never killed unasked.
ResumeReport ResumeAction::alarm(const ResumeProof &proof)
{
    const std::string what =
        "NOT PROVEN: the run does not continue from " + setText(m_baseline.set) + ". " + proof.text();
    if (allEnded()) return finish("failed", what + " Its commands have ended.");
    if (!m_options.stopOnAlarm)
        return finish("launched", what +
                                      " It still trains: stop it before it overwrites anything (exit --escalate kill, "
                                      "or --stop-on-alarm the next time).");
    record("stopping", "the alarm ends what was started", startedJson(m_started));
    const auto running = stopStarted(m_host, m_started, m_draft.recipe->stop);
    m_report.stopped = running.empty();
    return finish("failed", what + (running.empty() ? " It was stopped, as asked." : " " + joined(running) + "."));
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
