// SPDX-License-Identifier: GPL-3.0-or-later
// Resume from the newest VALID set or a chosen one: plan, preflight, launch, proof. Ctrl-C before the launch leaves
// everything unchanged; after the launch the run continues and only the watching ends.
#include "app/ctl/act_json.h"
#include "app/ctl/command.h"
#include "app/ctl/output/columns.h"
#include "app/ctl/output/progress_line.h"

#include "core/base/text.h"

#include <algorithm>
#include <iostream>
#include <optional>
#include <utility>

namespace rankdeck::ctl {
namespace {

int codeOf(const ResumeReport &report)
{
    // a launch without proof in the given time is a "no": the question was whether the training continued
    return report.outcome == "proven" || report.outcome == "dry_run" ? done : answerIsNo;
}

// True if a finding, which is printed below with its remedy, already says what the report says.
bool repeatsAFinding(const ResumeReport &report)
{
    return report.outcome == "refused" &&
           std::any_of(report.preflight.begin(), report.preflight.end(), [&](const Finding &finding) {
               return finding.result == Finding::Result::refuse && !finding.text.empty() &&
                      report.text.find(finding.text) != std::string::npos;
           });
}

void writeText(const ResumeReport &report)
{
    printToFit(std::string(report.outcome.word()) + (report.set.empty() ? "" : ", set " + report.set) +
               (repeatsAFinding(report) ? "" : ": " + printable(report.text)));
    findingsText(report.preflight);
    if (report.outcome == "dry_run") planText(report.plan, report.text);
    for (const RankProof &rank : report.ranks) {
        const bool began = report.outcome != "dry_run" && report.outcome != "refused";
        if (!began && !rank.loadedGlobalStep && !rank.firstStep && rank.note.empty()) continue;
        std::cout << "  rank " << rank.rank << ": loaded "
                  << (rank.loadedGlobalStep ? grouped(*rank.loadedGlobalStep) : "?") << ", first step "
                  << (rank.firstStep ? grouped(*rank.firstStep) : "?")
                  << (rank.note.empty() ? "" : ", " + printable(rank.note)) << "\n";
    }
    if (!report.journal.empty()) std::cout << "  journal: " << report.journal << "\n";
}

int answer(const Globals &globals, const ResumeReport &report)
{
    if (globals.json)
        print(resumeJson(report));
    else
        writeText(report);
    return codeOf(report);
}

int resumeFailed(const Globals &globals, const Error &error)
{
    ResumeReport report;
    report.outcome = "refused";
    report.text = error.message;
    if (globals.json) print(resumeJson(report));
    return say(error);
}

// Not all nodes are live: nothing is started. The report gives the reason.
int refuse(Engine &engine, const Globals &globals, ResumeOptions resume, int code)
{
    resume.dryRun = true;
    Result<ResumeReport> report = engine.planResume(resume);
    if (!report) return resumeFailed(globals, report.error());
    if (report->outcome != "refused") report->text = "Nothing was started: " + notLiveText(*engine.snapshot());
    report->outcome = "refused";
    answer(globals, *report);
    return code;
}

}  // namespace

int resume(const Globals &globals, const ResumeCommand &options)
{
    Opened opened = open(globals);
    if (!opened.engine) return opened.code;
    Engine &engine = *opened.engine;
    const int settled = settle(engine, globals, true);
    if (settled == interrupted || (settled != done && options.script)) return settled;
    ResumeOptions resume;
    if (!options.set.empty()) resume.set = options.set;
    resume.dryRun = options.dryRun || options.script;
    resume.allowUnproven = options.allowUnproven;
    resume.waitSeconds = options.wait;
    resume.fixes = options.fixes;
    resume.stopOnAlarm = options.stopOnAlarm;
    if (settled != done) return refuse(engine, globals, std::move(resume), settled);
    if (resume.dryRun) {
        std::optional<ProgressLine> line("asking the nodes for the plan");
        Result<ResumeReport> plan = engine.planResume(resume);
        line.reset();
        if (!plan) return resumeFailed(globals, plan.error());
        if (plan->outcome.empty()) plan->outcome = "dry_run";
        if (!options.script) return answer(globals, *plan);
        std::cout << planAsScript(plan->plan);
        return codeOf(*plan);
    }
    if (Status started = engine.startResume(resume); !started) return resumeFailed(globals, started.error());
    std::optional<ProgressLine> line("preparing");
    ResumePhase last;
    while (!engine.waitAction(0.2)) {
        const auto snapshot = engine.snapshot();
        if (snapshot->resume && snapshot->resume->phase != last) {
            last = snapshot->resume->phase;
            line->say(last.word());
            warn(last.word() + (snapshot->resume->text.empty() ? "" : ": " + snapshot->resume->text));
        }
        if (!interruptRequested()) continue;
        line->say("ending");
        engine.stop();  // the report says what the action has done
        line.reset();
        const ResumeReport ended = *engine.snapshot()->resume;
        answer(globals, ended);
        if (ended.outcome == "launched")
            warn("what was started keeps running unwatched; check it with rankdeckctl status");
        return interrupted;
    }
    line.reset();
    return answer(globals, *engine.snapshot()->resume);
}

}  // namespace rankdeck::ctl
