// SPDX-License-Identifier: GPL-3.0-or-later
// All enabled actions by name, with their keys: type, arrow, Enter. Gone with Esc or a click elsewhere.
#pragma once

#include <QFrame>

class QAction;
class QLineEdit;
class QListWidget;

namespace rankdeck::ui {

class CommandPalette : public QFrame {
    Q_OBJECT
public:
    // Property of an action, true while it runs from here: what it names is then shown, never put away.
    static constexpr const char *byName = "byName";
    CommandPalette(const QList<QAction *> &actions, QWidget *parent);
    void popUp();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void fill(const QString &wanted);
    void run();

    QList<QAction *> m_actions;
    QLineEdit *m_find;
    QListWidget *m_list;
};

}  // namespace rankdeck::ui
