// SPDX-License-Identifier: GPL-3.0-or-later
// Graceful exit: preflight, one write, progress per rank, proof. On Ctrl-C the stop request is withdrawn before the
// command ends.
#include "app/ctl/act_json.h"
#include "app/ctl/command.h"
#include "app/ctl/output/columns.h"
#include "app/ctl/output/progress_line.h"
#include "app/ctl/output/status_words.h"

#include "core/base/text.h"

#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>

namespace rankdeck::ctl {
namespace {

int codeOf(ExitOutcome outcome)
{
    return outcome == "stopped" || outcome == "cancelled" || outcome == "dry_run" ? done : answerIsNo;
}

// The rank that is furthest behind, and the number of other late ranks.
std::string lateText(const ExitReport &report)
{
    const RankExit *latest = nullptr;
    std::ptrdiff_t late = 0;
    for (const RankExit &rank : report.ranks) {
        if (rank.lateSeconds <= 0) continue;
        ++late;
        if (!latest || (rank.note.size() > latest->note.size())) latest = &rank;
    }
    if (!latest) return {};
    return "; rank " + std::to_string(latest->rank) + " is " + printable(latest->note) +
           (late > 1 ? " and " + std::to_string(late - 1) + " more" : "");
}

std::string lostWorkText(const LostWork &price)
{
    if (!price.known) return "not known yet";
    return grouped(price.steps) + " steps, " + durationText(price.seconds) + ", " + deviceTimeText(price.deviceHours);
}

void ladderText(const ExitReport &report)
{
    std::string listed;  // processes of the previous entry: usually the same ones
    for (const ExitRung &rung : report.ladder) {
        std::cout << "  " << rung.name << (rung.available ? "" : " (not possible now)") << ": " << printable(rung.text)
                  << "; loses "
                  << (rung.name == "graceful" ? "nothing but the step in progress" : lostWorkText(rung.price)) << "\n";
        for (const Finding &finding : rung.findings) std::cout << "        " << printable(finding.text) << "\n";
        std::string targets;
        for (const ProcessTarget &target : rung.targets) targets += "        " + targetText(target) + "\n";
        const bool same = !targets.empty() && targets == listed;
        std::cout << (same ? "        the same processes\n" : targets);
        listed = std::move(targets);
    }
}

std::string progressText(const ExitReport &report)
{
    const auto count = [&](auto member) { return std::count_if(report.ranks.begin(), report.ranks.end(), member); };
    return std::string(report.phase.word()) + ": " +
           std::to_string(count([](const RankExit &rank) { return rank.armed; })) + " armed, " +
           std::to_string(count([](const RankExit &rank) { return rank.confirmed; })) + " confirmed, " +
           std::to_string(count([](const RankExit &rank) { return !rank.savedPath.empty(); })) + " saved, " +
           std::to_string(count([](const RankExit &rank) { return rank.exited; })) + " exited of " +
           std::to_string(report.ranks.size()) + " ranks" + lateText(report);
}

std::string escalatingText(const ExitReport &report)
{
    std::string text;
    for (const ExitRung &rung : report.ladder) {
        if (rung.name == "graceful" || rung.targets.empty()) continue;
        text += rung.name + ": " + std::to_string(rung.targets.size()) + " processes\n";
        for (const ProcessTarget &target : rung.targets) text += "  " + targetText(target) + "\n";
    }
    return text;
}

void progress(const ExitReport &report, std::string &last, ProgressLine &line)
{
    // The list of processes is printed before the signal is sent.
    const bool ladder = report.phase == "escalating";
    const std::string text = ladder ? escalatingText(report) : progressText(report);
    if (text == last) return;
    last = text;
    if (ladder) {
        line.say("escalating");
        messageLine("\n" + text);
        return;
    }
    if (::isatty(STDERR_FILENO) != 0)
        line.say(text);
    else
        messageLine(text);
}

void writeText(const ExitReport &report)
{
    printToFit(std::string(report.outcome.word()) + ": " + printable(report.text));
    findingsText(report.preflight);
    if (report.outcome == "dry_run" || report.outcome == "refused") {
        planText(report.plan, report.text);
        ladderText(report);
    }
    for (const RankExit &rank : report.ranks)
        if (!rank.note.empty()) std::cout << "  rank " << rank.rank << ": " << printable(rank.note) << "\n";
    for (const FlagLeft &flag : report.left)
        std::cout << "  left: " << printable(flag.path) << " on node " << printable(flag.node) << ", "
                  << (flag.value ? std::to_string(*flag.value) : "it has not answered") << "\n";
    if (report.set) std::cout << "  saved and VALID: set " << *report.set << "\n";
    if (!report.journal.empty()) std::cout << "  journal: " << report.journal << "\n";
}

int answer(const Globals &globals, const ExitReport &report)
{
    if (globals.json)
        print(exitJson(report));
    else
        writeText(report);
    return codeOf(report.outcome);
}

int exitFailed(const Globals &globals, const Error &error)
{
    ExitReport report;
    report.outcome = "refused";
    report.text = error.message;
    if (globals.json) print(exitJson(report));
    return say(error);
}

// Not all nodes are live: no rank is asked to stop. The report shows the plan and the reason.
int refuse(Engine &engine, const Globals &globals, const ExitCommand &options, ExitOptions exit, int code)
{
    exit.dryRun = true;
    Result<ExitReport> report = engine.planExit(exit);
    if (!report) return exitFailed(globals, report.error());
    if (report->outcome != "refused" || options.cancel)
        report->text = (options.cancel ? "Nothing was taken back: " : "No rank was asked to stop: ") +
                       notLiveText(*engine.snapshot());
    report->outcome = "refused";
    answer(globals, *report);
    return code;
}

}  // namespace

int gracefulExit(const Globals &globals, const ExitCommand &options)
{
    Opened opened = open(globals);
    if (!opened.engine) return opened.code;
    Engine &engine = *opened.engine;
    const int code = settle(engine, globals, !options.reachableOnly);
    if (code == interrupted) return code;
    ExitOptions exit;
    exit.dryRun = options.dryRun;
    exit.waitSeconds = options.wait;
    exit.escalate = options.escalate;
    exit.allowUnreachable = options.reachableOnly;
    if (code != done) return refuse(engine, globals, options, exit, code);
    if (options.dryRun && !options.cancel) {
        std::optional<ProgressLine> line("asking the nodes for the preflight");
        Result<ExitReport> plan = engine.planExit(exit);
        line.reset();
        if (!plan) return exitFailed(globals, plan.error());
        if (plan->outcome.empty()) plan->outcome = "dry_run";
        return answer(globals, *plan);
    }
    if (Status started = options.cancel ? engine.cancelExit() : engine.startExit(exit); !started)
        return exitFailed(globals, started.error());
    std::optional<ProgressLine> line(options.cancel ? "taking the request back" : "asking the ranks to stop");
    std::string last;
    bool cancelled = false;
    while (!engine.waitAction(0.2)) {
        if (const auto snapshot = engine.snapshot(); snapshot->exit) progress(*snapshot->exit, last, *line);
        if (!interruptRequested() || std::exchange(cancelled, true)) continue;
        warn("taking the request back …");
        if (Status asked = engine.cancelExit(); !asked) warn(asked.error().message);
    }
    line.reset();
    const int outcome = answer(globals, *engine.snapshot()->exit);
    return cancelled ? interrupted : outcome;
}

}  // namespace rankdeck::ctl
