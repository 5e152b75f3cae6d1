// SPDX-License-Identifier: GPL-3.0-or-later
// Base class for an ActionContext that changes some answers of another one. A derived class overrides these calls; all
// others, and their errors, are those of the other context.
#pragma once

#include "core/recover/action_context.h"

namespace rankdeck {

class ForwardingContext : public ActionContext {
public:
    explicit ForwardingContext(ActionContext &host) : m_host(host) {}

    [[nodiscard]] JobState view() const override { return m_host.view(); }
    void waitForChange(SteadyTime deadline) override { m_host.waitForChange(deadline); }
    NodeClient *node(const std::string &name) override { return m_host.node(name); }
    FileStore *cluster() override { return m_host.cluster(); }
    [[nodiscard]] SchedulerState scheduler() const override { return m_host.scheduler(); }
    Journal &journal() override { return m_host.journal(); }
    void attemptLaunched(WallTime at, std::optional<std::int64_t> from) override { m_host.attemptLaunched(at, from); }
    void attemptCountsAnew(std::int64_t position) override { m_host.attemptCountsAnew(position); }
    void expectLoads(const std::map<int, std::vector<std::string>> &paths) override { m_host.expectLoads(paths); }
    void refreshFlags() override { m_host.refreshFlags(); }
    [[nodiscard]] bool stopRequested() const override { return m_host.stopRequested(); }
    [[nodiscard]] std::optional<ConfirmedRung> takeConfirmedRung() override { return m_host.takeConfirmedRung(); }
    [[nodiscard]] std::vector<PlacedSample> lossesBefore(int rank, std::int64_t from, std::int64_t to) const override
    {
        return m_host.lossesBefore(rank, from, to);
    }

protected:
    ActionContext &m_host;
};

}  // namespace rankdeck
