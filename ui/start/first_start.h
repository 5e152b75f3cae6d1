// SPDX-License-Identifier: GPL-3.0-or-later
// The page without an open job: hosts to search, jobs found on them, recent jobs, the demo cluster, a job file, a
// history. Its actions are signals to the window.
#pragma once

#include "core/job/job.h"
#include "ui/feed/job_sources.h"
#include "ui/start/recent_jobs.h"
#include "ui/state/ended_job.h"

#include <QTimer>
#include <QWidget>

#include <set>

class QPushButton;
class QStackedWidget;

namespace rankdeck::ui {

class EndedJobs;
class FoundJobs;
class GlyphLabel;
class HostsBox;
class JobEditor;
class Label;
class LateRanks;

class FirstStart : public QWidget {
    Q_OBJECT
public:
    explicit FirstStart(const JobSources &sources, QWidget *parent = nullptr);
    ~FirstStart() override;
    void setMessage(const QString &bold, const QString &text);  // reason why a job did not open; empty: none
    void setDemoBusy(bool busy);
    void setOfflineMenu(class QMenu *menu);
    void setRecent(const QList<RecentJob> &jobs);
    void setEnded(std::vector<EndedJob> jobs);  // of all hosts; only those of the ticked hosts are shown
    void addHostsOf(const QString &file);       // from a hostfile or a rank table
    void editFile(const QString &path);         // a job file, even an invalid one
    [[nodiscard]] QString statusText() const;
    [[nodiscard]] HostSearch *search() const { return m_search.get(); }  // nullptr: not supported
    // Hands over the search, to find more ranks of the job in watchWanted(). Call it only during that signal;
    // afterwards this page no longer searches. Returns nullptr if no more ranks can come.
    std::unique_ptr<LateRanks> takeLateRanks();

Q_SIGNALS:
    void openJobWanted();
    void jobFileWanted(const QString &path);
    void watchWanted(const rankdeck::Job &job);  // a found job, to be opened over the connections of the search
    void offlineWanted(const rankdeck::HistoryEntry &entry);
    void demoWanted();
    void statusChanged();

private:
    QWidget *makeRight(const JobSources &sources);
    QWidget *makeJobs();
    QWidget *makeDemo(bool available);
    void edit(std::size_t id);
    void refresh();
    void keepSeen();
    void askForChecks();
    void showChecks();
    [[nodiscard]] const JobScan *jobOf(std::size_t id) const;

    std::unique_ptr<HostSearch> m_search;
    std::shared_ptr<const DiscoveryPicture> m_picture;
    const JobScan *m_wanted = nullptr;  // only during watchWanted()
    std::vector<EndedJob> m_endedJobs;
    std::string m_seenJobs;  // directory with files of found jobs, used to recognize them after they have ended
    std::set<std::size_t> m_kept = {};  // ids of the jobs saved there
    HostsBox *m_hosts;
    FoundJobs *m_found;
    EndedJobs *m_ended;
    RecentJobs *m_recent;
    JobEditor *m_editor;
    std::size_t m_checkId = 0;  // id of the text being checked
    QStackedWidget *m_pages;    // hosts and jobs, or the editor
    GlyphLabel *m_messageSign;
    Label *m_message;
    QPushButton *m_demo = nullptr, *m_offline = nullptr;
    QTimer m_second;
};

}  // namespace rankdeck::ui
