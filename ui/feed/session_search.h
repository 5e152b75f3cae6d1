// SPDX-License-Identifier: GPL-3.0-or-later
// The real HostSearch: owns a DiscoverySession and brings its pictures to the GUI thread. The session of a search that goes
// ends on a pool thread: a host that hangs keeps the program, not the window. What a host refuses stands in the
// picture; what cannot be watched is an Error.
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
    struct Connections {  // as EngineOptions takes them
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
    struct Door;  // the way back to the GUI thread, closed when the search goes
    std::shared_ptr<Door> m_door;
    Open m_open;
    std::shared_ptr<DiscoverySession> m_session;
    std::shared_ptr<const DiscoveryPicture> m_picture;
    QTimer m_pace;
};

}  // namespace rankdeck::ui
