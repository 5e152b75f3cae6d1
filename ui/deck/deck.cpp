// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/deck.h"

#include "ui/deck/deck_accessible.h"
#include "ui/deck/deck_impl.h"
#include "ui/deck/lanes/lane_model.h"
#include "ui/style/theme.h"

#include <QAction>
#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace rankdeck::ui {

namespace {
constexpr int smallestPlot = 140, smallestSecond = 60;
constexpr int smallestMargin = 62, widestMargin = 132;  // px, for letters of 12 px
}  // namespace

Deck::Impl::Impl(Deck &owner, JobFeed &jobFeed)
    : deck(owner), feed(jobFeed), actions(new DeckActions(owner)), gestures(new AxisGestures(axis, owner)),
      readout(new ReadoutLine(axis, &owner)), attempts(new AttemptsStrip(scene, axis, &owner)),
      plot(new LossPlot(scene, axis, &owner)), second(new LossPlot(scene, axis, &owner)),
      steps(new AxisRow(scene, axis, &owner)), lanes(new LaneView(scene, axis, &owner)),
      history(new HistoryBar(scene, axis, &owner))
{
    m_frame.setSingleShot(true);
    m_frame.setObjectName(QStringLiteral("deck.frame"));
    m_second.setInterval(1000);
    m_sinceFrame.start();
    m_snapshotAt = steadyNow();
    plot->setSmoothing(smoothing);
    second->hide();
    second->canvas()->setAccessibleName(Deck::tr("Curve below the loss"));
    connectParts();
    connectActions();
    QObject::connect(&m_frame, &QTimer::timeout, &owner, [this] { frame(); });
    QObject::connect(&m_second, &QTimer::timeout, &owner, [this] { tick(); });
    m_second.start();
}

void Deck::Impl::connectParts()
{
    QObject::connect(&feed, &JobFeed::changed, &deck, [this] {
        m_snapshotDirty = true;
        schedule(100);
    });
    QObject::connect(&axis, &StepAxis::changed, &deck, [this] { axisChanged(); });
    gestures->watch(plot->canvas(), true);
    gestures->watch(second->canvas(), true);
    gestures->watch(lanes->viewport(), false);
    gestures->watch(lanes->horizontalHeader()->viewport(), true);
    gestures->watch(steps, true);
    QObject::connect(gestures, &AxisGestures::moved, &deck, [this] { userMoved(); });
    QObject::connect(history, &HistoryBar::moved, &deck, [this] { userMoved(); });
    QObject::connect(gestures, &AxisGestures::hovered, &deck, [this](std::optional<double> step) {
        const std::optional<double> before = scene.cursor;
        if (step == before) return;
        scene.cursor = step;
        plot->cursorMoved();
        if (secondMetric) second->redraw();  // it shows the value at the cursor
        lanes->cursorMoved(before);
        steps->update();
        refreshReadout();
    });
    QObject::connect(gestures, &AxisGestures::clicked, &deck, [this](QWidget *widget, QPoint at) {
        if (widget == plot->canvas()) openLog(at);
    });
    m_clickEnds.setSingleShot(true);
    m_clickEnds.setObjectName(QStringLiteral("deck.clickEnds"));
    QObject::connect(&m_clickEnds, &QTimer::timeout, &deck, [this] {
        if (m_clicked) Q_EMIT deck.sampleLogRequested(*m_clicked);
    });
    QObject::connect(gestures, &AxisGestures::doubleClicked, &deck, [this](QWidget *widget, QPoint at) {
        if (widget == plot->canvas()) doubleClickedAt(at);
    });
    QObject::connect(lanes, &LaneView::pressed, &deck, [this](int x, int row) { pressedAt(x, row); });
    QObject::connect(lanes, &LaneView::activatedAt, &deck, [this](int x, int row) {
        pressedAt(x, row);
        activate();
    });
    connectMenus();
    QObject::connect(lanes, &LaneView::headPressed, &deck, [this](int row) {
        const int rank = scene.lanes.rows[static_cast<std::size_t>(row)].rank;
        setSelectedRank(rank);
        togglePin(rank);
    });
    QObject::connect(readout, &ReadoutLine::followPressed, actions->follow, &QAction::trigger);
    QObject::connect(plot, &LossPlot::logScaleWanted, &deck, &Deck::setLogScale);
    QObject::connect(plot, &LossPlot::smoothingWanted, &deck, [this] { actions->smoothing->trigger(); });
}

