// SPDX-License-Identifier: GPL-3.0-or-later
// The command palette: all enabled actions by name, with their keys. Type, choose with the arrow keys, press Enter. Esc
// or a click elsewhere closes it.
#pragma once

#include <QFrame>

class QAction;
class QLineEdit;
class QListWidget;

namespace rankdeck::ui {

class CommandPalette : public QFrame {
    Q_OBJECT
public:
    // Property of an action that is true while the palette runs the action. An action that toggles a view then shows
    // the view, and never hides it.
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
