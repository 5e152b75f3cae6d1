// SPDX-License-Identifier: GPL-3.0-or-later
// The report for a shift handover, as one HTML file, one Markdown file, or Markdown on stdout.
#include "app/ctl/command.h"

#include "core/base/files.h"
#include "core/job/job_file.h"
#include "core/journal/journal.h"
#include "core/report/incident_report.h"

#include <iostream>

namespace rankdeck::ctl {
namespace {

Json timeOrNull(const std::optional<WallTime> &time) { return time ? Json(isoTime(*time)) : Json(nullptr); }

Json incidentJson(const Incident &one)
{
    return {{"attempt", one.attempt},
            {"failed", timeOrNull(one.failed)},
            {"ranks", one.died},
            {"text", one.how},
            {"not_finite", timeOrNull(one.notFinite)},
            {"stopped", timeOrNull(one.stopped)},
            {"decided", timeOrNull(one.decided)},
            {"decided_by", one.decidedBy},
            {"resume", one.outcome.empty() ? Json(nullptr) : Json(one.outcome)},
            {"lost_steps", orNull(one.lostSteps())},
            {"seconds_to_decision", orNull(one.toDecision())},
            {"seconds_to_first_step", orNull(one.toFirstStep())}};
}

Result<std::vector<JournalEntry>> journalOf(const Globals &globals, const Job &job)
{
    const auto journal =
        Journal::open(globals.stateDirectory.empty() ? defaultStateDirectory() : globals.stateDirectory);
    if (!journal) return journal.error();
    return (*journal)->read(job.name, job.file);
}

}  // namespace

int report(const Globals &globals, const ReportCommand &options)
{
    Opened opened = open(globals);
    if (!opened.engine) return opened.code;
    if (const int code = settle(*opened.engine, globals, false); code == interrupted) return code;
    const std::shared_ptr<const Snapshot> snapshot = opened.engine->snapshot();
    ReportFacts facts{
        .view = snapshot->view, .at = snapshot->at, .settled = snapshot->settled, .alarms = snapshot->alarms};
    opened.engine->withRun([&](const Run &run) { takeRun(run, facts); });
    auto entries = journalOf(globals, snapshot->view.job);
    if (!entries) return say(entries.error());
    facts.journal = std::move(entries.value());
    const Document document = incidentReport(facts);
    for (const auto &[path, text] : {std::pair{options.html, html(document)}, {options.markdown, markdown(document)}}) {
        if (path.empty()) continue;
        if (const Status written = writeLocalFileAtomically(path, text); !written) return say(written.error());
        if (!globals.json) std::cout << path << "\n";
    }
    if (globals.json) {
        Json incidents = Json::array();
        for (const Incident &one : incidentsOf(snapshot->view.attempts, facts.events, facts.journal, facts.firstSteps))
            incidents.push_back(incidentJson(one));
        print({{"rankdeckctl", 1},
               {"job", snapshot->view.job.name},
               {"time", isoTime(snapshot->at)},
               {"incidents", incidents},
               {"html", options.html.empty() ? Json(nullptr) : Json(options.html)},
               {"md", options.markdown.empty() ? Json(nullptr) : Json(options.markdown)}});
    } else if (options.html.empty() && options.markdown.empty()) {
        std::cout << markdown(document);
    }
    return done;
}

}  // namespace rankdeck::ctl
