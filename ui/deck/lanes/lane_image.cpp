// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/lanes/lane_image.h"

#include "core/base/text.h"
#include "ui/deck/lanes/lane_model.h"
#include "ui/style/format.h"

#include <QImage>
#include <QPainter>

#include <algorithm>

namespace rankdeck::ui {
namespace {

using R = Theme::Role;

bool wholeBlock(const LaneData &lanes, const ColumnGroup &group, const LaneBlock &block)
{
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row)
        if (!isException(signIn(lanes, group, static_cast<std::size_t>(row)))) return false;
    return true;
}

QRgb stripeColor(Glyph sign, const Theme &theme)
{
    if (sign == Glyph::none) return 0;
    if (sign == Glyph::pruned) return theme.color(R::grid).rgba();
    return theme.color(glyphRole(sign)).rgba();
}

bool overlapsAny(const QRect &box, const std::vector<QRect> &taken)
{
    return std::any_of(taken.begin(), taken.end(), [&](const QRect &other) { return other.intersects(box); });
}

}  // namespace

std::vector<BadRun> badRuns(const LaneData &lanes, const std::vector<ColumnGroup> &groups)
{
    std::vector<BadRun> runs;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        if (lanes.columns[static_cast<std::size_t>(groups[g].worst)].ghost) continue;
        bool open = false;
        for (const LaneBlock &block : lanes.blocks) {
            const bool whole = wholeBlock(lanes, groups[g], block);
            if (!(open && whole)) open = false;
            for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
                const Glyph sign = signIn(lanes, groups[g], static_cast<std::size_t>(row));
                if (!isException(sign)) continue;
                // Bad ranks of one node form one run, even if there are good ranks between them.
                if (!open) runs.push_back({static_cast<int>(g), row, row, {}, sign});
                open = true;
                BadRun &run = runs.back();
                run.lastRow = row;
                run.ranks.push_back(lanes.rows[static_cast<std::size_t>(row)].rank);
                if (severity(sign) > severity(run.worst)) run.worst = sign;
            }
            open = open && whole;
        }
    }
    return runs;
}

QString badRunWords(const BadRun &run, const LaneData &lanes)
{
    const LaneBlock &first = lanes.blocks[static_cast<std::size_t>(lanes.rows[std::size_t(run.firstRow)].block)];
    const LaneBlock &last = lanes.blocks[static_cast<std::size_t>(lanes.rows[std::size_t(run.lastRow)].block)];
    const int count = static_cast<int>(run.ranks.size());
    if (count == 1) return number(run.ranks.front());
    if (count <= 3) {
        std::vector<int> sorted = run.ranks;
        std::sort(sorted.begin(), sorted.end());
        return rankRange(sorted);
    }
    QString what;
    switch (run.worst) {
    case Glyph::missing: what = LaneModel::tr("%n ranks without a file", nullptr, count); break;
    case Glyph::mismatch: what = LaneModel::tr("%n ranks of another step", nullptr, count); break;
    case Glyph::torn: what = LaneModel::tr("%n ranks torn", nullptr, count); break;
    case Glyph::shortFile: what = LaneModel::tr("%n ranks short", nullptr, count); break;
    default: what = LaneModel::tr("%n ranks unreadable", nullptr, count); break;
    }
    if (&first == &last) return LaneModel::tr("%1: %2").arg(first.node, what);
    return LaneModel::tr("%1 to %2: %3").arg(first.node, last.node, what);
}

