// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse gestures on all widgets that show the step axis. Hover reads values, drag pans, Shift+drag zooms to a range,
// the wheel zooms at the cursor, and Shift+wheel pans. Works as an event filter; a press without a move is a click.
#pragma once

#include "ui/deck/scene/step_axis.h"

#include <QObject>
#include <QPoint>

#include <optional>

class QMouseEvent;
class QRubberBand;
class QWheelEvent;
class QWidget;

namespace rankdeck::ui {

class AxisGestures : public QObject {
    Q_OBJECT
public:
    AxisGestures(StepAxis &axis, QWidget &deck);
    // If wheelZooms is false, the widget handles the wheel itself unless Shift is held.
    void watch(QWidget *widget, bool wheelZooms);

Q_SIGNALS:
    void hovered(std::optional<double> step);  // also sent when the axis moves under a resting mouse
    void clicked(QWidget *widget, QPoint at);  // at: in the deck
    void doubleClicked(QWidget *widget, QPoint at);
    void moved();  // the user changed the visible range

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    bool mouseMoved(QWidget *widget, QMouseEvent *event);
    bool wheelTurned(QWidget *widget, QWheelEvent *event);
    void released(QWidget *widget, QMouseEvent *event);
    [[nodiscard]] QPoint onDeck(QWidget *widget, QPointF at) const;
    [[nodiscard]] bool onAxis(QPoint at) const { return at.x() >= m_axis.left() && at.x() <= m_axis.right(); }

    StepAxis &m_axis;
    QWidget &m_deck;
    QRubberBand *m_band = nullptr;
    std::optional<QPoint> m_pressed = {};
    std::optional<int> m_restsAt = {};  // x of a mouse that rests over the axis
    double m_grabbed = 0;
    bool m_dragging = false, m_selecting = false;
};

}  // namespace rankdeck::ui
