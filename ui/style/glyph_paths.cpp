// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/glyph_paths.h"

#include <QPainterPathStroker>
#include <QPolygonF>

namespace rankdeck::ui {
namespace {

QPainterPath disc(qreal radius)
{
    QPainterPath path;
    path.addEllipse(QPointF(), radius, radius);
    return path;
}

QPainterPath square(qreal half, qreal corner)
{
    QPainterPath path;
    path.addRoundedRect(QRectF(-half, -half, 2 * half, 2 * half), corner, corner);
    return path;
}

QPainterPath bar(qreal x, qreal y, qreal width, qreal height)
{
    QPainterPath path;
    path.addRect(QRectF(x, y, width, height));
    return path;
}

QPainterPath stroked(const QPainterPath &line, qreal width, Qt::PenCapStyle cap = Qt::FlatCap)
{
    QPainterPathStroker stroker;
    stroker.setWidth(width);
    stroker.setCapStyle(cap);
    stroker.setJoinStyle(Qt::MiterJoin);
    return stroker.createStroke(line);
}

QPainterPath ring(qreal radius, qreal width) { return stroked(disc(radius), width); }

QPainterPath dashedRing(qreal radius, qreal width)
{
    QPainterPathStroker stroker;
    stroker.setWidth(width);
    stroker.setCapStyle(Qt::FlatCap);
    stroker.setDashPattern({2.2, 1.2});
    return stroker.createStroke(disc(radius));
}

QPainterPath polyline(const QPolygonF &points, qreal width, Qt::PenCapStyle cap = Qt::FlatCap)
{
    QPainterPath line;
    line.addPolygon(points);
    return stroked(line, width, cap);
}

QPainterPath closed(const QPolygonF &points)
{
    QPainterPath path;
    path.addPolygon(points);
    path.closeSubpath();
    return path;
}

QPainterPath checkMark(qreal scale, qreal width)
{
    return polyline({{-3.6 * scale, 0.2 * scale}, {-1.0 * scale, 2.9 * scale}, {3.8 * scale, -2.9 * scale}}, width);
}

QPainterPath cross(qreal half, qreal width)
{
    return polyline({{-half, -half}, {half, half}}, width) | polyline({{-half, half}, {half, -half}}, width);
}

QPainterPath halfFilled()
{
    QPainterPath lower;
    lower.moveTo(6.2, 0);
    lower.arcTo(QRectF(-6.2, -6.2, 12.4, 12.4), 0, -180);
    lower.closeSubpath();
    return ring(6.2, 2) | lower;
}

QPainterPath triangle() { return closed({{0, -7}, {7.6, 6.6}, {-7.6, 6.6}}); }
QPainterPath exclamation(qreal top) { return bar(-1, top, 2, 5) | bar(-1, top + 6.3, 2, 2); }
QPainterPath diamond() { return closed({{0, -8}, {8, 0}, {0, 8}, {-8, 0}}); }
QPainterPath equals() { return bar(-3, -2.6, 6, 1.7) | bar(-3, 0.9, 6, 1.7); }

QPainterPath questionMark()
{
    QPainterPath hook;
    hook.moveTo(-2.3, -1.9);
    hook.cubicTo(-2.3, -5.0, 2.5, -5.0, 2.5, -2.0);
    hook.cubicTo(2.5, -0.3, 0, -0.3, 0, 1.7);
    return stroked(hook, 1.7) | bar(-1, 2.7, 2, 1.9);
}

QPainterPath openArc()
{
    QPainterPath arc;
    const QRectF box(-5, -5, 10, 10);
    arc.arcMoveTo(box, 80);
    arc.arcTo(box, 80, -250);
    return stroked(arc, 2);
}

QPainterPath clockFace() { return ring(6, 2) | polyline({{0, -4}, {0, 0.6}, {3, 0.6}}, 1.7); }

QPainterPath slashedRing() { return ring(6, 2) | polyline({{-3.8, 3.8}, {3.8, -3.8}}, 2); }
QPainterPath hollowSquare() { return stroked(square(4.6, 0), 2); }

QPainterPath bolt() { return closed({{2.6, -8}, {-5.4, 1}, {-1, 1}, {-2.6, 8}, {5.4, -2}, {1, -2}}); }

QPainterPath toggle()
{
    QPainterPath path;
    path.addRoundedRect(QRectF(-7.5, -4.5, 15, 9), 4.5, 4.5);
    return path;
}

QPainterPath pennant() { return bar(-5, -7, 2, 14) | closed({{-3, -7}, {6, -3.5}, {-3, 0}}); }

GlyphPaths nodeOrRankPaths(Glyph glyph)
{
    switch (glyph) {
    case Glyph::queued: return {ring(3.2, 1.9)};
    case Glyph::connecting: return {openArc()};
    case Glyph::needsYou: return {square(7, 1.5), exclamation(-4.6)};
    case Glyph::live: return {disc(4.2)};
    case Glyph::stale: return {clockFace()};
    case Glyph::lost: return {slashedRing()};
    case Glyph::refused: return {disc(7), bar(-4.2, -1.4, 8.4, 2.8)};
    case Glyph::unsupported: return {dashedRing(6, 1.7) | bar(-2.6, -0.9, 5.2, 1.8)};
    case Glyph::waits: return {bar(-4, -4.5, 2.8, 9) | bar(1.2, -4.5, 2.8, 9)};
    case Glyph::died: return {cross(5.4, 3)};
    case Glyph::exited: return {hollowSquare() | checkMark(0.72, 1.7)};
    default: return {};
    }
}

GlyphPaths actPaths(Glyph glyph)
{
    QPainterPath knob;
    knob.addEllipse(QPointF(3, 0), 3.4, 3.4);
    switch (glyph) {
    case Glyph::check: return {checkMark(1.1, 2.4)};
    case Glyph::warns: return {triangle(), exclamation(-2.8)};
    case Glyph::refuses: return {disc(7), bar(-4.2, -1.4, 8.4, 2.8)};
    case Glyph::armed: return {toggle(), knob};
    case Glyph::play: return {closed({{-4, -5.5}, {5.5, 0}, {-4, 5.5}})};
    case Glyph::stop: return {square(4.5, 0)};
    case Glyph::nan: return {cross(4.8, 2.6)};
    case Glyph::error: return {disc(7), exclamation(-4.2)};
    case Glyph::fault: return {bolt()};
    case Glyph::arrow: return {polyline({{-2.5, -4.5}, {2.5, 0}, {-2.5, 4.5}}, 2)};
    case Glyph::note: return {bar(-3.5, -1, 7, 2)};
    case Glyph::saved: return {disc(4.2)};
    case Glyph::flag: return {pennant()};
    default: return {};
    }
}

}  // namespace

GlyphPaths glyphPaths(Glyph glyph)
{
    switch (glyph) {
    case Glyph::valid: return {disc(7.4), checkMark(1, 2.3)};
    case Glyph::validUnproven: return {ring(6.5, 1.9) | checkMark(0.85, 2.1)};
    case Glyph::inProgress:
    case Glyph::saving: return {halfFilled()};
    case Glyph::incomplete:
    case Glyph::shortFile: return {triangle(), exclamation(-2.8)};
    case Glyph::inconsistent:
    case Glyph::mismatch: return {diamond(), equals()};
    case Glyph::corrupt:
    case Glyph::torn: return {square(7, 0.8), cross(3.4, 2.2)};
    case Glyph::unknown:
    case Glyph::unreadable: return {dashedRing(6.5, 1.7) | questionMark()};
    case Glyph::ok: return {disc(4.2)};
    case Glyph::okNewest: return {disc(4.7)};
    case Glyph::replica: return {ring(5.6, 1.9) | disc(2.2)};
    case Glyph::missing: return {hollowSquare()};
    case Glyph::unread: return {ring(3.6, 1.4)};
    case Glyph::pruned: return {disc(1.3)};
    default: break;
    }
    const GlyphPaths node = nodeOrRankPaths(glyph);
    return node.body.isEmpty() ? actPaths(glyph) : node;
}

}  // namespace rankdeck::ui
