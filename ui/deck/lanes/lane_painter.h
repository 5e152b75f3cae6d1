// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the lanes: background, lines, lane heads, a sign per checkpoint at its exact pixel, and the reason next to a
// rank's bad file. The row height determines the level of detail; below 4 px per row the lanes become an image
// (lane_image).
#pragma once

#include "ui/deck/scene/deck_paint.h"
#include "ui/style/glyphs.h"

#include <QRect>

#include <array>
#include <functional>
#include <unordered_map>

namespace rankdeck::ui {

// The signs of one theme and pixel ratio, ready to draw.
class GlyphSheet {
public:
    explicit GlyphSheet(const Theme &theme, qreal dpr) : m_theme(theme), m_dpr(dpr) {}
    const QPixmap &at(Glyph which, int sizePx);
    [[nodiscard]] qreal pixelRatio() const { return m_dpr; }

private:
    const Theme &m_theme;
    qreal m_dpr;
    std::unordered_map<int, QPixmap> m_pixmaps = {};
};

struct LaneGeometry {
    QRect area;                       // the viewport
    int first = 0, last = -1;         // visible rows
    int rowHeight = 20;               // 0: image
    std::function<int(int row)> top;  // top of a row in the viewport, also of the row past the last
};

constexpr int verdictSize = 16;

class LanePainter {
public:
    LanePainter(QPainter &painter, const DeckScene &scene, const StepAxis &axis, const Theme &theme, GlyphSheet &sheet,
                const LaneGeometry &geometry);
    void paint();

private:
    void paintRowGround(int row);
    void paintRowLine(int row);
    void paintHead(int row);
    void paintCells(const ColumnGroup &group, int nextX);
    void paintCell(const ColumnGroup &group, int row, int nextX);
    void paintReason(const ColumnGroup &group, int row, int x, int nextX);
    void paintNote(int row);
    void paintBlockLines();
    [[nodiscard]] QRect rowBox(int row) const;
    [[nodiscard]] int signSize(Glyph sign) const;

    QPainter &m_painter;
    const DeckScene &m_scene;
    const StepAxis &m_axis;
    const Theme &m_theme;
    GlyphSheet &m_sheet;
    const LaneGeometry &m_geometry;
};

[[nodiscard]] bool inTrouble(const LaneRow &row);

}  // namespace rankdeck::ui
