// SPDX-License-Identifier: GPL-3.0-or-later
// Cards of jobs that ran on the ticked hosts and have ended. They are jobs with a history on this console, and others
// that were seen there. The cards also show what remains on the disks of these hosts. Hidden if there is no such job.
#pragma once

#include "ui/state/ended_job.h"

#include <QStringList>
#include <QWidget>

#include <optional>

class QVBoxLayout;

namespace rankdeck::ui {

class EndedJobs : public QWidget {
    Q_OBJECT
public:
    explicit EndedJobs(QWidget *parent = nullptr);
    // If the jobs are the same as before, only the ages change. looks: results on disk, of jobs with and without a
    // history.
    void setJobs(std::vector<EndedJob> jobs, std::vector<EndedJobScan> looks, WallTime now);

Q_SIGNALS:
    void watchWanted(const rankdeck::Job &job);
    void offlineWanted(const rankdeck::HistoryEntry &entry);

private:
    // A job with its history, its result on disk, or both.
    struct Shown {
        std::optional<EndedJob> ended;
        std::optional<EndedJobScan> look;
        [[nodiscard]] const Job &job() const { return ended ? ended->job : look->job; }
    };
    void addCard(const Shown &shown);
    void tell(int card, const Shown &shown, WallTime now);

    QStringList m_keys;
    QVBoxLayout *m_cards;
};

}  // namespace rankdeck::ui
