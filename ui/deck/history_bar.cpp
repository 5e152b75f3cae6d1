// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/history_bar.h"

#include "ui/style/format.h"
#include "ui/style/glyphs.h"
#include "ui/style/theme.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace rankdeck::ui {

using R = Theme::Role;

HistoryBar::HistoryBar(const DeckScene &scene, StepAxis &axis, QWidget *parent)
    : QWidget(parent), m_scene(scene), m_axis(axis)
{
    setObjectName(QStringLiteral("history"));
    setAccessibleName(tr("Whole job"));
    setFixedHeight(rowHeight());
    connect(&axis, &StepAxis::changed, this, qOverload<>(&QWidget::update));
    connect(&Theme::of(this), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void HistoryBar::setMedian(Curve median)
{
    m_median = std::move(median);
    update();
}

void HistoryBar::setDeaths(std::vector<qint64> steps)
{
    if (steps == m_deaths) return;
    m_deaths = std::move(steps);
    update();
}

QRect HistoryBar::bar() const { return {m_axis.left(), 4, m_axis.width(), rowHeight() - 8}; }

// Part of the bar stays free for future steps, so that the curve does not shrink with every step.
double HistoryBar::lastStep() const
{
    const double span = std::max(m_axis.last() - m_axis.first(), 10.0);
    const double unit = std::pow(10, std::floor(std::log10(span)));
    for (const double factor : {1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0})
        if (unit * factor >= span * 1.02) return m_axis.first() + unit * factor;
    return m_axis.first() + unit * 15;
}

int HistoryBar::column(double step) const
{
    const double share = (step - m_axis.first()) / (lastStep() - m_axis.first());
    return bar().left() + static_cast<int>(std::lround(std::clamp(share, -0.1, 1.1) * bar().width()));
}

double HistoryBar::stepAt(double x) const
{
    return m_axis.first() + (x - bar().left()) / bar().width() * (lastStep() - m_axis.first());
}

QRect HistoryBar::bracket() const
{
    const int from = std::clamp(column(m_axis.from()), bar().left(), bar().right());
    const int to = std::clamp(column(m_axis.to()), from + 4, bar().right() + 4);
    return QRect(QPoint(from, bar().top() + 1), QPoint(to, bar().bottom() - 1));
}

void HistoryBar::paintMedian(QPainter &painter)
{
    double least = 1, most = 0;
    for (const double y : m_median.y) {
        if (std::isnan(y)) continue;
        if (least > most) least = most = y;
        least = std::min(least, y);
        most = std::max(most, y);
    }
    if (least > most) return;
    const double height = bar().height() - 10;
    QPolygonF line;
    for (std::size_t i = 0; i < m_median.x.size(); ++i) {
        if (std::isnan(m_median.y[i])) continue;
        const double share = most > least ? (most - m_median.y[i]) / (most - least) : 0.5;
        line << QPointF(column(m_median.x[i]), bar().top() + 4 + share * height * 0.8);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Theme::of(this).color(R::median), 1));
    painter.drawPolyline(line);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void HistoryBar::paintTrouble(QPainter &painter)
{
    const Theme &theme = Theme::of(this);
    int free = -100;
    for (const LaneColumn &set : m_scene.lanes.columns) {
        if (severity(set.verdict) < severity(Verdict::incomplete) || set.pruned) continue;
        const int x = column(static_cast<double>(set.position));
        if (x < free + 6) continue;
        free = x;
        painter.drawPixmap(x - 5, bar().bottom() - 11,
                           glyph(verdictGlyph(set.verdict), 10, theme, devicePixelRatioF()));
    }
    for (const qint64 death : m_deaths)
        painter.drawPixmap(column(static_cast<double>(death)) - 5, bar().bottom() - 11,
                           glyph(Glyph::died, 10, theme, devicePixelRatioF()));
}

void HistoryBar::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(R::window));
    painter.fillRect(0, 0, width(), 1, theme.color(R::frame));
    painter.setFont(theme.font(Theme::Font::small));
    painter.setPen(theme.color(R::text2));
    if (m_scene.lanes.last || !m_scene.lanes.columns.empty())
        painter.drawText(QRect(0, 4, gutterWidth() - 6, rowHeight() - 8), Qt::AlignRight | Qt::AlignVCenter,
                         tr("whole job, %1 to %2").arg(number(qint64(m_axis.first())), number(qint64(m_axis.last()))));
    painter.fillRect(bar(), theme.color(R::base));
    painter.setPen(theme.color(R::frame));
    painter.drawRect(bar().adjusted(0, 0, -1, -1));
    if (!m_scene.lanes.last && m_scene.lanes.columns.empty()) return;
    painter.save();
    painter.setClipRect(bar());
    const QRect window = bracket();
    painter.fillRect(window, theme.color(R::tintOk));
    paintMedian(painter);
    QPen seam(theme.color(R::text), 1, Qt::CustomDashLine);
    seam.setDashPattern({2, 2});
    painter.setPen(seam);
    for (const Seam &one : m_scene.lanes.seams)
        if (one.resumedFrom) {
            const int x = column(static_cast<double>(one.position));
            painter.drawLine(x, bar().top() + 1, x, bar().bottom() - 1);
        }
    if (const LaneColumn *valid = m_scene.newestValid())
        painter.fillRect(column(static_cast<double>(valid->position)) - 1, bar().top() + 1, 2, bar().height() - 2,
                         theme.color(R::complete));
    paintTrouble(painter);
    painter.setPen(theme.color(R::accent));
    painter.drawRect(window.adjusted(0, 0, -1, 0));
    painter.restore();
    for (const int x : {window.left(), window.right()})
        painter.fillRect(x - 1, window.center().y() - 6, 3, 13, theme.color(R::accent));
    if (hasFocus()) {
        painter.setPen(QPen(theme.color(R::accent), 2));
        painter.drawRect(bar().adjusted(1, 1, -1, -1));
    }
}

