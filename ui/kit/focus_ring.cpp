// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/focus_ring.h"

#include "ui/style/theme.h"

#include <QEvent>
#include <QPainter>

namespace rankdeck::ui {

void FocusRing::addTo(QWidget *widget) { new FocusRing(widget); }

FocusRing::FocusRing(QWidget *widget) : QWidget(widget)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    widget->installEventFilter(this);
    follow();
}

void FocusRing::follow()
{
    const QWidget *widget = parentWidget();
    setGeometry(widget->rect());
    setVisible(widget->hasFocus());
    raise();
}

bool FocusRing::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::FocusIn:
    case QEvent::FocusOut:
    case QEvent::Resize: follow(); break;
    default: break;
    }
    return QWidget::eventFilter(watched, event);
}

void FocusRing::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QColor accent = Theme::of(this).color(Theme::Role::accent);
    painter.fillRect(0, 0, width(), 2, accent);
    painter.fillRect(0, height() - 2, width(), 2, accent);
    painter.fillRect(0, 0, 2, height(), accent);
    painter.fillRect(width() - 2, 0, 2, height(), accent);
}

}  // namespace rankdeck::ui
