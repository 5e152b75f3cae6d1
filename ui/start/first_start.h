// SPDX-License-Identifier: GPL-3.0-or-later
// No job yet: hosts to look at, the jobs that were found on them, recent jobs, the demo cluster, a job file, a history. What
// it does is asked of the window by signals.
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
    void setMessage(const QString &bold, const QString &text);  // why a job did not open; empty: nothing
    void setDemoBusy(bool busy);
    void setOfflineMenu(class QMenu *menu);
    void setRecent(const QList<RecentJob> &jobs);
    void setEnded(std::vector<EndedJob> jobs);  // of all hosts; those of the ticked ones are shown
    void addHostsOf(const QString &file);       // of a hostfile or a rank table
    void editFile(const QString &path);         // a job file, whatever is in it
    [[nodiscard]] QString statusText() const;
    [[nodiscard]] HostSearch *search() const { return m_search.get(); }  // nullptr: it cannot look
    // While watchWanted() tells a job of which ranks may still come: the search, which goes on behind it. nullptr: none may.
    // Afterwards this page looks no more.
    std::unique_ptr<LateRanks> takeLateRanks();

Q_SIGNALS:
    void openJobWanted();
    void jobFileWanted(const QString &path);
    void watchWanted(const rankdeck::Job &job);  // one that was found, to be opened over the search's connections
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
    const JobScan *m_wanted = nullptr;  // while it is told
    std::vector<EndedJob> m_endedJobs;
    std::string m_seenJobs;  // where jobs that were found are kept, so that they are known when they have ended
    std::set<std::size_t> m_kept = {};  // of them, by their id
    HostsBox *m_hosts;
    FoundJobs *m_found;
    EndedJobs *m_ended;
    RecentJobs *m_recent;
    JobEditor *m_editor;
    std::size_t m_checkId = 0;  // of the text that is checked
    QStackedWidget *m_pages;    // hosts and jobs, or the editor
    GlyphLabel *m_messageSign;
    Label *m_message;
    QPushButton *m_demo = nullptr, *m_offline = nullptr;
    QTimer m_second;
};

}  // namespace rankdeck::ui
