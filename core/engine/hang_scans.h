// SPDX-License-Identifier: GPL-3.0-or-later
// Automatic stack traces when all ranks are silent and no rank stands out. Reads all ranks on its own thread, as soon
// as the alarm begins and twice more while it lasts. The hanging ranks may stand out only after the others have
// settled. Only reads; unreadable ranks are in no group. Engine thread.
#pragma once

#include "core/alarm/alarm.h"
#include "core/base/clock.h"
#include "core/engine/act_runner.h"
#include "core/recover/rank_stacks.h"
#include "core/state/hang_scan.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace rankdeck {

// Ranks that do something different from all others: there must be one small group and one large group.
HangScan hangScanOf(const StackReport &report);

class HangScans {
public:
    using Read = std::function<std::vector<RankStack>()>;          // blocks on the nodes for about a second
    using Post = std::function<void(std::function<void()>)>;       // runs it on the engine's thread
    HangScans(Read read, Post post, std::function<void()> looked)  // looked: called when newest() has changed
        : m_read(std::move(read)), m_post(std::move(post)), m_looked(std::move(looked))
    {}
    void stop();  // waits for the running read

    void consider(const std::vector<Alarm> &alarms, int attempt, SteadyTime now);
    [[nodiscard]] std::shared_ptr<const HangScan> newest() const { return m_newest; }

private:
    Read m_read;
    Post m_post;
    std::function<void()> m_looked;
    std::unique_ptr<ActRunner> m_runner;
    std::shared_ptr<const HangScan> m_newest;
    std::optional<WallTime> m_since = {};  // begin of the silence that is being examined
    int m_looks = 0;                       // number of reads during this silence
    bool m_runs = false;
    SteadyTime m_next = {};
};

}  // namespace rankdeck
