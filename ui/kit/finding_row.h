// SPDX-License-Identifier: GPL-3.0-or-later
// One finding of a preflight: sign, what was expected and found, what to do, and one button for the fix. A long list in it
// is folded, as the plan below needs the room.
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
    // fix: what to do or what is done, behind the text; stays when that is folded.
    struct Words {
        QString bold = {}, text = {}, fix = {};
    };
    void build(Glyph glyph, Words words, const QString &button, bool flat);
    explicit FindingRow(QWidget *parent) : Card(parent) {}
};

}  // namespace rankdeck::ui
