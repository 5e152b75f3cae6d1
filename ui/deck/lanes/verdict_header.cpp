// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/lanes/verdict_header.h"

#include "ui/deck/lanes/lane_painter.h"
#include "ui/deck/scene/deck_paint.h"
#include "ui/style/format.h"
#include "ui/style/theme.h"

#include <QMouseEvent>
#include <QPainter>

namespace rankdeck::ui {

using R = Theme::Role;

namespace {
constexpr int rowHeight = 28;

void paintSet(QPainter &painter, const ColumnGroup &group, const DeckScene &scene, GlyphSheet &sheet,
              const Theme &theme)
{
    const LaneColumn &column = scene.lanes.columns[static_cast<std::size_t>(group.worst)];
    const int x = group.x - gutterWidth;
    const int y = rowHeight / 2;
    const Glyph sign = column.pruned ? Glyph::pruned : verdictGlyph(column.verdict);
    if (column.ghost) painter.setOpacity(0.45);
    painter.drawPixmap(x - verdictSize / 2, y - verdictSize / 2, sheet.at(sign, verdictSize));
    painter.setOpacity(1);
    const QString beside = group.count > 1 ? number(group.count) : kindLetter(column.kind);
    if (beside.isEmpty() || column.pruned) return;
    painter.setFont(theme.font(group.count > 1 ? Theme::Font::small : Theme::Font::kind));
    painter.setPen(theme.color(R::text));
    painter.drawText(QRect(x + 9, 0, 30, 15), Qt::AlignLeft | Qt::AlignVCenter, beside);
}
}  // namespace

VerdictHeader::VerdictHeader(const DeckScene &scene, const StepAxis &axis, QWidget *parent)
    : QHeaderView(Qt::Horizontal, parent), m_scene(scene), m_axis(axis)
{
    setObjectName(QStringLiteral("verdictRow"));
    setAccessibleName(tr("Verdict of the set"));
    setMinimumSectionSize(0);
    setSectionResizeMode(QHeaderView::Fixed);
    setHighlightSections(false);
}

QSize VerdictHeader::sizeHint() const { return {100, rowHeight}; }

void VerdictHeader::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(this);
    QPainter painter(viewport());
    const QRect area = viewport()->rect();
    painter.fillRect(area, theme.color(R::alt));
    paintLostGround(painter, area, gutterWidth, m_scene, m_axis, theme);
    paintLostHatch(painter, area, gutterWidth, m_scene, m_axis, theme);
    paintSelectedColumn(painter, area, gutterWidth, m_scene, m_axis, theme);
    paintSeams(painter, area, gutterWidth, m_scene, m_axis, theme);
    paintValidLine(painter, area, gutterWidth, m_scene, m_axis, theme);
    paintCursor(painter, area, gutterWidth, m_scene, m_axis, theme);
    GlyphSheet sheet(theme, devicePixelRatioF());
    const auto groups = columnGroups(m_scene.lanes, m_axis);
    // Ghosts below, what a person should know of on top.
    const auto depth = [this](const ColumnGroup &group) {
        const LaneColumn &column = m_scene.lanes.columns[static_cast<std::size_t>(group.worst)];
        return column.ghost ? 0 : isTrouble(column.verdict) ? 2 : 1;
    };
    for (const int layer : {0, 1, 2})
        for (const ColumnGroup &group : groups)
            if (depth(group) == layer) paintSet(painter, group, m_scene, sheet, theme);
    painter.fillRect(0, 0, area.width(), 1, theme.color(R::frame));
    painter.fillRect(0, area.bottom(), area.width(), 1, theme.color(R::frame));
    const QRect box = selectedColumnBox(m_scene, m_axis, 0, rowHeight).translated(-gutterWidth, 0);
    if (box.isEmpty()) return;
    painter.fillRect(box.left(), 1, 2, rowHeight, theme.color(R::accent));
    painter.fillRect(box.right() - 1, 1, 2, rowHeight, theme.color(R::accent));
    painter.fillRect(box.left(), 0, box.width(), 2, theme.color(R::accent));
}

void VerdictHeader::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton) emit pressed(static_cast<int>(event->position().x()) + gutterWidth);
}

// The base class would resize and move sections.
void VerdictHeader::mouseMoveEvent(QMouseEvent *event) { event->ignore(); }
void VerdictHeader::mouseReleaseEvent(QMouseEvent *event) { event->ignore(); }
void VerdictHeader::mouseDoubleClickEvent(QMouseEvent *event) { event->ignore(); }

}  // namespace rankdeck::ui
