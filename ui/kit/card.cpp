// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/card.h"

#include <QPainter>

namespace rankdeck::ui {

Card::Card(QWidget *parent) : QWidget(parent)
{
    connect(&Theme::of(this), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Card::setGround(Theme::Role ground)
{
    m_ground = ground;
    update();
}

void Card::setEdge(Theme::Role edge)
{
    m_edge = edge;
    update();
}

void Card::setBar(std::optional<Theme::Role> bar)
{
    m_bar = bar;
    update();
}

void Card::setFramed(bool framed)
{
    m_framed = framed;
    update();
}

void Card::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(m_ground));
    if (m_framed) {
        painter.setPen(theme.color(m_edge));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
    if (m_bar) painter.fillRect(0, 0, 6, height(), theme.color(*m_bar));
}

}  // namespace rankdeck::ui
