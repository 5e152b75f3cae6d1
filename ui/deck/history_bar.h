// SPDX-License-Identifier: GPL-3.0-or-later
// The whole job in 32 px: its median, seams, bad sets, deaths and the newest VALID set; the bracket is the window of
// the axis and can be dragged, at its edges to make it wider. A click brings that moment to the middle of the window.
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

    void setMedian(Curve median);  // of the whole job
    void setDeaths(std::vector<qint64> steps);
    [[nodiscard]] int column(double step) const;  // where a step of the job stands, in the deck's pixels
    [[nodiscard]] QRect bracket() const;

Q_SIGNALS:
    void moved();  // the user dragged the window

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
    double m_grabbed = 0;  // from the window's left edge, in steps
    double m_pressedAt = 0;
    bool m_dragged = false;
};

}  // namespace rankdeck::ui
