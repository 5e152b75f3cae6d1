// SPDX-License-Identifier: GPL-3.0-or-later
// The banner: shows the most urgent alarm as a part of the layout, never over it, with at most two actions. Screen
// readers are notified when its text changes.
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
    void seen(const QString &key);  // the user has acknowledged the alarm
    void listWanted(QPoint at);     // list of all alarms

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
