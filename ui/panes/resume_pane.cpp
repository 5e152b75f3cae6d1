// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panes/resume_pane.h"

#include "core/recover/wording.h"
#include "ui/kit/act_button.h"
#include "ui/kit/card.h"
#include "ui/kit/finding_row.h"
#include "ui/kit/glyph_label.h"
#include "ui/kit/label.h"
#include "ui/kit/table.h"
#include "ui/panes/plan_view.h"
#include "ui/panes/sets_model.h"
#include "ui/panes/zero_question.h"
#include "ui/state/act_state.h"
#include "ui/state/run_state.h"
#include "ui/style/format.h"
#include "ui/style/window_words.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace rankdeck::ui {

using Font = Theme::Font;
using Role = Theme::Role;

namespace {

constexpr double oldPlan = 60;  // seconds
constexpr int narrow = 520;     // px, for letters of 12 px: below this width there is no room for the reason of a set

QString fixWords(const Finding &finding)
{
    switch (finding.code.row().label) {
    case FixLabel::setToZero: return ResumePane::tr("Set to 0");
    case FixLabel::backUp: return ResumePane::tr("Back up");
    case FixLabel::allTheSame: return allTheSameLabel();
    case FixLabel::inPlan: break;
    }
    const FindingCode code = finding.code;
    if (code == "survivors") return ResumePane::tr("End them first");
    if (code == "launcher_alive") return ResumePane::tr("End it first");
    if (code == "port_in_use") return ResumePane::tr("End that process");
    if (code == "member_missing") return ResumePane::tr("Copy it there");
    if (code == "graceful_set") return ResumePane::tr("Use that set");
    if (code == "kept_set") return ResumePane::tr("Put it back first");
    return ResumePane::tr("Fix in the plan");
}

// True for a finding that the user may override; the plan does not change because of it.
bool takenOn(const Finding &finding) { return finding.code.row().label == FixLabel::allTheSame; }

bool hasFix(const Finding &finding) { return finding.fixable || takenOn(finding); }

}  // namespace

ResumePane::ResumePane(JobFeed &feed, QWidget *parent)
    : Pane(parent), m_feed(feed), m_sets(new SetsModel(this)), m_table(new Table(tr("Checkpoint sets"))),
      m_explain(new Label), m_missing(new Label), m_missingSign(new GlyphLabel(Glyph::refuses, 13)),
      m_unproven(new QCheckBox(unprovenLabel())), m_findings(new QVBoxLayout), m_findingsCard(new Card),
      m_plan(new PlanView), m_copy(new QPushButton(tr("Copy as script"))), m_again(new QPushButton(tr("Check again"))),
      m_whole(new QPushButton(tr("Whole plan"))), m_act(new ActButton), m_keepNoLonger(new QAction(this))
{
    makeSets();
    makePreflight();
    makePlan();
    makeFoot();
}

// Large letters get a wider pane, which still leaves more than half of the window to the deck.
int ResumePane::preferredWidth(int windowWidth) const
{
    constexpr int usual = 576;
    return windowWidth >= 1600 ? 680 : std::max(usual, std::min(scaled(usual), windowWidth * 45 / 100));
}

void ResumePane::makeSets()
{
    m_abovePlan << addSection(tr("1  Set"), tr("click a column, or use the arrow keys in the timeline"))->parentWidget()
                << m_table;
    m_table->setModel(m_sets);
    m_table->setGrowsTo(6);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setWidths({28, 0, 0, 0, -1});
    m_table->setWraps(SetsModel::why);
    body()->addWidget(m_table);
    body()->addWidget(m_explain->wrapped());
    body()->addWidget(m_unproven);
    m_explain->hide();
    m_unproven->setObjectName(QStringLiteral("unproven"));
    m_unproven->hide();
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &index) {
        if (index.isValid()) choose(index.data(SetsModel::idRole).toString());
    });
    connect(m_unproven, &QCheckBox::toggled, this, &ResumePane::requestPlan);
    m_keepNoLonger->setText(tr("Stop &keeping it…"));
    m_table->addAction(m_keepNoLonger);
    connect(m_keepNoLonger, &QAction::triggered, this, &ResumePane::keepNoLonger);
}

