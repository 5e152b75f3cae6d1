// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/flag_watch.h"

#include "core/base/clock.h"

#include <algorithm>
#include <utility>

namespace rankdeck {

FlagWatch::FlagWatch(const Job &job, Stores stores, ClockAhead ahead)
    : m_stores(std::move(stores)), m_ahead(std::move(ahead))
{
    // Cannot fail: the placeholders were checked when the job file was read.
    if (Result<std::vector<ConfigCopy>> places = configPlaces(job)) add(std::move(*places), false);
    if (Result<std::vector<ConfigCopy>> places = mountedPlaces(job)) add(std::move(*places), true);
}

void FlagWatch::add(std::vector<ConfigCopy> places, bool mounted)
{
    SharedVector<FlagState> &states = mounted ? m_mounted : m_flags;
    for (ConfigCopy &place : places) {
        FlagState state;
        state.node = place.node;
        ++m_unanswered[place.node];
        state.path = place.path;
        Copy copy;
        copy.mounted = mounted;
        copy.at = states.size();
        copy.place = std::move(place);
        states.push_back(std::move(state));
        m_copies.push_back(std::move(copy));
    }
}

void FlagWatch::refresh()
{
    m_due = {};
    for (Copy &copy : m_copies) copy.due = {};
}

bool FlagWatch::waiting() const
{
    return std::any_of(m_copies.begin(), m_copies.end(), [](const Copy &copy) { return copy.reply.valid(); });
}

bool FlagWatch::take(Copy &copy, FlagState &state)
{
    Result<FileContent> content = copy.reply.get();
    const FlagState before = state;
    // A node that is gone reports nothing new. Its last answer stays; the age of the node is shown beside it.
    const bool silent =
        !content && (content.error().kind == ErrorKind::unreachable || content.error().kind == ErrorKind::timeout);
    if (silent) return false;
    takeContent(copy.place, std::move(content));
    const ConfigCopy &now = copy.place;
    state.value = now.flag ? now.flag->value : std::nullopt;
    state.armed = now.flag && now.flag->armed;
    state.problem = now.problem ? now.problem->message : Message();
    state.since.reset();
    if (state.armed && now.content)
        state.since = secondsAfter(wallFromNs(now.content->stat.mtimeNs), -m_ahead(now.node));
    if (!std::exchange(copy.answered, true))
        if (const auto node = m_unanswered.find(now.node); --node->second == 0) m_unanswered.erase(node);
    return before.value != state.value || before.armed != state.armed || before.problem != state.problem;
}

bool FlagWatch::poll()
{
    bool changed = false;
    bool tookLast = false;
    for (Copy &copy : m_copies) {
        if (!copy.reply.valid() || copy.reply.wait_for(std::chrono::seconds(0)) != std::future_status::ready) continue;
        changed = take(copy, (copy.mounted ? m_mounted : m_flags)[copy.at]) || changed;
        tookLast = true;
    }
    if (waiting()) return changed;
    if (tookLast) ++m_readings;
    const SteadyTime now = steadyNow();
    if (now < m_due || m_copies.empty()) return changed || tookLast;
    m_due = now + std::chrono::seconds(2);
    for (Copy &copy : m_copies) {
        FileStore *store = m_stores(copy.place.node);
        if (!store || now < copy.due || store->status().state != NodeState::live) continue;
        // A ConfigMap costs two kubectl calls each time, so it is read less often unless requested.
        copy.due = now + std::chrono::seconds(copy.place.configMap ? 10 : 0);
        copy.reply = store->readFile(copy.place.path, 1u << 20);
    }
    return changed || tookLast;
}

}  // namespace rankdeck
