// SPDX-License-Identifier: GPL-3.0-or-later
// All actions of the window with text and key, defined once: menus, buttons and the palette share them. Owned by the
// window; the pages connect to the actions that they handle.
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

    // Menu Job
    QAction *openJob, *editJob, *openHosts, *demo, *report, *curve, *closeJob, *quit;
    // Menu View
    QAction *light, *dark, *system, *calm, *settings;
    // Menu Recover
    QAction *stop, *stopPane, *resume, *proof, *paneAct, *wholePlan, *closePane;
    // Menu Window
    QList<QAction *> tabs;  // one per row of panels.cpp
    QAction *find, *findNext, *nextPane, *previousPane, *palette, *moment;
    // Menu Nodes
    QAction *retryAll;
    // Menu Help
    QAction *help, *signs, *keys, *diagnostics, *about;

    QMenu *jobMenu, *offlineMenu, *recentMenu, *viewMenu, *ranksMenu, *checkpointsMenu, *recoverMenu, *windowMenu,
        *demoMenu;

    // The theme actions, each with the mode that it sets.
    [[nodiscard]] std::array<std::pair<QAction *, Theme::Mode>, 3> themes() const;
    // Adds the deck's own actions to the proper menus, chosen by their keys; they are removed when they are deleted.
    void addDeckActions(const QList<QAction *> &actions);
    // Without an open job, only actions that open one are enabled.
    void setJobOpen(bool open);

private:
    QAction *make(const QString &text, const QKeySequence &key = {});
    void makeMenus(QMainWindow &window);

    QMainWindow &m_window;
};

}  // namespace rankdeck::ui
