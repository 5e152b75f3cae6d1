// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/scene/axis_gestures.h"

#include <QMouseEvent>
#include <QRubberBand>
#include <QWheelEvent>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace rankdeck::ui {

namespace {
constexpr char wheelProperty[] = "rankdeckWheelZooms";
constexpr int dragFrom = 5;
}  // namespace

AxisGestures::AxisGestures(StepAxis &axis, QWidget &deck) : QObject(&deck), m_axis(axis), m_deck(deck)
{
    connect(&m_axis, &StepAxis::changed, this, [this] {
        if (m_restsAt) Q_EMIT hovered(m_axis.stepAt(*m_restsAt));
    });
}

void AxisGestures::watch(QWidget *widget, bool wheelZooms)
{
    widget->setProperty(wheelProperty, wheelZooms);
    widget->setMouseTracking(true);
    widget->installEventFilter(this);
}

QPoint AxisGestures::onDeck(QWidget *widget, QPointF at) const { return widget->mapTo(&m_deck, at.toPoint()); }

bool AxisGestures::eventFilter(QObject *watched, QEvent *event)
{
    auto *widget = static_cast<QWidget *>(watched);
    switch (event->type()) {
    case QEvent::MouseButtonPress: {
        auto *mouse = static_cast<QMouseEvent *>(event);
        const QPoint at = onDeck(widget, mouse->position());
        if (mouse->button() != Qt::LeftButton || !onAxis(at)) return false;
        m_pressed = at;
        m_grabbed = m_axis.stepAt(at.x());
        m_dragging = false;
        m_selecting = mouse->modifiers() & Qt::ShiftModifier;
        return false;
    }
    case QEvent::MouseMove: return mouseMoved(widget, static_cast<QMouseEvent *>(event));
    case QEvent::MouseButtonRelease:
        if (static_cast<QMouseEvent *>(event)->button() == Qt::LeftButton)
            released(widget, static_cast<QMouseEvent *>(event));
        return false;
    case QEvent::MouseButtonDblClick: {
        auto *mouse = static_cast<QMouseEvent *>(event);
        const QPoint at = onDeck(widget, mouse->position());
        m_pressed.reset();
        if (mouse->button() == Qt::LeftButton && onAxis(at)) Q_EMIT doubleClicked(widget, at);
        return false;
    }
    case QEvent::Wheel: return wheelTurned(widget, static_cast<QWheelEvent *>(event));
    case QEvent::Leave:
        m_restsAt.reset();
        Q_EMIT hovered({});
        return false;
    default: return false;
    }
}

bool AxisGestures::mouseMoved(QWidget *widget, QMouseEvent *event)
{
    const QPoint at = onDeck(widget, event->position());
    if (!m_pressed) {
        m_restsAt = onAxis(at) ? std::optional(at.x()) : std::nullopt;
        Q_EMIT hovered(m_restsAt ? std::optional(m_axis.stepAt(*m_restsAt)) : std::nullopt);
        return false;
    }
    if (!m_dragging && std::abs(at.x() - m_pressed->x()) < dragFrom) return true;
    m_dragging = true;
    if (m_selecting) {
        if (!m_band) m_band = new QRubberBand(QRubberBand::Rectangle, &m_deck);
        const int x = std::clamp(at.x(), m_axis.left(), m_axis.right());
        const QPoint top = widget->mapTo(&m_deck, QPoint());
        m_band->setGeometry(QRect(QPoint(m_pressed->x(), top.y()), QPoint(x, top.y() + widget->height())).normalized());
        m_band->show();
        return true;
    }
    m_axis.pan(m_grabbed - m_axis.stepAt(at.x()));
    Q_EMIT moved();
    return true;
}

void AxisGestures::released(QWidget *widget, QMouseEvent *event)
{
    if (!m_pressed) return;
    const QPoint at = onDeck(widget, event->position());
    const QPoint from = *m_pressed;
    m_pressed.reset();
    if (m_band) m_band->hide();
    if (!m_dragging) {
        Q_EMIT clicked(widget, at);
        return;
    }
    if (!m_selecting) return;
    const double one = m_axis.stepAt(from.x());
    const double other = m_axis.stepAt(std::clamp(at.x(), m_axis.left(), m_axis.right()));
    m_axis.show(std::min(one, other), std::max(one, other));
    Q_EMIT moved();
}

bool AxisGestures::wheelTurned(QWidget *widget, QWheelEvent *event)
{
    const QPoint at = onDeck(widget, event->position());
    const bool shift = event->modifiers() & Qt::ShiftModifier;
    // Some desktops turn Shift+wheel into a horizontal wheel.
    const QPoint delta = event->angleDelta();
    const int turned = delta.y() != 0 ? delta.y() : delta.x();
    if (turned == 0) return false;
    if (shift || delta.y() == 0) {
        m_axis.pan(-turned / 120.0 * m_axis.span() * 0.1);
        Q_EMIT moved();
        return true;
    }
    if (!widget->property(wheelProperty).toBool()) return false;
    m_axis.zoomAt(m_axis.stepAt(std::clamp(at.x(), m_axis.left(), m_axis.right())), std::pow(1.2, turned / 120.0));
    Q_EMIT moved();
    return true;
}

}  // namespace rankdeck::ui
