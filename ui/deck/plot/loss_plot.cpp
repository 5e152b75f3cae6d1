// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/plot/loss_plot.h"

#include "ui/deck/plot/loss_legend.h"
#include "ui/deck/plot/loss_marks.h"
#include "ui/deck/scene/deck_paint.h"
#include "ui/style/format.h"
#include "ui/style/theme.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace rankdeck::ui {

using R = Theme::Role;
using F = Theme::Font;

namespace {

// A layer with our own painting, at whole pixels.
class Painted : public QCPLayerable {
public:
    using Paint = std::function<void(QPainter &)>;
    Painted(QCustomPlot *plot, const QString &layer, Paint paint) : QCPLayerable(plot, layer), m_paint(std::move(paint))
    {}

protected:
    void applyDefaultAntialiasingHint(QCPPainter *painter) const override { painter->setAntialiasing(false); }
    void draw(QCPPainter *painter) override { m_paint(*painter); }

private:
    Paint m_paint;
};

QVector<QCPGraphData> graphData(const Curve &curve)
{
    QVector<QCPGraphData> data;
    data.reserve(static_cast<int>(curve.x.size()));
    for (std::size_t i = 0; i < curve.x.size(); ++i) data.append(QCPGraphData(curve.x[i], curve.y[i]));
    return data;
}

struct LossRange {
    double low = 0, high = 1;
};

// The visible values plus a margin; a discarded curve that diverged may leave the plot at the top.
LossRange wantedRange(const PlotData &data, bool logScale)
{
    double least = data.least, most = data.most;
    if (least > most) return {};
    const double reach = 0.6 * std::max(most - least, std::abs(most) * 0.02);
    if (data.discardedLeast <= data.discardedMost) {
        least = std::max(std::min(least, data.discardedLeast), least - reach);
        most = std::min(std::max(most, data.discardedMost), most + reach);
    }
    if (logScale && most > 0) {
        least = std::max(least, most * 1e-9);
        const double factor = std::max(std::pow(most / least, 0.08), 1.01);
        return {least / factor, most * factor};
    }
    const double margin = std::max({(most - least) * 0.10, std::abs(most) * 1e-3, 1e-9});
    return {least - margin, most + margin};
}

}  // namespace

class LossPlot::Impl {
public:
    Impl(LossPlot &owner, const DeckScene &scene, const StepAxis &axis);

    void makeLayers();
    void makeGraphs();
    void applyTheme();
    void placeAxes();
    void showData();
    void showRanks();
    void fit(bool always);
    void paintGround(QPainter &painter) const;
    void paintOver(QPainter &painter) const;
    void paintChrome(QPainter &painter) const;
    void paintLegend(QPainter &painter) const;
    void paintOverlay(QPainter &painter) const;
    [[nodiscard]] std::vector<PlotName> names() const;
    [[nodiscard]] QRect box() const { return plot->axisRect()->rect(); }
    [[nodiscard]] const Theme &theme() const { return Theme::of(&m_owner); }
    [[nodiscard]] const StepAxis &axis() const { return m_axis; }

    QCustomPlot *plot;
    PlotData data;
    std::optional<MetricFace> metric;
    std::vector<LegendOutlier> outliers;
    int within = 0;
    bool logScale = false;
    double smoothing = 0;
    QString empty;
    int replots = 0;
    bool fitted = false;
    bool byKeyboard = false;

private:
    LossPlot &m_owner;
    const DeckScene &m_scene;
    const StepAxis &m_axis;
    QCPGraph *m_low = nullptr, *m_high = nullptr, *m_innerLow = nullptr, *m_innerHigh = nullptr, *m_median = nullptr;
    QCPGraph *m_oldLow = nullptr, *m_oldHigh = nullptr, *m_oldMedian = nullptr;
    std::vector<QCPGraph *> m_ranks;
    mutable QStringList m_nameOrder;  // order in the last drawing
};

