// SPDX-License-Identifier: GPL-3.0-or-later
// Cards of jobs that ran on the ticked hosts and have ended, as this console's histories know them. Nothing is shown while
// there is none.
#pragma once

#include "ui/state/ended_job.h"

#include <QWidget>

class QVBoxLayout;

namespace rankdeck::ui {

class EndedJobs : public QWidget {
    Q_OBJECT
public:
    explicit EndedJobs(QWidget *parent = nullptr);
    void setJobs(std::vector<EndedJob> jobs, WallTime now);  // of one moment; the same again changes only the ages

Q_SIGNALS:
    void watchWanted(const rankdeck::Job &job);
    void offlineWanted(const rankdeck::HistoryEntry &entry);

private:
    void addCard(const EndedJob &job, WallTime now);

    std::vector<EndedJob> m_jobs;
    QVBoxLayout *m_cards;
};

}  // namespace rankdeck::ui