void Deck::Impl::connectActions()
{
    const auto on = [this](QAction *action, auto act) {
        QObject::connect(action, &QAction::triggered, &deck, [act] { act(); });
    };
    on(actions->previousSet, [this] { stepSet(-1); });
    on(actions->nextSet, [this] { stepSet(1); });
    on(actions->previousRank, [this] { stepRank(-1); });
    on(actions->nextRank, [this] { stepRank(1); });
    on(actions->inspect, [this] { activate(); });
    on(actions->newestValid, [this] { deck.selectNewestValid(); });
    on(actions->nextTrouble, [this] { trouble(true); });
    on(actions->previousTrouble, [this] { trouble(false); });
    on(actions->keep, [this] {
        if (!scene.selectedSet.isEmpty()) Q_EMIT deck.keepWanted(scene.selectedSet);
    });
    on(actions->pin, [this] {
        if (scene.selectedRank >= 0) togglePin(scene.selectedRank);
    });
    const auto onView = [this, &on](QAction *action, auto act) {
        on(action, [this, act] {
            rememberView(viewNow());
            act();
        });
    };
    onView(actions->follow, [this] { deck.followNewest(); });
    onView(actions->zoomIn, [this] { deck.zoom(1.5); });
    onView(actions->zoomOut, [this] { deck.zoom(1 / 1.5); });
    onView(actions->wholeJob, [this] { deck.showWholeJob(); });
    on(actions->undoView, [this] { undoView(); });
    on(actions->redoView, [this] { redoView(); });
    on(actions->logScale, [this] { deck.setLogScale(!plot->logScale()); });
    for (const auto &[metric, action] : actions->curves) on(action, [this, one = metric] { chooseMetric(one); });
    on(actions->nextCurve, [this] { nextMetric(); });
    on(actions->smoothing, [this] { deck.setSmoothing(smoothing > 0.8 ? 0 : smoothing > 0.3 ? 0.9 : 0.6); });
}

void Deck::Impl::layOut()
{
    const int width = deck.width();
    const int height = deck.height();
    const QFontMetrics small(Theme::of(&deck).font(Theme::Font::small));
    int margin = std::max(scaled(smallestMargin), plot->labelWidth());
    if (lanes->rowHeight() >= 12)
        for (const LaneRow &row : scene.lanes.rows)
            margin = std::max(margin, small.horizontalAdvance(laneNote(row, scene.lanes)) + 18);
    const int fixed =
        ReadoutLine::rowHeight() + AttemptsStrip::rowHeight() + AxisRow::rowHeight() + HistoryBar::rowHeight();
    const int plots = scaled(smallestPlot) + (secondMetric ? scaled(smallestSecond) : 0);
    const int free = std::max(height - fixed - plots, scaled(76));
    const int lanesHeight = lanes->heightFor(free, deck.window()->height());
    // A scroll bar would cover the text at the right of the lanes.
    if (lanes->scrollsAt(lanesHeight, deck.window()->height()))
        margin += lanes->verticalScrollBar()->sizeHint().width();
    // The margin only grows: changing names must not move the axis.
    scene.rightMargin = std::min(std::max(margin, scene.rightMargin), scaled(widestMargin));
    axis.place(gutterWidth(), width - gutterWidth() - scene.rightMargin);
    const int plotHeight = std::max(height - fixed - lanesHeight, 60);
    int y = 0;
    const auto put = [&](QWidget *part, int tall) {
        part->setGeometry(0, y, width, tall);
        y += tall;
    };
    put(readout, ReadoutLine::rowHeight());
    put(attempts, AttemptsStrip::rowHeight());
    const int secondHeight = secondMetric ? std::clamp(plotHeight * 2 / 5, scaled(60), scaled(180)) : 0;
    put(plot, std::max(plotHeight - secondHeight, 40));
    second->setVisible(secondMetric.has_value());
    if (secondMetric) put(second, secondHeight);
    put(steps, AxisRow::rowHeight());
    put(lanes, lanesHeight);
    put(history, HistoryBar::rowHeight());
    steps->setCompact(lanes->rowHeight() < 12);
    plot->redraw();
    second->redraw();
}

