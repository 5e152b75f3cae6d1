// SPDX-License-Identifier: GPL-3.0-or-later
// The window: menus, clock, status line, and in the middle either the page for opening a job or the page of the open
// job. Owns the feed. Opening a job never waits for a node.
#pragma once

#include "core/run/history/history.h"
#include "ui/feed/job_sources.h"
#include "ui/start/recent_jobs.h"

#include <QMainWindow>
#include <QTimer>

#include <memory>

class QStackedWidget;

namespace rankdeck::ui {

class FirstStart;
class JobPage;
class Label;
class LateRanks;
struct Preferences;
class StatusLine;
class WindowActions;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(JobSources sources, QWidget *parent = nullptr);
    ~MainWindow() override;
    [[nodiscard]] JobPage *page() const { return m_page; }
    [[nodiscard]] WindowActions &actions() const { return *m_actions; }
    void openFeed(std::unique_ptr<JobFeed> feed);

public Q_SLOTS:
    void openJobFile(const QString &path);
    // Watches a job that was found on hosts, over the connections of the search. Its file is saved in the state
    // directory.
    void watchFound(const rankdeck::Job &job);
    // Judges the checkpoints in a local directory without a job file.
    void openDirectory(const QString &path);
    void openPath(const QString &path);  // a job file or a directory
    void openOffline(const HistoryEntry &entry);
    void startDemo();
    void closeJob();
    void tellCrash(const QString &report);  // reports that the last start crashed, and the path of the report

protected:
    void closeEvent(QCloseEvent *event) override;
    void changeEvent(QEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

public:
    void closeAnyway();  // the session ends, so the user cannot be asked; stop requests are withdrawn

private:
    // ownConfig: the job's own ssh config is used, even if the window was started with another one.
    void openJob(const QString &path, bool ownConfig);
    void connectNodes();
    void connectActions();
    void chooseJobFile();
    void editJobFile();
    void fillRecent();
    void rememberSeen();
    void openDropped(const QString &path);
    [[nodiscard]] QList<RecentJob> recentJobs() const;
    void fillOffline();
    void showFirstStart(const QString &bold = {}, const QString &text = {});
    void showDemoFaults(const std::vector<DemoFault> &faults);
    void tick();
    [[nodiscard]] QList<QAction *> everyAction() const;
    void showHelp();
    void showKeys();
    void showSettings();
    static void prefer(const Preferences &preferences);               // applies them to all windows of the program
    void takePreferences(const Preferences &preferences, bool anew);  // preferences: already applied
    void makeAnew();
    void makeSettingsAnew();
    void tellAlarm(const QString &fact);
    void setUpPage();
    void follow(std::unique_ptr<LateRanks> late);  // nullptr: no more ranks can come
    void joinLateRanks();
    void openGrown();
    Status keepFound(Job &job) const;  // sets job.file

    JobSources m_sources;
    WindowActions *m_actions;
    QStackedWidget *m_middle;
    StatusLine *m_status;
    Label *m_clock;
    FirstStart *m_first = nullptr;
    void askBeforeClosing();

    std::vector<DemoFault> m_faults;  // faults of the demo, in the order of the menu
    bool m_closesAnyway = false;      // the user has confirmed, or the session ends
    std::unique_ptr<JobFeed> m_feed;
    std::unique_ptr<LateRanks> m_late;  // late ranks of the open job
    bool m_joins = false;               // the job is being opened again with its late ranks
    QString m_jobFile;                  // file of the open job
    JobPage *m_page = nullptr;
    QTimer m_second;
};

}  // namespace rankdeck::ui
