// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/key_cap.h"

#include <QPainter>

namespace rankdeck::ui {

KeyCap::KeyCap(const QString &key, QWidget *parent) : Label(key, Theme::Font::small, Theme::Role::text2, parent)
{
    setContentsMargins(5, 0, 5, 0);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void KeyCap::paintEvent(QPaintEvent *event)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Theme::of(this).color(Theme::Role::frame));
    painter.setBrush(Theme::of(this).color(Theme::Role::base));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.end();
    Label::paintEvent(event);
}

}  // namespace rankdeck::ui
