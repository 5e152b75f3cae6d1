// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "ui/dialogs/about_dialog.h"
#include "ui/dialogs/command_palette.h"
#include "ui/dialogs/diagnostics.h"
#include "ui/dialogs/legend_dialog.h"
#include "ui/feed/late_ranks.h"
#include "ui/kit/label.h"
#include "ui/start/first_start.h"
#include "ui/state/act_state.h"
#include "ui/style/format.h"
#include "ui/style/preferences.h"
#include "ui/style/window_words.h"
#include "ui/window/job_page.h"
#include "ui/window/status_line.h"
#include "ui/window/window_actions.h"
#include "ui/window/window_state.h"

#include <QAction>
#include <QCloseEvent>
#include <QDateTime>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QScreen>
#include <QStackedWidget>
#include <QStyle>
#include <QVBoxLayout>

namespace rankdeck::ui {

namespace {
const QString geometryKey = QStringLiteral("geometry");
}

MainWindow::MainWindow(JobSources sources, QWidget *parent)
    : QMainWindow(parent), m_sources(std::move(sources)), m_actions(new WindowActions(*this)),
      m_middle(new QStackedWidget), m_status(new StatusLine),
      m_clock(new Label({}, Theme::Font::normal, Theme::Role::text2))
{
    // On a small screen the frame must fit, too, but its size is unknown before the window is shown. A large scale
    // makes a screen small: 1366 x 768 at 150 % is 911 x 512.
    const QSize frame(8, style()->pixelMetric(QStyle::PM_TitleBarHeight) + 8);
    const QSize room = screen()->availableSize() - frame;
    setMinimumSize(QSize(1024, 600).boundedTo(room));
    resize(QSize(1366, 768).boundedTo(room));
    setAcceptDrops(true);
    auto *all = new QWidget;
    auto *column = new QVBoxLayout(all);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_middle, 1);
    column->addWidget(m_status);
    setCentralWidget(all);
    m_clock->setContentsMargins(0, 0, 12, 0);
    m_clock->setMinimumHeight(23);
    menuBar()->setCornerWidget(m_clock);
    connectActions();
    connect(&m_second, &QTimer::timeout, this, &MainWindow::tick);
    m_second.start(1000);
    restoreGeometry(WindowState::kept({}, geometryKey));
    if (!isMaximized() && !isFullScreen()) resize(size().boundedTo(room));  // restored from another screen or scale
    showFirstStart();
    tick();
}

MainWindow::~MainWindow()
{
    delete m_page;  // must precede the feed that it shows
}

void MainWindow::connectActions()
{
    const WindowActions &a = *m_actions;
    connect(a.openJob, &QAction::triggered, this, &MainWindow::chooseJobFile);
    connect(a.editJob, &QAction::triggered, this, &MainWindow::editJobFile);
    connect(a.openHosts, &QAction::triggered, this, &MainWindow::closeJob);
    connect(a.demo, &QAction::triggered, this, &MainWindow::startDemo);
    connect(a.closeJob, &QAction::triggered, this, &MainWindow::closeJob);
    connect(a.quit, &QAction::triggered, this, &QWidget::close);
    connect(a.recentMenu, &QMenu::aboutToShow, this, &MainWindow::fillRecent);
    connect(a.offlineMenu, &QMenu::aboutToShow, this, &MainWindow::fillOffline);
    for (const auto &[action, mode] : a.themes()) {
        action->setChecked(Theme::of(this).mode() == mode);
        connect(action, &QAction::triggered, this, [this, mode = mode] {
            Preferences preferences = Preferences::kept();
            preferences.theme = mode;
            preferences.keep();
            prefer(preferences);
        });
    }
    a.calm->setChecked(Preferences::kept().calm);
    connect(a.calm, &QAction::triggered, this, [this](bool calm) {
        Preferences preferences = Preferences::kept();
        preferences.calm = calm;
        preferences.keep();
        prefer(preferences);
    });
    connect(a.settings, &QAction::triggered, this, &MainWindow::showSettings);
    connect(a.palette, &QAction::triggered, this, [this] { (new CommandPalette(everyAction(), this))->popUp(); });
    const auto diagnostics = [this] {
        const auto snapshot = m_feed ? m_feed->snapshot() : nullptr;
        return diagnosticsOf(snapshot.get());
    };
    connect(a.diagnostics, &QAction::triggered, this, [=, this] { showDiagnostics(diagnostics(), this); });
    connect(a.about, &QAction::triggered, this, [=, this] { (new AboutDialog(diagnostics(), this))->open(); });
    connect(a.signs, &QAction::triggered, this, [this] { (new LegendDialog(this))->show(); });
    connect(a.help, &QAction::triggered, this, &MainWindow::showHelp);
    connect(a.keys, &QAction::triggered, this, &MainWindow::showKeys);
    a.demo->setVisible(static_cast<bool>(m_sources.startDemo));
}

