// SPDX-License-Identifier: GPL-3.0-or-later
// The one banner: says the most urgent thing in the layout, never over it, with at most two ways on. Announced to
// screen readers when what it says changes.
#pragma once

#include "ui/state/notice.h"

#include <QFrame>

class QPushButton;

namespace rankdeck::ui {

class Card;
class GlyphLabel;
class Label;

class Banner : public QFrame {
    Q_OBJECT
public:
    explicit Banner(QWidget *parent = nullptr);
    void show(const std::optional<Notice> &notice);
    [[nodiscard]] const std::optional<Notice> &notice() const { return m_notice; }

Q_SIGNALS:
    void acted(rankdeck::ui::NoticeAct act);

private:
    Card *m_card;
    GlyphLabel *m_glyph;
    Label *m_text;
    std::vector<QPushButton *> m_buttons;
    std::optional<Notice> m_notice;
};

}  // namespace rankdeck::ui