LossPlot::Impl::Impl(LossPlot &owner, const DeckScene &scene, const StepAxis &axis)
    : plot(new QCustomPlot(&owner)), m_owner(owner), m_scene(scene), m_axis(axis)
{
    plot->setObjectName(QStringLiteral("lossPlot"));
    plot->setAccessibleName(LossPlot::tr("Loss over steps"));
    plot->setFocusPolicy(Qt::StrongFocus);
    plot->setMouseTracking(true);
    plot->setPlottingHint(QCP::phFastPolylines, true);
    plot->setNoAntialiasingOnDrag(false);
    plot->axisRect()->setAutoMargins(QCP::msNone);
    plot->plotLayout()->setRowSpacing(0);
    plot->xAxis->setVisible(false);
    plot->xAxis2->setVisible(false);
    plot->yAxis2->setVisible(false);
    plot->yAxis->setTickLength(0);
    plot->yAxis->setSubTicks(false);
    plot->yAxis->setTickLabelPadding(6);
    plot->yAxis->ticker()->setTickCount(5);
    // A queued replot may run after the axis has moved. Curves and marks must agree, so the range is set again.
    QObject::connect(plot, &QCustomPlot::beforeReplot, &owner,
                     [this] { plot->xAxis->setRange(m_axis.from(), m_axis.to()); });
    QObject::connect(plot, &QCustomPlot::afterReplot, &owner, [this] { ++replots; });
    makeLayers();
    makeGraphs();
    applyTheme();
}

void LossPlot::Impl::makeLayers()
{
    const auto layer = [this](const char *name, const char *beside, bool above) {
        plot->addLayer(QString::fromLatin1(name), plot->layer(QString::fromLatin1(beside)),
                       above ? QCustomPlot::limAbove : QCustomPlot::limBelow);
    };
    layer("lost", "grid", false);
    layer("bands", "grid", true);
    layer("discarded", "bands", true);
    layer("median", "discarded", true);
    layer("ranks", "median", true);
    layer("marks", "ranks", true);
    plot->layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmBuffered);
    // The plot owns these.
    new Painted(plot, QStringLiteral("lost"), [this](QPainter &painter) { paintGround(painter); });
    new Painted(plot, QStringLiteral("marks"), [this](QPainter &painter) { paintOver(painter); });
    new Painted(plot, QStringLiteral("axes"), [this](QPainter &painter) { paintChrome(painter); });
    new Painted(plot, QStringLiteral("overlay"), [this](QPainter &painter) { paintOverlay(painter); });
}

void LossPlot::Impl::makeGraphs()
{
    const auto graph = [this](const char *layer) {
        QCPGraph *made = plot->addGraph();
        made->setLayer(QString::fromLatin1(layer));
        made->setAdaptiveSampling(false);  // the data already has one point per pixel
        made->setSelectable(QCP::stNone);
        return made;
    };
    m_low = graph("bands");
    m_high = graph("bands");
    m_innerLow = graph("bands");
    m_innerHigh = graph("bands");
    m_oldLow = graph("bands");
    m_oldHigh = graph("bands");
    m_oldMedian = graph("discarded");
    m_median = graph("median");
    for (QCPGraph *edge : {m_low, m_high, m_innerLow, m_innerHigh, m_oldLow, m_oldHigh}) edge->setPen(Qt::NoPen);
    m_high->setChannelFillGraph(m_low);
    m_innerHigh->setChannelFillGraph(m_innerLow);
    m_oldHigh->setChannelFillGraph(m_oldLow);
}

void LossPlot::Impl::applyTheme()
{
    const Theme &t = theme();
    plot->setBackground(QBrush(t.color(R::window)));
    plot->axisRect()->setBackground(QBrush(t.color(R::base)));
    plot->yAxis->setBasePen(Qt::NoPen);
    plot->yAxis->setTickPen(Qt::NoPen);
    plot->yAxis->setTickLabelColor(t.color(R::text2));
    plot->yAxis->setTickLabelFont(t.font(F::small));
    plot->yAxis->grid()->setPen(QPen(t.color(R::grid), 1));
    plot->yAxis->grid()->setZeroLinePen(Qt::NoPen);
    plot->yAxis->grid()->setAntialiased(false);
    m_high->setBrush(t.color(R::band));
    m_innerHigh->setBrush(t.color(R::bandInner));
    m_oldHigh->setBrush(t.color(R::discardedBand));
    QPen old(t.color(R::discarded), 1.5);
    old.setDashPattern({3, 2});
    m_oldMedian->setPen(old);
    m_median->setPen(QPen(t.color(R::median), 2));
    showRanks();
}

