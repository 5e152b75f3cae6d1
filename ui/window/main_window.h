// SPDX-License-Identifier: GPL-3.0-or-later
// The window: menus, clock, status line, and in the middle either what opens a job or the one job that is open. Owns the
// feed. Opening never waits for a node.
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
    // One that was found on hosts; its file is kept in the state directory. It is opened over the connections of the search.
    void watchFound(const rankdeck::Job &job);
    // The checkpoints of a directory of this machine, judged without a job file.
    void openDirectory(const QString &path);
    void openPath(const QString &path);  // one of the two
    void openOffline(const HistoryEntry &entry);
    void startDemo();
    void closeJob();
    void tellCrash(const QString &report);  // that the last start ended by a crash, and where its report is

protected:
    void closeEvent(QCloseEvent *event) override;
    void changeEvent(QEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

public:
    void closeAnyway();  // the session ends: nobody can be asked; requests are taken back on the way out

private:
    // ownConfig: the job's ssh config stands, whatever the window was started with.
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
    static void prefer(const Preferences &preferences);               // in every window of the program
    void takePreferences(const Preferences &preferences, bool anew);  // which are applied already
    void makeAnew();
    void makeSettingsAnew();
    void tellAlarm(const QString &fact);
    void setUpPage();
    void follow(std::unique_ptr<LateRanks> late);  // nullptr: nothing may come
    void joinLateRanks();
    void openGrown();
    Status keepFound(Job &job) const;  // its file then says where

    JobSources m_sources;
    WindowActions *m_actions;
    QStackedWidget *m_middle;
    StatusLine *m_status;
    Label *m_clock;
    FirstStart *m_first = nullptr;
    void askBeforeClosing();

    std::vector<DemoFault> m_faults;  // of the demo, as they are offered
    bool m_closesAnyway = false;      // the operator has been asked, or the session ends
    std::unique_ptr<JobFeed> m_feed;
    std::unique_ptr<LateRanks> m_late;  // of the job that is open
    bool m_joins = false;               // it is being opened anew with them
    QString m_jobFile;                  // of the job that is open
    JobPage *m_page = nullptr;
    QTimer m_second;
};

}  // namespace rankdeck::ui