void MainWindow::startDemo()
{
    if (!m_sources.startDemo) return;
    if (m_first != nullptr) m_first->setDemoBusy(true);
    m_actions->demo->setEnabled(false);
    m_sources.startDemo([this, alive = QPointer<MainWindow>(this)](Result<StartedDemo> demo) {
        if (!alive) return;
        m_actions->demo->setEnabled(true);
        if (!demo) return showFirstStart(tr("The demo cluster did not start."), fromCore(demo.error().message));
        openJob(demo->jobFile, true);  // only the demo's own ssh config knows its nodes
        showDemoFaults(demo->faults);
    });
}

void MainWindow::showDemoFaults(const std::vector<DemoFault> &faults)
{
    m_faults = faults;
    m_actions->demoMenu->clear();
    m_actions->demoMenu->menuAction()->setVisible(!faults.empty());
    for (const DemoFault &fault : faults) {
        QAction *action = m_actions->demoMenu->addAction(fault.text);
        connect(action, &QAction::triggered, this, [this, inject = fault.inject] {
            if (const Status done = inject(); !done) m_status->showPlain(fromCore(done.error().message), {});
        });
    }
}

void MainWindow::tellCrash(const QString &report)
{
    if (m_first == nullptr) return;
    m_first->setMessage(
        tr("Rankdeck crashed last time."),
        tr("History and journal are complete up to that point. Jobs keep running without Rankdeck. Crash report: %1")
            .arg(report));
}

void MainWindow::closeJob()
{
    if (m_page != nullptr) m_page->saveState();
    rememberSeen();
    showFirstStart();
}

void MainWindow::showFirstStart(const QString &bold, const QString &text)
{
    delete std::exchange(m_page, nullptr);
    m_late.reset();
    m_joins = false;
    m_feed.reset();
    m_actions->setJobOpen(false);
    if (m_first == nullptr) {
        m_first = new FirstStart(m_sources);
        m_first->setOfflineMenu(m_actions->offlineMenu);
        m_middle->addWidget(m_first);
        connect(m_first, &FirstStart::openJobWanted, this, &MainWindow::chooseJobFile);
        connect(m_first, &FirstStart::jobFileWanted, this, &MainWindow::openJobFile);
        connect(m_first, &FirstStart::watchWanted, this, &MainWindow::watchFound);
        connect(m_first, &FirstStart::offlineWanted, this, &MainWindow::openOffline, Qt::QueuedConnection);
        connect(m_first, &FirstStart::demoWanted, this, &MainWindow::startDemo);
        connect(m_first, &FirstStart::statusChanged, this, &MainWindow::tick);
    }
    m_first->setRecent(recentJobs());
    m_first->setEnded(readEndedJobs(m_sources.stateDirectory.toStdString()));
    m_first->setDemoBusy(false);
    m_first->setMessage(bold, text);
    m_middle->setCurrentWidget(m_first);
    setWindowTitle(tr("Rankdeck"));
    tick();
}