void LossPlot::Impl::placeAxes()
{
    plot->setGeometry(m_owner.rect());
    if (plot->bufferDevicePixelRatio() != m_owner.devicePixelRatioF())
        plot->setBufferDevicePixelRatio(m_owner.devicePixelRatioF());
    plot->axisRect()->setMargins(QMargins(m_axis.left(), 1, m_owner.width() - m_axis.right(), 1));
    plot->xAxis->setRange(m_axis.from(), m_axis.to());
}

void LossPlot::Impl::showData()
{
    const auto give = [](QCPGraph *graph, const Curve &curve) { graph->data()->set(graphData(curve), true); };
    give(m_low, data.low);
    give(m_high, data.high);
    give(m_innerLow, data.innerLow);
    give(m_innerHigh, data.innerHigh);
    give(m_oldLow, data.discardedLow);
    give(m_oldHigh, data.discardedHigh);
    give(m_oldMedian, data.discardedMedian);
    give(m_median, data.median);
    while (m_ranks.size() < data.ranks.size()) {
        m_ranks.push_back(plot->addGraph());
        m_ranks.back()->setLayer(QStringLiteral("ranks"));
        m_ranks.back()->setAdaptiveSampling(false);
        m_ranks.back()->setSelectable(QCP::stNone);
    }
    showRanks();
    fit(false);
}

void LossPlot::Impl::showRanks()
{
    for (std::size_t i = 0; i < m_ranks.size(); ++i) {
        m_ranks[i]->setVisible(i < data.ranks.size());
        if (i >= data.ranks.size()) continue;
        const RankCurve &line = data.ranks[i];
        m_ranks[i]->data()->set(graphData(line.curve), true);
        const auto slot = m_scene.lineSlots.find(line.rank);
        const bool selected = line.rank == m_scene.selectedRank;
        m_ranks[i]->setPen(linePen(slot == m_scene.lineSlots.end() ? 0 : slot->second, theme(), selected ? 1.5 : 1.2));
    }
}

