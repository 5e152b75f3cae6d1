// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/feed/session_search.h"

#include <QMetaObject>
#include <QThreadPool>

#include <mutex>

namespace rankdeck::ui {

namespace {
constexpr int betweenPictures = 100;  // ms
}

struct SessionSearch::Door {
    std::mutex mutex;
    SessionSearch *search = nullptr;
    bool posted = false;

    void knock()
    {
        const std::scoped_lock lock(mutex);
        if (search == nullptr || std::exchange(posted, true)) return;
        QMetaObject::invokeMethod(&search->m_pace, qOverload<>(&QTimer::start), Qt::QueuedConnection);
    }
    void open()
    {
        const std::scoped_lock lock(mutex);
        posted = false;
    }
};

SessionSearch::SessionSearch(DiscoverySetup setup, Open open, QObject *parent)
    : HostSearch(parent), m_door(std::make_shared<Door>()), m_open(std::move(open))
{
    m_door->search = this;
    m_pace.setSingleShot(true);
    m_pace.setInterval(betweenPictures);
    connect(&m_pace, &QTimer::timeout, this, [this] {
        m_door->open();
        m_picture = m_session->picture();
        Q_EMIT changed();
    });
    m_session = std::make_shared<DiscoverySession>(std::move(setup), [door = m_door] { door->knock(); });
    m_picture = m_session->picture();
}

SessionSearch::~SessionSearch()
{
    {
        const std::scoped_lock lock(m_door->mutex);
        m_door->search = nullptr;
    }
    QThreadPool::globalInstance()->start([session = std::move(m_session)]() mutable { session.reset(); });
}

void SessionSearch::answer(const QString &host, Answer answer)
{
    m_session->answer(host.toStdString(), std::move(answer));
}

Result<std::unique_ptr<JobFeed>> SessionSearch::watch(Job job)
{
    Connections connections{m_session->nodesFor(job), m_session->sessions()};
    return m_open(std::move(job), std::move(connections));
}

}  // namespace rankdeck::ui
