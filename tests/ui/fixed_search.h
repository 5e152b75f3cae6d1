// SPDX-License-Identifier: GPL-3.0-or-later
// A HostSearch whose results a test sets, and which records its requests. Also example results for screenshots.
#pragma once

#include "tests/ui/fixed_feed.h"
#include "ui/feed/host_search.h"

#include <QStringList>

#include <map>

namespace rankdeck::ui {

class FixedSearch : public HostSearch {
public:
    void set(DiscoveryPicture picture)
    {
        m_picture = std::make_shared<const DiscoveryPicture>(std::move(picture));
        Q_EMIT changed();
    }
    [[nodiscard]] std::shared_ptr<const DiscoveryPicture> picture() const override { return m_picture; }
    void add(const QString &host) override { added << host; }
    void remove(const QString &host) override { removed << host; }
    void setPast(std::vector<Job> jobs) override { past = std::move(jobs); }
    void check(std::size_t id, Job job) override
    {
        checkId = id;
        checked = std::move(job);
    }
    void checkNothing() override { checked.reset(); }
    void answer(const QString &host, Answer answer) override { answers[host] = std::move(answer); }
    void retryNow(const QString &host) override { retried << host; }
    Result<std::unique_ptr<JobFeed>> watch(Job job) override
    {
        if (onWatch) onWatch(job);
        watched.push_back(std::move(job));
        if (refusal) return *refusal;
        return std::unique_ptr<JobFeed>(std::make_unique<FixedFeed>());
    }

    QStringList added, removed, retried;
    std::map<QString, Answer> answers;
    std::vector<Job> watched, past;
    std::function<void(const Job &)> onWatch;  // may destroy this search
    std::optional<Job> checked;
    std::size_t checkId = 0;
    std::optional<Error> refusal;

private:
    std::shared_ptr<const DiscoveryPicture> m_picture = std::make_shared<const DiscoveryPicture>();
};

namespace scenes {

HostScan host(const std::string &name, NodeState state, const std::string &reason = {}, std::size_t ranks = 0);
// 8 ranks on two hosts, all known and healthy.
JobScan foundJob();
// 4 of 8 ranks, without a known way to stop them; one host is not searched.
JobScan halfJob();
DiscoveryPicture eightHosts();  // both jobs; live, asking, refused, lost, unsupported

}  // namespace scenes

}  // namespace rankdeck::ui
