// SPDX-License-Identifier: GPL-3.0-or-later
// Handling of an action whose console was killed. Its remains are found in the journal and, if that is safe, finished.
#include "core/base/clock.h"
#include "core/base/console.h"
#include "core/base/text.h"
#include "core/journal/journal.h"
#include "core/node/wait_for.h"
#include "core/recover/actions.h"
#include "core/recover/flag/flag_write.h"
#include "core/recover/forwarding_context.h"
#include "core/recover/host/rank_processes.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/plan/plan_json.h"
#include "core/recover/plan/plan_runner.h"
#include "core/recover/stop_method.h"
#include "core/recover/wording.h"

#include <algorithm>
#include <set>

namespace rankdeck {

namespace {

constexpr double answerSeconds = 20;
constexpr double patienceSeconds = 3600;  // time since the last entry of an action in another console

// Context in which some nodes count as unreachable until the end of the check. They were unreachable when the job was
// reserved for the check, so the job is not reserved there.
class WithoutNodes final : public ForwardingContext {
public:
    WithoutNodes(ActionContext &host, std::set<std::string> away) : ForwardingContext(host), m_away(std::move(away)) {}
    NodeClient *node(const std::string &name) override
    {
        return m_away.contains(name) ? nullptr : ForwardingContext::node(name);
    }

private:
    std::set<std::string> m_away;
};

class Finisher {
public:
    Finisher(ActionContext &host, bool clicked, const std::string &own)
        : m_host(host), m_view(host.view()), m_clicked(clicked), m_own(own)
    {}

    Message run()
    {
        const auto unfinished = m_host.journal().unfinished(m_view.job.name, m_view.job.file);
        if (!unfinished) return unfinished.error().message;
        std::vector<Message> sentences;
        for (const JournalEntry &last : unfinished.value()) {
            if (last.action == m_own) continue;
            if (m_host.journal().writerMayLive(last) && secondsBetween(last.time, wallNow()) < patienceSeconds) {
                sentences.push_back(message("The %1 of %2 by %3 may still be in progress.", printable(last.kind),
                                            clockTime(last.time), printable(last.user) + "@" + printable(last.host)));
                continue;
            }
            sentences.push_back(last.kind == "resume"                          ? finishResume(last)
                                : last.kind == "exit" || last.kind == "cancel" ? finishExit(last)
                                                                               : message("%1.", named(last)));
        }
        return joined(sentences);
    }

private:
    bool close(const JournalEntry &last, const std::string &state, const Message &text)
    {
        return m_host.journal()
            .append({.action = last.action,
                     .job = last.job,
                     .file = m_view.job.file,
                     .kind = last.kind,
                     .state = state,
                     .text = text})
            .has_value();
    }

    static Message named(const JournalEntry &last)
    {
        return message("The %1 of %2 (%3, by %4) was interrupted", printable(last.kind), clockTime(last.time),
                       printable(last.action), printable(last.user) + "@" + printable(last.host));
    }

