// SPDX-License-Identifier: GPL-3.0-or-later
// Search for more ranks of a watched job, which goes on if hosts that may run such ranks have not answered yet. Reports
// when more ranks are known. GUI thread; no function blocks or fails.
#pragma once

#include "ui/feed/host_search.h"

#include <QObject>

#include <memory>

namespace rankdeck::ui {

class LateRanks : public QObject {
    Q_OBJECT
public:
    // job: the watched job; must belong to the search.
    LateRanks(std::unique_ptr<HostSearch> search, const JobScan &job, QObject *parent = nullptr);

    // True if ranks are missing and a host that may run them has not been scanned.
    [[nodiscard]] static bool mayCome(const DiscoveryPicture &picture, const JobScan &job);
    // The job with more ranks than the watched one, once its files have been searched for; nullptr: no more ranks.
    [[nodiscard]] const JobScan *grown() const;
    [[nodiscard]] HostSearch &search() const { return *m_search; }
    void watched(const JobScan &job) { m_ranks = job.found.ranks.size(); }

Q_SIGNALS:
    void changed();  // the search has new results

private:
    std::unique_ptr<HostSearch> m_search;
    std::shared_ptr<const DiscoveryPicture> m_picture;
    std::size_t m_id, m_ranks;
};

}  // namespace rankdeck::ui
