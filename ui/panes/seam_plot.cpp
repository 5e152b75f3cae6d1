// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panes/seam_plot.h"

#include "ui/style/format.h"
#include "ui/style/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <limits>

namespace rankdeck::ui {

namespace {

using Role = Theme::Role;

struct Scale {
    QRectF box;
    double low = 0, high = 1;
    [[nodiscard]] double y(double value) const { return box.bottom() - (value - low) / (high - low) * box.height(); }
};

Scale scaleOf(const SeamPlot::Curves &curves, const QRectF &box)
{
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const auto *columns : {&curves.kept, &curves.discarded}) {
        for (const EnvelopeColumn &column : *columns) {
            if (column.ranks == 0) continue;
            low = std::min<double>(low, column.min);
            high = std::max<double>(high, column.max);
        }
    }
    if (low > high) return {box, 0, 1};
    const double room = std::max((high - low) * 0.1, 1e-9);
    return {box, low - room, high + room};
}

double xOf(std::size_t i, std::size_t count, const QRectF &box)
{
    return box.left() + (static_cast<double>(i) + 0.5) / static_cast<double>(count) * box.width();
}

void paintBand(QPainter &painter, const std::vector<EnvelopeColumn> &columns, const Scale &scale, const QColor &colour)
{
    painter.setPen(colour);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].ranks == 0) continue;
        const double x = xOf(i, columns.size(), scale.box);
        painter.drawLine(QPointF(x, scale.y(columns[i].min)), QPointF(x, scale.y(columns[i].max)));
    }
}

void paintMedian(QPainter &painter, const std::vector<EnvelopeColumn> &columns, const Scale &scale, const QPen &pen,
                 double fromX, double toX)
{
    QPainterPath path;
    bool down = false;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const double x = xOf(i, columns.size(), scale.box);
        if (columns[i].ranks == 0 || x < fromX || x > toX) continue;
        const QPointF at(x, scale.y(columns[i].median));
        if (down)
            path.lineTo(at);
        else
            path.moveTo(at);
        down = true;
    }
    painter.setPen(pen);
    painter.drawPath(path);
}

}  // namespace

SeamPlot::SeamPlot(QWidget *parent) : QWidget(parent)
{
    setFixedHeight(98);
    setAccessibleName(tr("Loss at the seam"));
    connect(&Theme::of(this), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void SeamPlot::setCurves(Curves curves)
{
    m_curves = std::move(curves);
    setAccessibleDescription(
        tr("%1 to the seam at step %2, then %3")
            .arg(m_curves.before, number(static_cast<std::int64_t>(m_curves.seam)), m_curves.after));
    update();
}

void SeamPlot::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Role::base));
    painter.setPen(theme.color(Role::frame));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    if (m_curves.to <= m_curves.from) return;
    const Scale scale = scaleOf(m_curves, QRectF(8, 20, width() - 16, height() - 38));
    paintBand(painter, m_curves.discarded, scale, theme.color(Role::discardedBand));
    paintBand(painter, m_curves.kept, scale, theme.color(Role::band));
    painter.setRenderHint(QPainter::Antialiasing);
    const double seam =
        scale.box.left() + (m_curves.seam - m_curves.from) / (m_curves.to - m_curves.from) * scale.box.width();
    paintMedian(painter, m_curves.discarded, scale, QPen(theme.color(Role::discarded), 1.5, Qt::DashLine),
                scale.box.left(), scale.box.right());
    paintMedian(painter, m_curves.kept, scale, QPen(theme.color(Role::median), 2), scale.box.left(), seam);
    paintMedian(painter, m_curves.kept, scale, QPen(theme.color(Role::complete), 2), seam, scale.box.right());
    painter.setPen(QPen(theme.color(Role::text), 1.5, Qt::DotLine));
    painter.drawLine(QPointF(seam, 1), QPointF(seam, height() - 2));
    painter.setFont(theme.font(Theme::Font::small));
    painter.setPen(theme.color(Role::text2));
    painter.drawText(QPointF(12, 15), m_curves.before);
    painter.drawText(QPointF(seam + 4, height() - 6), number(static_cast<std::int64_t>(m_curves.seam)));
    painter.setFont(theme.font(Theme::Font::smallBold));
    painter.setPen(theme.color(Role::text));
    const double wide = painter.fontMetrics().horizontalAdvance(m_curves.after);
    painter.drawText(QPointF(std::min(seam + 6, width() - wide - 8), 15), m_curves.after);
}

}  // namespace rankdeck::ui
