// SPDX-License-Identifier: GPL-3.0-or-later
// Hand-painted marks around and over the curves of the loss plot: names at the right edge, NaN marks, and the text
// about lost work. Plain painting in the deck's x; independent of the plot library.
#pragma once

#include "ui/deck/plot/loss_plot.h"

#include <QRect>
#include <QString>

#include <functional>
#include <vector>

class QPainter;

namespace rankdeck::ui {

class Theme;

struct PlotName {  // a name at the right edge
    QString text;
    QColor color;
    double y = 0;
};

struct MarkGroup {
    int x = 0;
    int rank = -1;
    double step = 0;
};

// Pen of a rank line. The lines differ in dash as well as in colour.
[[nodiscard]] QPen linePen(int slot, const Theme &theme, qreal width);

[[nodiscard]] std::vector<MarkGroup> groupedMarks(const std::vector<NonFiniteMark> &marks, const StepAxis &axis);
// Box of the label of a mark: behind the mark, or before it if the next mark is near. Null: no room, or the previous
// label is enough.
[[nodiscard]] QRect markLabelBox(const std::vector<MarkGroup> &groups, std::size_t i, QSize size, const QRect &axisBox);
void paintMarks(QPainter &painter, const std::vector<MarkGroup> &groups, const QRect &axisBox, const Theme &theme);
// The names from top to bottom. Names closer than a line keep their previous order, so that crossing curves do not make
// them jump. order: the previous order; is updated.
[[nodiscard]] std::vector<PlotName> inSteadyOrder(std::vector<PlotName> names, QStringList &order);
// names: already in order.
void paintNames(QPainter &painter, std::vector<PlotName> names, const QRect &axisBox, int width, const Theme &theme);
[[nodiscard]] QString lostWorkWords(const LaneData &lanes, qint64 steps);
void paintLostWork(QPainter &painter, const DeckScene &scene, const StepAxis &axis, const QRect &axisBox,
                   const Theme &theme);

}  // namespace rankdeck::ui
