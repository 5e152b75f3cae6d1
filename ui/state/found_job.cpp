// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/found_job.h"

#include "core/base/text.h"
#include "ui/style/format.h"
#include "ui/style/marks.h"
#include "ui/style/window_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>

namespace rankdeck::ui {

namespace {

struct FoundJobWords {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ui::FoundJobWords)
};
using Codes = std::set<DiscoveryCode>;

const Codes ofProcesses{"ranks_elsewhere", "one_machine"};
const Codes ofLogs{"no_log", "one_log_for_all", "log_names"};
const Codes ofCheckpoints{"no_checkpoints_yet", "checkpoint_places"};
const Codes ofExit{"no_graceful_config"};

bool isOfRestart(const DiscoveryNote &note)
{
    return !ofProcesses.contains(note.code) && !ofLogs.contains(note.code) && !ofCheckpoints.contains(note.code) &&
           !ofExit.contains(note.code);
}

const DiscoveryNote *noteOf(const JobScan &job, const Codes &codes)
{
    const auto &notes = job.found.notes;
    const auto found =
        std::find_if(notes.begin(), notes.end(), [&](const DiscoveryNote &note) { return codes.contains(note.code); });
    return found == notes.end() ? nullptr : &*found;
}

// The last two components of a path that several lines may share; the tooltip has the full path.
QString shortPath(const std::string &path)
{
    const QString whole = fromNode(path);
    return whole.count(QLatin1Char('/')) > 2 ? whole.section(QLatin1Char('/'), -2) : whole;
}

FoundLine stillLooking(const QString &caption) { return {caption, Glyph::connecting, FoundJobWords::tr("looking…")}; }

FoundLine processLine(const JobScan &job)
{
    FoundLine line{FoundJobWords::tr("Processes"), Glyph::check, {}};
    const int found = static_cast<int>(job.found.ranks.size()), world = job.found.job.worldSize;
    QStringList places;
    std::set<int> elsewhere;
    for (int rank = 0; rank < world; ++rank) elsewhere.insert(rank);
    for (const NodeSpec &node : job.found.job.nodes) {
        places << FoundJobWords::tr("%1 on %2").arg(rankRange(node.ranks), fromNode(node.name));
        for (const int rank : node.ranks) elsewhere.erase(rank);
    }
    line.text = FoundJobWords::tr("%1: ranks %2").arg(nOf(found, world), places.join(QStringLiteral("; ")));
    if (knowsTime(job.found.started)) line.text += FoundJobWords::tr(", since %1").arg(clockWords(job.found.started));
    if (const DiscoveryNote *note = noteOf(job, ofProcesses)) line.more = asSentence(note->text);
    if (job.joining > 0) {
        line.glyph = Glyph::connecting;
        line.text += FoundJobWords::tr("; %n more that were just found: searching for their files…", nullptr,
                                       static_cast<int>(job.joining));
        line.more.clear();
        return line;
    }
    if (elsewhere.empty()) return line;
    line.glyph = Glyph::inProgress;
    line.text += FoundJobWords::tr("; the job has %1 ranks, so ranks %2 are on other hosts")
                     .arg(number(world), rankRange({elsewhere.begin(), elsewhere.end()}));
    const QStringList hosts = hostsToAdd(job);
    if (!hosts.isEmpty())
        line.text += FoundJobWords::tr(": probably on %1").arg(hosts.mid(0, 6).join(QStringLiteral(", ")));
    return line;
}

FoundLine logLine(const JobScan &job)
{
    const QString caption = FoundJobWords::tr("Logs");
    FoundLine line{caption, Glyph::check, shortPath(job.found.job.logs.path), fromNode(job.found.job.logs.path)};
    if (const DiscoveryNote *note = noteOf(job, ofLogs)) {
        line.glyph = Glyph::warns;
        line.text = asSentence(note->text);
        if (note->act) return line;
    }
    if (!job.logs) return stillLooking(caption);
    const LogScan &logs = *job.logs;
    line.text +=
        FoundJobWords::tr(", %1 readable").arg(nOf(static_cast<int>(logs.readable), static_cast<int>(logs.asked)));
    if (logs.readable < logs.asked) {
        line.glyph = logs.readable == 0 ? Glyph::refuses : Glyph::warns;
        line.text += QStringLiteral(": %1").arg(fromCore(logs.problem));
    } else if (logs.withLoss == 0) {
        line.glyph = Glyph::warns;
        line.text += FoundJobWords::tr(", no loss line at their end yet");
    } else {
        line.text += FoundJobWords::tr(", with loss lines");
    }
    return line;
}

FoundLine checkpointLine(const JobScan &job)
{
    const QString caption = FoundJobWords::tr("Checkpoints");
    if (!job.looked) return stillLooking(caption);
    FoundLine line{caption, Glyph::check, shortPath(job.found.job.checkpoints.path),
                   fromNode(job.found.job.checkpoints.path)};
    if (const DiscoveryNote *note = noteOf(job, ofCheckpoints)) {
        line.glyph = Glyph::warns;
        line.text = asSentence(note->text);
        return line;
    }
    if (!job.checkpoints) {
        line.glyph = Glyph::connecting;
        line.text += FoundJobWords::tr(", judging…");
        return line;
    }
    const CheckpointReport &report = job.checkpoints->report;
    line.text += FoundJobWords::tr(", %n set(s)", nullptr, static_cast<int>(report.sets.size()));
    if (const CheckpointSet *valid = report.newestValid()) {
        line.text += FoundJobWords::tr(", newest VALID %1").arg(setWords(*valid));
    } else if (!job.checkpoints->judged) {
        line.glyph = Glyph::unknown;
        line.text += FoundJobWords::tr(", not checked: %1")
                         .arg(job.checkpoints->problem.empty() ? FoundJobWords::tr("some information is missing")
                                                               : fromCore(job.checkpoints->problem));
    } else if (!report.sets.empty()) {
        const CheckpointSet &newest = report.sets[0];
        line.glyph = verdictGlyph(newest.verdict);
        line.text += FoundJobWords::tr(", none VALID; newest %1 %2").arg(verdictWord(newest.verdict), setWords(newest));
        line.more += QLatin1Char('\n') + whyOf(newest);
    } else {
        line.glyph = Glyph::warns;
    }
    return line;
}

FoundLine exitLine(const JobScan &job)
{
    FoundLine line{FoundJobWords::tr("Graceful exit"), Glyph::check, {}};
    const StopSwitch &facts = job.found.stopSwitch;
    const QString variable = fromNode(facts.variable);
    const int on = static_cast<int>(facts.on), all = static_cast<int>(facts.on + facts.off + facts.unknown);
    if (facts.variable.empty()) {
        line.glyph = Glyph::warns;
        line.text = FoundJobWords::tr(
            "its processes do not show how it stops: set a signal or a stop file as graceful_exit in the job file");
    } else if (facts.off > 0) {
        line.glyph = Glyph::refuses;
        line.text = FoundJobWords::tr("%1 is not 1 in %2 processes: this run cannot stop gracefully")
                        .arg(variable, nOf(static_cast<int>(facts.off), all));
    } else if (facts.unknown > 0) {
        line.glyph = Glyph::unknown;
        line.text = FoundJobWords::tr("unknown: this login cannot read the environment of %1 processes")
                        .arg(nOf(static_cast<int>(facts.unknown), all));
    } else {
        line.text = FoundJobWords::tr("%1=1 in all %2 processes").arg(variable, number(on));
        if (!job.looked) {
            line.glyph = Glyph::connecting;
            line.text += FoundJobWords::tr(", searching for its config…");
        } else if (const DiscoveryNote *note = noteOf(job, ofExit)) {
            line.glyph = Glyph::warns;
            line.text = asSentence(note->text);
        } else {
            line.text += comma() + shortPath(job.found.job.gracefulExit.config);
            line.more = fromNode(job.found.job.gracefulExit.config);
        }
    }
    return line;
}

FoundLine restartLine(const JobScan &job)
{
    const QString caption = FoundJobWords::tr("Restart with");
    if (!job.looked) return stillLooking(caption);
    const QString recipe = fromNode(job.found.job.launch.recipe);
    FoundLine line{
        caption, Glyph::check,
        recipe == QLatin1String("command")
            ? FoundJobWords::tr("the command line and environment of the running processes")
            : FoundJobWords::tr("%1, the command line and environment of the running processes").arg(recipe)};
    QStringList more;
    for (const DiscoveryNote &note : job.found.notes) {
        if (!isOfRestart(note)) continue;
        more << asSentence(note.text);
        if (!note.act || line.glyph == Glyph::warns) continue;
        line.glyph = Glyph::warns;
        line.text = asSentence(note.text);
    }
    line.more = more.join(QLatin1Char('\n'));
    return line;
}

}  // namespace

