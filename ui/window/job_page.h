// SPDX-License-Identifier: GPL-3.0-or-later
// All of one job: header, hazard strip, banner, deck, bottom tabs, the pane beside the deck. Connects the window's
// actions to what is shown. The feed must outlive it. GUI thread.
#pragma once

#include "ui/feed/job_feed.h"
#include "ui/state/notice.h"

#include <QTimer>
#include <QWidget>

#include <map>
#include <set>

class QSplitter;

namespace rankdeck::ui {

class Banner;
class BottomPanels;
class Deck;
class HazardStrip;
class HeaderBar;
class InspectorPane;
class Pane;
class ProofPane;
class ResumePane;
class SidePane;
class StatusLine;
class StopPane;
class WindowActions;

class JobPage : public QWidget {
    Q_OBJECT
public:
    JobPage(JobFeed &feed, WindowActions &actions, QWidget *parent = nullptr);
    ~JobPage() override;
    [[nodiscard]] QString title() const;  // of the window: armed and deaths first
    void showStatus(StatusLine &line) const;
    [[nodiscard]] JobFeed &feed() const { return m_feed; }
    void saveState() const;
    [[nodiscard]] bool isBusy() const;  // an act is under way, or a pane is open

Q_SIGNALS:
    void refreshed();
    void connectWanted();                  // a job that was opened from its history
    void alarmBegan(const QString &fact);  // one that somebody must act on; also while the window is minimised

public Q_SLOTS:
    void stopOrCancel();
    void openResume(const QString &setId = {});
    void openStop();
    void openProof();
    void inspect(const QString &setId, int rank);
    void showLog(int rank, quint64 offset);
    void keepSet(const QString &setId);
    void showLogOf(int rank);  // its end
    void showFailure();
    void showRanksNow();
    void showTab(int index, bool byName = false);  // again: collapses, unless asked for by name
    void escape();
    void listAlarms(QPoint at);
    [[nodiscard]] Glyph worstSeen() const;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void build(WindowActions &actions);
    void connectActions(WindowActions &actions);
    void connectDeck();
    void connectPanes();
    void refresh();
    void refreshPane();
    [[nodiscard]] std::optional<Notice> notice(const Snapshot &snapshot, WallTime now) const;
    void tellNewAlarms(const Update &update);
    void forgetEnded(const Snapshot &snapshot, WallTime now);
    void act(NoticeAct what);
    void stepPane(int by);
    void restoreState();
    void paneOpened(Pane *pane);

    JobFeed &m_feed;
    WindowActions &m_actions;
    QTimer m_tick;
    HeaderBar *m_header = nullptr;
    HazardStrip *m_hazard = nullptr;
    Banner *m_banner = nullptr;
    QSplitter *m_across = nullptr, *m_down = nullptr;
    Deck *m_deck = nullptr;
    BottomPanels *m_bottom = nullptr;
    SidePane *m_side = nullptr;
    StopPane *m_stop = nullptr;
    ResumePane *m_resume = nullptr;
    ProofPane *m_proof = nullptr;
    InspectorPane *m_inspector = nullptr;
    QString m_job;
    std::optional<WallTime> m_seenWholeAt;  // all nodes had answered or given up: later alarms are news
    std::set<QString> m_seen;               // alarms that were acknowledged, by their keys
    std::map<QString, Keeping> m_keeping;   // by set, since the window is open
    QString m_keptSet;                      // the last of them, until its outcome was seen
};

}  // namespace rankdeck::ui
