// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panes/stop_pane.h"

#include "ui/dialogs/kill_dialog.h"
#include "ui/kit/card.h"
#include "ui/kit/finding_row.h"
#include "ui/kit/glyph_label.h"
#include "ui/kit/label.h"
#include "ui/kit/segments.h"
#include "ui/kit/table.h"
#include "ui/panes/rank_exit_model.h"
#include "ui/state/act_state.h"
#include "ui/state/run_state.h"
#include "ui/style/format.h"
#include "ui/style/window_words.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QVBoxLayout>

namespace rankdeck::ui {

using Font = Theme::Font;
using Role = Theme::Role;

namespace {

Glyph signOf(Stage::Mark mark)
{
    switch (mark) {
    case Stage::Mark::busy: return Glyph::saving;
    case Stage::Mark::done: return Glyph::check;
    case Stage::Mark::warns: return Glyph::warns;
    case Stage::Mark::refused: return Glyph::refuses;
    case Stage::Mark::open: break;
    }
    return Glyph::queued;
}

RankExitModel::Behind behindIn(const Snapshot &s, WallTime now)
{
    RankExitModel::Behind behind{.died = pictureOf(s, now).fates.died};
    if (const auto stuck = stuckStop(s, now); stuck && stuck->which == AlarmCase::ranksHang)
        behind.hangs = stuck->ranks;
    behind.unheard = ranksWithoutContact(s);
    return behind;
}

}  // namespace

StopPane::StopPane(JobFeed &feed, QWidget *parent)
    : Pane(parent), m_feed(feed), m_findings(new QVBoxLayout), m_segments(new Segments),
      m_model(new RankExitModel(this)), m_table(new Table(tr("Ranks of the stop"))), m_saying(new Label),
      m_refusal(new Label), m_cancel(new QPushButton(cancelStopLabel())),
      m_anyway(new QPushButton(tr("Stop gracefully"))), m_resume(new QPushButton),
      m_close(new QPushButton(tr("Close"))), m_rungsTitle(new Label({}, Font::small, Role::text2)),
      m_lostByStep(new Label({}, Font::small, Role::text2)), m_term(new QPushButton), m_kill(new QPushButton),
      m_rungs(new QWidget)
{
    makeStages();
    m_findings->setSpacing(0);
    body()->addLayout(m_findings);
    body()->addSpacing(6);
    body()->addWidget(m_segments);
    m_table->setModel(m_model);
    m_table->setGrowsTo(16);
    m_table->setWidths({50, 64, 100, 0, -1});
    body()->addWidget(m_table);
    makeBox();
    body()->addStretch(1);
    makeRungs();
}

void StopPane::makeStages()
{
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    grid->setColumnMinimumWidth(1, 84);
    grid->setColumnStretch(2, 1);
    for (int i = 0; i < 6; ++i) {
        Line line{new GlyphLabel(Glyph::queued, 12), new Label({}, Font::bold), new Label};
        grid->addWidget(line.sign, i, 0);
        grid->addWidget(line.name, i, 1);
        grid->addWidget(line.text->wrapped(), i, 2);
        m_lines.push_back(line);
    }
    body()->addLayout(grid);
}

void StopPane::makeBox()
{
    auto *card = new Card;
    auto *column = new QVBoxLayout(card);
    column->setContentsMargins(10, 6, 10, 6);
    column->setSpacing(5);
    column->addWidget(m_saying->wrapped());
    column->addWidget(m_refusal->wrapped());
    m_refusal->hide();
    auto *buttons = new QHBoxLayout;
    for (QPushButton *button : {m_anyway, m_cancel, m_close}) {
        buttons->addWidget(button);
        button->hide();
    }
    buttons->addStretch(1);
    column->addLayout(buttons);
    column->addWidget(m_resume, 0, Qt::AlignLeft);  // has the longest text, because it names ranks
    m_resume->hide();
    body()->addSpacing(6);
    body()->addWidget(card);
    connect(m_anyway, &QPushButton::clicked, this, &StopPane::stop);
    connect(m_cancel, &QPushButton::clicked, this, &StopPane::cancel);
    connect(m_resume, &QPushButton::clicked, this, &StopPane::resumeWanted);
    connect(m_close, &QPushButton::clicked, this, &Pane::closed);
}

void StopPane::makeRungs()
{
    auto *column = new QVBoxLayout(m_rungs);
    column->setContentsMargins(0, 0, 0, 0);
    auto *line = new QHBoxLayout;
    line->addWidget(new Label(tr("If a rank does not answer"), Font::smallBold, Role::text2));
    line->addStretch(1);
    line->addWidget(m_rungsTitle);
    column->addLayout(line);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_term);
    buttons->addWidget(m_kill);
    buttons->addStretch(1);
    column->addLayout(buttons);
    column->addWidget(m_lostByStep->wrapped());
    body()->addWidget(m_rungs);
    connect(m_term, &QPushButton::clicked, this, [this] { confirm(Signal::term); });
    connect(m_kill, &QPushButton::clicked, this, [this] { confirm(Signal::kill); });
}

