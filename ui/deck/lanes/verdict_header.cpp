// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/lanes/verdict_header.h"

#include "ui/deck/lanes/lane_painter.h"
#include "ui/deck/scene/deck_paint.h"
#include "ui/style/format.h"
#include "ui/style/theme.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace rankdeck::ui {

using R = Theme::Role;

namespace {
int rowHeight() { return scaled(28); }

void paintSign(QPainter &painter, const ColumnGroup &group, const DeckScene &scene, GlyphSheet &sheet)
{
    const LaneColumn &column = scene.lanes.columns[static_cast<std::size_t>(group.worst)];
    const Glyph sign = column.pruned ? Glyph::pruned : verdictGlyph(column.verdict);
    if (column.ghost) painter.setOpacity(0.45);
    painter.drawPixmap(group.x - gutterWidth() - verdictSize / 2, rowHeight() / 2 - verdictSize / 2,
                       sheet.at(sign, verdictSize));
    painter.setOpacity(1);
}

QRect signBox(const ColumnGroup &group)
{
    return {group.x - gutterWidth() - verdictSize / 2, rowHeight() / 2 - verdictSize / 2, verdictSize, verdictSize};
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

QSize VerdictHeader::sizeHint() const { return {100, rowHeight()}; }

std::vector<QRect> VerdictHeader::signBoxes() const
{
    std::vector<QRect> boxes;
    for (const ColumnGroup &group : columnGroups(m_scene.lanes, m_axis)) boxes.push_back(signBox(group));
    return boxes;
}

std::vector<VerdictHeader::Label> VerdictHeader::labels() const
{
    const Theme &theme = Theme::of(this);
    const std::vector<QRect> signs = signBoxes();
    std::vector<Label> labels;
    const auto isFree = [&](const QRect &box) {
        const auto hits = [&](const QRect &other) { return box.intersects(other); };
        return std::none_of(signs.begin(), signs.end(), hits) &&
               std::none_of(labels.begin(), labels.end(), [&](const Label &other) { return hits(other.box); });
    };
    for (const ColumnGroup &group : columnGroups(m_scene.lanes, m_axis)) {
        const LaneColumn &column = m_scene.lanes.columns[static_cast<std::size_t>(group.worst)];
        Label label{{}, group.count > 1 ? number(group.count) : kindLetter(column.kind), group.count > 1};
        if (label.words.isEmpty() || column.pruned) continue;
        const QFontMetrics metrics(theme.font(label.count ? Theme::Font::small : Theme::Font::kind));
        const int width = metrics.horizontalAdvance(label.words) + 2;
        const QRect sign = signBox(group);
        // The label is to the right of the sign or, if there is no room, to the left. If there is no room on either
        // side, it is left out; zooming in splits the group.
        for (const QRect &box : {QRect(sign.right() + 2, 0, width, 15), QRect(sign.left() - 1 - width, 0, width, 15)}) {
            if (!isFree(box)) continue;
            label.box = box;
            labels.push_back(label);
            break;
        }
    }
    return labels;
}

void VerdictHeader::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(this);
    QPainter painter(viewport());
    const QRect area = viewport()->rect();
    painter.fillRect(area, theme.color(R::alt));
    paintLostGround(painter, area, gutterWidth(), m_scene, m_axis, theme);
    paintLostHatch(painter, area, gutterWidth(), m_scene, m_axis, theme);
    paintSelectedColumn(painter, area, gutterWidth(), m_scene, m_axis, theme);
    paintSeams(painter, area, gutterWidth(), m_scene, m_axis, theme);
    paintValidLine(painter, area, gutterWidth(), m_scene, m_axis, theme);
    paintCursor(painter, area, gutterWidth(), m_scene, m_axis, theme);
    GlyphSheet sheet(theme, devicePixelRatioF());
    const auto groups = columnGroups(m_scene.lanes, m_axis);
    // Discarded sets (ghosts) are painted first, at the bottom; sets in trouble are painted last.
    const auto depth = [this](const ColumnGroup &group) {
        const LaneColumn &column = m_scene.lanes.columns[static_cast<std::size_t>(group.worst)];
        return column.ghost ? 0 : isTrouble(column.verdict) ? 2 : 1;
    };
    for (const int layer : {0, 1, 2})
        for (const ColumnGroup &group : groups)
            if (depth(group) == layer) paintSign(painter, group, m_scene, sheet);
    painter.setPen(theme.color(R::text));
    for (const Label &label : labels()) {
        painter.setFont(theme.font(label.count ? Theme::Font::small : Theme::Font::kind));
        painter.drawText(label.box, Qt::AlignCenter, label.words);
    }
    painter.fillRect(0, 0, area.width(), 1, theme.color(R::frame));
    painter.fillRect(0, area.bottom(), area.width(), 1, theme.color(R::frame));
    const QRect box = selectedColumnBox(m_scene, m_axis, 0, rowHeight()).translated(-gutterWidth(), 0);
    if (box.isEmpty()) return;
    painter.fillRect(box.left(), 1, 2, rowHeight(), theme.color(R::accent));
    painter.fillRect(box.right() - 1, 1, 2, rowHeight(), theme.color(R::accent));
    painter.fillRect(box.left(), 0, box.width(), 2, theme.color(R::accent));
}

void VerdictHeader::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton) Q_EMIT pressed(static_cast<int>(event->position().x()) + gutterWidth());
}

// The base class would resize and move sections.
void VerdictHeader::mouseMoveEvent(QMouseEvent *event) { event->ignore(); }
void VerdictHeader::mouseReleaseEvent(QMouseEvent *event) { event->ignore(); }
void VerdictHeader::mouseDoubleClickEvent(QMouseEvent *event) { event->ignore(); }

}  // namespace rankdeck::ui
