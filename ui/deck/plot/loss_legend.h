// SPDX-License-Identifier: GPL-3.0-or-later
// The legend of the loss plot, in the gutter beside it: what each line and band is, who the outliers are, and whether
// the scale is logarithmic and the lines smoothed. What does not fit is left out from below. Plain painting.
#pragma once

#include "ui/deck/plot/loss_plot.h"

#include <QRect>

#include <functional>
#include <vector>

class QPainter;

namespace rankdeck::ui {

class Theme;

struct LegendContent {
    QString metric = {}, value = {}, measured = {};  // of another curve than the loss
    int ranks = 0;
    bool inner = false, discarded = false, nonFinite = false;
    bool logScale = false;
    double smoothing = 0;
    std::vector<int> lines = {};  // ranks drawn as lines
    std::vector<LegendOutlier> outliers = {};
    int within = 0;  // ranks that are no outliers
};

class LossLegend {
public:
    LossLegend(QPainter &painter, const LegendContent &content, const DeckScene &scene, const QRect &box,
               const Theme &theme);
    void paint();
    // Where "log" and "smooth" can be clicked, from the top of the plot.
    [[nodiscard]] static QRect logBox();
    [[nodiscard]] static QRect smoothBox();

private:
    void paintHead();
    void paintMetric();
    void paintBands();
    void paintRankLines();
    void paintOutliers();
    void entry(const QString &words, const std::function<void(int y)> &sample);
    void lineSample(const QPen &pen, int y);
    [[nodiscard]] bool listsOutliers() const;
    [[nodiscard]] bool isOutlier(int rank) const;
    [[nodiscard]] QString lineWords(int rank) const;

    QPainter &m_painter;
    const LegendContent &m_content;
    const DeckScene &m_scene;
    QRect m_box;
    const Theme &m_theme;
    int m_y = 0;
};

}  // namespace rankdeck::ui