    Message finishExit(const JournalEntry &last)
    {
        if (last.state == "planned" && last.kind == "exit") {
            close(last, "finished", message("nothing had been written"));
            return {};
        }
        auto copies = configPlaces(m_view.job);
        if (!copies) return message("%1; the job file no longer contains the path of its config.", named(last));
        for (ConfigCopy &copy : copies.value()) copy.asked = true;  // that console may have written each of them
        readConfigs(m_host, copies.value(), inSeconds(answerSeconds));
        const RequestWords words = requestWords(exitWayOf(m_view.job));
        const auto [armed, unknown, problem] = requestsOf(copies.value());
        if (armed.empty() && unknown.empty()) {
            close(last, "finished", words.nowhere);
            return {};
        }
        if (!unknown.empty())
            return message("%1; %2 on %3%4.", named(last), words.mayStand, namesText(unknown), problem);
        const ProcessSnapshot picture = askProcesses(m_host, m_view, inSeconds(answerSeconds));
        // The exit had decided to withdraw the request, but a node did not answer. It had stopped waiting for its
        // proof.
        const bool wasTakenBack = last.state == "flag_left" || last.state == "reset";
        const Message withIt = message("%1 with %2 on %3", named(last), words.standing, namesText(armed));
        if (const auto alive = picture.ranksAlive(); !alive.empty() && !wasTakenBack)
            return alive.size() == 1
                       ? message("%1; %2 is still running: cancel the request, or stop again to wait for the proof.",
                                 withIt, ranksText(alive))
                       : message("%1; %2 are still running: cancel the request, or stop again to wait for the proof.",
                                 withIt, ranksText(alive));
        const bool sure = std::all_of(picture.ranks.begin(), picture.ranks.end(),
                                      [](const RankProcess &rank) { return rank.alive.isNo(); });
        if (!sure && !wasTakenBack) return message("%1; cannot tell whether the ranks are still running.", withIt);
        const Message why =
            wasTakenBack ? message("its request had been taken back elsewhere") : message("all ranks are gone");
        if (!m_clicked) return message("%1; %2. The next stop, cancel or resume corrects that.", withIt, why);
        const auto writes = writeFlag(m_host, copies.value(), false, inSeconds(answerSeconds));
        m_host.refreshFlags();
        if (!allAsWanted(writes)) return message("%1; the request could not be taken back everywhere.", named(last));
        close(last, "finished", message("%1; %2 on %3", why, words.putBack, namesText(armed)));
        return message("%1; %2, and %3 on %4.", named(last), why, words.putBack, namesText(armed));
    }

    // The last plan of an action: the one from the checks that were repeated after the job was reserved.
    Result<Plan> planOf(const std::vector<JournalEntry> &entries)
    {
        for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry)
            if (entry->state == "planned") return planFromJson(entry->data);
        return fail(ErrorKind::notFound, message("the journal has no plan for this action"));
    }

    Message finishResume(const JournalEntry &last)
    {
        if (last.state == "planned") {
            close(last, "finished", message("nothing had been done"));
            return {};
        }
        const auto entries = m_host.journal().ofAction(last.action);
        if (!entries) return message("%1; %2.", named(last), withoutStop(entries.error().message));
        const auto had = [&](const char *state) {
            return std::any_of(entries->begin(), entries->end(),
                               [&](const JournalEntry &entry) { return entry.state == state; });
        };
        const bool goingBack = had("launch_failed") || had("rolling_back");
        if (had("started")) {  // whatever can be read now: it ran, and may still run
            close(last, "launched", message("all commands had been started; no proof was seen"));
            return had("stopping")
                       ? message("%1 after all commands had been started. The run was being stopped because it did not "
                                 "continue from the set; check whether it is still running.",
                                 named(last))
                       : unwatched(last);
        }
        const auto plan = planOf(entries.value());
        if (!plan) return message("%1; %2.", named(last), withoutStop(plan.error().message));
        std::vector<Started> started;
        for (const NodePlan &node : plan->nodes)
            for (const LaunchRequest &launch : node.launches) started.push_back({.node = node.node, .request = launch});
        return takeBack(last, plan.value(), entries.value(), std::move(started), goingBack);
    }

    static Message unwatched(const JournalEntry &last)
    {
        return message("%1 after all commands had been started; no console has watched for the proof.", named(last));
    }

