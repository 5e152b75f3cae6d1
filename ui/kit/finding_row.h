// SPDX-License-Identifier: GPL-3.0-or-later
// One finding of a preflight: a sign, what was expected and found, the remedy, and one button for the fix. A long list
// in it is folded, because the plan below needs the space.
#pragma once

#include "core/recover/actions.h"
#include "ui/kit/card.h"
#include "ui/style/glyphs.h"

class QPushButton;

namespace rankdeck::ui {

class FindingRow : public Card {
    Q_OBJECT
public:
    // button: text of the button; empty: no button.
    FindingRow(const Finding &finding, const QString &button, QWidget *parent = nullptr);
    // A finding that the plan fixes, with text that says so. undo: the user requested the fix and can take it back.
    static FindingRow *fixed(const Finding &finding, bool undo, QWidget *parent = nullptr);

Q_SIGNALS:
    void pressed();

private:
    // fix: the remedy, or the fix in the plan. It is shown after the text, and stays visible when the text is folded.
    struct Words {
        QString bold = {}, text = {}, fix = {};
    };
    void build(Glyph glyph, Words words, const QString &button, bool flat);
    explicit FindingRow(QWidget *parent) : Card(parent) {}
};

}  // namespace rankdeck::ui
