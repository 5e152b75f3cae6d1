// SPDX-License-Identifier: GPL-3.0-or-later
// Every action of the window with its words and key, once: menus, buttons and the palette share them. Owned by the window;
// the pages connect to those they serve.
#pragma once

#include "ui/style/theme.h"

#include <QKeySequence>
#include <QList>
#include <QObject>

#include <array>
#include <utility>

class QAction;
class QMainWindow;
class QMenu;

namespace rankdeck::ui {

class WindowActions : public QObject {
    Q_OBJECT
public:
    explicit WindowActions(QMainWindow &window);

    // Job
    QAction *openJob, *editJob, *openHosts, *demo, *report, *curve, *closeJob, *quit;
    // View
    QAction *light, *dark, *system, *calm, *settings;
    // Recover
    QAction *stop, *stopPane, *resume, *proof, *paneAct, *wholePlan, *closePane;
    // Window
    QList<QAction *> tabs;  // one per row of panels.cpp
    QAction *find, *findNext, *nextPane, *previousPane, *palette, *moment;
    // Nodes
    QAction *retryAll;
    // Help
    QAction *help, *signs, *keys, *diagnostics, *about;

    QMenu *jobMenu, *offlineMenu, *recentMenu, *viewMenu, *ranksMenu, *checkpointsMenu, *recoverMenu, *windowMenu,
        *demoMenu;

    // The actions of the themes, with what each chooses.
    [[nodiscard]] std::array<std::pair<QAction *, Theme::Mode>, 3> themes() const;
    // The deck's own actions, into the menus they belong to, by their keys; taken out again when they go.
    void addDeckActions(const QList<QAction *> &actions);
    // While no job is open only what opens one makes sense.
    void setJobOpen(bool open);

private:
    QAction *make(const QString &text, const QKeySequence &key = {});
    void makeMenus(QMainWindow &window);

    QMainWindow &m_window;
};

}  // namespace rankdeck::ui
