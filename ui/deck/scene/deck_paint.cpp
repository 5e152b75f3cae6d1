// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/scene/deck_paint.h"

#include "ui/style/theme.h"

#include <QPainter>

#include <algorithm>

namespace rankdeck::ui {
namespace {

using R = Theme::Role;

QRect lostBox(const QRect &area, int origin, const DeckScene &scene, const StepAxis &axis)
{
    const LaneColumn *valid = scene.newestValid();
    if (!valid || !scene.lanes.last || *scene.lanes.last <= valid->position) return {};
    const int from = std::clamp(axis.column(static_cast<double>(valid->position)), axis.left(), axis.right());
    const int to = std::clamp(axis.column(static_cast<double>(*scene.lanes.last)) + 1, axis.left(), axis.right());
    return {from - origin, area.top(), to - from, area.height()};
}

void dotted(QPainter &painter, int x, const QRect &area, const QColor &color)
{
    QPen pen(color, 1, Qt::CustomDashLine);
    pen.setDashPattern({2, 3});
    pen.setCapStyle(Qt::FlatCap);
    painter.setPen(pen);
    painter.drawLine(QPointF(x + 0.5, area.top()), QPointF(x + 0.5, area.bottom() + 1));
}

}  // namespace

void paintLostGround(QPainter &painter, const QRect &area, int origin, const DeckScene &scene, const StepAxis &axis,
                     const Theme &theme)
{
    const QRect box = lostBox(area, origin, scene, axis);
    if (!box.isEmpty()) painter.fillRect(box, theme.color(R::lostGround));
}

void paintLostHatch(QPainter &painter, const QRect &area, int origin, const DeckScene &scene, const StepAxis &axis,
                    const Theme &theme)
{
    const QRect box = lostBox(area, origin, scene, axis);
    if (!box.isEmpty()) painter.fillRect(box, QBrush(theme.color(R::lostHatch), Qt::BDiagPattern));
}

void paintSeams(QPainter &painter, const QRect &area, int origin, const DeckScene &scene, const StepAxis &axis,
                const Theme &theme)
{
    for (const Seam &seam : scene.lanes.seams) {
        if (!seam.resumedFrom || !axis.sees(static_cast<double>(seam.position))) continue;
        dotted(painter, axis.column(static_cast<double>(seam.position)) - origin, area, theme.color(R::text));
    }
}

void paintValidLine(QPainter &painter, const QRect &area, int origin, const DeckScene &scene, const StepAxis &axis,
                    const Theme &theme)
{
    const LaneColumn *valid = scene.newestValid();
    if (!valid || !axis.sees(static_cast<double>(valid->position))) return;
    const int x = axis.column(static_cast<double>(valid->position)) - origin;
    painter.fillRect(QRect(x - 1, area.top(), 2, area.height()), theme.color(R::complete));
}

bool focusByKeyboard(Qt::FocusReason reason)
{
    return reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
}

QRect selectedColumnBox(const DeckScene &scene, const StepAxis &axis, int top, int height)
{
    const int column = scene.selectedColumn();
    if (column < 0) return {};
    const int x = columnPixels(scene.lanes, axis)[static_cast<std::size_t>(column)];
    if (x < axis.left() - 8 || x > axis.right() + 8) return {};
    return {x - 14, top, 28, height};
}

void paintSelectedColumn(QPainter &painter, const QRect &area, int origin, const DeckScene &scene, const StepAxis &axis,
                         const Theme &theme)
{
    const QRect box = selectedColumnBox(scene, axis, area.top(), area.height());
    if (box.isEmpty()) return;
    QColor tint = theme.color(R::accent);
    tint.setAlphaF(0.18f);
    painter.fillRect(box.translated(-origin, 0), tint);
}

void paintCursor(QPainter &painter, const QRect &area, int origin, const DeckScene &scene, const StepAxis &axis,
                 const Theme &theme)
{
    if (!scene.cursor || !axis.sees(*scene.cursor)) return;
    painter.fillRect(QRect(axis.column(*scene.cursor) - origin, area.top(), 1, area.height()), theme.color(R::text));
}

}  // namespace rankdeck::ui
