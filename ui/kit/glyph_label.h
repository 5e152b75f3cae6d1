// SPDX-License-Identifier: GPL-3.0-or-later
// One glyph of the theme in a fixed square. Screen readers ignore it, because the text next to it says the same.
#pragma once

#include "ui/style/glyphs.h"

#include <QWidget>

namespace rankdeck::ui {

class GlyphLabel : public QWidget {
    Q_OBJECT
public:
    explicit GlyphLabel(Glyph which = Glyph::none, int sizePx = 12, QWidget *parent = nullptr);
    void setGlyph(Glyph which);
    [[nodiscard]] Glyph shownGlyph() const { return m_glyph; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Glyph m_glyph;
};

}  // namespace rankdeck::ui
