// SPDX-License-Identifier: GPL-3.0-or-later
// All ways to open a job: a chosen or dropped file, a job found on hosts, a history. Also stores what was last seen of
// the job.
#include "core/base/text.h"
#include "core/job/job_file.h"
#include "core/job/job_folder.h"
#include "core/run/history/history.h"
#include "ui/feed/late_ranks.h"
#include "ui/start/first_start.h"
#include "ui/state/act_state.h"
#include "ui/state/seen_job.h"
#include "ui/style/format.h"
#include "ui/style/window_words.h"
#include "ui/window/job_page.h"
#include "ui/window/main_window.h"
#include "ui/window/status_line.h"
#include "ui/window/window_actions.h"
#include "ui/window/window_state.h"

#include <QAction>
#include <QDir>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QPointer>
#include <QStackedWidget>

namespace rankdeck::ui {

namespace {
const QString seenKey = QStringLiteral("seen");
}

void MainWindow::chooseJobFile()
{
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open a job file"), {}, tr("Job files (*.rankdeck.json *.json)"));
    if (!path.isEmpty()) openJobFile(path);
}

// Edits the file of the open job, which is then closed, or else a file that the user chooses.
void MainWindow::editJobFile()
{
    if (m_feed && exitRuns(*m_feed->snapshot()))
        return m_status->showPlain(tr("A stop is under way. Open another job when it has ended."), {});
    const bool own = m_page != nullptr && QFileInfo::exists(m_jobFile);
    const QString path =
        own ? m_jobFile
            : QFileDialog::getOpenFileName(this, tr("Edit a job file"), {}, tr("Job files (*.rankdeck.json *.json)"));
    if (path.isEmpty()) return;
    if (m_page != nullptr) closeJob();
    m_first->editFile(path);
}

void MainWindow::openJobFile(const QString &path) { openJob(path, false); }

void MainWindow::openJob(const QString &path, bool ownConfig)
{
    auto file = readJobFile(path.toStdString());
    if (!file) {
        showFirstStart();
        m_first->editFile(path);  // it can be corrected there, if it is a text at all
        return m_first->setMessage(tr("Cannot open %1.").arg(QFileInfo(path).fileName()),
                                   fromCore(file.error().message));
    }
    Job job = std::move(file->job);
    if (!m_sources.sshConfig.isEmpty() && !ownConfig) job.sshConfig = m_sources.sshConfig.toStdString();
    auto feed = m_sources.open(std::move(job), true);
    if (!feed)
        return showFirstStart(tr("Cannot open %1.").arg(QFileInfo(path).fileName()), fromCore(feed.error().message));
    WindowState::addRecent(path);
    m_jobFile = path;
    openFeed(std::move(feed).value());
}

void MainWindow::watchFound(const Job &found)
{
    if (m_first == nullptr || m_first->search() == nullptr) return;
    Job job = found;
    const auto failed = [this, &job](const Error &error) {
        showFirstStart(tr("Cannot open %1.").arg(fromNode(job.name)), fromCore(error.message));
    };
    if (!job.file.empty() && QFileInfo::exists(fromNode(job.file))) {  // the job has ended: its file may be newer
        auto file = readJobFile(job.file);
        if (!file) return failed(file.error());
        job = std::move(file->job);
    } else if (const Status kept = keepFound(job); !kept) {
        return failed(kept.error());
    }
    const QString file = fromNode(job.file);
    auto feed = m_first->search()->watch(job);
    if (!feed) return failed(feed.error());
    if (!file.isEmpty()) WindowState::addRecent(file);
    m_jobFile = file;
    std::unique_ptr<LateRanks> late = m_first->takeLateRanks();
    openFeed(std::move(feed).value());
    follow(std::move(late));
}

void MainWindow::follow(std::unique_ptr<LateRanks> late)
{
    m_late = std::move(late);
    if (!m_late) return;
    disconnect(m_late.get(), nullptr, this, nullptr);
    connect(m_late.get(), &LateRanks::changed, this, &MainWindow::joinLateRanks, Qt::QueuedConnection);
}

// Opens the job again when a late host has shown more of its ranks, over the existing connections. While the user is
// acting, it waits for a later update.
void MainWindow::joinLateRanks()
{
    if (m_joins || m_page == nullptr || m_late == nullptr || m_late->grown() == nullptr || m_page->isBusy()) return;
    m_joins = true;
    m_page->saveState();
    rememberSeen();
    delete std::exchange(m_page, nullptr);
    const auto before = std::move(m_feed);
    before->end([window = QPointer<MainWindow>(this), late = QPointer<LateRanks>(m_late.get())] {
        if (window && late && window->m_late.get() == late) window->openGrown();
    });
}

void MainWindow::openGrown()
{
    m_joins = false;
    const JobScan *grown = m_late->grown();
    if (grown == nullptr) return closeJob();  // the job has ended in the meantime
    Job job = grown->found.job;
    const auto failed = [this, &job](const Error &error) {
        showFirstStart(tr("Cannot open %1.").arg(fromNode(job.name)), fromCore(error.message));
    };
    if (auto kept = keepFound(job); !kept) return failed(kept.error());
    auto feed = m_late->search().watch(job);
    if (!feed) return failed(feed.error());
    m_jobFile = fromNode(job.file);
    if (!m_jobFile.isEmpty()) WindowState::addRecent(m_jobFile);
    std::unique_ptr<LateRanks> late = std::move(m_late);
    late->watched(*grown);
    const bool moreMayCome = LateRanks::mayCome(*late->search().picture(), *grown);
    openFeed(std::move(feed).value());
    if (moreMayCome) follow(std::move(late));
}

// Saves the file of a found job. A job with missing ranks can be watched, but its text is not a valid job file yet.
Status MainWindow::keepFound(Job &job) const
{
    if (m_sources.stateDirectory.isEmpty() || !parseJob(jobToJson(job))) return Done{};
    auto kept = keepJobFile(joinPath(m_sources.stateDirectory.toStdString(), "jobs"), job);
    if (!kept) return kept.error();
    job.file = *kept;
    return Done{};
}

void MainWindow::openDirectory(const QString &path)
{
    Job job;
    job.name = QFileInfo(path).fileName().toStdString();
    if (job.name.empty()) job.name = "/";
    job.nodes.push_back({.name = "local", .host = "local", .transport = TransportKind::local});
    job.checkpoints.path = replaceAll(replaceAll(path.toStdString(), "{", "{{"), "}", "}}");
    auto feed = m_sources.open(std::move(job), true);
    if (!feed) return showFirstStart(tr("Cannot open %1.").arg(path), fromCore(feed.error().message));
    m_jobFile.clear();
    openFeed(std::move(feed).value());
}

void MainWindow::openPath(const QString &path)
{
    QFileInfo(path).isDir() ? openDirectory(QDir(path).absolutePath()) : openJobFile(path);
}

void MainWindow::openOffline(const HistoryEntry &entry)
{
    const auto failed = [this, &entry](const Error &error) {
        showFirstStart(tr("Cannot open the history of %1.").arg(fromNode(entry.jobName)), fromCore(error.message));
    };
    auto history = History::open(m_sources.stateDirectory.toStdString(), entry.jobName, entry.jobFile);
    if (!history) return failed(history.error());
    auto text = history.value()->job();
    if (!text) return failed(text.error());
    auto job = parseJob(text.value());
    if (!job) return failed(job.error());
    job->job.file = entry.jobFile;
    m_jobFile = fromNode(entry.jobFile);
    history = fail(ErrorKind::cancelled, {});  // must be closed before the engine opens it
    auto feed = m_sources.open(std::move(job->job), false);
    if (!feed) return failed(feed.error());
    openFeed(std::move(feed).value());
}

void MainWindow::openFeed(std::unique_ptr<JobFeed> feed)
{
    delete std::exchange(m_page, nullptr);
    m_late.reset();
    m_joins = false;
    m_feed = std::move(feed);
    m_actions->setJobOpen(true);
    setUpPage();
    if (m_first != nullptr) m_first->deleteLater();  // also closes connections to hosts that were only scanned
    m_first = nullptr;
}

void MainWindow::setUpPage()
{
    m_page = new JobPage(*m_feed, *m_actions);
    m_middle->addWidget(m_page);
    m_middle->setCurrentWidget(m_page);
    m_page->setFocus();
    connect(m_page, &JobPage::alarmBegan, this, &MainWindow::tellAlarm);
    connect(m_page, &JobPage::connectWanted, this, &MainWindow::connectNodes, Qt::QueuedConnection);
    connect(m_status, &StatusLine::seenWanted, m_page, &JobPage::listAlarms);
    connect(m_page, &JobPage::refreshed, this, [this] {
        setWindowTitle(m_page->title());
        m_page->showStatus(*m_status);
    });
    setWindowTitle(m_page->title());
    m_page->showStatus(*m_status);
}

// Connects a job that was opened from its history, using the current job file.
void MainWindow::connectNodes()
{
    if (QFileInfo::exists(m_jobFile)) return openJob(m_jobFile, false);
    chooseJobFile();
}

void MainWindow::rememberSeen()
{
    if (m_feed && !m_jobFile.isEmpty() && !m_feed->offline())
        WindowState::keep(m_jobFile, seenKey, seenOf(*m_feed->snapshot()));
}

// Accepts a dropped file or directory: a job, checkpoints, or a list of hosts.
void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() != 1 || !urls.front().isLocalFile()) return;
    event->acceptProposedAction();
    const QString path = urls.front().toLocalFile();
    // Delayed, so that the source of the drag does not have to wait.
    QTimer::singleShot(0, this, [this, path] { openDropped(path); });
}