    Message takeBack(const JournalEntry &last, const Plan &plan, const std::vector<JournalEntry> &entries,
                     std::vector<Started> started, bool goingBack)
    {
        askLaunched(m_host, started);
        const auto orphans = launchedProcesses(m_host, started);
        for (const Started &one : started)
            if (one.launched == Known::unknown || !orphans)
                return orphans
                           ? message(
                                 "%1; cannot tell whether its command is running on node %2, so nothing is stopped or "
                                 "put back.",
                                 named(last), printable(one.node))
                           : message("%1; cannot tell whether its command is running on node %2 (%3), so nothing is "
                                     "stopped or put back.",
                                     named(last), printable(one.node), printable(orphans.error().message));
        const auto launched = std::count_if(started.begin(), started.end(),
                                            [](const Started &one) { return one.launched == Known::yes; });
        if (launched == static_cast<std::ptrdiff_t>(started.size()) && launched > 0 && !goingBack) {
            close(last, "launched", message("all commands had been started; no proof was seen"));
            return unwatched(last);
        }
        if (!m_clicked)
            return launched > 0 || !orphans->empty()
                       ? message("%1 in the middle of the launch; the next resume or stop undoes what it did.",
                                 named(last))
                       : message("%1; the next resume or stop undoes what it did.", named(last));
        // All nodes or none: a part of the ranks would wait for the others for ever.
        const Recipe *recipe = findRecipe(m_view.job.launch.recipe);
        if (const auto running = stopStarted(m_host, started, recipe ? recipe->stop : StopOfLaunch{}); !running.empty())
            return message("%1 in the middle of the launch; %2: end it, then resume again.", named(last),
                           running.front());
        const auto alive = askProcesses(m_host, m_view, inSeconds(answerSeconds)).ranksAlive();
        if (!alive.empty())  // another action has started these ranks since: the files now belong to them
            return alive.size() == 1
                       ? message("%1; %2 is running now, so nothing is put back.", named(last), ranksText(alive))
                       : message("%1; %2 are running now, so nothing is put back.", named(last), ranksText(alive));
        Reservation reservation(m_host);
        std::set<std::string> away;
        if (const Message held = reserveAgain(plan, reservation, away); !held.empty())
            return message("%1; %2, so nothing is put back.", named(last), held);
        StepLog log(plan, entries, [&](const std::string &data) -> Status {
            return m_host.journal().append({.action = last.action,
                                            .job = last.job,
                                            .file = m_view.job.file,
                                            .kind = last.kind,
                                            .state = stepEntry,
                                            .text = stepsText(plan, data),
                                            .data = data});
        });
        WithoutNodes there(m_host, std::move(away));
        const auto left = undoPlan(there, plan, log, {.held = &reservation, .displace = launched > 0});
        m_host.refreshFlags();
        if (!left.empty()) {
            close(last, "rollback_left", leftText(left));
            return message("%1 before the launch; not everything could be put back: %2.", named(last), leftText(left));
        }
        const Message ended = message("%1 of %2 commands had been started and were ended", launched, started.size());
        close(last, "rolled_back",
              launched > 0 ? message("%1; all files are back where they were", ended)
                           : message("nothing had been started; all files are back where they were"));
        const Message back =
            launched > 0 ? message("%1 in the middle of the launch; %2. All files were put back where they were.",
                                   named(last), ended)
                         : message("%1 before the launch; all files were put back where they were.", named(last));
        return joined({back, requestStandsAgain(plan)});
    }

    // Reserves the job while its files are restored, on the nodes for which launches or files were planned. Then no
    // attempt runs there and none can begin. Returns the reason why this is impossible, or an empty text. Unreachable
    // nodes are added to `away` and left unchanged.
    Message reserveAgain(const Plan &plan, Reservation &reservation, std::set<std::string> &away)
    {
        std::vector<Reservation::Place> places;
        for (const NodePlan &node : plan.nodes) {
            if (!m_host.node(node.node)) away.insert(node.node);
            const int index = m_view.job.nodeIndex(node.node);
            const NodeSpec *spec = index < 0 ? nullptr : &m_view.job.nodes[std::size_t(index)];
            const bool launches = !node.launches.empty() && !node.launches.front().job.key.empty();
            if (away.contains(node.node) || (!launches && (node.files.empty() || !spec))) continue;
            JobClaim claim = launches ? node.launches.front().job : jobReservation(m_view, spec, plan.id);
            claim.text = "what " + plan.id + " left is put back by " + consoleName();
            places.push_back(
                {.node = node.node,
                 .claim = std::move(claim),
                 .runDirectory = launches ? node.launches.front().runDirectory : runDirectory(m_view.job, spec),
                 .launches = launches});
        }
        const Status taken = reservation.take(std::move(places));
        if (taken) return {};
        return taken.error().detail == jobHeldDetail
                   ? taken.error().message
                   : message("cannot tell whether another attempt is running: %1", taken.error().message);
    }

    ActionContext &m_host;
    JobState m_view;
    bool m_clicked;
    std::string m_own;
};

}  // namespace

Message finishInterrupted(ActionContext &host, bool clicked, const std::string &own)
{
    return Finisher(host, clicked, own).run();
}

}  // namespace rankdeck
