// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_style.h"

#include "ui/kit/act_button.h"
#include "ui/style/theme.h"

#include <QApplication>
#include <QPainter>
#include <QStyleOption>

#include <algorithm>

namespace rankdeck::ui {

namespace {

void drawEdge(QPainter &painter, const QRect &rect, const QWidget *widget, bool round)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Theme::of(widget).color(Theme::Role::controlEdge), 1));
    painter.setBrush(Qt::NoBrush);
    const QRectF edge = QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5);
    if (round)
        painter.drawEllipse(edge);
    else
        painter.drawRoundedRect(edge, 2, 2);
    painter.restore();
}

}  // namespace

WindowStyle::WindowStyle() : QProxyStyle(QStringLiteral("fusion"))
{
    // The theme requests Fusion by this name, and would replace any other style.
    setObjectName(QStringLiteral("fusion"));
}

void WindowStyle::install() { QApplication::setStyle(new WindowStyle); }

int WindowStyle::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    switch (metric) {
    case PM_HeaderMargin: return 6;
    case PM_FocusFrameHMargin: return 5;
    case PM_ButtonMargin: return 14;
    case PM_MenuBarVMargin: return 2;
    default: return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

QSize WindowStyle::sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                                    const QWidget *widget) const
{
    QSize wanted = QProxyStyle::sizeFromContents(type, option, size, widget);
    if (type == CT_MenuBarItem) wanted.setHeight(std::max(wanted.height(), 21));
    if (type == CT_PushButton || type == CT_LineEdit || type == CT_ComboBox)
        wanted.setHeight(std::max(wanted.height(), 24));
    return wanted;
}

void WindowStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                                const QWidget *widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    const bool focused = option->state & State_HasFocus;
    if (!(option->state & State_Enabled)) return;
    switch (element) {
    case PE_FrameLineEdit:
        if (!focused) drawEdge(*painter, option->rect, widget, false);
        return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck: return drawEdge(*painter, option->rect, widget, false);
    case PE_IndicatorRadioButton: return drawEdge(*painter, option->rect, widget, true);
    default: return;
    }
}

void WindowStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                                     const QWidget *widget) const
{
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    const auto *combo = qstyleoption_cast<const QStyleOptionComboBox *>(option);
    if (control == CC_ComboBox && combo != nullptr && combo->frame && (option->state & State_Enabled) &&
        !(option->state & State_HasFocus))
        drawEdge(*painter, option->rect, widget, false);
}

void WindowStyle::drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                              const QWidget *widget) const
{
    const auto *act = element == CE_PushButtonBevel ? qobject_cast<const ActButton *>(widget) : nullptr;
    if (act == nullptr || !act->isPrimary() || !act->isEnabled())
        return QProxyStyle::drawControl(element, option, painter, widget);
    // Fusion mixes a button's colour with grey, but the accent must be exactly the theme's, so that white text on it is
    // legible.
    QColor fill = Theme::of(widget).color(Theme::Role::accentFill);
    if (option->state & State_Sunken)
        fill = fill.darker(125);
    else if (option->state & State_MouseOver)
        fill = fill.darker(110);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(fill.darker(130), 1));
    painter->setBrush(fill);
    painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    if (option->state & State_HasFocus) {
        painter->setPen(QPen(Qt::white, 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(option->rect).adjusted(2.5, 2.5, -2.5, -2.5), 2, 2);
    }
    painter->restore();
}

}  // namespace rankdeck::ui
