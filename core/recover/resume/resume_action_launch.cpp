// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/node/wait_for.h"
#include "core/recover/plan/plan_json.h"
#include "core/recover/resume/resume_action.h"
#include "core/recover/wording.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr double copySeconds = 1800;  // whole checkpoints of many gigabytes

bool copiesFiles(const Plan &plan)
{
    return std::any_of(plan.nodes.begin(), plan.nodes.end(), [](const NodePlan &node) {
        return std::any_of(node.files.begin(), node.files.end(),
                           [](const FileActionRequest &step) { return step.action == FileAction::copyFile; });
    });
}

}  // namespace

// Checks that the files still contain the bytes that were judged.
Status ResumeAction::checkPinned()
{
    std::map<std::string, std::vector<const PinnedFile *>> byNode;
    for (const auto *files : {&m_facts.layout.members, &m_facts.layout.pinned})
        for (const PinnedFile &file : *files)
            if (file.stat.kind == 'f' && file.stat.inode != 0) byNode[file.node].push_back(&file);
    std::map<std::string, Reply<std::vector<RangeReply>>> replies;
    for (const auto &[name, files] : byNode) {
        NodeClient *node = m_host.node(name);
        if (!node) return fail(ErrorKind::unreachable, message("node %1 was not found", printable(name)));
        std::vector<RangeRequest> ranges;
        for (const PinnedFile *file : files) ranges.push_back({.path = file->path, .offset = 0, .length = 1});
        replies[name] = node->read(std::move(ranges));
    }
    const SteadyTime deadline = inSeconds(stepAnswerSeconds);
    for (const auto &[name, files] : byNode) {
        const auto found = waitFor(replies[name], deadline, name);
        if (!found)
            return fail(found.error().kind,
                        message("cannot tell whether the chosen checkpoints are unchanged: %1", found.error().message));
        for (std::size_t i = 0; i < files.size() && i < found->size(); ++i) {
            const RangeReply &now = found.value()[i];
            const FileStat &then = files[i]->stat;
            if (now.error.empty() && now.stat.size == then.size && now.stat.inode == then.inode &&
                now.stat.mtimeNs == then.mtimeNs)
                continue;
            const Message file = message("rank %1's checkpoint %2 on node %3", files[i]->rank,
                                         printable(files[i]->path), printable(name));
            return fail(ErrorKind::conflict,
                        now.error.empty() ? message("%1 has changed since it was judged; plan the resume again", file)
                                          : message("%1: %2; plan the resume again", file, printable(now.error)));
        }
    }
    return Done{};
}

// The nodes decide which action may go on: nothing of the job is changed before all launching nodes have agreed.
bool ResumeAction::reserve()
{
    std::vector<Reservation::Place> places;
    const Job &job = m_facts.view.job;
    for (const NodePlan &node : m_report.plan.nodes) {
        const auto spec = std::find_if(job.nodes.begin(), job.nodes.end(),
                                       [&](const NodeSpec &one) { return one.name == node.node; });
        const JobClaim claim =
            jobReservation(m_facts.view, spec == job.nodes.end() ? nullptr : &*spec, m_report.plan.id);
        if (!node.launches.empty())
            places.push_back({.node = node.node, .claim = claim, .runDirectory = node.launches.front().runDirectory});
        else if (!node.files.empty() && spec != job.nodes.end())  // an engine starts the ranks there
            places.push_back(
                {.node = node.node, .claim = claim, .runDirectory = runDirectory(job, &*spec), .launches = false});
    }
    const Status reserved = m_reservation.take(std::move(places));
    if (reserved) return true;
    if (reserved.error().detail == jobHeldDetail) {
        m_report.preflight.push_back(
            refusal("attempt_running", reserved.error().message, message("stop that attempt first, or watch it")));
        finish("refused", refusalsText(m_report.preflight));
        return false;
    }
    finish("failed",
           message("Nothing was started: the job could not be reserved: %1.", withoutStop(reserved.error().message)));
    return false;
}

bool ResumeAction::prepare()
{
    tell("preparing");
    if (!record("preparing", message("starting the edits and file steps"))) {
        finish("refused", refusalsText(m_report.preflight));
        return false;
    }
    Status done = endProcesses(m_host, m_report.plan);
    m_pods.hold();
    const FileSteps how{.held = &m_reservation,
                        .seconds = copiesFiles(m_report.plan) ? copySeconds : stepAnswerSeconds};
    if (done) done = applyCopies(m_host, m_report.plan, m_steps, how);
    if (done) done = applyEdits(m_host, m_report.plan, m_steps, how);
    if (done) done = applyFiles(m_host, m_report.plan, m_steps, how);
    if (done) done = applyNewFiles(m_host, m_report.plan, m_steps, how);
    if (done) done = checkPinned();
    if (done && m_host.stopRequested()) done = fail(ErrorKind::cancelled, message("cancelled before the launch"));
    m_host.refreshFlags();
    if (!done) {
        rollBack(done.error().message);
        return false;
    }
    record("prepared", message("finished the edits and file steps"));
    return true;
}

