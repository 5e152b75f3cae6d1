// SPDX-License-Identifier: GPL-3.0-or-later
// Cards of jobs that ran on the ticked hosts and have ended: as this console's histories know them, and of others that were
// seen there; with what lies on the disks of those hosts. Nothing is shown while there is none.
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
    // Of one moment; the same again changes only the ages. looks: those of jobs with a history, and of others.
    void setJobs(std::vector<EndedJob> jobs, std::vector<EndedJobScan> looks, WallTime now);

Q_SIGNALS:
    void watchWanted(const rankdeck::Job &job);
    void offlineWanted(const rankdeck::HistoryEntry &entry);

private:
    // One of them: with its history, its look, or both.
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
