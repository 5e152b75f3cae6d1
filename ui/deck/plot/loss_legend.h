// SPDX-License-Identifier: GPL-3.0-or-later
// The legend of the loss plot, in the gutter at its left. Shows the lines and bands, the outliers, and the switches for
// log scale and smoothing. Entries that do not fit are left out, the last ones first. Plain painting.
#pragma once

#include "ui/deck/plot/loss_plot.h"

#include <QRect>

#include <functional>
#include <vector>

class QPainter;

namespace rankdeck::ui {

class Theme;

struct LegendContent {
    QString metric = {}, value = {}, measured = {};  // for a metric other than the loss
    int ranks = 0;
    bool inner = false, discarded = false, nonFinite = false;
    bool logScale = false;
    double smoothing = 0;
    std::vector<int> lines = {};  // ranks drawn as lines
    std::vector<LegendOutlier> outliers = {};
    int within = 0;  // number of ranks that are not outliers
};

class LossLegend {
public:
    LossLegend(QPainter &painter, const LegendContent &content, const DeckScene &scene, const QRect &box,
               const Theme &theme);
    void paint();
    // Clickable boxes of "log" and "smooth", relative to the top of the plot.
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
