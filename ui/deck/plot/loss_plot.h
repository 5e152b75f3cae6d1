// SPDX-License-Identifier: GPL-3.0-or-later
// The loss, or a metric, over the steps: band and median of all ranks, chosen and outlying ranks as lines named at the right, what a
// resume discarded, NaN and Inf at the top edge, seams, the newest VALID line and the ground that would be lost. Draws
// what it is given; takes its steps from the StepAxis. The only part that knows QCustomPlot.
#pragma once

#include "ui/deck/scene/deck_scene.h"
#include "ui/deck/scene/plot_data.h"
#include "ui/deck/scene/step_axis.h"

#include <QWidget>

#include <memory>

namespace rankdeck::ui {

struct LegendOutlier {
    int rank = 0;
    QString node;
    double mads = 0;
};

// What a plot of a metric says of itself.
struct MetricFace {
    Metric metric;
    QString title, ranks;
};

class LossPlot : public QWidget {
    Q_OBJECT
public:
    LossPlot(const DeckScene &scene, const StepAxis &axis, QWidget *parent);
    ~LossPlot() override;

    void setData(PlotData data);
    [[nodiscard]] const PlotData &plotData() const;
    void setMetric(std::optional<MetricFace> face);  // empty: the loss, as at first
    void setOutliers(std::vector<LegendOutlier> outliers, int within);
    void setLogScale(bool on);
    [[nodiscard]] bool logScale() const;
    void setSmoothing(double factor);  // only for the legend: the data come smoothed
    void setEmptyText(const QString &text);
    [[nodiscard]] QString emptyText() const;
    void redraw();       // queued
    void cursorMoved();  // only the overlay
    [[nodiscard]] double lossAt(int y) const;
    [[nodiscard]] double pixelOfLoss(double loss) const;
    [[nodiscard]] QRect axisBox() const;                      // the axis rectangle, in the deck's x
    [[nodiscard]] int labelWidth() const;                     // that the names at the right need
    [[nodiscard]] int replots() const;                        // how often it was drawn, for tests
    [[nodiscard]] std::vector<QRect> nonFiniteBoxes() const;  // where a ✕ stands
    [[nodiscard]] QWidget *canvas() const;                    // what receives the mouse

Q_SIGNALS:
    void logScaleWanted(bool on);
    void smoothingWanted();

protected:
    void resizeEvent(QResizeEvent *event) override;
    bool event(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace rankdeck::ui