void ResumePane::resizeEvent(QResizeEvent *event)
{
    Pane::resizeEvent(event);
    m_sets->setShort(width() < scaled(narrow));
}

void ResumePane::makePreflight()
{
    m_checked = addSection(tr("2  Preflight"));
    m_abovePlan << m_checked->parentWidget();
    m_findingsCard->setLayout(m_findings);
    m_findings->setContentsMargins(1, 1, 1, 1);
    m_findings->setSpacing(1);
    body()->addWidget(m_findingsCard);
}

void ResumePane::makePlan()
{
    m_planNote = addSection(tr("3  Plan"), tr("exactly this runs and is kept in the journal"));
    body()->addWidget(m_plan, 1);
}

void ResumePane::makeFoot()
{
    // The buttons are in rows, so that their texts fit into the narrowest pane.
    auto *small = new QHBoxLayout;
    small->addWidget(m_copy);
    small->addWidget(m_again);
    small->addWidget(m_whole);
    m_whole->setCheckable(true);
    m_whole->setToolTip(toolTipOf(tr("Ctrl+D")));
    connect(m_whole, &QPushButton::clicked, this, &ResumePane::toggleWholePlan);
    small->addStretch(1);
    auto *missing = new QHBoxLayout;
    missing->addStretch(1);
    missing->addWidget(m_missingSign);
    missing->addWidget(m_missing);
    auto *rows = new QVBoxLayout;
    rows->addLayout(small);
    rows->addLayout(missing);
    foot()->addLayout(rows);
    m_act->setFixedHeight(scaled(32));
    m_act->setFont(Theme::of(this).font(Font::bold));
    m_act->setGlyph(Glyph::play);
    m_act->setToolTip(toolTipOf(tr("Ctrl+Enter")));
    rows->addWidget(m_act, 0, Qt::AlignRight);
    showFoot(true);
    connect(m_copy, &QPushButton::clicked, this, &ResumePane::copyScript);
    connect(m_again, &QPushButton::clicked, this, &ResumePane::checkAgain);
    connect(m_act, &QPushButton::clicked, this, &ResumePane::act);
}

const CheckpointSet *ResumePane::current() const
{
    return m_feed.snapshot()->view.checkpoints.find(m_set.toStdString());
}

ResumeOptions ResumePane::options() const
{
    ResumeOptions options;
    options.set = m_set.toStdString();
    options.allowUnproven = m_unproven->isChecked();
    options.fixes.assign(m_fixes.begin(), m_fixes.end());
    return options;
}

void ResumePane::choose(const QString &setId)
{
    const auto snapshot = m_feed.snapshot();
    const CheckpointReport &report = snapshot->view.checkpoints;
    QString wanted = setId;
    if (wanted.isEmpty()) {
        const KeptSet *kept = keptBefore(snapshot->view);
        const CheckpointSet *best = report.newestValid();
        wanted = kept != nullptr        ? QString::fromStdString(kept->id)
                 : best != nullptr      ? QString::fromStdString(best->id)
                 : !report.sets.empty() ? QString::fromStdString(report.sets.front().id)
                                        : QString();
    }
    m_sets->setSnapshot(*snapshot);
    if (const int row = m_sets->rowOf(wanted); row >= 0 && row != m_table->currentIndex().row()) {
        const QSignalBlocker quiet(m_table->selectionModel());
        m_table->setCurrentIndex(m_sets->index(row, SetsModel::set));
        m_table->viewport()->update();
    }
    if (wanted == m_set) return;
    m_set = wanted;
    const QSignalBlocker quiet(m_unproven);
    m_unproven->setChecked(false);
    requestPlan();  // before the signal, because its receivers refresh this pane
    Q_EMIT setChosen(m_set);
}

