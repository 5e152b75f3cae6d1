// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/node/wait_for.h"
#include "core/recover/launch/staging_cleanup.h"
#include "core/recover/plan/plan_json.h"
#include "core/recover/resume/resume_action.h"
#include "core/recover/wording.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr double lastLinesSeconds = 30;
constexpr double askSeconds = 3;  // between checks of the launches

}  // namespace

bool ResumeAction::allEnded() const
{
    return std::all_of(m_started.begin(), m_started.end(),
                       [](const Started &one) { return one.reply && one.reply->exitCode; });
}

// The end of a command's output; empty if unknown.
Message ResumeAction::lastWords(const Started &one)
{
    NodeClient *node = m_host.node(one.node);
    if (!node) return {};
    auto reply = node->read({{.path = one.request.output, .offset = 600, .length = 600, .fromEnd = true}});
    const auto tail = waitFor(reply, inSeconds(5), one.node);
    if (!tail || tail->empty() || tail->front().bytes.empty()) return {};
    return message("; %1 ends with: %2", printable(one.request.output),
                   printable(replaceAll(tail->front().bytes, "\n", " ")));
}

// Text about a launched command that has ended, with the end of its output; empty while all commands run or if they
// ended with success.
Message ResumeAction::endedEarly()
{
    askLaunched(m_host, m_started);
    for (const Started &one : m_started) {
        if (!one.reply || !one.reply->exitCode || *one.reply->exitCode == 0) continue;
        const int code = *one.reply->exitCode;
        return code < 0 ? message("the command on node %1 was ended by signal %2%3", printable(one.node), -code,
                                  lastWords(one))
                        : message("the command on node %1 ended with exit code %2%3", printable(one.node), code,
                                  lastWords(one));
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
                record("swept", message("removed the staging directory of an earlier attempt: %1", printable(view)));
            return finish("proven", joined({message("All %1 ranks continue from %2.", proof.ranks.size(),
                                                    setText(m_baseline.set)),
                                            proof.remarks()}));
        }
        const bool all = proof.started.size() == proof.ranks.size() || proof.contradicting.size() == proof.ranks.size();
        const SteadyTime now = steadyNow();
        // If a script itself reports that it loaded nothing, there is no need to wait.
        if (!proof.contradicting.empty() && (all || proof.nothingLoaded || now >= deadline)) return alarm(proof);
        if (now >= ask) {
            ask = inSeconds(askSeconds);
            if (const Message ended = endedEarly(); !ended.empty())
                return finish("failed", message("The new attempt ended before it was proven: %1.", ended));
            // All commands have ended with exit code 0: only their last lines can still arrive.
            if (allEnded()) deadline = std::min(deadline, inSeconds(lastLinesSeconds));
        }
        if (m_host.stopRequested())
            return finish("launched", joined({message("Started, but the console stopped watching before the proof."),
                                              proof.text()}));
        if (now >= deadline && allEnded())
            return finish("failed", joined({message("NOT PROVEN: all commands ended with exit code 0, but nothing "
                                                    "shows that %1 was loaded. An exit code proves nothing.",
                                                    setText(m_baseline.set)),
                                            proof.text()}));
        if (now >= deadline)
            return finish("launched", joined({message("Started, but not proven within %1.",
                                                      durationText(secondsBetween(*m_report.started, wallNow()))),
                                              proof.text()}));
        m_host.waitForChange(std::min({deadline, ask, inSeconds(1)}));
    }
}

// The new attempt does not train from the chosen set. It is ended only if the operator asked for that: a run is never
// killed automatically.
ResumeReport ResumeAction::alarm(const ResumeProof &proof)
{
    const Message what =
        joined({message("NOT PROVEN: the run does not continue from %1.", setText(m_baseline.set)), proof.text()});
    if (allEnded()) return finish("failed", message("%1 Its commands have ended.", what));
    if (!m_options.stopOnAlarm)
        return finish("launched",
                      message("%1 The run is still training: stop it before it overwrites anything%2.", what,
                              terminalWords(" (exit --escalate kill, or --stop-on-alarm the next time)")));
    record("stopping", message("the run does not continue from the set: ending the started commands"),
           startedToJson(m_started));
    const auto running = stopStarted(m_host, m_started, m_facts.choice.recipe->stop);
    m_report.stopped = running.empty();
    return finish("failed", joined({what, running.empty() ? message("The run was stopped, as requested.")
                                                          : message("%1.", listed(running))}));
}

}  // namespace rankdeck
