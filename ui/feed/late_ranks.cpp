// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/feed/late_ranks.h"

#include <algorithm>

namespace rankdeck::ui {

LateRanks::LateRanks(std::unique_ptr<HostSearch> search, const JobScan &job, QObject *parent)
    : QObject(parent), m_search(std::move(search)), m_picture(m_search->picture()), m_id(job.id),
      m_ranks(job.found.ranks.size())
{
    connect(m_search.get(), &HostSearch::changed, this, [this] {
        m_picture = m_search->picture();
        Q_EMIT changed();
    });
}

bool LateRanks::mayCome(const DiscoveryPicture &picture, const JobScan &job)
{
    if (static_cast<int>(job.found.ranks.size()) >= job.found.job.worldSize) return false;
    return std::any_of(picture.hosts.begin(), picture.hosts.end(), [](const HostScan &host) { return !host.scanned; });
}

const JobScan *LateRanks::grown() const
{
    for (const JobScan &job : m_picture->jobs)
        if (job.id == m_id && job.looked && job.found.ranks.size() > m_ranks) return &job;
    return nullptr;
}

}  // namespace rankdeck::ui