void LossPlot::Impl::fit(bool always)
{
    if (data.least > data.most) return;
    const LossRange wanted = wantedRange(data, logScale);
    const QCPRange now = plot->yAxis->range();
    const bool outside = data.least < now.lower || data.most > now.upper;
    const bool small = (wanted.high - wanted.low) < 0.45 * now.size();
    if (!always && fitted && !outside && !small) return;
    fitted = true;
    const bool decades = logScale && wanted.low > 0 && wanted.high / wanted.low > 20;
    if (decades)
        plot->yAxis->setTicker(QSharedPointer<QCPAxisTickerLog>::create());
    else
        plot->yAxis->setTicker(QSharedPointer<QCPAxisTicker>::create());
    plot->yAxis->setScaleType(logScale && wanted.low > 0 ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    plot->yAxis->setRange(wanted.low, wanted.high);
}

void LossPlot::Impl::paintGround(QPainter &painter) const
{
    const Theme &t = theme();
    paintLostGround(painter, box(), 0, m_scene, m_axis, t);
    paintLostHatch(painter, box(), 0, m_scene, m_axis, t);
    if (!empty.isEmpty()) return;
    for (const qint64 step : m_axis.ticks())
        painter.fillRect(m_axis.column(static_cast<double>(step)), box().top(), 1, box().height(), t.color(R::grid));
}

void LossPlot::Impl::paintOver(QPainter &painter) const
{
    const Theme &t = theme();
    paintSelectedColumn(painter, box(), 0, m_scene, m_axis, t);
    paintSeams(painter, box(), 0, m_scene, m_axis, t);
    paintValidLine(painter, box(), 0, m_scene, m_axis, t);
    if (!metric) paintLostWork(painter, m_scene, m_axis, box(), t);
    paintMarks(painter, groupedMarks(data.nonFinite, m_axis), box(), t);
}

std::vector<PlotName> LossPlot::Impl::names() const
{
    std::vector<PlotName> names;
    if (data.lastMedian)
        names.push_back(
            {LossPlot::tr("median"), theme().color(R::median), plot->yAxis->coordToPixel(*data.lastMedian)});
    // A discarded curve gets a name if it extends beyond the current one.
    const bool runsOn =
        !data.discardedMedian.empty() && !data.median.empty() && data.discardedMedian.x.back() > data.median.x.back();
    if (runsOn && !std::isnan(data.discardedMedian.y.back()))
        names.push_back({LossPlot::tr("discarded"), theme().color(R::discarded),
                         plot->yAxis->coordToPixel(data.discardedMedian.y.back())});
    for (const RankCurve &line : data.ranks) {
        const auto slot = m_scene.lineSlots.find(line.rank);
        if (line.curve.empty() || slot == m_scene.lineSlots.end()) continue;
        names.push_back({LossPlot::tr("rank %1").arg(line.rank), theme().color(Theme::rankLine(slot->second)),
                         plot->yAxis->coordToPixel(line.last)});
    }
    return names;
}

void LossPlot::Impl::paintChrome(QPainter &painter) const
{
    const Theme &t = theme();
    const QRect frame = box();
    painter.setPen(t.color(R::frame));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(frame.adjusted(-1, -1, 0, 0));
    if (plot->hasFocus() && byKeyboard) {
        painter.setPen(QPen(t.color(R::accent), 2));
        painter.drawRect(frame.adjusted(0, 0, -1, -1));
    }
    paintNames(painter, inSteadyOrder(names(), m_nameOrder), frame, m_owner.width() - frame.right() - 1, t);
    paintLegend(painter);
    if (empty.isEmpty()) return;
    painter.setFont(t.font(F::normal));
    painter.setPen(t.color(R::text2));
    painter.drawText(frame, Qt::AlignCenter | Qt::TextWordWrap, empty);
}

void LossPlot::Impl::paintLegend(QPainter &painter) const
{
    LegendContent content;
    if (metric) {
        const auto value = m_scene.cursor ? data.medianAt(*m_scene.cursor) : data.lastMedian;
        content.metric = metric->title;
        content.value = value ? metricText(metric->metric, *value) : QString();
        content.measured = metric->ranks;
    }
    content.ranks = static_cast<int>(m_scene.lanes.rows.size());
    content.inner = !data.innerLow.empty();
    content.discarded = !data.discardedMedian.empty();
    content.nonFinite = !groupedMarks(data.nonFinite, m_axis).empty();
    content.logScale = logScale;
    content.smoothing = smoothing;
    for (const RankCurve &line : data.ranks) content.lines.push_back(line.rank);
    content.outliers = outliers;
    content.within = within;
    LossLegend(painter, content, m_scene, QRect(0, 0, box().left() - 30, box().bottom()), theme()).paint();
}

void LossPlot::Impl::paintOverlay(QPainter &painter) const
{
    const Theme &t = theme();
    paintCursor(painter, box(), 0, m_scene, m_axis, t);
    if (!m_scene.cursor || !m_axis.sees(*m_scene.cursor)) return;
    painter.setRenderHint(QPainter::Antialiasing);
    const auto dot = [&](const Curve &curve, const QColor &color) {
        const auto near = std::lower_bound(curve.x.begin(), curve.x.end(), *m_scene.cursor);
        if (near == curve.x.end()) return;
        const double loss = curve.y[static_cast<std::size_t>(near - curve.x.begin())];
        if (std::isnan(loss)) return;
        painter.setPen(QPen(t.color(R::base), 1.5));
        painter.setBrush(color);
        painter.drawEllipse(QPointF(m_axis.column(*m_scene.cursor) + 0.5, plot->yAxis->coordToPixel(loss)), 3.5, 3.5);
    };
    dot(data.median, t.color(R::median));
    for (const RankCurve &line : data.ranks) {
        const auto slot = m_scene.lineSlots.find(line.rank);
        if (slot != m_scene.lineSlots.end()) dot(line.curve, t.color(Theme::rankLine(slot->second)));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

LossPlot::LossPlot(const DeckScene &scene, const StepAxis &axis, QWidget *parent)
    : QWidget(parent), m_impl(std::make_unique<Impl>(*this, scene, axis))
{
    setFocusProxy(m_impl->plot);
    m_impl->plot->installEventFilter(this);
    connect(&Theme::of(this), &Theme::changed, this, [this] {
        m_impl->applyTheme();
        redraw();
    });
}

LossPlot::~LossPlot() = default;

void LossPlot::setData(PlotData fresh)
{
    m_impl->data = std::move(fresh);
    m_impl->showData();
}

const PlotData &LossPlot::plotData() const { return m_impl->data; }

void LossPlot::setMetric(std::optional<MetricFace> face)
{
    const bool other =
        face.has_value() != m_impl->metric.has_value() || (face && face->metric != m_impl->metric->metric);
    m_impl->metric = std::move(face);
    if (!other) return;
    m_impl->fitted = false;
    m_impl->plot->setObjectName(m_impl->metric ? QStringLiteral("metricPlot") : QStringLiteral("lossPlot"));
    m_impl->plot->setAccessibleName(m_impl->metric ? tr("%1 over steps").arg(m_impl->metric->title)
                                                   : tr("Loss over steps"));
}

void LossPlot::setOutliers(std::vector<LegendOutlier> outliers, int within)
{
    m_impl->outliers = std::move(outliers);
    m_impl->within = within;
}

void LossPlot::setLogScale(bool on)
{
    m_impl->logScale = on;
    m_impl->fit(true);
    redraw();
}

bool LossPlot::logScale() const { return m_impl->logScale; }
void LossPlot::setSmoothing(double factor) { m_impl->smoothing = factor; }

void LossPlot::setEmptyText(const QString &text)
{
    if (text == m_impl->empty) return;
    m_impl->empty = text;
    m_impl->plot->yAxis->setTickLabels(text.isEmpty());
    m_impl->plot->yAxis->grid()->setVisible(text.isEmpty());
    redraw();
}

QString LossPlot::emptyText() const { return m_impl->empty; }

void LossPlot::redraw()
{
    m_impl->placeAxes();
    if (!isVisible()) return;  // will be drawn when it is shown again
    m_impl->plot->replot(QCustomPlot::rpQueuedReplot);
}

void LossPlot::cursorMoved() { m_impl->plot->layer(QStringLiteral("overlay"))->replot(); }

double LossPlot::lossAt(int y) const { return m_impl->plot->yAxis->pixelToCoord(y); }
double LossPlot::pixelOfLoss(double loss) const { return m_impl->plot->yAxis->coordToPixel(loss); }
QRect LossPlot::axisBox() const { return m_impl->box(); }
int LossPlot::replots() const { return m_impl->replots; }
QWidget *LossPlot::canvas() const { return m_impl->plot; }

int LossPlot::labelWidth() const
{
    const QFontMetrics metrics(Theme::of(this).font(F::smallBold));
    int widest = metrics.horizontalAdvance(tr("median"));
    if (!m_impl->data.discardedMedian.empty()) widest = std::max(widest, metrics.horizontalAdvance(tr("discarded")));
    for (const RankCurve &line : m_impl->data.ranks)
        widest = std::max(widest, metrics.horizontalAdvance(tr("rank %1").arg(line.rank)));
    return widest + 18;
}

std::vector<QRect> LossPlot::nonFiniteBoxes() const
{
    std::vector<QRect> boxes;
    for (const MarkGroup &group : groupedMarks(m_impl->data.nonFinite, m_impl->axis()))
        boxes.emplace_back(group.x - 6, axisBox().top() + 2, 12, 12);
    return boxes;
}

void LossPlot::resizeEvent(QResizeEvent *) { redraw(); }

bool LossPlot::event(QEvent *event)
{
    if (event->type() == QEvent::Show || event->type() == QEvent::ScreenChangeInternal) redraw();
    return QWidget::event(event);
}

bool LossPlot::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) {
        m_impl->byKeyboard = focusByKeyboard(static_cast<QFocusEvent *>(event)->reason());
        redraw();
    }
    if (event->type() == QEvent::MouseButtonPress) {
        const QPoint at = static_cast<QMouseEvent *>(event)->position().toPoint();
        if (m_impl->metric) return QWidget::eventFilter(watched, event);
        if (LossLegend::logBox().contains(at)) Q_EMIT logScaleWanted(!logScale());
        if (LossLegend::smoothBox().contains(at)) Q_EMIT smoothingWanted();
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace rankdeck::ui
