// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panes/proof_pane.h"

#include "ui/kit/label.h"
#include "ui/kit/table.h"
#include "ui/panes/proof_model.h"
#include "ui/panes/seam_plot.h"
#include "ui/state/run_state.h"
#include "ui/style/format.h"
#include "ui/style/window_words.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace rankdeck::ui {

using Font = Theme::Font;
using Role = Theme::Role;

namespace {

QString whoWords(const std::vector<int> &ranks)
{
    return ranks.size() == 1 ? ProofPane::tr("rank %1").arg(ranks.front())
                             : ProofPane::tr("ranks %1").arg(rankRange(ranks));
}

}  // namespace

ProofPane::ProofPane(JobFeed &feed, QWidget *parent)
    : Pane(parent), m_feed(feed), m_model(new ProofModel(this)), m_table(new Table(tr("Proof per rank"))),
      m_wrong(new Label), m_times(new Label), m_text(new Label), m_seam(new SeamPlot),
      m_stop(new QPushButton(tr("Stop gracefully"))), m_log(new QPushButton(tr("Show its log"))),
      m_close(new QPushButton(tr("Close")))
{
    m_when = addSection(tr("Evidence in each rank's log"));
    m_table->setModel(m_model);
    m_table->setGrowsTo(16);
    m_table->setWidths({46, 82, 74, 72, 66, -1});
    body()->addWidget(m_table);
    body()->addWidget(m_wrong->wrapped());
    m_seamNote = addSection(tr("Loss at the seam"));
    body()->addWidget(m_seam);
    addSection(tr("Time to recover"));
    body()->addWidget(m_times->wrapped());
    body()->addSpacing(4);
    body()->addWidget(m_text->wrapped());
    body()->addStretch(1);
    foot()->addWidget(m_stop);
    foot()->addWidget(m_log);
    foot()->addStretch(1);
    foot()->addWidget(m_close);
    showFoot(true);
    connect(m_stop, &QPushButton::clicked, this, &ProofPane::stopWanted);
    connect(m_log, &QPushButton::clicked, this, [this] { Q_EMIT logWanted(firstUnproven()); });
    connect(m_close, &QPushButton::clicked, this, &Pane::closed);
}

int ProofPane::preferredWidth(int windowWidth) const
{
    return std::min(scaled(480), std::max(480, windowWidth * 2 / 5));
}

int ProofPane::firstUnproven() const
{
    const auto snapshot = m_feed.snapshot();
    if (!snapshot->resume) return -1;
    for (const RankProof &rank : snapshot->resume->ranks) {
        if (!rank.proven) return rank.rank;
    }
    return -1;
}

void ProofPane::refresh(WallTime now)
{
    const auto snapshot = m_feed.snapshot();
    if (!snapshot->resume) {
        setTitle(Glyph::play, tr("No resume yet"));
        return;
    }
    const ResumeReport &report = *snapshot->resume;
    showTitle(report, now);
    m_model->setRanks(report.ranks, report.continues);
    m_when->setText(report.started ? tr("since %1").arg(clockWords(*report.started)) : QString());
    const bool failed = report.continues.isNo();
    m_stop->setVisible(failed);
    m_log->setVisible(failed && firstUnproven() >= 0);
    showWrong(report);
    m_text->setText(fromCore(report.text));
    // After the end of the proof, the title contains this text.
    m_text->setVisible(!report.text.empty() && report.outcome.empty() && !failed);
    showSeam(report);
    showTimes(report);
}

void ProofPane::showTitle(const ResumeReport &report, WallTime now)
{
    const auto snapshot = m_feed.snapshot();
    const CheckpointSet *set = snapshot->view.checkpoints.find(report.set);
    const QString from = set != nullptr ? setWords(*set) : fromNode(report.set);
    const auto all = static_cast<int>(report.ranks.size());
    const auto proven = static_cast<int>(
        std::count_if(report.ranks.begin(), report.ranks.end(), [](const RankProof &rank) { return rank.proven; }));
    const QString since =
        report.started && report.outcome.empty() ? shortDuration(secondsSince(*report.started, now)) : QString();
    const std::vector<Alarm> &alarms = snapshot->alarms;
    const bool died = std::any_of(alarms.begin(), alarms.end(), [](const Alarm &alarm) {
        return alarm.code == AlarmCode::jobDied || alarm.code == AlarmCode::rankDied;
    });
    if (report.outcome == "proven" && died) {
        setTitle(Glyph::warns, tr("Ranks died since: %1 from %2").arg(attemptWords(snapshot->view.attempt), from));
        setTitleGround(Role::tintWarn, Role::partial, {});
    } else if (report.outcome == "proven") {
        setTitle(Glyph::valid, tr("Proven: %1 continues from %2").arg(attemptWords(snapshot->view.attempt), from));
        setTitleGround(Role::tintOk, Role::complete, fromCore(report.text));
    } else if (report.outcome == "refused") {
        setTitle(Glyph::refuses, tr("Resume refused"));
        setTitleGround(Role::tintBad, Role::corrupt, fromCore(report.text));
    } else if (report.continues.isNo()) {
        setTitle(Glyph::refuses, tr("Not proven: %1 ranks continue").arg(nOf(proven, all)));
        setTitleGround(Role::tintBad, Role::corrupt, fromCore(report.text));
    } else if (!report.outcome.empty()) {
        setTitle(Glyph::warns, report.outcome == "launched" ? tr("Launched, not proven yet") : tr("Resume failed"));
        setTitleGround(report.outcome == "launched" ? Role::tintWarn : Role::tintBad,
                       report.outcome == "launched" ? Role::partial : Role::corrupt, fromCore(report.text));
    } else {
        const QString phase = report.phase == "proving"
                                  ? tr("Proving: %1 ranks continue from %2").arg(nOf(proven, all), from)
                              : report.phase == "launching" ? tr("Launching from %1").arg(from)
                              : report.phase == "preparing" ? tr("Preparing %1").arg(from)
                                                            : tr("Checking %1").arg(from);
        setTitle(Glyph::saving, phase, since);
        setTitleGround(Role::window, {}, {});
    }
}

