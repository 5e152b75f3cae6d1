// SPDX-License-Identifier: GPL-3.0-or-later
// After a resume: whether every rank continued from the chosen set, by its own log; the loss around the seam; how long it
// took. A failure says which rank and offers the stop and its log.
#pragma once

#include "ui/feed/job_feed.h"
#include "ui/kit/pane.h"

class QPushButton;

namespace rankdeck::ui {

class ProofModel;
class SeamPlot;
class Table;

class ProofPane : public Pane {
    Q_OBJECT
public:
    explicit ProofPane(JobFeed &feed, QWidget *parent = nullptr);
    [[nodiscard]] int preferredWidth(int windowWidth) const override;
    void refresh(WallTime now);

Q_SIGNALS:
    void stopWanted();
    void logWanted(int rank);

private:
    void showTitle(const ResumeReport &report, WallTime now);
    void showSeam(const ResumeReport &report);
    void showWrong(const ResumeReport &report);
    void showTimes(const ResumeReport &report);
    [[nodiscard]] int firstUnproven() const;

    JobFeed &m_feed;
    ProofModel *m_model;
    Table *m_table;
    Label *m_when, *m_seamNote, *m_wrong, *m_times, *m_text;
    SeamPlot *m_seam;
    QPushButton *m_stop, *m_log, *m_close;
};

}  // namespace rankdeck::ui
