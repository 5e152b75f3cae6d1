// SPDX-License-Identifier: GPL-3.0-or-later
// Where everybody is silent and nobody stands out, all ranks are looked at by themselves, on a thread of its own: as soon as
// the alarm begins, and twice more while it lasts, as who hangs may show only once the others have settled down. Reads only;
// what cannot be read is in no group. Engine thread.
#pragma once

#include "core/alarm/alarm.h"
#include "core/base/clock.h"
#include "core/engine/act_runner.h"
#include "core/recover/rank_stacks.h"
#include "core/state/hang_look.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace rankdeck {

// Who does something else than all others do: one group of a few ranks, and one of the rest.
HangLook hangLookOf(const StackReport &report);

class HangLooks {
public:
    using Read = std::function<std::vector<RankStack>()>;          // blocks on the nodes for about a second
    using Post = std::function<void(std::function<void()>)>;       // runs it on the engine's thread
    HangLooks(Read read, Post post, std::function<void()> looked)  // looked: newest() is another one
        : m_read(std::move(read)), m_post(std::move(post)), m_looked(std::move(looked))
    {}
    void stop();  // waits for the look that runs

    void consider(const std::vector<Alarm> &alarms, int attempt, SteadyTime now);
    [[nodiscard]] std::shared_ptr<const HangLook> newest() const { return m_newest; }

private:
    Read m_read;
    Post m_post;
    std::function<void()> m_looked;
    std::unique_ptr<ActRunner> m_runner;
    std::shared_ptr<const HangLook> m_newest;
    std::optional<WallTime> m_since = {};  // of the silence that is looked into
    int m_looks = 0;                       // into it
    bool m_runs = false;
    SteadyTime m_next = {};
};

}  // namespace rankdeck
