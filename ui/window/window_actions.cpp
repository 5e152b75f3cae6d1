// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_actions.h"

#include "ui/panels/panels.h"

#include <QAction>
#include <QActionGroup>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace rankdeck::ui {

WindowActions::WindowActions(QMainWindow &window) : QObject(&window), m_window(window)
{
    openJob = make(tr("&Open job file…"), QKeySequence::Open);
    editJob = make(tr("Edi&t the job file…"));
    openHosts = make(tr("Choose &hosts…"));
    demo = make(tr("Start the &demo cluster"));
    report = make(tr("&Incident report…"));
    curve = make(tr("Save the c&urve…"));
    closeJob = make(tr("&Close the job"), QKeySequence(Qt::CTRL | Qt::Key_W));
    quit = make(tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q));
    light = make(tr("&Light"));
    dark = make(tr("&Dark"));
    system = make(tr("Same as the &desktop"));
    calm = make(tr("Redraw &less often (twice a second)"));
    settings = make(tr("S&ettings…"), QKeySequence(Qt::CTRL | Qt::Key_Comma));
    stop = make(tr("Stop gracefully"), QKeySequence(Qt::CTRL | Qt::Key_G));
    stopPane = make(tr("Show the s&top"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G));
    resume = make(tr("&Resume…"), QKeySequence(Qt::CTRL | Qt::Key_R));
    proof = make(tr("Show the &proof"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R));
    paneAct = make(tr("Do the &action of the pane"), QKeySequence(Qt::CTRL | Qt::Key_Return));
    wholePlan = make(tr("&Whole plan"), QKeySequence(Qt::CTRL | Qt::Key_D));
    closePane = make(tr("Close the pane, clear the selection"), QKeySequence(Qt::Key_Escape));
    for (const PanelRow &row : panelRows())
        tabs << make(row.menuText(), QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + tabs.size())));
    find = make(tr("&Find in the tab"), QKeySequence::Find);
    findNext = make(tr("Find ne&xt"), QKeySequence(Qt::Key_F3));
    nextPane = make(tr("&Next pane"), QKeySequence(Qt::Key_F6));
    previousPane = make(tr("&Previous pane"), QKeySequence(Qt::SHIFT | Qt::Key_F6));
    palette = make(tr("All actions by &name…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P));
    moment = new QAction(tr("Sh&ow the failure"), this);
    // A single letter: the page adds it to the deck, so that it works only while the deck has the focus.
    moment->setShortcut(QKeySequence(Qt::Key_M));
    moment->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    retryAll = make(tr("Connect lost nodes &now"));
    help = make(tr("&Help"), QKeySequence(Qt::Key_F1));
    signs = make(tr("&Signs and gestures"), QKeySequence(Qt::SHIFT | Qt::Key_F1));
    keys = make(tr("&Keys"), QKeySequence(Qt::CTRL | Qt::Key_Question));
    diagnostics = make(tr("Copy &diagnostics…"));
    about = make(tr("&About Rankdeck"));
    paneAct->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter)});
    auto *themes = new QActionGroup(this);
    for (QAction *theme : {light, dark, system}) {
        theme->setCheckable(true);
        themes->addAction(theme);
    }
    calm->setCheckable(true);
    makeMenus(window);
    setJobOpen(false);
}

QAction *WindowActions::make(const QString &text, const QKeySequence &key)
{
    auto *action = new QAction(text, this);
    if (!key.isEmpty()) action->setShortcut(key);
    // Also added to the window, so that its key works while the desktop hides the menu bar.
    m_window.addAction(action);
    return action;
}

void WindowActions::makeMenus(QMainWindow &window)
{
    QMenuBar *bar = window.menuBar();
    jobMenu = bar->addMenu(tr("&Job"));
    jobMenu->addActions({openJob, editJob, openHosts});
    recentMenu = jobMenu->addMenu(tr("&Recent jobs"));
    offlineMenu = jobMenu->addMenu(tr("Open &history offline"));
    jobMenu->addSeparator();
    jobMenu->addAction(demo);
    demoMenu = jobMenu->addMenu(tr("Demo &faults"));
    demoMenu->menuAction()->setVisible(false);
    jobMenu->addAction(retryAll);
    jobMenu->addSeparator();
    jobMenu->addActions({report, curve});
    jobMenu->addSeparator();
    jobMenu->addActions({closeJob, quit});
    viewMenu = bar->addMenu(tr("&View"));
    QMenu *theme = viewMenu->addMenu(tr("&Theme"));
    theme->addActions({light, dark, system});
    viewMenu->addActions({calm, settings});
    viewMenu->addSeparator();
    ranksMenu = bar->addMenu(tr("R&anks"));
    checkpointsMenu = bar->addMenu(tr("&Checkpoints"));
    ranksMenu->addAction(moment);
    ranksMenu->addSeparator();
    recoverMenu = bar->addMenu(tr("&Recover"));
    recoverMenu->addActions({stop, stopPane});
    recoverMenu->addSeparator();
    recoverMenu->addActions({resume, wholePlan, paneAct, proof});
    windowMenu = bar->addMenu(tr("&Window"));
    windowMenu->addActions(tabs);
    windowMenu->addSeparator();
    windowMenu->addActions({find, findNext});
    windowMenu->addSeparator();
    windowMenu->addActions({nextPane, previousPane, closePane});
    windowMenu->addSeparator();
    windowMenu->addAction(palette);
    QMenu *helpMenu = bar->addMenu(tr("&Help"));
    helpMenu->addActions({help, signs, keys, diagnostics, about});
}

std::array<std::pair<QAction *, Theme::Mode>, 3> WindowActions::themes() const
{
    return {{{light, Theme::Mode::light}, {dark, Theme::Mode::dark}, {system, Theme::Mode::system}}};
}

void WindowActions::addDeckActions(const QList<QAction *> &actions)
{
    for (QAction *action : actions) {
        QMenu *menu = viewMenu;
        switch (action->shortcut().isEmpty() ? 0 : action->shortcut()[0].key()) {
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_V:
        case Qt::Key_N:
        case Qt::Key_K:
        case Qt::Key_M:
        case Qt::Key_Return: menu = checkpointsMenu; break;
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_Space: menu = ranksMenu; break;
        default: break;
        }
        menu->addAction(action);
    }
}

void WindowActions::setJobOpen(bool open)
{
    for (QAction *action : {report, curve, closeJob, stop, stopPane, resume, proof, paneAct, wholePlan, closePane, find,
                            findNext, nextPane, previousPane, moment, retryAll})
        action->setEnabled(open);
    for (QAction *action : std::as_const(tabs)) action->setEnabled(open);
    ranksMenu->menuAction()->setVisible(open);
    checkpointsMenu->menuAction()->setVisible(open);
}

}  // namespace rankdeck::ui