// Shows each reason once and in full, with its ranks, because the column may be too narrow.
void ProofPane::showWrong(const ResumeReport &report)
{
    constexpr std::size_t most = 4;
    std::vector<std::pair<std::string, std::vector<int>>> reasons;
    for (const RankProof &rank : report.ranks) {
        if (rank.note.empty() || !ProofModel::speaksAgainst(rank, report.continues)) continue;
        const auto same =
            std::find_if(reasons.begin(), reasons.end(), [&](const auto &one) { return one.first == rank.note; });
        if (same != reasons.end())
            same->second.push_back(rank.rank);
        else
            reasons.push_back({rank.note, {rank.rank}});
    }
    QStringList lines;
    for (std::size_t i = 0; i < reasons.size() && i < most; ++i) {
        lines << (reasons[i].second.size() == 1 ? tr("Rank %1: %2") : tr("Ranks %1: %2"))
                     .arg(rankRange(reasons[i].second), fromCore(reasons[i].first));
    }
    if (reasons.size() > most)
        lines << tr("And %n more reason(s) in the table.", nullptr, static_cast<int>(reasons.size() - most));
    m_wrong->setText(lines.join(QLatin1Char('\n')));
    m_wrong->setVisible(!lines.isEmpty());
}

void ProofPane::showSeam(const ResumeReport &report)
{
    const auto snapshot = m_feed.snapshot();
    const CheckpointSet *set = snapshot->view.checkpoints.find(report.set);
    std::int64_t at = set != nullptr ? positionOf(*set) : -1;
    for (const AttemptInfo &info : snapshot->view.attempts) {
        if (info.index == snapshot->view.attempt && info.resumedFrom) at = *info.resumedFrom;
    }
    const auto last = lastPosition(*snapshot);
    m_seam->setVisible(at >= 0);
    if (at < 0) return;
    const double reach = std::max<double>(20, last ? static_cast<double>(*last - at) * 1.1 : 20);
    SeamPlot::Curves curves;
    curves.seam = static_cast<double>(at);
    curves.from = std::max(0.0, curves.seam - reach);
    curves.to = curves.seam + reach;
    const int attempt = snapshot->view.attempt;
    curves.before = attempt > 0 ? attemptWords(attempt - 1) : QString();
    curves.after = attemptWords(attempt);
    const int columns = std::max(50, std::min(m_seam->width() - 16, static_cast<int>(2 * reach)));
    m_feed.withRun([&](const Run &run) {
        curves.kept = run.envelope(ColumnGrid::between(curves.from, curves.to, columns));
        curves.discarded = run.envelope(ColumnGrid::between(curves.seam, curves.to, columns / 2), true);
    });
    // Both envelopes share an axis, so the discarded one is padded up to the seam.
    curves.discarded.insert(curves.discarded.begin(), curves.kept.size() - curves.discarded.size(), EnvelopeColumn{});
    double apart = 0;
    for (const RankProof &rank : report.ranks) {
        if (rank.firstLoss && rank.oldLoss) apart = std::max(apart, std::abs(*rank.firstLoss - *rank.oldLoss));
    }
    m_seamNote->setText(apart <= 0 ? QString()
                        : report.continues.isNo()
                            ? tr("first losses differ by up to %1 from the old curve").arg(lossText(apart))
                            : tr("first losses within %1 of the old curve").arg(lossText(apart)));
    m_seam->setCurves(std::move(curves));
}

void ProofPane::showTimes(const ResumeReport &report)
{
    if (!report.started) return m_times->setText(QString());
    const auto snapshot = m_feed.snapshot();
    const std::optional<WallTime> died = failureBefore(*snapshot, *report.started);
    std::optional<WallTime> firstStep;
    m_feed.withRun([&](const Run &run) {
        for (const RankProof &rank : report.ranks) {
            auto at = rank.firstStep ? run.timeAt(*rank.firstStep, run.currentAttempt()) : std::nullopt;
            // If the first lines arrived together, the first known time is used instead.
            if (const auto anchors = run.anchors(run.currentAttempt()); rank.firstStep && !at && !anchors.empty())
                at = anchors.front().time;
            if (at && (!firstStep || *at > *firstStep)) firstStep = at;
        }
    });
    QStringList parts;
    if (died)
        parts << tr("From the failure to the decision %1.").arg(durationWords(secondsSince(*died, *report.started)));
    std::vector<int> waiting;
    for (const RankProof &rank : report.ranks)
        if (!rank.firstStep) waiting.push_back(rank.rank);
    if (report.ranks.empty() || waiting.size() == report.ranks.size())
        parts << (report.outcome.empty() ? tr("Waiting for the first step of every rank.")
                                         : tr("No rank has shown a step."));
    else if (!waiting.empty())
        parts << (report.outcome.empty() ? tr("Waiting for the first step of %1.") : tr("%1 showed no step."))
                     .arg(whoWords(waiting));
    else if (firstStep && *firstStep >= *report.started)
        parts << tr("From the decision to the first step of every rank %1.")
                     .arg(durationWords(secondsSince(*report.started, *firstStep)));
    else
        parts << tr("Every rank has taken its first step, at an unknown time.");
    m_times->setText(parts.join(QLatin1Char(' ')));
}

}  // namespace rankdeck::ui
