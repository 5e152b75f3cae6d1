// SPDX-License-Identifier: GPL-3.0-or-later
// Graceful exit: preflight, one write, progress per rank, proof. Ctrl-C takes the flag back before it ends.
#include "app/ctl/act_json.h"
#include "app/ctl/command.h"

#include "core/base/text.h"

#include <algorithm>
#include <iostream>
#include <unistd.h>

namespace rankdeck::ctl {
namespace {

int codeOf(ExitOutcome outcome)
{
    return outcome == "stopped" || outcome == "cancelled" || outcome == "dry_run" ? done : answerIsNo;
}

// The rank that is furthest behind, and how many more.
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

std::string priceText(const LostWork &price)
{
    if (!price.known) return "not known yet";
    return grouped(price.steps) + " steps, " + durationText(price.seconds) + ", " + deviceTimeText(price.deviceHours);
}

void ladderText(const ExitReport &report)
{
    for (const ExitRung &rung : report.ladder) {
        std::cout << "  " << rung.name << (rung.available ? "" : " (not possible now)") << ": " << printable(rung.text)
                  << "; loses "
                  << (rung.name == "graceful" ? "nothing but the step in progress" : priceText(rung.price)) << "\n";
        for (const Finding &finding : rung.findings) std::cout << "        " << printable(finding.text) << "\n";
        for (const ProcessTarget &target : rung.targets) std::cout << "        " << targetText(target) << "\n";
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

void progress(const ExitReport &report, std::string &last)
{
    // The list stands there before the signal is sent.
    const bool ladder = report.phase == "escalating";
    const std::string text = ladder ? escalatingText(report) : progressText(report);
    if (text == last) return;
    last = text;
    if (ladder) {
        std::cerr << "\n" << text << std::flush;
        return;
    }
    if (::isatty(STDERR_FILENO))
        std::cerr << "\r\x1b[K" << text << std::flush;
    else
        std::cerr << text << "\n";
}

void writeText(const ExitReport &report)
{
    std::cout << report.outcome << ": " << printable(report.text) << "\n";
    findingsText(report.preflight);
    if (report.outcome == "dry_run" || report.outcome == "refused") {
        planText(report.plan);
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
    if (::isatty(STDERR_FILENO)) std::cerr << "\r\x1b[K";
    if (globals.json)
        print(exitJson(report));
    else
        writeText(report);
    return codeOf(report.outcome);
}

}  // namespace

int gracefulExit(const Globals &globals, const ExitCommand &options)
{
    Opened opened = open(globals);
    if (!opened.engine) return opened.code;
    Engine &engine = *opened.engine;
    const int code = settle(engine, globals, !options.reachableOnly);
    if (code != done) return code;
    ExitOptions exit;
    exit.dryRun = options.dryRun;
    exit.waitSeconds = options.wait;
    exit.escalate = options.escalate;
    exit.allowUnreachable = options.reachableOnly;
    if (options.dryRun && !options.cancel) {
        Result<ExitReport> plan = engine.planExit(exit);
        if (!plan) return say(plan.error());
        if (plan->outcome.empty()) plan->outcome = "dry_run";
        return answer(globals, *plan);
    }
    if (Status started = options.cancel ? engine.cancelExit() : engine.startExit(exit); !started)
        return say(started.error());
    std::string last;
    bool cancelled = false;
    while (!engine.waitAction(0.2)) {
        if (const auto snapshot = engine.snapshot(); snapshot->exit) progress(*snapshot->exit, last);
        if (!interruptRequested() || std::exchange(cancelled, true)) continue;
        warn("taking the request back …");
        if (Status asked = engine.cancelExit(); !asked) warn(asked.error().message);
    }
    const int outcome = answer(globals, *engine.snapshot()->exit);
    return cancelled ? interrupted : outcome;
}

}  // namespace rankdeck::ctl
