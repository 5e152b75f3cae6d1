// SPDX-License-Identifier: GPL-3.0-or-later
// A line of text in a font and colour of the theme; follows theme changes. Plain text unless a markup setter is used.
#pragma once

#include "ui/style/theme.h"

#include <QLabel>

namespace rankdeck::ui {

class Label : public QLabel {
    Q_OBJECT
public:
    explicit Label(const QString &text = {}, Theme::Font font = Theme::Font::normal,
                   Theme::Role tone = Theme::Role::text, QWidget *parent = nullptr);
    void setTone(Theme::Role tone);
    void setLook(Theme::Font font);
    // "<b>bold</b> rest"; both parts are escaped.
    void setBoldAndText(const QString &bold, const QString &rest);
    Label *wrapped();  // breaks lines; returns itself
    Label *rightAligned();
    Label *selectable();
    // Never becomes narrower, so that the layout does not move when digits change.
    void setSteadyText(const QString &text);

private:
    void applyTheme();

    Theme::Font m_font;
    Theme::Role m_tone;
    int m_widest = 0;
};

}  // namespace rankdeck::ui
