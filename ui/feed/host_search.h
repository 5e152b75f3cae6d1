// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts that are looked at for running jobs, for the window: what is known of them now, and a job of theirs opened over the
// connections that are there. SessionSearch is the real one; tests make their own with fixed values. GUI thread only;
// nothing here blocks.
#pragma once

#include "core/engine/discovery/discovery_session.h"
#include "ui/feed/job_feed.h"

#include <QObject>

#include <memory>

namespace rankdeck::ui {

class HostSearch : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    [[nodiscard]] virtual std::shared_ptr<const DiscoveryPicture> picture() const = 0;  // never null
    virtual void add(const QString &host) = 0;
    virtual void remove(const QString &host) = 0;
    // Jobs of earlier looks, of which no process may run any more: see DiscoverySession::setPast().
    virtual void setPast(std::vector<Job> jobs) = 0;
    // Of the job file that is being edited: see DiscoverySession::check().
    virtual void check(std::size_t id, Job job) = 0;
    virtual void checkNothing() = 0;
    virtual void answer(const QString &host, Answer answer) = 0;
    virtual void retryNow(const QString &host) = 0;
    // Hosts of the job that are connected are not logged in to again; the search may go afterwards. Errors as of JobSources.
    virtual Result<std::unique_ptr<JobFeed>> watch(Job job) = 0;

Q_SIGNALS:
    void changed();  // a new picture; at most ten times a second
};

}  // namespace rankdeck::ui