void ResumePane::requestPlan()
{
    ++m_generation;
    m_report.reset();
    m_backPlan.reset();
    m_problem.clear();
    m_planning = m_renewing = false;
    m_wasKept = chosenKept() != nullptr;
    if (m_wasKept && chosenKept()->whole.mayBe() && isVisible() && m_back != m_set) askToPutBack();
    const CheckpointSet *set = current();
    if (!m_wasKept && set != nullptr && canBeChosen(*set, m_unproven->isChecked()) && isVisible()) {
        m_planning = true;
        askForPlan();
    }
    showFindings();
    refresh(wallNow());
}

// True if the chosen set can be resumed from and its plan has not been requested yet.
bool ResumePane::isReadyForAPlan() const
{
    const auto snapshot = m_feed.snapshot();
    if (m_report || m_planning || !m_problem.isEmpty() || !isVisible() || chosenKept() != nullptr) return false;
    const CheckpointSet *set = current();
    return set != nullptr && canBeChosen(*set, m_unproven->isChecked()) && !resumeRuns(*snapshot) &&
           !exitRuns(*snapshot);
}

void ResumePane::askForPlan()
{
    ResumeOptions wanted = options();
    wanted.dryRun = true;
    m_feed.planResume(std::move(wanted), [this, generation = m_generation,
                                          alive = QPointer<ResumePane>(this)](Result<ResumeReport> report) {
        if (alive) tookPlan(generation, report);
    });
}

const KeptSet *ResumePane::chosenKept() const
{
    const auto snapshot = m_feed.snapshot();
    const std::string id = m_set.toStdString();
    return mustBePutBack(*snapshot, id) ? snapshot->view.kept->find(id) : nullptr;
}

// A dry run: requests the plan of the files to make.
void ResumePane::askToPutBack()
{
    m_planning = true;
    m_feed.keep({.set = m_set.toStdString(), .act = KeepAct::restore, .dryRun = true},
                [this, generation = m_generation, alive = QPointer<ResumePane>(this)](const KeepReport &report) {
                    if (!alive || generation != m_generation) return;
                    m_planning = false;
                    if (report.outcome == "dry_run") {
                        m_backPlan = report;
                        m_plannedAt = wallNow();
                    } else {
                        m_problem = fromCore(report.text);
                    }
                    showFindings();
                    refresh(wallNow());
                });
}

void ResumePane::putBack()
{
    m_puttingBack = true;
    m_feed.keep({.set = m_set.toStdString(), .act = KeepAct::restore},
                [this, set = m_set, alive = QPointer<ResumePane>(this)](const KeepReport &report) {
                    if (!alive) return;
                    m_puttingBack = false;
                    if (report.outcome == "restored")
                        m_back = set;
                    else if (set == m_set)
                        m_problem = fromCore(report.text);
                    refresh(wallNow());
                });
    refresh(wallNow());
}

