// SPDX-License-Identifier: GPL-3.0-or-later
// A button that starts an action. The primary one is filled with the accent colour, with white text and sign. At most
// one button is primary at a time; the code that shows it is responsible for that.
#pragma once

#include "ui/style/glyphs.h"

#include <QPushButton>

namespace rankdeck::ui {

class ActButton : public QPushButton {
    Q_OBJECT
public:
    explicit ActButton(const QString &text = {}, QWidget *parent = nullptr);
    void setGlyph(Glyph glyph);
    void setPrimary(bool primary);
    [[nodiscard]] bool isPrimary() const { return m_primary; }

private:
    void applyTheme();
    Glyph m_glyph = Glyph::none;
    bool m_primary = false;
};

}  // namespace rankdeck::ui