void MainWindow::tick()
{
    const QDateTime now = QDateTime::fromMSecsSinceEpoch(nsFromWall(wallNow()) / 1'000'000);
    const QString format = QStringLiteral("HH:mm:ss");
    m_clock->setText(tr("%1 local  ·  %2 UTC").arg(now.toString(format), now.toUTC().toString(format)));
    if (m_page == nullptr && m_first != nullptr)
        m_status->showPlain(m_first->statusText(), tr("Nothing is written on any node"));
}

QList<QAction *> MainWindow::everyAction() const
{
    QList<QAction *> all = m_actions->findChildren<QAction *>(Qt::FindDirectChildrenOnly);
    if (m_page != nullptr) all += m_page->actions();
    return all + m_actions->demoMenu->actions();
}

void MainWindow::showHelp()
{
    const QString text = tr(
        "<h3>The deck</h3><p>Everything shares one axis, the training steps. The loss is above it, the verdict of each "
        "checkpoint set is on it, and each rank has a lane below it. The vertical line is the newest set that every "
        "rank can load. The hatched area to its right is the "
        "work that would be lost.</p>"
        "<h3>Stop gracefully</h3><p>One click asks the run to save and exit at its next step. You can cancel until "
        "a rank has read the request. The run counts as stopped only when every process has ended and every save "
        "is proven.</p>"
        "<h3>Resume</h3><p>Choose a column, read the plan, run it. Rankdeck does exactly what the plan shows. "
        "Afterwards the log of each rank proves from which step it continued.</p>");
    (new HelpDialog(tr("Help"), text, this))->open();
}

void MainWindow::showKeys()
{
    QString rows;
    const QList<QAction *> all = everyAction();
    for (const QAction *action : all) {
        if (action->shortcut().isEmpty()) continue;
        rows += QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>")
                    .arg(action->shortcut().toString(QKeySequence::NativeText).toHtmlEscaped(),
                         action->text().remove(QLatin1Char('&')).toHtmlEscaped());
    }
    (new HelpDialog(tr("Keys"), QStringLiteral("<table>%1</table>").arg(rows), this))->open();
}

// Closing withdraws a stop request in progress, and the result would not be visible, so the user is asked first.
void MainWindow::askBeforeClosing()
{
    auto *question =
        new QMessageBox(QMessageBox::Warning, tr("A stop is under way"),
                        tr("Closing cancels the stop request. Ranks that have already read it may still stop."),
                        QMessageBox::NoButton, this);
    question->setObjectName(QStringLiteral("closeQuestion"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setTextFormat(Qt::PlainText);
    QPushButton *stay = question->addButton(tr("Stay"), QMessageBox::RejectRole);
    QPushButton *leave = question->addButton(tr("Cancel it and close"), QMessageBox::AcceptRole);
    question->setDefaultButton(stay);
    connect(leave, &QPushButton::clicked, this, &MainWindow::closeAnyway);
    question->open();
}

void MainWindow::closeAnyway()
{
    m_closesAnyway = true;
    close();
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (m_feed && !m_closesAnyway && exitRuns(*m_feed->snapshot())) {
        event->ignore();
        if (findChild<QMessageBox *>(QStringLiteral("closeQuestion")) == nullptr) askBeforeClosing();
        return;
    }
    if (m_page != nullptr) m_page->saveState();
    rememberSeen();
    WindowState::keep({}, geometryKey, saveGeometry());
    QMainWindow::closeEvent(event);
}

void MainWindow::changeEvent(QEvent *event)
{
    QMainWindow::changeEvent(event);
    if (event->type() != QEvent::WindowStateChange || !m_feed) return;
    const JobFeed::Pace shown = m_actions->calm->isChecked() ? JobFeed::Pace::calm : JobFeed::Pace::live;
    m_feed->setPace(isMinimized() ? JobFeed::Pace::paused : shown);
}

}  // namespace rankdeck::ui
