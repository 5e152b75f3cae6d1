// SPDX-License-Identifier: GPL-3.0-or-later
// The page of one job: header, hazard strip, banner, deck, bottom tabs, and the pane next to the deck. Connects the
// window's actions to these parts. The feed must outlive it. GUI thread.
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
    [[nodiscard]] QString title() const;  // window title: armed and deaths first
    void showStatus(StatusLine &line) const;
    [[nodiscard]] JobFeed &feed() const { return m_feed; }
    void saveState() const;
    [[nodiscard]] bool isBusy() const;  // an action is in progress, or a pane is open

Q_SIGNALS:
    void refreshed();
    void connectWanted();                  // for a job that was opened from its history
    void alarmBegan(const QString &fact);  // an alarm that requires an action; also sent while the window is minimized

public Q_SLOTS:
    void stopOrCancel();
    void openResume(const QString &setId = {});
    void openStop();
    void openProof();
    void inspect(const QString &setId, int rank);
    void showLog(int rank, quint64 offset);
    void keepSet(const QString &setId);
    void showLogOf(int rank);  // shows the end of its log
    void showFailure();
    void showRanksNow();
    void showTab(int index, bool byName = false);  // collapses the panel if it is already shown, unless byName
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
    std::optional<WallTime> m_seenWholeAt;  // time when all nodes had answered or given up: later alarms are new
    std::set<QString> m_seen;               // keys of the acknowledged alarms
    std::map<QString, Keeping> m_keeping;   // by set, since the window was opened
    QString m_keptSet;                      // the set that was kept last, until its outcome is acknowledged
};

}  // namespace rankdeck::ui