Deck::Deck(JobFeed &feed, QWidget *parent) : QWidget(parent)
{
    installDeckRoles();  // must precede the creation of the parts
    m_impl = std::make_unique<Impl>(*this, feed);
    setObjectName(QStringLiteral("deck"));
    setAccessibleName(tr("Deck: loss and checkpoints over steps"));
    setFocusPolicy(Qt::StrongFocus);
    setFocusProxy(m_impl->lanes);
    setMinimumSize(540, scaled(290));  // fits next to a pane on a screen of 1366 x 768 at 150 %
    // Tab reaches the deck through its focus proxy and skips widgets before the proxy in the tab chain.
    setTabOrder(m_impl->lanes, m_impl->plot->canvas());
    setTabOrder(m_impl->plot->canvas(), m_impl->second->canvas());
    connect(&Theme::of(this), &Theme::changed, this, qOverload<>(&QWidget::update));
}

Deck::~Deck() = default;

QString Deck::selectedSet() const { return m_impl->scene.selectedSet; }
int Deck::selectedRank() const { return m_impl->scene.selectedRank; }
QString Deck::decimationNote() const { return m_impl->note; }
void Deck::addActionsTo(QWidget &window) { m_impl->actions->addTo(window); }
void Deck::selectSet(const QString &setId) { m_impl->setSelectedSet(setId); }
void Deck::selectRank(int rank) { m_impl->setSelectedRank(rank); }
void Deck::selectTrouble(bool next) { m_impl->trouble(next); }

void Deck::selectNewestValid()
{
    if (const LaneColumn *valid = m_impl->scene.newestValid()) selectSet(valid->id);
}

void Deck::followNewest()
{
    m_impl->sight = Impl::Sight::newest;
    const double last = m_impl->axis.last();
    const double span = m_impl->ownSpan();
    m_impl->axis.show(last - 0.94 * span, last + 0.06 * span);
    m_impl->refreshReadout();
}

void Deck::zoom(double factor)
{
    StepAxis &axis = m_impl->axis;
    const bool follows = m_impl->sight != Impl::Sight::free && axis.sees(axis.last());
    const double around = follows ? axis.last() : (axis.from() + axis.to()) / 2;
    axis.zoomAt(m_impl->scene.cursor.value_or(around), factor);
    m_impl->wantedSpan = axis.span();
    if (!follows || !axis.sees(axis.last()))
        m_impl->userMoved();
    else
        m_impl->sight = Impl::Sight::newest;
}

void Deck::showWholeJob()
{
    m_impl->sight = Impl::Sight::whole;
    m_impl->wantedSpan.reset();
    m_impl->axis.showAll();
    m_impl->refreshReadout();
}

void Deck::setLogScale(bool on)
{
    m_impl->actions->logScale->setChecked(on);
    m_impl->plot->setLogScale(on);
}

void Deck::setSmoothing(double factor)
{
    m_impl->smoothing = std::clamp(factor, 0.0, 0.95);
    m_impl->plot->setSmoothing(m_impl->smoothing);
    m_impl->refreshPlot();
}

QString Deck::secondCurve() const
{
    for (const MetricRow &row : metricRows)
        if (row.metric == m_impl->secondMetric) return QString::fromLatin1(row.name);
    return {};
}

void Deck::setSecondCurve(const QString &name)
{
    std::optional<Metric> metric;
    for (const MetricRow &row : metricRows)
        if (name == QLatin1String(row.name)) metric = row.metric;
    m_impl->chooseMetric(metric);
}

void Deck::resizeEvent(QResizeEvent *) { m_impl->layOut(); }

void Deck::showEvent(QShowEvent *)
{
    m_impl->layOut();
    m_impl->schedule(0);
}

void Deck::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), Theme::of(this).color(Theme::Role::window));
}

}  // namespace rankdeck::ui
