// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/hazard_strip.h"

#include "ui/style/theme.h"

#include <QPainter>

namespace rankdeck::ui {

HazardStrip::HazardStrip(QWidget *parent) : QWidget(parent)
{
    setFixedHeight(6);
    setAccessibleName(tr("A stop is armed"));
    hide();
}

void HazardStrip::setArmed(bool armed) { setVisible(armed); }

void HazardStrip::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), theme.color(Theme::Role::armedBlack));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Theme::Role::armedAmber));
    constexpr int period = 22, stripe = 11, slant = 6;
    for (int x = -slant; x < width() + slant; x += period) {
        const QPointF corners[] = {{qreal(x), qreal(height())},
                                   {qreal(x + slant), 0},
                                   {qreal(x + slant + stripe), 0},
                                   {qreal(x + stripe), qreal(height())}};
        painter.drawPolygon(corners, 4);
    }
}

}  // namespace rankdeck::ui
