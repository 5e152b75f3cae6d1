// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/plot/loss_marks.h"

#include "ui/style/format.h"
#include "ui/style/glyphs.h"
#include "ui/style/marks.h"
#include "ui/style/theme.h"

#include <QPaintDevice>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace rankdeck::ui {

using R = Theme::Role;
using F = Theme::Font;

namespace {
constexpr double nameLine = 15;  // px
}

QPen linePen(int slot, const Theme &theme, qreal width)
{
    QPen pen(theme.color(Theme::rankLine(slot)), width);
    switch (slot % 3) {
    case 1: pen.setDashPattern({5, 2}); break;
    case 2: pen.setDashPattern({1.5, 1.5}); break;
    default: break;
    }
    return pen;
}

std::vector<MarkGroup> groupedMarks(const std::vector<NonFiniteMark> &marks, const StepAxis &axis)
{
    constexpr int apart = 14;
    std::vector<MarkGroup> groups;
    for (const NonFiniteMark &mark : marks) {
        if (!axis.sees(mark.step)) continue;
        const int x = axis.column(mark.step);
        if (!groups.empty() && x - groups.back().x < apart) continue;
        groups.push_back({x, mark.rank, mark.step});
    }
    return groups;
}

QRect markLabelBox(const std::vector<MarkGroup> &groups, std::size_t i, QSize size, const QRect &axisBox)
{
    const int x = groups[i].x, top = axisBox.top() + 1;
    const int before = i > 0 ? groups[i - 1].x + 8 : axisBox.left();
    const int behind = i + 1 < groups.size() ? groups[i + 1].x - 8 : axisBox.right();
    if (i > 0 && x - groups[i - 1].x < 40) return {};  // the label of the previous mark is enough
    if (x + 8 + size.width() <= behind) return {QPoint(x + 8, top), size};
    return x - 8 - size.width() >= before ? QRect(QPoint(x - 8 - size.width(), top), size) : QRect();
}

void paintMarks(QPainter &painter, const std::vector<MarkGroup> &groups, const QRect &axisBox, const Theme &theme)
{
    const qreal dpr = painter.device()->devicePixelRatioF();
    painter.setFont(theme.font(F::small));
    const QFontMetrics metrics = painter.fontMetrics();
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const int x = groups[i].x;
        painter.drawPixmap(x - 6, axisBox.top() + 2, glyph(Glyph::nan, 12, theme, dpr));
        const QString words =
            groups[i].rank >= 0 ? LossPlot::tr("NaN, rank %1 first").arg(groups[i].rank) : LossPlot::tr("NaN");
        const QRect box = markLabelBox(groups, i, {metrics.horizontalAdvance(words) + 6, metrics.height()}, axisBox);
        if (box.isNull()) continue;
        painter.fillRect(box, theme.color(R::base));
        painter.setPen(theme.color(R::text));
        painter.drawText(box, Qt::AlignCenter, words);
    }
}

std::vector<PlotName> inSteadyOrder(std::vector<PlotName> names, QStringList &order)
{
    std::sort(names.begin(), names.end(), [](const PlotName &a, const PlotName &b) { return a.y < b.y; });
    const auto placeOf = [&](const PlotName &name) { return order.indexOf(name.text); };
    // Bubble sort: two neighbours change places only if they are close and had the opposite order before.
    for (std::size_t end = names.size(); end > 1; --end) {
        for (std::size_t i = 0; i + 1 < end; ++i) {
            const qsizetype upper = placeOf(names[i]), lower = placeOf(names[i + 1]);
            const bool close = names[i + 1].y - names[i].y < nameLine;
            if (close && upper >= 0 && lower >= 0 && upper > lower) std::swap(names[i], names[i + 1]);
        }
    }
    order.clear();
    for (const PlotName &name : names) order << name.text;
    return names;
}

void paintNames(QPainter &painter, std::vector<PlotName> names, const QRect &axisBox, int width, const Theme &theme)
{
    const double lowest = axisBox.bottom() - 6;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const double least = i == 0 ? axisBox.top() + 6.0 : names[i - 1].y + nameLine;
        names[i].y = std::max(names[i].y, least);
    }
    // Names pushed below the bottom move up again, in order.
    for (std::size_t i = names.size(); i-- > 0;) {
        const double most = i + 1 == names.size() ? lowest : names[i + 1].y - nameLine;
        names[i].y = std::min(names[i].y, most);
    }
    painter.setFont(theme.font(F::smallBold));
    for (const PlotName &name : names) {
        const int y = static_cast<int>(std::lround(name.y));
        painter.fillRect(axisBox.right() + 6, y - 6, 4, 12, name.color);
        painter.setPen(theme.color(R::text));
        painter.drawText(QRect(axisBox.right() + 14, y - 8, width - 14, 16), Qt::AlignVCenter | Qt::AlignLeft,
                         name.text);
    }
}

QString lostWorkWords(const LaneData &lanes, qint64 steps)
{
    return (lanes.lostAlready ? LossPlot::tr("%1 steps are lost") : LossPlot::tr("%1 steps would be lost"))
        .arg(number(steps));
}

void paintLostWork(QPainter &painter, const DeckScene &scene, const StepAxis &axis, const QRect &axisBox,
                   const Theme &theme)
{
    const LaneColumn *valid = scene.newestValid();
    if (!valid || !scene.lanes.last || *scene.lanes.last <= valid->position) return;
    const int from = std::clamp(axis.column(static_cast<double>(valid->position)), axis.left(), axis.right());
    const int to = std::clamp(axis.column(static_cast<double>(*scene.lanes.last)), axis.left(), axis.right());
    const LostWork &lost = scene.lanes.snapshot->view.lostWork;
    QString words = lostWorkWords(scene.lanes, *scene.lanes.last - valid->position);
    if (lost.known && lost.seconds > 0) words += comma() + durationWords(lost.seconds);
    painter.setFont(theme.font(F::small));
    const QFontMetrics metrics = painter.fontMetrics();
    const int width = metrics.horizontalAdvance(words) + 8;
    if (width + 12 > to - from || axisBox.height() < 90) return;
    const QRect box((from + to - width) / 2, axisBox.bottom() - 6 - metrics.height(), width, metrics.height());
    painter.fillRect(box, theme.color(R::base));
    painter.setPen(theme.color(R::text));
    painter.drawText(box, Qt::AlignCenter, words);
}

}  // namespace rankdeck::ui
