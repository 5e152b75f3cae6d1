// SPDX-License-Identifier: GPL-3.0-or-later
// Pods that have ended answer nothing, and where the cluster starts the ranks anew (recipe volcano) they need not be back
// before a resume: what is asked of such a node's files goes to the node that submits, which sees the same (paths_shared).
// A pod of which nobody knows whether it runs has no stand-in.
#pragma once

#include "core/recover/action_context.h"

#include <string>

namespace rankdeck {

// The node that answers for it; empty: it must answer for itself.
std::string standInFor(const JobState &view, const std::string &node);

// The host of an act, in which ended pods have their stand-ins.
class WithStandIns final : public ActionContext {
public:
    explicit WithStandIns(ActionContext &host) : m_host(host) {}

    [[nodiscard]] JobState view() const override { return m_host.view(); }
    void waitForChange(SteadyTime deadline) override { m_host.waitForChange(deadline); }
    NodeClient *node(const std::string &name) override;
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

private:
    ActionContext &m_host;
};

}  // namespace rankdeck
