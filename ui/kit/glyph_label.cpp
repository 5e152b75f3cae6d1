// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/glyph_label.h"

#include <QPainter>

namespace rankdeck::ui {

GlyphLabel::GlyphLabel(Glyph which, int sizePx, QWidget *parent) : QWidget(parent), m_glyph(which)
{
    setFixedSize(sizePx, sizePx);
    connect(&Theme::of(this), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void GlyphLabel::setGlyph(Glyph which)
{
    if (which == m_glyph) return;
    m_glyph = which;
    update();
}

void GlyphLabel::paintEvent(QPaintEvent *)
{
    if (m_glyph == Glyph::none) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintGlyph(painter, m_glyph, rect(), Theme::of(this));
}

}  // namespace rankdeck::ui
