// SPDX-License-Identifier: GPL-3.0-or-later
// What the loss plot paints by hand around and over its curves: the names at the right edge,
// NaN marks, the price in the lost ground. Plain painting in the deck's x; knows nothing of the plot library.
#pragma once

#include "ui/deck/plot/loss_plot.h"

#include <QRect>
#include <QString>

#include <functional>
#include <vector>

class QPainter;

namespace rankdeck::ui {

class Theme;

struct PlotName {  // at the right edge
    QString text;
    QColor color;
    double y = 0;
};

struct MarkGroup {
    int x = 0;
    int rank = -1;
    double step = 0;
};

// Rank lines are told apart by dash too.
[[nodiscard]] QPen linePen(int slot, const Theme &theme, qreal width);

[[nodiscard]] std::vector<MarkGroup> groupedMarks(const std::vector<NonFiniteMark> &marks, const StepAxis &axis);
// Where the words beside a mark stand: behind it, or before it where the next mark is near. Null: nowhere, or it only follows.
[[nodiscard]] QRect markLabelBox(const std::vector<MarkGroup> &groups, std::size_t i, QSize size, const QRect &axisBox);
void paintMarks(QPainter &painter, const std::vector<MarkGroup> &groups, const QRect &axisBox, const Theme &theme);
// The names from top to bottom. Two that stand closer than a line keep the order that they had (order, kept for the next time),
// so that curves which cross all the time do not make them jump.
[[nodiscard]] std::vector<PlotName> inSteadyOrder(std::vector<PlotName> names, QStringList &order);
// names: in their order.
void paintNames(QPainter &painter, std::vector<PlotName> names, const QRect &axisBox, int width, const Theme &theme);
[[nodiscard]] QString lostWorkWords(const LaneData &lanes, qint64 steps);
void paintLostWork(QPainter &painter, const DeckScene &scene, const StepAxis &axis, const QRect &axisBox,
                   const Theme &theme);

}  // namespace rankdeck::ui
