// SPDX-License-Identifier: GPL-3.0-or-later
// A button that starts an act; filled with the accent while it is the primary one, its words and sign then white. At most one
// is at a time: whoever shows it sees to that.
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
