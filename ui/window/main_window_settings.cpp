// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of the user: the dialog, and how a change is applied to the window.
#include "core/base/files.h"
#include "ui/dialogs/desktop_notice.h"
#include "ui/dialogs/settings_dialog.h"
#include "ui/start/first_start.h"
#include "ui/window/job_page.h"
#include "ui/window/main_window.h"
#include "ui/window/window_actions.h"

#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QMenuBar>

namespace rankdeck::ui {

namespace {

QString usualState() { return QString::fromStdString(defaultStateDirectory()); }

}  // namespace

void MainWindow::showSettings()
{
    if (auto *open = findChild<SettingsDialog *>()) return open->activateWindow();
    Preferences now = Preferences::kept();
    now.theme = Theme::of(this).mode();  // the command line may have chosen it
    auto *dialog =
        new SettingsDialog(now, usualState(), m_sources.stateFixed ? m_sources.stateDirectory : QString(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &SettingsDialog::changed, this, &MainWindow::prefer);
    dialog->show();
}

void MainWindow::prefer(const Preferences &preferences)
{
    const bool anew = preferences.apply();
    for (QWidget *widget : QApplication::topLevelWidgets())
        if (auto *window = qobject_cast<MainWindow *>(widget)) window->takePreferences(preferences, anew);
}

void MainWindow::takePreferences(const Preferences &preferences, bool anew)
{
    m_actions->calm->setChecked(preferences.calm);
    const QString state = preferences.stateDirectory.isEmpty() ? usualState() : preferences.stateDirectory;
    if (!m_sources.stateFixed && m_sources.setStateDirectory && state != m_sources.stateDirectory) {
        m_sources.stateDirectory = state;
        m_sources.setStateDirectory(state);
    }
    for (const auto &[action, mode] : m_actions->themes()) action->setChecked(preferences.theme == mode);
    // Queued, because the sender may be one of the parts to rebuild. A settings dialog in another window would
    // otherwise keep old values.
    const auto *dialog = findChild<SettingsDialog *>();
    if (anew)
        QMetaObject::invokeMethod(this, &MainWindow::makeAnew, Qt::QueuedConnection);
    else if (dialog != nullptr && dialog->preferences() != preferences)
        QMetaObject::invokeMethod(this, &MainWindow::makeSettingsAnew, Qt::QueuedConnection);
}

// Rebuilds all parts, because texts and lengths are set when a part is made. The job stays open, over the same
// connections.
void MainWindow::makeAnew()
{
    if (m_page != nullptr) m_page->saveState();
    const bool paged = m_page != nullptr;
    delete std::exchange(m_page, nullptr);
    delete std::exchange(m_first, nullptr);
    delete m_actions;
    qDeleteAll(menuBar()->findChildren<QMenu *>(QString(), Qt::FindDirectChildrenOnly));
    m_actions = new WindowActions(*this);
    connectActions();
    showDemoFaults(std::exchange(m_faults, {}));
    if (paged) {
        m_actions->setJobOpen(true);
        setUpPage();
    } else {
        showFirstStart();
    }
    tick();
    makeSettingsAnew();
}

void MainWindow::makeSettingsAnew()
{
    auto *dialog = findChild<SettingsDialog *>();
    if (dialog == nullptr) return;
    const QPoint place = dialog->pos();
    const QString focus = dialog->focusWidget() != nullptr ? dialog->focusWidget()->objectName() : QString();
    delete dialog;
    showSettings();
    auto *again = findChild<SettingsDialog *>();
    again->move(place);
    if (focus.isEmpty()) return;
    if (auto *field = again->findChild<QWidget *>(focus)) field->setFocus(Qt::TabFocusReason);
}

// Notifies a user who works in another window; in this window the banner is enough.
void MainWindow::tellAlarm(const QString &fact)
{
    const Preferences preferences = Preferences::kept();
    if (preferences.sounds) QApplication::beep();
    if (preferences.attention) QApplication::alert(this);
    if (preferences.notifies && !isActiveWindow())
        showDesktopNotice(QDBusConnection::sessionBus(), windowTitle(), fact);
}

}  // namespace rankdeck::ui
