// SPDX-License-Identifier: GPL-3.0-or-later
// The one banner: says the most urgent thing in the layout, never over it, with at most two ways on. Announced to
// screen readers when what it says changes.
#pragma once

#include "ui/state/notice.h"

#include <QFrame>

class QPushButton;
class QToolButton;

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
    void seen(const QString &key);  // the alarm needs no banner any more
    void listWanted(QPoint at);     // of all that is wrong

private:
    static QToolButton *makeSmall(const QString &tip);

    Card *m_card;
    GlyphLabel *m_glyph;
    Label *m_text;
    std::vector<QPushButton *> m_buttons;
    QToolButton *m_all, *m_seen;
    std::optional<Notice> m_notice;
};

}  // namespace rankdeck::ui