std::vector<FoundLine> foundLines(const JobScan &job)
{
    return {processLine(job), logLine(job), checkpointLine(job), exitLine(job), restartLine(job)};
}

QString foundHeadline(const JobScan &job)
{
    const int ranks = static_cast<int>(job.found.ranks.size());
    QString text = FoundJobWords::tr("%1 on %2")
                       .arg(ranks < job.found.job.worldSize
                                ? FoundJobWords::tr("%1 ranks").arg(nOf(ranks, job.found.job.worldSize))
                                : FoundJobWords::tr("%n rank(s)", nullptr, ranks),
                            FoundJobWords::tr("%n node(s)", nullptr, static_cast<int>(job.found.job.nodes.size())));
    if (!job.logs || !job.logs->newest) return text;
    if (const auto step = newestStep(*job.logs, job.found.job))
        text += FoundJobWords::tr(", at step %1").arg(number(*step));
    else if (const Sample &last = *job.logs->newest; last.epoch && last.step)
        text += FoundJobWords::tr(", at epoch %1, step %2").arg(number(*last.epoch), number(*last.step));
    return text;
}

bool needsPerson(const JobScan &job)
{
    return job.looked && std::any_of(job.found.notes.begin(), job.found.notes.end(),
                                     [](const DiscoveryNote &note) { return note.act; });
}

QStringList hostsToAdd(const JobScan &job)
{
    QStringList hosts;
    if (job.joining > 0) return hosts;  // these hosts may be the ones whose ranks have just joined
    for (const std::string &host : job.found.otherHosts) hosts << fromNode(host);
    return hosts;
}

}  // namespace rankdeck::ui