void paintLaneImage(QPainter &painter, const DeckScene &scene, const StepAxis &axis, const Theme &theme,
                    const LaneGeometry &geometry, const std::vector<ColumnGroup> &groups)
{
    const LaneData &lanes = scene.lanes;
    const int rows = static_cast<int>(lanes.rows.size());
    const int height = geometry.top(rows) - geometry.top(0);
    if (height <= 0 || groups.empty()) return;
    QImage image(axis.width(), height, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    std::vector<Glyph> worst(static_cast<std::size_t>(height));
    for (const ColumnGroup &group : groups) {
        const LaneColumn &column = lanes.columns[static_cast<std::size_t>(group.worst)];
        std::fill(worst.begin(), worst.end(), Glyph::none);
        for (int row = 0; row < rows; ++row) {
            const Glyph sign = signIn(lanes, group, static_cast<std::size_t>(row));
            const int from = row * height / rows;
            const int to = std::max(from + 1, (row + 1) * height / rows);
            for (int y = from; y < to; ++y) {
                Glyph &now = worst[static_cast<std::size_t>(y)];
                if (now == Glyph::none || severity(sign) > severity(now)) now = sign;
            }
        }
        const int half = column.pruned ? 0 : column.newestValid ? 2 : 1;
        const int x = group.x - axis.left();
        for (int y = 0; y < height; ++y) {
            Glyph sign = worst[static_cast<std::size_t>(y)];
            // Exceptions are drawn on top as signs of their own; below them the stripe continues.
            if (isException(sign)) sign = Glyph::ok;
            const QRgb color = stripeColor(sign, theme);
            if (color == 0) continue;
            auto *line = reinterpret_cast<QRgb *>(image.scanLine(y));
            for (int i = std::max(0, x - half); i <= std::min(image.width() - 1, x + half); ++i) line[i] = color;
        }
    }
    painter.drawImage(axis.left() - gutterWidth(), geometry.top(0), image);
}

namespace {

// The layers of paintLaneExceptions, from bottom to top: signs, dead ranks, labels that hide nothing, counts.
struct Exceptions {
    QPainter &painter;
    const DeckScene &scene;
    const StepAxis &axis;
    const Theme &theme;
    GlyphSheet &sheet;
    const LaneGeometry &geometry;
    const std::vector<ColumnGroup> &groups;

    [[nodiscard]] const ColumnGroup &groupOf(const BadRun &run) const
    {
        return groups[static_cast<std::size_t>(run.group)];
    }
    std::vector<QRect> signs(const std::vector<BadRun> &runs) const;
    void deaths(std::vector<QRect> &taken) const;
    void words(const std::vector<BadRun> &runs, std::vector<QRect> taken) const;
    void counts(const std::vector<BadRun> &runs) const;
};

std::vector<QRect> Exceptions::signs(const std::vector<BadRun> &runs) const
{
    std::vector<QRect> taken;
    for (const BadRun &run : runs) {
        const int x = groupOf(run).x - gutterWidth();
        const int top = geometry.top(run.firstRow);
        const int bottom = std::max(geometry.top(run.lastRow + 1), top + 5);
        // A long run without gaps is drawn as a bar, whose length shows the number of ranks.
        const bool solid = run.lastRow - run.firstRow + 1 == static_cast<int>(run.ranks.size()) && bottom - top > 14;
        QRect box(x - 6, (top + bottom) / 2 - 6, 12, 12);
        if (solid) {
            box = QRect(x - 3, top, 7, bottom - top);
            painter.fillRect(box, theme.color(glyphRole(run.worst)));
        } else {
            const LaneColumn &set = scene.lanes.columns[static_cast<std::size_t>(groupOf(run).worst)];
            // The glyph of a missing file is too pale for a run of ranks, so the verdict of the set is drawn instead.
            const Glyph sign = run.worst == Glyph::missing ? verdictGlyph(set.verdict) : run.worst;
            painter.drawPixmap(box.topLeft(), sheet.at(sign, 12));
        }
        taken.push_back(box);
    }
    return taken;
}

void Exceptions::deaths(std::vector<QRect> &taken) const
{
    const auto &rows = scene.lanes.rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].status != RankStatus::died || !rows[i].position) continue;
        if (!axis.sees(static_cast<double>(*rows[i].position))) continue;
        const int x = axis.column(static_cast<double>(*rows[i].position)) - gutterWidth();
        taken.emplace_back(x - 5, geometry.top(static_cast<int>(i)) - 5, 11, 11);
        painter.drawPixmap(taken.back().topLeft(), sheet.at(Glyph::died, 11));
    }
}

void Exceptions::words(const std::vector<BadRun> &runs, std::vector<QRect> taken) const
{
    painter.setFont(theme.font(Theme::Font::small));
    const QFontMetrics metrics = painter.fontMetrics();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const QString said = badRunWords(runs[i], scene.lanes);
        const QRect sign = taken[i];
        const QRect box(sign.right() + 4, sign.center().y() - metrics.height() / 2, metrics.horizontalAdvance(said) + 4,
                        metrics.height());
        if (box.right() > axis.right() - gutterWidth() || overlapsAny(box, taken)) continue;
        painter.fillRect(box, theme.color(R::base));
        painter.setPen(theme.color(R::text));
        painter.drawText(box, Qt::AlignCenter, said);
        taken.push_back(box);
    }
}

void Exceptions::counts(const std::vector<BadRun> &runs) const
{
    const LaneData &lanes = scene.lanes;
    for (const auto &[first, last] : blockLines(lanes)) {
        const LaneBlock &from = lanes.blocks[static_cast<std::size_t>(first)];
        const LaneBlock &to = lanes.blocks[static_cast<std::size_t>(last)];
        int bad = 0;
        for (const BadRun &run : runs)
            for (int row = std::max(run.firstRow, from.firstRow); row <= run.lastRow && row < to.firstRow + to.rows;
                 ++row)
                bad += isException(signIn(lanes, groupOf(run), static_cast<std::size_t>(row))) ? 1 : 0;
        const int top = geometry.top(from.firstRow);
        const int bottom = geometry.top(to.firstRow + to.rows);
        if (from.firstRow > 0) painter.fillRect(0, top, geometry.area.width(), 1, theme.color(R::frame));
        if (bad == 0) continue;
        painter.setPen(theme.color(R::text2));
        painter.drawText(QRect(axis.right() - gutterWidth() + 8, top, scene.rightMargin - 10, bottom - top),
                         Qt::AlignVCenter | Qt::AlignLeft, LaneModel::tr("%n bad", nullptr, bad));
    }
}

}  // namespace

void paintLaneExceptions(QPainter &painter, const DeckScene &scene, const StepAxis &axis, const Theme &theme,
                         GlyphSheet &sheet, const LaneGeometry &geometry, const std::vector<ColumnGroup> &groups)
{
    const auto runs = badRuns(scene.lanes, groups);
    const Exceptions paint{painter, scene, axis, theme, sheet, geometry, groups};
    std::vector<QRect> taken = paint.signs(runs);
    paint.deaths(taken);
    paint.words(runs, taken);
    paint.counts(runs);
}

std::vector<std::pair<int, int>> blockLines(const LaneData &lanes)
{
    const int blocks = static_cast<int>(lanes.blocks.size());
    const int each = blocks <= 12 ? 1 : (blocks + 7) / 8;
    std::vector<std::pair<int, int>> lines;
    for (int first = 0; first < blocks; first += each) lines.emplace_back(first, std::min(first + each, blocks) - 1);
    return lines;
}

}  // namespace rankdeck::ui
