// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/label.h"
#include "ui/style/window_words.h"

#include <QPalette>

#include <algorithm>

namespace rankdeck::ui {

Label::Label(const QString &text, Theme::Font font, Theme::Role tone, QWidget *parent)
    : QLabel(text, parent), m_font(font), m_tone(tone)
{
    setTextFormat(Qt::PlainText);
    applyTheme();
    connect(&Theme::of(this), &Theme::changed, this, &Label::applyTheme);
}

void Label::setTone(Theme::Role tone)
{
    if (tone == m_tone) return;
    m_tone = tone;
    applyTheme();
}

void Label::setLook(Theme::Font font)
{
    if (font == m_font) return;
    m_font = font;
    applyTheme();
    if (m_widest == 0) return;
    setMinimumWidth(0);  // otherwise it would influence the size hint
    m_widest = sizeHint().width();
    setMinimumWidth(m_widest);
}

void Label::setBoldAndText(const QString &bold, const QString &rest)
{
    setTextFormat(Qt::RichText);
    const QString gap = gapAfter(bold, rest);
    setText(QStringLiteral("<b>%1</b>%2%3").arg(bold.toHtmlEscaped(), gap, rest.toHtmlEscaped()));
    setAccessibleName(bold + gap + rest);
}

Label *Label::wrapped()
{
    setWordWrap(true);
    return this;
}

Label *Label::rightAligned()
{
    setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return this;
}

Label *Label::selectable()
{
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    return this;
}

void Label::setSteadyText(const QString &text)
{
    if (text == this->text()) return;
    setText(text);
    m_widest = text.isEmpty() ? 0 : std::max(m_widest, sizeHint().width());
    setMinimumWidth(m_widest);
}

void Label::applyTheme()
{
    const Theme &theme = Theme::of(this);
    setFont(theme.font(m_font));
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, theme.color(m_tone));
    setPalette(colours);
}

}  // namespace rankdeck::ui