// If there is no other copy, the set is lost, so the user must confirm.
void ResumePane::keepNoLonger()
{
    const QString set = m_table->currentIndex().data(SetsModel::idRole).toString();
    const KeptSet *kept = m_feed.snapshot()->view.kept->find(set.toStdString());
    if (kept == nullptr) return;
    const bool last = mustBePutBack(*m_feed.snapshot(), kept->id);
    auto *question = new QMessageBox(QMessageBox::Warning, tr("Stop keeping %1").arg(keptWords(*kept)),
                                     last ? tr("There is no other copy: afterwards you cannot resume from it.")
                                          : tr("It stays among the checkpoints until rotation takes it."),
                                     QMessageBox::NoButton, this);
    question->setObjectName(QStringLiteral("keepNoLonger"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setDefaultButton(question->addButton(tr("Leave it"), QMessageBox::RejectRole));
    const QPushButton *away = question->addButton(tr("Stop keeping it"), QMessageBox::AcceptRole);
    connect(away, &QPushButton::clicked, this, [this, set] {
        m_feed.keep({.set = set.toStdString(), .act = KeepAct::remove},
                    [this, alive = QPointer<ResumePane>(this)](const KeepReport &report) {
                        if (!alive) return;
                        if (report.outcome != "removed") m_problem = fromCore(report.text);
                        refresh(wallNow());
                    });
    });
    question->open();
}

// Requests a fresh plan while the pane is visible; the old one stays until the new one arrives.
void ResumePane::renewWhenOld(WallTime now)
{
    const auto snapshot = m_feed.snapshot();
    const bool busy = m_planning || m_renewing || resumeRuns(*snapshot) || exitRuns(*snapshot);
    if (busy || !isVisible() || !m_report || !m_plannedAt || secondsSince(*m_plannedAt, now) <= oldPlan) return;
    m_renewing = true;
    ++m_generation;
    askForPlan();
}

void ResumePane::tookPlan(int generation, const Result<ResumeReport> &report)
{
    if (generation != m_generation) return;
    m_planning = m_renewing = false;
    if (report) {
        m_problem.clear();
        m_report = report.value();
        m_plannedAt = wallNow();
    } else {
        m_problem = fromCore(report.error().message);
    }
    showFindings();
    refresh(wallNow());
}

FindingRow *ResumePane::rowOf(const Finding &finding, bool chosen)
{
    if (chosen && takenOn(finding)) {
        Finding said = finding;
        said.fix.clear();  // the text would only name the button to press
        return new FindingRow(said, tr("Undo"));
    }
    const bool inPlan = finding.result != Finding::Result::refuse &&
                        (chosen || (finding.fixable && finding.code.row().fix != PlanFix::onRequest));
    if (inPlan) return FindingRow::fixed(finding, chosen);
    return new FindingRow(finding, hasFix(finding) && !chosen ? fixWords(finding) : QString());
}

void ResumePane::showFindings()
{
    // The pressed button is deleted with its row, so the focus moves to the table of this pane.
    if (m_findingsCard->isAncestorOf(QApplication::focusWidget())) m_table->setFocus();
    while (QLayoutItem *item = m_findings->takeAt(0)) {
        if (item->widget() != nullptr) item->widget()->deleteLater();
        delete item;
    }
    m_plan->setPlan(m_report ? m_report->plan : m_backPlan ? m_backPlan->plan : Plan{});
    if (!m_report) return;
    int passed = 0;
    std::vector<const Finding *> order;
    for (const auto wanted : {Finding::Result::refuse, Finding::Result::warn, Finding::Result::ok}) {
        for (const Finding &finding : m_report->preflight) {
            if (finding.result == wanted) order.push_back(&finding);
        }
    }
    for (const Finding *finding : order) {
        const bool chosen = m_fixes.count(finding->code.word()) > 0;
        if (finding->result == Finding::Result::ok && !chosen) {
            ++passed;
            if (!m_passedShown) continue;
        }
        FindingRow *row = rowOf(*finding, chosen);
        connect(row, &FindingRow::pressed, this, [this, code = std::string(finding->code.word()), chosen] {
            if (code == "starts_from_zero" && !chosen)
                askBeforeZero(this, [this, code] { setFix(code, true); });
            else
                setFix(code, !chosen);
        });
        row->setFramed(false);
        m_findings->addWidget(row);
    }
    if (passed == 0) return;
    Finding sum;
    sum.text = tr("%n check(s) passed", nullptr, passed).toStdString();
    auto *row = new FindingRow(sum, m_passedShown ? tr("Hide") : tr("Show"));
    row->setFramed(false);
    connect(row, &FindingRow::pressed, this, [this] {
        m_passedShown = !m_passedShown;
        showFindings();
    });
    m_findings->addWidget(row);
}

void ResumePane::setFix(const std::string &code, bool on)
{
    if (on)
        m_fixes.insert(code);
    else
        m_fixes.erase(code);
    requestPlan();
}

QString ResumePane::whyNotBack(const KeptSet &kept) const
{
    if (m_puttingBack) return tr("being put back");
    if (m_back == m_set) return tr("being judged");
    if (kept.whole.isNo()) return tr("not whole");
    if (runState(*m_feed.snapshot()).running()) return tr("ranks are running: stop first");
    if (m_planning) return tr("being checked");
    return m_backPlan && m_problem.isEmpty() ? QString() : tr("no plan");
}

QString ResumePane::why() const
{
    const auto snapshot = m_feed.snapshot();
    if (const KeptSet *kept = chosenKept()) return whyNotBack(*kept);
    const CheckpointSet *set = current();
    if (set == nullptr) return m_set.isEmpty() ? tr("no set is chosen") : tr("the chosen set is gone");
    if (resumeRuns(*snapshot)) return tr("a resume is under way");
    if (exitRuns(*snapshot)) return tr("a stop is under way");
    if (!canBeChosen(*set, m_unproven->isChecked()))
        return set->verdict == Verdict::validUnproven ? tr("not proven")
                                                      : tr("%1 cannot be resumed").arg(verdictWord(set->verdict));
    if (m_planning) return tr("being checked");
    if (!m_problem.isEmpty() || !m_report) return tr("no plan");
    const auto refused = std::count_if(m_report->preflight.begin(), m_report->preflight.end(),
                                       [](const Finding &f) { return f.result == Finding::Result::refuse; });
    if (refused > 0) return tr("%n refusal(s) left", nullptr, static_cast<int>(refused));
    return {};
}

void ResumePane::refresh(WallTime now)
{
    const auto snapshot = m_feed.snapshot();
    m_sets->setSnapshot(*snapshot);
    if (m_set.isEmpty() && isVisible()) return choose({});
    if (const int row = m_sets->rowOf(m_set); row >= 0 && row != m_table->currentIndex().row()) {
        const QSignalBlocker quiet(m_table->selectionModel());
        m_table->setCurrentIndex(m_sets->index(row, SetsModel::set));
    }
    const KeptSet *kept = chosenKept();
    const CheckpointSet *set = kept != nullptr ? nullptr : current();
    const bool gone = kept == nullptr && set == nullptr && !m_set.isEmpty();
    if (gone && m_report) return requestPlan();                // a missing set has no plan
    if (m_wasKept != (kept != nullptr)) return requestPlan();  // the set was put back, or rotation has removed it
    if (kept == nullptr && m_back == m_set) m_back.clear();
    if (isReadyForAPlan()) return requestPlan();  // the set became VALID while the pane was open
    const QString name = fromNode(snapshot->view.job.name);
    const QString from = kept != nullptr ? keptWords(*kept) : set != nullptr ? setWords(*set) : QString();
    setTitle(Glyph::play, from.isEmpty() ? tr("Resume %1").arg(name) : tr("Resume %1 from step %2").arg(name, from),
             (m_report || m_backPlan) && m_plannedAt ? tr("plan made %1").arg(ago(secondsSince(*m_plannedAt, now)))
                                                     : QString());
    const bool unproven = set != nullptr && set->verdict == Verdict::validUnproven;
    const bool room = !m_plan->whole();
    m_unproven->setVisible(unproven && room);
    m_explain->setVisible((!m_set.isEmpty() && room) || !m_problem.isEmpty());
    explain();
    m_keepNoLonger->setVisible(snapshot->view.kept->find(m_set.toStdString()) != nullptr);
    const NodeCounts nodes = nodeCounts(snapshot->view.nodes);
    m_checked->setText(
        m_planning || m_renewing ? tr("being checked on %n node(s)", nullptr, nodes.live)
        : m_report && m_plannedAt
            ? tr("checked %1 on %n node(s)", nullptr, nodes.live).arg(ago(secondsSince(*m_plannedAt, now)))
        : set != nullptr && !why().isEmpty() ? tr("not checked: %1").arg(why())
                                             : QString());
    // A plan older than a minute may be out of date.
    const bool old = m_report && m_plannedAt && secondsSince(*m_plannedAt, now) > oldPlan;
    m_checked->setLook(old ? Font::smallBold : Font::small);
    m_checked->setTone(old ? Role::text : Role::text2);
    m_findingsCard->setVisible(m_report.has_value() && m_findings->count() > 0 && room);
    showAct();
    renewWhenOld(now);
}

void ResumePane::explain()
{
    const KeptSet *kept = chosenKept();
    const CheckpointSet *set = current();
    if (!m_problem.isEmpty())
        m_explain->setBoldAndText(tr("No plan."), m_problem);
    else if (kept != nullptr && kept->whole.isNo())
        m_explain->setBoldAndText(tr("%1 is kept, but not complete.").arg(keptWords(*kept)), asSentence(kept->problem));
    else if (kept != nullptr && m_back == m_set)
        m_explain->setBoldAndText(tr("%1 is back among the checkpoints.").arg(keptWords(*kept)),
                                  set != nullptr && set->verdict != Verdict::unknown
                                      ? tr("It is %1: %2").arg(verdictWord(set->verdict), whyOf(*set))
                                      : tr("It is being checked."));
    else if (kept != nullptr)
        m_explain->setBoldAndText(tr("%1 is kept beside the checkpoints.").arg(keptWords(*kept)),
                                  tr("First it is put back, as links that take no disk space. Then it is checked, and "
                                     "the resume is planned."));
    else if (set != nullptr)  // shown in full, because the table may cut the reason
        m_explain->setBoldAndText(tr("%1 is %2.").arg(setWords(*set), verdictWord(set->verdict)), whyOf(*set));
    else if (!m_set.isEmpty())
        m_explain->setBoldAndText(tr("The chosen set is gone."), tr("It is not listed any more. Choose another set."));
}

void ResumePane::showAct()
{
    const auto snapshot = m_feed.snapshot();
    const CheckpointSet *set = current();
    const QString missing = why();
    const auto ranks = static_cast<int>(snapshot->view.ranks.size());
    if (const KeptSet *kept = chosenKept())
        m_act->setText(tr("Put %1 back").arg(keptWords(*kept)));
    else
        m_act->setText(set != nullptr ? tr("Resume %n rank(s) from %1", nullptr, ranks).arg(setWords(*set))
                                      : tr("Resume"));
    m_act->setEnabled(missing.isEmpty());
    m_act->setAccessibleDescription(missing);
    m_act->setPrimary(missing.isEmpty());
    m_missing->setText(missing);
    m_missing->setVisible(!missing.isEmpty());
    m_missingSign->setVisible(!missing.isEmpty());
    m_missingSign->setGlyph(m_planning ? Glyph::saving : Glyph::refuses);
    m_copy->setEnabled(m_report || m_backPlan);
    m_whole->setEnabled(m_report || m_backPlan || m_plan->whole());
    m_plan->setEmptyWords(m_planning                                  ? tr("The plan is being made.")
                          : m_problem.isEmpty() && !missing.isEmpty() ? tr("No plan: %1.").arg(missing)
                                                                      : tr("No plan."));
    m_again->setEnabled(!m_planning);
}

void ResumePane::act()
{
    if (!why().isEmpty()) return;
    if (chosenKept() != nullptr) return putBack();
    ResumeOptions shown = options();
    if (m_report) shown.mayEnd = endsOf(m_report->plan);
    const Status status = m_feed.startResume(std::move(shown));
    if (!status) {
        m_problem = fromCore(status.error().message);
        refresh(wallNow());
        return;
    }
    Q_EMIT started();
}

void ResumePane::toggleWholePlan()
{
    const bool whole = !m_plan->whole();
    m_plan->setWhole(whole);
    m_whole->setChecked(whole);
    for (QWidget *part : std::as_const(m_abovePlan)) part->setVisible(!whole);
    refresh(wallNow());
}

void ResumePane::checkAgain() { requestPlan(); }

void ResumePane::copyScript()
{
    if (!m_report && !m_backPlan) return;
    const Plan &plan = m_report ? m_report->plan : m_backPlan->plan;
    QGuiApplication::clipboard()->setText(QString::fromStdString(planAsScript(plan)));
    m_planNote->setText(tr("copied"));
}

void ResumePane::showEvent(QShowEvent *event)
{
    Pane::showEvent(event);
    if (m_set.isEmpty())
        choose({});
    else if (!m_report && !m_backPlan)
        requestPlan();
}

}  // namespace rankdeck::ui
