// SPDX-License-Identifier: GPL-3.0-or-later
// A found job is watched although hosts that may have more of its ranks have not answered: the search goes on behind it, and
// tells when more of its ranks are known. GUI thread; nothing here blocks or fails.
#pragma once

#include "ui/feed/host_search.h"

#include <QObject>

#include <memory>

namespace rankdeck::ui {

class LateRanks : public QObject {
    Q_OBJECT
public:
    // job: as it is watched; one of the search's.
    LateRanks(std::unique_ptr<HostSearch> search, const JobScan &job, QObject *parent = nullptr);

    // Ranks are missing, and a host that may have them has not been looked at.
    [[nodiscard]] static bool mayCome(const DiscoveryPicture &picture, const JobScan &job);
    // With more ranks than the one that is watched, when its files have been looked for; nullptr: as it was.
    [[nodiscard]] const JobScan *grown() const;
    [[nodiscard]] HostSearch &search() const { return *m_search; }
    void watched(const JobScan &job) { m_ranks = job.found.ranks.size(); }

Q_SIGNALS:
    void changed();  // the search has a new picture

private:
    std::unique_ptr<HostSearch> m_search;
    std::shared_ptr<const DiscoveryPicture> m_picture;
    std::size_t m_id, m_ranks;
};

}  // namespace rankdeck::ui