void MainWindow::openDropped(const QString &path)
{
    if (m_feed && exitRuns(*m_feed->snapshot()))
        return m_status->showPlain(tr("A stop is under way. Open another job when it has ended."), {});
    const bool isHosts = !QFileInfo(path).isDir() && m_page == nullptr && m_first != nullptr &&
                         !readJobFile(path.toStdString()) && !path.endsWith(QLatin1String(".rankdeck.json"));
    if (isHosts) return m_first->addHostsOf(path);
    openPath(path);
}

QList<RecentJob> MainWindow::recentJobs() const
{
    QList<RecentJob> jobs;
    const WallTime now = wallNow();
    for (const QString &file : WindowState::recentJobs())
        jobs << RecentJob{file, seenWords(WindowState::kept(file, seenKey), now)};
    return jobs;
}

void MainWindow::fillRecent()
{
    m_actions->recentMenu->clear();
    for (const QString &file : WindowState::recentJobs())
        connect(m_actions->recentMenu->addAction(file), &QAction::triggered, this, [this, file] { openJobFile(file); });
    if (m_actions->recentMenu->isEmpty()) m_actions->recentMenu->addAction(tr("None yet"))->setEnabled(false);
}

void MainWindow::fillOffline()
{
    m_actions->offlineMenu->clear();
    for (const HistoryEntry &entry : listHistories(m_sources.stateDirectory.toStdString())) {
        QAction *action = m_actions->offlineMenu->addAction(
            tr("%1, last seen %2").arg(fromNode(entry.jobName), exactTime(entry.changed)));
        if (!entry.jobFile.empty()) action->setToolTip(toolTipOf(fromNode(entry.jobFile)));
        connect(action, &QAction::triggered, this, [this, entry] { openOffline(entry); });
    }
    if (m_actions->offlineMenu->isEmpty()) m_actions->offlineMenu->addAction(tr("No history yet"))->setEnabled(false);
}

}  // namespace rankdeck::ui
