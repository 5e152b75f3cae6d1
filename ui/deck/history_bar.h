// SPDX-License-Identifier: GPL-3.0-or-later
// The whole job in a bar of 32 px: median, seams, bad sets, deaths and the newest VALID set. The bracket is the visible
// range of the axis; dragging moves it, or resizes it at its edges. A click centres the range at that position.
#pragma once

#include "ui/deck/scene/deck_scene.h"
#include "ui/deck/scene/plot_data.h"
#include "ui/deck/scene/step_axis.h"

#include <QWidget>

namespace rankdeck::ui {

class HistoryBar : public QWidget {
    Q_OBJECT
public:
    HistoryBar(const DeckScene &scene, StepAxis &axis, QWidget *parent);
    static int rowHeight() { return scaled(40); }

    void setMedian(Curve median);  // median of the whole job
    void setDeaths(std::vector<qint64> steps);
    [[nodiscard]] int column(double step) const;  // pixel of a step, in the deck's coordinates
    [[nodiscard]] QRect bracket() const;

Q_SIGNALS:
    void moved();  // the user dragged the bracket

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;

private:
    enum class Grip { none, window, left, right };
    [[nodiscard]] QRect bar() const;
    [[nodiscard]] double stepAt(double x) const;
    [[nodiscard]] double lastStep() const;
    [[nodiscard]] Grip gripAt(double x) const;
    void centreOn(double x);
    void paintMedian(QPainter &painter);
    void paintTrouble(QPainter &painter);

    const DeckScene &m_scene;
    StepAxis &m_axis;
    Curve m_median;
    std::vector<qint64> m_deaths;
    Grip m_grip = Grip::none;
    double m_grabbed = 0;  // distance from the left edge of the range, in steps
    double m_pressedAt = 0;
    bool m_dragged = false;
};

}  // namespace rankdeck::ui
