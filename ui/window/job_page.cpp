// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/job_page.h"

#include "ui/deck/deck.h"
#include "ui/deck/scene/plot_data.h"
#include "ui/dialogs/command_palette.h"
#include "ui/dialogs/node_question.h"
#include "ui/files/curve_file.h"
#include "ui/files/report_file.h"
#include "ui/kit/side_pane.h"
#include "ui/panels/events_panel.h"
#include "ui/panels/failure_panel.h"
#include "ui/panels/log_panel.h"
#include "ui/panes/inspector_pane.h"
#include "ui/panes/proof_pane.h"
#include "ui/panes/resume_pane.h"
#include "ui/panes/stop_pane.h"
#include "ui/state/act_state.h"
#include "ui/state/run_state.h"
#include "ui/state/stop_progress.h"
#include "ui/style/format.h"
#include "ui/window/banner.h"
#include "ui/window/bottom_panels.h"
#include "ui/window/hazard_strip.h"
#include "ui/window/header_bar.h"
#include "ui/window/status_line.h"
#include "ui/window/window_actions.h"
#include "ui/window/window_state.h"

#include <QAction>
#include <QMenu>
#include <QPointer>
#include <QSplitter>
#include <QVBoxLayout>

namespace rankdeck::ui {

namespace {

constexpr int lowWindow = 640;  // for letters of 12 px; in a lower window the bottom panels collapse automatically
const QString acrossKey = QStringLiteral("across"), bottomKey = QStringLiteral("bottom"),
              curveKey = QStringLiteral("curve");

}  // namespace

JobPage::JobPage(JobFeed &feed, WindowActions &actions, QWidget *parent)
    : QWidget(parent), m_feed(feed), m_actions(actions)
{
    m_job = fromNode(m_feed.snapshot()->view.job.name);
    build(actions);
    connectActions(actions);
    connectDeck();
    connectPanes();
    connect(&m_feed, &JobFeed::changed, this, &JobPage::refresh);
    connect(&m_feed, &JobFeed::updated, this, &JobPage::tellNewAlarms);
    connect(&m_tick, &QTimer::timeout, this, &JobPage::refresh);  // ages grow even without updates
    m_tick.start(1000);
    restoreState();
    refresh();
    m_deck->setFocus();
}

JobPage::~JobPage() = default;

void JobPage::build(WindowActions &actions)
{
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    m_header = new HeaderBar(actions.stop, actions.resume);
    auto *stopMenu = new QMenu(m_header);
    stopMenu->addActions({actions.stop, actions.stopPane});
    m_header->setMenus(actions.jobMenu, stopMenu);
    m_hazard = new HazardStrip;
    m_banner = new Banner;
    m_across = new QSplitter(Qt::Horizontal);
    m_down = new QSplitter(Qt::Vertical);
    m_deck = new Deck(m_feed);
    m_side = new SidePane;
    m_bottom = new BottomPanels(m_feed);
    m_down->addWidget(m_deck);
    m_down->addWidget(m_bottom);
    m_down->setStretchFactor(0, 1);
    m_down->setStretchFactor(1, 0);
    m_down->setChildrenCollapsible(false);
    m_down->setHandleWidth(4);
    m_across->addWidget(m_down);
    m_across->addWidget(m_side);
    m_across->setStretchFactor(0, 1);
    m_across->setStretchFactor(1, 0);
    m_across->setChildrenCollapsible(false);
    m_across->setHandleWidth(2);
    for (QWidget *part : std::initializer_list<QWidget *>{m_header, m_hazard, m_banner}) all->addWidget(part);
    all->addWidget(m_across, 1);
    for (Pane *pane :
         std::initializer_list<Pane *>{m_stop = new StopPane(m_feed), m_resume = new ResumePane(m_feed),
                                    m_proof = new ProofPane(m_feed), m_inspector = new InspectorPane(m_feed)})
        m_side->add(pane);
    m_deck->addActionsTo(*this);
    m_deck->addAction(actions.moment);
    actions.addDeckActions(this->actions());
    QWidget::setTabOrder(m_banner, m_header);
    QWidget::setTabOrder(m_header, m_deck);
    QWidget::setTabOrder(m_deck, m_side);
    QWidget::setTabOrder(m_side, m_bottom);
}

void JobPage::connectActions(WindowActions &actions)
{
    connect(actions.stop, &QAction::triggered, this, &JobPage::stopOrCancel);
    connect(actions.stopPane, &QAction::triggered, this, &JobPage::openStop);
    connect(actions.resume, &QAction::triggered, this, [this] { openResume(); });
    connect(actions.proof, &QAction::triggered, this, &JobPage::openProof);
    connect(actions.paneAct, &QAction::triggered, this, [this] {
        if (Pane *pane = m_side->current()) pane->act();
    });
    connect(actions.wholePlan, &QAction::triggered, m_resume, &ResumePane::toggleWholePlan);
    connect(actions.closePane, &QAction::triggered, this, &JobPage::escape);
    for (int i = 0; i < actions.tabs.size(); ++i)
        connect(actions.tabs[i], &QAction::triggered, this, [this, i, tab = actions.tabs[i]] {
            m_bottom->showTab(i, tab->property(CommandPalette::byName).toBool());
        });
    connect(actions.find, &QAction::triggered, this, [this] {
        if (m_side->current() == m_inspector && m_inspector->isAncestorOf(focusWidget())) return m_inspector->find();
        m_bottom->setCollapsed(false);
        m_bottom->current()->find();
    });
    connect(actions.findNext, &QAction::triggered, this, [this] { m_bottom->current()->findNext(); });
    connect(actions.nextPane, &QAction::triggered, this, [this] { stepPane(1); });
    connect(actions.previousPane, &QAction::triggered, this, [this] { stepPane(-1); });
    connect(actions.moment, &QAction::triggered, this, &JobPage::showFailure);
    connect(actions.calm, &QAction::toggled, this,
            [this](bool calm) { m_feed.setPace(calm ? JobFeed::Pace::calm : JobFeed::Pace::live); });
    connect(actions.report, &QAction::triggered, this, [this] { saveReport(m_feed, window()); });
    connect(actions.curve, &QAction::triggered, this, [this] { saveCurve(m_feed, *m_deck, window()); });
    connect(actions.retryAll, &QAction::triggered, this, [this] {
        const auto snapshot = m_feed.snapshot();
        for (const NodeStatus &node : snapshot->view.nodes) {
            if (node.state != NodeState::live) m_feed.retryNow(QString::fromStdString(node.name));
        }
    });
    connect(m_banner, &Banner::acted, this, &JobPage::act);
}

void JobPage::connectDeck()
{
    connect(m_deck, &Deck::setSelected, this, [this](const QString &set) {
        if (m_side->current() == m_resume && !set.isEmpty()) m_resume->choose(set);
        if (m_side->current() == m_inspector && !set.isEmpty() && m_deck->selectedRank() >= 0)
            m_inspector->inspect(set, m_deck->selectedRank());
    });
    connect(m_deck, &Deck::rankSelected, this, [this](int rank) {
        m_bottom->showSelectedRank(rank);
        if (m_side->current() == m_inspector && rank >= 0 && !m_deck->selectedSet().isEmpty())
            m_inspector->inspect(m_deck->selectedSet(), rank);
    });
    connect(m_deck, &Deck::keepWanted, this, &JobPage::keepSet);
    connect(m_deck, &Deck::cellActivated, this, &JobPage::inspect);
    connect(m_deck, &Deck::logWanted, this, &JobPage::showLogOf);
    connect(m_deck, &Deck::resumeWanted, this, &JobPage::openResume);
    connect(m_deck, &Deck::sampleLogRequested, this, [this](const LogPlace &place) {
        m_bottom->open<LogPanel>()->showSample(place.rank, place.offset, place.numbers);
    });
    connect(m_deck, &Deck::noteChanged, this, &JobPage::refreshed);
}

void JobPage::connectPanes()
{
    connect(m_banner, &Banner::seen, this, [this](const QString &key) {
        if (key.startsWith(QLatin1String("kept|")))
            m_keptSet.clear();
        else
            m_seen.insert(key);
        refresh();
    });
    connect(m_banner, &Banner::listWanted, this, &JobPage::listAlarms);
    connect(m_side, &SidePane::opened, this, &JobPage::paneOpened);
    connect(m_down, &QSplitter::splitterMoved, m_bottom, &BottomPanels::dragged);
    connect(m_bottom, &BottomPanels::logRequested, this, &JobPage::showLog);
    connect(m_bottom, &BottomPanels::rankChosen, m_deck, &Deck::selectRank);
    connect(m_resume, &ResumePane::setChosen, m_deck, &Deck::selectSet);
    connect(m_resume, &ResumePane::setChosen, this, &JobPage::refresh);
    connect(m_resume, &ResumePane::started, this, &JobPage::openProof);
    connect(m_stop, &StopPane::resumeWanted, this, [this] { openResume(); });
    connect(m_proof, &ProofPane::stopWanted, this, &JobPage::stopOrCancel);
    connect(m_proof, &ProofPane::logWanted, this, &JobPage::showLogOf);
    connect(m_inspector, &InspectorPane::logWanted, this, &JobPage::showLogOf);
}

void JobPage::refresh()
{
    const auto snapshot = m_feed.snapshot();
    if (!m_seenWholeAt && snapshot->settled) m_seenWholeAt = snapshot->at;
    if (window()->isMinimized()) return;
    const WallTime now = wallNow();
    const CheckpointSet *chosen =
        m_side->current() == m_resume ? snapshot->view.checkpoints.find(m_resume->chosenSet().toStdString()) : nullptr;
    std::optional<LostWords> price;
    if (chosen != nullptr && canBeChosen(*chosen, true))
        price = LostWords{
            tr("Lost with the chosen set, %1").arg(setWords(*chosen)), lostValue(lostWith(*snapshot, *chosen)), {}};
    m_header->setLostWith(price);
    m_header->setOffline(m_feed.offline() ? asOfWords(*snapshot, now) : QString());
    m_header->showSnapshot(*snapshot, now);
    m_hazard->setArmed(armedState(*snapshot).armed && !m_feed.offline());
    forgetEnded(*snapshot, now);
    m_banner->show(notice(*snapshot, now));
    m_actions.proof->setEnabled(snapshot->resume.has_value());
    refreshPane();
    Q_EMIT refreshed();
}

void JobPage::refreshPane()
{
    const Pane *pane = m_side->current();
    const WallTime now = wallNow();
    if (pane == m_stop) m_stop->refresh(now);
    if (pane == m_resume) m_resume->refresh(now);
    if (pane == m_proof) m_proof->refresh(now);
    if (pane == m_inspector) m_inspector->refresh(now);
}

QString JobPage::title() const
{
    const auto snapshot = m_feed.snapshot();
    const QString job = fromNode(snapshot->view.job.name);
    if (m_feed.offline()) return tr("Offline, as of %1: %2 — Rankdeck").arg(asOfWords(*snapshot, wallNow()), job);
    // The worst alarm, acknowledged or not. It is first, because task bars cut the end of a title.
    const std::vector<Notice> all = notices(*snapshot, wallNow());
    QString worst;
    if (!all.empty() && all.front().level == Notice::Level::bad)
        worst = all.front().fact;
    else if (!all.empty() && all.front().kind == Notice::Kind::lost && noNodeIsLive(*snapshot))
        worst = tr("No node answers");
    if (armedState(*snapshot).armed)
        return worst.isEmpty() ? tr("ARMED: %1 — Rankdeck").arg(job) : tr("%1, ARMED: %2 — Rankdeck").arg(worst, job);
    return worst.isEmpty() ? tr("%1 — Rankdeck").arg(job) : tr("%1: %2 — Rankdeck").arg(worst, job);
}

void JobPage::showStatus(StatusLine &line) const
{
    line.showSnapshot(*m_feed.snapshot(), m_deck->decimationNote(), wallNow());
    line.showSeen(static_cast<int>(m_seen.size()), worstSeen());
    if (m_feed.offline()) line.showOffline();
}

void JobPage::stopOrCancel()
{
    if (m_feed.offline()) return;
    const StopState state = stopState(*m_feed.snapshot(), wallNow());
    if (!state.enabled) return openStop();
    if (state.cancels)
        m_stop->cancel();
    else if (state.startsAtOnce)
        m_stop->stop();
    openStop();
}

void JobPage::openStop()
{
    if (m_feed.offline()) return;
    m_stop->refresh(wallNow());
    m_side->open(m_stop);
}

void JobPage::openResume(const QString &setId)
{
    if (m_feed.offline()) return;
    m_side->open(m_resume);
    m_resume->choose(setId);
    refresh();
}

void JobPage::openProof()
{
    m_proof->refresh(wallNow());
    m_side->open(m_proof);
    refresh();
}

void JobPage::inspect(const QString &setId, int rank)
{
    m_side->open(m_inspector);
    m_inspector->inspect(setId, rank);
}

void JobPage::showLog(int rank, quint64 offset) { m_bottom->open<LogPanel>()->showLine(rank, offset); }

void JobPage::showLogOf(int rank) { m_bottom->open<LogPanel>()->showRank(rank); }

void JobPage::showFailure()
{
    auto *panel = m_bottom->open<FailurePanel>();
    panel->showNewest();
    m_bottom->setCollapsed(false);  // it may want more height
    // The lanes now have less room, so the failed rank is scrolled into view.
    if (panel->failedRank() >= 0) m_deck->selectRank(panel->failedRank());
}

void JobPage::showRanksNow()
{
    m_bottom->open<FailurePanel>()->showNow();
    m_bottom->setCollapsed(false);
}

void JobPage::showTab(int index, bool byName) { m_bottom->showTab(index, byName); }

bool JobPage::isBusy() const
{
    const auto snapshot = m_feed.snapshot();
    const bool resumes = snapshot->resume && snapshot->resume->outcome.empty();
    const bool keeps =
        std::any_of(m_keeping.begin(), m_keeping.end(), [](const auto &one) { return one.second.running; });
    return exitRuns(*snapshot) || resumes || keeps || m_side->current() != nullptr;
}

void JobPage::escape()
{
    const Pane *pane = m_side->current();
    // Esc withdraws the stop request while that is possible; the button says so.
    if (pane == m_stop && exitRuns(*m_feed.snapshot()) && stopState(*m_feed.snapshot(), wallNow()).cancels)
        return m_stop->cancel();
    if (pane != nullptr) return m_side->open(nullptr);
    m_deck->selectSet({});
}

void JobPage::act(NoticeAct what)
{
    const std::optional<Notice> notice = m_banner->notice();
    if (!notice) return;
    switch (what) {
    case NoticeAct::showFailure: return showFailure();
    case NoticeAct::showRanks: return showRanksNow();
    case NoticeAct::showLog: return showLogOf(notice->rank);
    case NoticeAct::openResume: return openResume(notice->set);
    case NoticeAct::openStop: return openStop();
    case NoticeAct::openProof: return openProof();
    case NoticeAct::stopGracefully: return stopOrCancel();
    case NoticeAct::cancelStop: m_stop->cancel(); return openStop();
    case NoticeAct::retryNode: return m_feed.retryNow(notice->node);
    case NoticeAct::answerNode: {
        const auto snapshot = m_feed.snapshot();  // kept, because the next ones arrive while the dialog is open
        for (const NodeStatus &node : snapshot->view.nodes) {
            if (fromNode(node.name) == notice->node) askNodeQuestion(m_feed, node, window());
        }
        return;
    }
    case NoticeAct::keepSet: return keepSet(notice->set);
    case NoticeAct::connectNodes: Q_EMIT connectWanted(); return;
    case NoticeAct::showEvents: m_bottom->open<EventsPanel>(); return;
    }
}

void JobPage::keepSet(const QString &setId)
{
    if (m_feed.offline() || setId.isEmpty() || m_keeping[setId].running) return;
    m_keeping[setId] = {.running = true};
    m_keptSet = setId;
    refresh();
    m_feed.keep({.set = setId.toStdString()}, [page = QPointer<JobPage>(this), setId](KeepReport report) {
        if (!page) return;
        page->m_keeping[setId] = {.running = false, .report = std::move(report)};
        page->refresh();
    });
}

void JobPage::stepPane(int by)
{
    QList<QWidget *> panes{m_deck, m_bottom->currentWidget()};
    if (m_side->current() != nullptr) panes.insert(1, m_side->current());
    qsizetype at = 0;
    for (qsizetype i = 0; i < panes.size(); ++i) {
        if (panes[i]->isAncestorOf(window()->focusWidget()) || panes[i] == window()->focusWidget()) at = i;
    }
    QWidget *next = panes[(at + by + panes.size()) % panes.size()];
    if (next->focusPolicy() == Qt::NoFocus) {
        for (QWidget *child : next->findChildren<QWidget *>()) {
            if (child->isVisible() && child->isEnabled() && (child->focusPolicy() & Qt::TabFocus))
                return child->setFocus(Qt::TabFocusReason);
        }
    }
    next->setFocus(Qt::TabFocusReason);
}

void JobPage::paneOpened(Pane *pane)
{
    if (pane != m_resume) m_deck->selectSet(pane == m_inspector ? m_deck->selectedSet() : QString());
    refresh();
    m_bottom->placeCorner();
    if (pane == nullptr) m_deck->setFocus();
}

void JobPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_bottom->fit(window()->height() < scaled(lowWindow));
}

void JobPage::saveState() const
{
    WindowState::keep(m_job, acrossKey, m_across->saveState());
    WindowState::keep(m_job, bottomKey, m_bottom->heights());
    WindowState::keep(m_job, curveKey, m_deck->secondCurve().toLatin1());
}

void JobPage::restoreState()
{
    m_bottom->setHeights(WindowState::kept(m_job, bottomKey), window()->height() >= 1000 ? 290 : 168);
    m_across->restoreState(WindowState::kept(m_job, acrossKey));
    m_deck->setSecondCurve(QString::fromLatin1(WindowState::kept(m_job, curveKey)));
}

}  // namespace rankdeck::ui
