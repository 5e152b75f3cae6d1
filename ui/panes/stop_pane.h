// SPDX-License-Identifier: GPL-3.0-or-later
// The graceful stop: six status lines, a segment and a row per rank, the remaining options, and the force stop. All
// actions go through the feed; a refusal of the engine is shown in the box.
#pragma once

#include "ui/feed/job_feed.h"
#include "ui/kit/pane.h"
#include "ui/state/stop_progress.h"

class QGridLayout;
class QPushButton;

namespace rankdeck::ui {

class RankExitModel;
class Segments;
class Table;

class StopPane : public Pane {
    Q_OBJECT
public:
    explicit StopPane(JobFeed &feed, QWidget *parent = nullptr);
    void act() override;  // the second click, if a warning requires one
    void refresh(WallTime now);

public Q_SLOTS:
    void stop();  // requests the stop; a warning must have been confirmed
    void cancel();

Q_SIGNALS:
    void resumeWanted();

private:
    struct Line {
        GlyphLabel *sign;
        Label *name, *text;
    };
    void makeStages();
    void makeBox();
    void makeRungs();
    static QString wayOut(const Snapshot &snapshot, const std::optional<Alarm> &stuck);
    void showFindings(const Snapshot &snapshot);
    void confirm(Signal signal);
    void said(const Status &status);

    JobFeed &m_feed;
    std::vector<Line> m_lines;
    QVBoxLayout *m_findings;
    QString m_shownFindings;
    Segments *m_segments;
    RankExitModel *m_model;
    Table *m_table;
    Label *m_saying, *m_refusal;
    QPushButton *m_cancel, *m_anyway, *m_resume, *m_close;
    Label *m_rungsTitle, *m_lostByStep;
    QPushButton *m_term, *m_kill;
    QWidget *m_rungs;
    QString m_problem;
};

}  // namespace rankdeck::ui
