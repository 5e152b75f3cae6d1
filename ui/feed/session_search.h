// SPDX-License-Identifier: GPL-3.0-or-later
// The real HostSearch: owns a DiscoverySession and passes its results to the GUI thread. The session of a destroyed
// search ends on a pool thread. A host that hangs therefore delays the end of the program, but not the window. Refusals
// of a host are part of the results. An Error means that a job cannot be watched.
#pragma once

#include "ui/feed/host_search.h"

#include <QTimer>

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace rankdeck::ui {

class SessionSearch final : public HostSearch {
    Q_OBJECT
public:
    struct Connections {  // in the form of EngineOptions
        std::map<std::string, std::shared_ptr<ConnectedNode>> nodes;
        std::shared_ptr<SessionFactory> sessions;
    };
    using Open = std::function<Result<std::unique_ptr<JobFeed>>(Job job, Connections connections)>;
    SessionSearch(DiscoverySetup setup, Open open, QObject *parent = nullptr);
    ~SessionSearch() override;

    [[nodiscard]] std::shared_ptr<const DiscoveryPicture> picture() const override { return m_picture; }
    void add(const QString &host) override { m_session->add(host.toStdString()); }
    void remove(const QString &host) override { m_session->remove(host.toStdString()); }
    void setPast(std::vector<Job> jobs) override { m_session->setPast(std::move(jobs)); }
    void check(std::size_t id, Job job) override { m_session->check(id, std::move(job)); }
    void checkNothing() override { m_session->checkNothing(); }
    void answer(const QString &host, Answer answer) override;
    void retryNow(const QString &host) override { m_session->retryNow(host.toStdString()); }
    Result<std::unique_ptr<JobFeed>> watch(Job job) override;

private:
    struct Door;  // access to the search for other threads; closed when the search is destroyed
    std::shared_ptr<Door> m_door;
    Open m_open;
    std::shared_ptr<DiscoverySession> m_session;
    std::shared_ptr<const DiscoveryPicture> m_picture;
    QTimer m_pace;
};

}  // namespace rankdeck::ui