bool ResumeAction::launch()
{
    tell("launching");
    if (!record("launching", message("the commands are about to be started"))) {
        rollBack(refusalsText(m_report.preflight));
        return false;
    }
    const WallTime at = wallNow();
    m_host.expectLoads(expectedPaths());
    m_started = launchAll(m_host, m_report.plan);
    awaitAccepted(m_host, m_facts.layout.launch.accepted, m_started);
    std::vector<Message> problems;
    if (launchProblems(problems)) {
        record("launch_failed", listed(problems), startedToJson(m_started));
        const auto running = stopStarted(m_host, m_started, m_facts.choice.recipe->stop);
        if (!running.empty()) {
            finish("failed",
                   message("The launch failed: %1. %2: end it by hand; the files stay as the plan left them.",
                           listed(problems), listed(running)),
                   message("the files stay as the plan left them: %1", listed(running)));
            return false;
        }
        const auto held = std::find_if(m_started.begin(), m_started.end(), [](const Started &one) {
            return one.problem && one.problem->detail == jobHeldDetail;
        });
        if (held != m_started.end())
            launchRefused(*held->problem);
        else
            rollBack(listed(problems));
        return false;
    }
    record("started", message("%1 commands started", m_started.size()), startedToJson(m_started));
    m_pods.letGo();
    m_report.started = at;
    m_host.attemptLaunched(at, m_baseline.position);
    if (m_baseline.countsAnew && m_baseline.position) m_host.attemptCountsAnew(*m_baseline.position);
    return true;
}

// The paths under which each rank may load its file: the file itself, and its name in the staging directory.
std::map<int, std::vector<std::string>> ResumeAction::expectedPaths() const
{
    std::map<int, std::vector<std::string>> paths;
    for (const PinnedFile &member : m_facts.layout.members) {
        auto &own = paths[member.rank];
        own.push_back(member.path);
        if (!member.link.empty()) own.push_back(member.link);
        if (member.fromRank >= 0)  // path in the rank's own folder, if the plan linked it there
            own.push_back(
                ownPlace({.rank = member.rank, .node = {}, .path = member.path, .fromRank = member.fromRank}));
        if (const auto any = m_baseline.anyOf.find(member.rank); any != m_baseline.anyOf.end())
            own.insert(own.end(), any->second.begin(), any->second.end());
        const auto view = m_baseline.views.find(member.rank);
        if (view == m_baseline.views.end()) continue;
        const std::string name = baseName(member.pathNow);
        own.push_back(view->second);
        own.push_back(joinPath(view->second, name));
        own.push_back(joinPath(view->second, "rank_" + std::to_string(member.rank) + "/" + name));
    }
    return paths;
}

// Text about ranks that another action has started in the meantime: the files in the job's directories are now theirs.
// Empty: no known rank runs.
Message ResumeAction::whoRuns() const
{
    const ProcessSnapshot now = askProcesses(m_host, m_view, inSeconds(stepAnswerSeconds));
    const std::vector<int> alive = now.ranksAlive();
    if (alive.empty()) return {};
    return alive.size() == 1 ? message("%1 is running now", ranksText(alive))
                             : message("%1 are running now", ranksText(alive));
}

ResumeReport ResumeAction::rollBack(const Message &why)
{
    m_host.expectLoads({});
    record("rolling_back", why);
    if (const Message runs = whoRuns(); !runs.empty()) {
        const Message text = message("%1, so nothing is put back", runs);
        for (const NodePlan &node : m_report.plan.nodes) m_report.left.push_back({node.node, "", text});
        return finish("failed", message("Nothing was started: %1. %2.", withoutStop(why), text), text);
    }
    // If another action holds the job now, the files belong to that action.
    const auto left = undoPlan(m_host, m_report.plan, m_steps,
                               {.held = &m_reservation, .displace = m_reservation.takeAgain().isYes()});
    m_host.refreshFlags();
    if (left.empty())
        return finish("failed", joined({message("Nothing was started: %1. All files are back where they were.", why),
                                        requestStandsAgain(m_report.plan)}));
    for (const Left &one : left) m_report.left.push_back({one.node, one.path, one.text});
    return finish(
        "failed",
        message("Nothing was started: %1. Not everything could be put back: %2. The next resume or stop of this "
                "job tries again.",
                why, leftText(left)),
        leftText(left));
}

// The node reports that another attempt of this job runs. The files now belong to that attempt, so none of them is
// moved back.
ResumeReport ResumeAction::launchRefused(const Error &held)
{
    m_host.expectLoads({});
    record("rolling_back", held.message);
    const auto left = undoPlan(m_host, m_report.plan, m_steps, {.held = &m_reservation, .displace = false});
    m_host.refreshFlags();
    for (const Left &one : left) m_report.left.push_back({one.node, one.path, one.text});
    m_report.preflight.push_back(
        refusal("attempt_running", held.message, message("stop that attempt first, or watch it")));
    return finish("refused",
                  joined({refusalsText(m_report.preflight),
                          left.empty() ? Message() : message("Not everything could be put back: %1.", leftText(left))}),
                  leftText(left));
}

// Collects the problems of the launch, one sentence each; false: none.
bool ResumeAction::launchProblems(std::vector<Message> &problems)
{
    for (const Started &one : m_started) {
        if (one.problem) problems.push_back(one.problem->message);
        if (!one.reply) continue;
        if (!one.reply->startedNow)
            problems.push_back(message("expected to start %1 on node %2, but it had already been started",
                                       one.request.id, printable(one.node)));
        if (one.reply->exitCode && *one.reply->exitCode != 0)
            problems.push_back(
                message("%1 ended at once with exit code %2%3", one.request.id, *one.reply->exitCode, lastWords(one)));
    }
    return !problems.empty();
}

}  // namespace rankdeck
