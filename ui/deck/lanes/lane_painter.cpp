// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/lanes/lane_painter.h"

#include "ui/deck/lanes/lane_image.h"
#include "ui/deck/lanes/lane_model.h"
#include "ui/style/format.h"
#include "ui/style/window_words.h"

#include <QPainter>

#include <algorithm>

namespace rankdeck::ui {

using R = Theme::Role;

const QPixmap &GlyphSheet::at(Glyph which, int sizePx)
{
    const int key = static_cast<int>(which) * 256 + sizePx;
    auto found = m_pixmaps.find(key);
    if (found == m_pixmaps.end()) found = m_pixmaps.emplace(key, glyph(which, sizePx, m_theme, m_dpr)).first;
    return found->second;
}

bool inTrouble(const LaneRow &row) { return row.status == RankStatus::died || row.hangs; }

LanePainter::LanePainter(QPainter &painter, const DeckScene &scene, const StepAxis &axis, const Theme &theme,
                         GlyphSheet &sheet, const LaneGeometry &geometry)
    : m_painter(painter), m_scene(scene), m_axis(axis), m_theme(theme), m_sheet(sheet), m_geometry(geometry)
{}

QRect LanePainter::rowBox(int row) const
{
    const int top = m_geometry.top(row);
    return {0, top, m_geometry.area.width(), m_geometry.top(row + 1) - top};
}

void LanePainter::paint()
{
    const QRect &area = m_geometry.area;
    m_painter.fillRect(area, m_theme.color(R::base));
    const int bottom = m_geometry.top(static_cast<int>(m_scene.lanes.rows.size()));
    const QRect lanes(0, area.top(), area.width(), std::min(area.bottom() + 1, bottom) - area.top());
    const auto &data = m_scene.lanes;
    paintLostGround(m_painter, lanes, gutterWidth(), m_scene, m_axis, m_theme);
    for (int row = m_geometry.first; row <= m_geometry.last; ++row) paintRowGround(row);
    paintLostHatch(m_painter, lanes, gutterWidth(), m_scene, m_axis, m_theme);
    paintSelectedColumn(m_painter, lanes, gutterWidth(), m_scene, m_axis, m_theme);
    paintBlockLines();
    if (m_geometry.rowHeight >= 8)
        for (int row = m_geometry.first; row <= m_geometry.last; ++row) paintRowLine(row);
    const auto groups = columnGroups(data, m_axis);
    if (m_geometry.rowHeight == 0) paintLaneImage(m_painter, m_scene, m_axis, m_theme, m_geometry, groups);
    paintSeams(m_painter, lanes, gutterWidth(), m_scene, m_axis, m_theme);
    paintValidLine(m_painter, lanes, gutterWidth(), m_scene, m_axis, m_theme);
    paintCursor(m_painter, lanes, gutterWidth(), m_scene, m_axis, m_theme);
    if (m_geometry.rowHeight == 0) {
        paintLaneExceptions(m_painter, m_scene, m_axis, m_theme, m_sheet, m_geometry, groups);
        return;
    }
    for (int row = m_geometry.first; row <= m_geometry.last; ++row) paintHead(row);
    for (std::size_t i = 0; i < groups.size(); ++i)
        paintCells(groups[i], i + 1 < groups.size() ? groups[i + 1].x : m_axis.right());
    if (m_geometry.rowHeight >= 12)
        for (int row = m_geometry.first; row <= m_geometry.last; ++row) paintNote(row);
}

void LanePainter::paintRowGround(int row)
{
    const LaneRow &lane = m_scene.lanes.rows[static_cast<std::size_t>(row)];
    if (inTrouble(lane)) {
        m_painter.fillRect(rowBox(row), m_theme.color(R::tintBad));
        return;
    }
    const bool selected = lane.rank == m_scene.selectedRank;
    if (selected && m_geometry.rowHeight >= 8) m_painter.fillRect(rowBox(row), m_theme.color(R::tintOk));
}

void LanePainter::paintBlockLines()
{
    for (const LaneBlock &block : m_scene.lanes.blocks) {
        if (block.firstRow == 0) continue;
        const int y = m_geometry.top(block.firstRow);
        const bool manyBlocks = m_geometry.rowHeight == 0 && m_scene.lanes.blocks.size() > 12;
        if (!manyBlocks) m_painter.fillRect(0, y, m_geometry.area.width(), 1, m_theme.color(R::frame));
    }
}

void LanePainter::paintRowLine(int row)
{
    const LaneRow &lane = m_scene.lanes.rows[static_cast<std::size_t>(row)];
    if (!lane.position) return;
    const int end = std::min(m_axis.column(static_cast<double>(*lane.position)), m_axis.right()) - gutterWidth();
    if (end <= 0) return;
    const int y = rowBox(row).center().y();
    const QColor color = m_theme.color(inTrouble(lane) ? R::frame : R::laneLine);
    if (lane.status != RankStatus::noNews) {
        m_painter.fillRect(0, y, end, 2, color);
        return;
    }
    m_painter.setPen(QPen(m_theme.color(R::frame), 1, Qt::DashLine));
    m_painter.drawLine(0, y, end, y);
}

void LanePainter::paintHead(int row)
{
    const LaneRow &lane = m_scene.lanes.rows[static_cast<std::size_t>(row)];
    if (!lane.position || !m_axis.sees(static_cast<double>(*lane.position))) return;
    const int x = m_axis.column(static_cast<double>(*lane.position)) - gutterWidth();
    const QRect box = rowBox(row);
    if (lane.status == RankStatus::died) {
        const int size = std::clamp(box.height(), 10, 14);
        m_painter.drawPixmap(x - size / 2, box.center().y() + 1 - size / 2, m_sheet.at(Glyph::died, size));
        return;
    }
    const int half = std::max(1, std::min(box.height() / 2 - 3, 5));
    const R color = lane.status == RankStatus::noNews  ? R::partial
                    : lane.status == RankStatus::waits ? R::text2
                                                       : R::median;
    m_painter.fillRect(x - 1, box.center().y() + 1 - half, 2, 2 * half, m_theme.color(color));
}

int LanePainter::signSize(Glyph sign) const
{
    const int height = m_geometry.rowHeight;
    if (height >= 16) return 16;
    if (height >= 8) return isException(sign) ? std::max(10, std::min(height, 14)) : std::min(height, 14);
    return isException(sign) ? 10 : std::max(5, height + 1);
}

void LanePainter::paintCells(const ColumnGroup &group, int nextX)
{
    const bool ghost = m_scene.lanes.columns[static_cast<std::size_t>(group.worst)].ghost;
    if (ghost) m_painter.setOpacity(0.45);
    // Exceptions are painted last, so that a large one covers its quiet neighbours.
    for (const bool loud : {false, true})
        for (int row = m_geometry.first; row <= m_geometry.last; ++row)
            if (isException(signIn(m_scene.lanes, group, static_cast<std::size_t>(row))) == loud)
                paintCell(group, row, nextX);
    if (ghost) m_painter.setOpacity(1);
}

void LanePainter::paintCell(const ColumnGroup &group, int row, int nextX)
{
    const Glyph sign = signIn(m_scene.lanes, group, static_cast<std::size_t>(row));
    if (sign == Glyph::none) return;
    const QRect box = rowBox(row);
    const int x = group.x - gutterWidth();
    const int y = box.center().y() + 1;
    const int size = signSize(sign);
    const LaneColumn &column = m_scene.lanes.columns[static_cast<std::size_t>(group.worst)];
    if (isException(sign) && m_geometry.rowHeight >= 12) {
        const bool mild = glyphRole(sign) == R::partial || glyphRole(sign) == R::missing;
        QColor tint = m_theme.color(glyphRole(sign));
        tint.setAlphaF(mild ? 0.22f : m_theme.dark() ? 0.35f : 0.10f);
        m_painter.fillRect(QRect(x - 14, box.top() + 1, 28, box.height() - 2), tint);
    }
    const QRect target(x - size / 2, y - size / 2, size, size);
    m_painter.drawPixmap(target.topLeft(), m_sheet.at(sign, size));
    if (m_geometry.rowHeight >= 16 && sign != Glyph::pruned && !column.pruned)
        paintKindMark(m_painter, column.kind, QRectF(x - 8, box.top() + 1, 16, box.height() - 2), m_theme);
    if (isException(sign) && !column.ghost && m_geometry.rowHeight >= 8) paintReason(group, row, target.right(), nextX);
}

void LanePainter::paintReason(const ColumnGroup &group, int row, int x, int nextX)
{
    const MemberVerdict *member = m_scene.lanes.memberAt(group.worst, row);
    if (!member || member->note.empty()) return;
    QString words = fromCore(member->note);
    if (m_geometry.rowHeight < 16) words = LaneModel::tr("rank %1, %2").arg(member->rank).arg(words);
    m_painter.setFont(m_theme.font(Theme::Font::small));
    const QFontMetrics metrics = m_painter.fontMetrics();
    const int left = std::max(x, group.x - gutterWidth() + 14) + 5;
    const int width = metrics.horizontalAdvance(words);
    int limit = nextX - gutterWidth() - 12;
    const LaneRow &lane = m_scene.lanes.rows[static_cast<std::size_t>(row)];
    const int head = lane.position ? m_axis.column(static_cast<double>(*lane.position)) - gutterWidth() : -1;
    if (head > group.x - gutterWidth()) limit = std::min(limit, head - 6);
    if (left + width > limit) return;
    const QRect box(left - 3, rowBox(row).center().y() + 1 - metrics.height() / 2, width + 6, metrics.height());
    m_painter.fillRect(box, m_theme.color(inTrouble(lane) ? R::tintBad : R::base));
    m_painter.setPen(m_theme.color(R::text));
    m_painter.drawText(box, Qt::AlignCenter, words);
}

void LanePainter::paintNote(int row)
{
    const LaneRow &lane = m_scene.lanes.rows[static_cast<std::size_t>(row)];
    const QString note = laneNote(lane, m_scene.lanes);
    if (note.isEmpty()) return;
    const bool loud = inTrouble(lane) || lane.status == RankStatus::noNews;
    m_painter.setFont(m_theme.font(Theme::Font::small));
    m_painter.setPen(m_theme.color(loud ? R::text : R::text2));
    const int left = m_axis.right() - gutterWidth() + 8;
    m_painter.drawText(QRect(left, rowBox(row).top(), m_scene.rightMargin - 10, rowBox(row).height()),
                       Qt::AlignVCenter | Qt::AlignLeft, note);
}

}  // namespace rankdeck::ui