void StopPane::refresh(WallTime now)
{
    const auto snapshot = m_feed.snapshot();
    const Snapshot &s = *snapshot;
    const StopState state = stopState(s, now);
    const std::vector<Stage> stages = stopStages(s, now);
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const bool used = i < stages.size();
        for (QWidget *part : std::initializer_list<QWidget *>{m_lines[i].sign, m_lines[i].name, m_lines[i].text})
            part->setVisible(used);
        if (!used) continue;
        m_lines[i].sign->setGlyph(signOf(stages[i].mark));
        m_lines[i].name->setText(stages[i].name);
        m_lines[i].text->setText(stages[i].text);
        m_lines[i].text->setTone(
            stages[i].mark == Stage::Mark::busy || stages[i].mark == Stage::Mark::refused ? Role::text : Role::text2);
    }
    const bool stopped = s.exit && s.exit->outcome == "stopped";
    const bool armed = armedState(s).armed;
    const QString since =
        exitRuns(s) && s.exit->started ? shortDuration(secondsSince(*s.exit->started, now)) : QString();
    setTitle(stopped ? Glyph::valid
                     : (armed || exitRuns(s) ? Glyph::armed
                                             : (state.phase == StopPhase::refused ? Glyph::refuses : Glyph::stop)),
             stopTitle(s, now), since);
    showFindings(s);
    s.exit ? m_model->setRanks(s.exit->ranks, behindIn(s, now)) : m_model->setRanks({}, {});
    m_table->setColumnHidden(RankExitModel::confirmed, !stopWay(s).leavesLines);
    m_segments->setRanks(m_model->ranks());
    m_table->setVisible(m_model->rowCount() > 0);
    const StopMessage saying = stopMessage(s, now);
    m_saying->setBoldAndText(saying.bold, saying.text);
    const std::optional<Alarm> stuck = stuckStop(s, now);
    m_cancel->setVisible(state.cancels && !(stuck && stuck->stillRun == 0));
    m_anyway->setVisible(state.phase == StopPhase::warns || (state.phase == StopPhase::ready && !stopped));
    m_anyway->setText(state.phase == StopPhase::warns ? tr("Stop gracefully anyway") : tr("Stop gracefully"));
    m_resume->setVisible(stopped || stuck);
    m_resume->setText(wayOut(s, stuck));
    m_close->setVisible(stopped);
    m_refusal->setVisible(!m_problem.isEmpty());
    m_refusal->setText(m_problem);

    const EscalationOptions rungs = stopRungs(s, now);
    m_rungs->setVisible(!stopped);
    m_rungsTitle->setText(rungs.when);
    m_lostByStep->setText(!rungs.kill.empty() ? rungs.price + QLatin1Char(' ') + tr("Only the listed processes.")
                                              : QString());
    m_term->setText(rungs.term.empty() ? tr("SIGTERM…") : tr("SIGTERM %n process(es)…", nullptr, rungs.processes));
    m_kill->setText(tr("SIGKILL…"));
    m_kill->setAccessibleName(tr("SIGKILL %n process(es)", nullptr, static_cast<int>(rungs.kill.size())));
    m_term->setEnabled(rungs.open && !rungs.term.empty());
    m_kill->setEnabled(rungs.open && !rungs.kill.empty());
}

// The other way if the stop cannot finish: "End rank 6 and resume from 60…". The resume plan ends the remaining ranks,
// and is shown before it runs.
QString StopPane::wayOut(const Snapshot &s, const std::optional<Alarm> &stuck)
{
    if (const KeptSet *kept = keptBefore(s.view)) return tr("Put %1 back and resume from it…").arg(keptWords(*kept));
    const CheckpointSet *best = s.view.checkpoints.newestValid();
    const QString from = best != nullptr ? tr("Resume from %1…").arg(setWords(*best)) : tr("Resume…");
    if (!stuck || stuck->stillRun == 0) return from;
    const std::vector<int> running = runState(s).alive;
    constexpr qsizetype readable = 12;
    const QString range = rankRange(running);
    const QString who = running.size() == 1        ? tr("rank %1").arg(range)
                        : range.size() <= readable ? tr("ranks %1").arg(range)
                                                   : tr("%n ranks", nullptr, static_cast<int>(running.size()));
    return best != nullptr ? tr("End %1 and resume from %2…").arg(who, setWords(*best))
                           : tr("End %1 and resume…").arg(who);
}

void StopPane::showFindings(const Snapshot &s)
{
    // Only findings that are not ok: the first line counts the passed checks.
    const std::vector<Finding> &all = s.exit ? s.exit->preflight : s.exitPreflight.preflight;
    QString shown;
    for (const Finding &finding : all) {
        if (finding.result != Finding::Result::ok)
            shown += fromNode(finding.text) + fromNode(finding.fix) + QLatin1Char('\n');
    }
    if (shown == m_shownFindings) return;
    m_shownFindings = shown;
    while (QLayoutItem *item = m_findings->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const Finding &finding : all) {
        if (finding.result != Finding::Result::ok) m_findings->addWidget(new FindingRow(finding, {}));
    }
}

void StopPane::stop() { said(m_feed.startExit({})); }

void StopPane::cancel() { said(m_feed.cancelExit()); }

void StopPane::act()
{
    const StopState state = stopState(*m_feed.snapshot(), wallNow());
    if (state.phase == StopPhase::warns || state.phase == StopPhase::ready) stop();
}

// Passes the processes that the dialog has shown. If the list has changed since then, the action reports it.
void StopPane::confirm(Signal signal)
{
    const EscalationOptions rungs = stopRungs(*m_feed.snapshot(), wallNow());
    KillDialog dialog(rungs, signal == Signal::kill, this);
    if (dialog.exec() != QDialog::Accepted) return;
    said(m_feed.escalate({.signal = signal, .targets = signal == Signal::kill ? rungs.kill : rungs.term}));
}

void StopPane::said(const Status &status)
{
    m_problem = status ? QString() : fromCore(status.error().message);
    refresh(wallNow());
}

}  // namespace rankdeck::ui