// The grips of a narrow bracket are outside of it, so that its inside can still be dragged.
HistoryBar::Grip HistoryBar::gripAt(double x) const
{
    constexpr int reach = 4, narrow = 24;
    const QRect window = bracket();
    const int inside = window.width() < narrow ? 0 : reach;
    if (x >= window.right() - inside && x <= window.right() + reach) return Grip::right;
    if (x >= window.left() - reach && x < window.left() + inside) return Grip::left;
    return Grip::window;
}

void HistoryBar::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton) return;
    const double x = event->position().x();
    const QRect window = bracket();
    m_pressedAt = x;
    m_grip = gripAt(x);
    m_dragged = false;
    if (m_grip != Grip::window) return;
    m_grabbed = stepAt(x) - m_axis.from();
    if (!window.contains(event->position().toPoint())) centreOn(x);
}

// Centres the view on the pressed position, within the range of the job; a drag continues from there.
void HistoryBar::centreOn(double x)
{
    const double step = stepAt(x), half = m_axis.span() / 2;
    m_axis.show(step - half, step + half);
    m_grabbed = step - m_axis.from();
    Q_EMIT moved();
}

void HistoryBar::mouseMoveEvent(QMouseEvent *event)
{
    if (!(event->buttons() & Qt::LeftButton) || m_grip == Grip::none) return;
    const double step = stepAt(event->position().x());
    if (!m_dragged && std::abs(event->position().x() - m_pressedAt) < QApplication::startDragDistance() / 2.0) return;
    m_dragged = true;
    if (m_grip == Grip::left) m_axis.show(std::min(step, m_axis.to() - 10), m_axis.to());
    if (m_grip == Grip::right) m_axis.show(m_axis.from(), std::max(step, m_axis.from() + 10));
    if (m_grip == Grip::window) m_axis.pan(step - m_grabbed - m_axis.from());
    Q_EMIT moved();
}

// A click inside the bracket centres the view as well, as a click outside does.
void HistoryBar::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || m_grip == Grip::none) return;
    m_grip = Grip::none;
    if (!m_dragged) centreOn(m_pressedAt);
}

}  // namespace rankdeck::ui
