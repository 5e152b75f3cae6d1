// SPDX-License-Identifier: GPL-3.0-or-later
// The loss, or another metric, over the steps. Shows the band and median of all ranks, chosen and outlying ranks as
// named lines, and the curves that a resume discarded. Also NaN and Inf at the top edge, seams, the newest VALID line
// and the steps that would be lost. Draws the data that it is given, over the range of the StepAxis. The only part that
// uses QCustomPlot.
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

// The texts of a plot for a metric.
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
    void setMetric(std::optional<MetricFace> face);  // empty: the loss, which is the default
    void setOutliers(std::vector<LegendOutlier> outliers, int within);
    void setLogScale(bool on);
    [[nodiscard]] bool logScale() const;
    void setSmoothing(double factor);  // only for the legend: the data is already smoothed
    void setEmptyText(const QString &text);
    [[nodiscard]] QString emptyText() const;
    void redraw();       // queued
    void cursorMoved();  // redraws only the overlay
    [[nodiscard]] double lossAt(int y) const;
    [[nodiscard]] double pixelOfLoss(double loss) const;
    [[nodiscard]] QRect axisBox() const;                      // axis rectangle, in the deck's x
    [[nodiscard]] int labelWidth() const;                     // width needed for the names at the right
    [[nodiscard]] int replots() const;                        // number of replots so far, for tests
    [[nodiscard]] std::vector<QRect> nonFiniteBoxes() const;  // boxes of the ✕ marks
    [[nodiscard]] QWidget *canvas() const;                    // widget that receives the mouse

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
