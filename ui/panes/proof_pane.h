// SPDX-License-Identifier: GPL-3.0-or-later
// The proof after a resume: whether each rank's log shows that it continued from the chosen set. Also the loss around
// the seam, and the time taken. After a failure it names the rank, and offers a stop and the rank's log.
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
