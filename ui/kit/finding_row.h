// SPDX-License-Identifier: GPL-3.0-or-later
// One finding of a preflight: sign, what was expected and found, what to do, and one button for the fix.
#pragma once

#include "core/recover/actions.h"
#include "ui/kit/card.h"
#include "ui/style/glyphs.h"

class QPushButton;

namespace rankdeck::ui {

class FindingRow : public Card {
    Q_OBJECT
public:
    // button: empty for none.
    FindingRow(const Finding &finding, const QString &button, QWidget *parent = nullptr);
    // A finding that the plan fixes: said as done by the plan; undo: it was asked for and can be taken back.
    static FindingRow *fixed(const Finding &finding, bool undo, QWidget *parent = nullptr);

Q_SIGNALS:
    void pressed();

private:
    void build(Glyph glyph, const QString &bold, const QString &text, const QString &button, bool flat);
    explicit FindingRow(QWidget *parent) : Card(parent) {}
};

}  // namespace rankdeck::ui
