// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/act_button.h"

#include "ui/style/theme.h"

#include <QPainter>

namespace rankdeck::ui {

namespace {

// The same shape in white, for use on the accent colour.
QIcon whiteIcon(Glyph which, const Theme &theme, int size, qreal dpr)
{
    QPixmap shape = glyph(which, size, theme, dpr);
    QPainter painter(&shape);
    painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
    painter.fillRect(shape.rect(), Qt::white);
    return QIcon(shape);
}

}  // namespace

ActButton::ActButton(const QString &text, QWidget *parent) : QPushButton(text, parent)
{
    connect(&Theme::of(this), &Theme::changed, this, &ActButton::applyTheme);
    applyTheme();
}

void ActButton::setPrimary(bool primary)
{
    if (primary == m_primary) return;
    m_primary = primary;
    applyTheme();
}

void ActButton::setGlyph(Glyph glyph)
{
    m_glyph = glyph;
    applyTheme();
}

void ActButton::applyTheme()
{
    const Theme &theme = Theme::of(this);
    if (m_glyph != Glyph::none)
        setIcon(m_primary ? whiteIcon(m_glyph, theme, iconSize().width(), devicePixelRatioF())
                          : glyphIcon(m_glyph, theme));
    QPalette colours;
    if (m_primary) {
        colours.setColor(QPalette::Active, QPalette::Button, Theme::of(this).color(Theme::Role::accentFill));
        colours.setColor(QPalette::Inactive, QPalette::Button, Theme::of(this).color(Theme::Role::accentFill));
        colours.setColor(QPalette::Active, QPalette::ButtonText, Qt::white);
        colours.setColor(QPalette::Inactive, QPalette::ButtonText, Qt::white);
    }
    setPalette(colours);
}

}  // namespace rankdeck::ui
