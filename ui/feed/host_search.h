// SPDX-License-Identifier: GPL-3.0-or-later
// A search for running jobs on hosts, for the window: its current results, and opening a found job over the existing
// connections. SessionSearch is the real one; tests use their own with fixed values. GUI thread only; no function
// blocks.
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
    // Jobs seen earlier that may have ended by now: see DiscoverySession::setPast().
    virtual void setPast(std::vector<Job> jobs) = 0;
    // Checks the job file that is being edited: see DiscoverySession::check().
    virtual void check(std::size_t id, Job job) = 0;
    virtual void checkNothing() = 0;
    virtual void answer(const QString &host, Answer answer) = 0;
    virtual void retryNow(const QString &host) = 0;
    // Reuses the connections to hosts of the job. The search may be destroyed afterwards. Errors: as for JobSources.
    virtual Result<std::unique_ptr<JobFeed>> watch(Job job) = 0;

Q_SIGNALS:
    void changed();  // new results; at most ten times a second
};

}  // namespace rankdeck::ui
