// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/flag_watch.h"

#include <algorithm>
#include <utility>

namespace rankdeck {

FlagWatch::FlagWatch(const Job &job, Nodes nodes) : m_nodes(std::move(nodes))
{
    Result<std::vector<ConfigCopy>> places = configPlaces(job);
    if (!places) return;  // the job file's placeholders were checked when it was read
    for (ConfigCopy &place : *places) {
        FlagState state;
        state.node = place.node;
        ++m_unanswered[place.node];
        state.path = place.path;
        m_flags.push_back(std::move(state));
        Copy copy;
        copy.place = std::move(place);
        m_copies.push_back(std::move(copy));
    }
}

void FlagWatch::refresh() { m_due = {}; }

bool FlagWatch::waiting() const
{
    return std::any_of(m_copies.begin(), m_copies.end(), [](const Copy &copy) { return copy.reply.valid(); });
}

bool FlagWatch::take(Copy &copy, FlagState &state)
{
    Result<FileContent> content = copy.reply.get();
    const FlagState before = state;
    // A node that is gone says nothing new; its last answer stays, with the node's own age beside it.
    const bool silent =
        !content && (content.error().kind == ErrorKind::unreachable || content.error().kind == ErrorKind::timeout);
    if (silent) return false;
    takeContent(copy.place, std::move(content));
    const ConfigCopy &now = copy.place;
    state.value = now.flag ? now.flag->value : std::nullopt;
    state.armed = now.flag && now.flag->armed;
    state.problem = now.problem ? now.problem->message : std::string();
    state.since.reset();
    if (state.armed && now.content) state.since = wallFromNs(now.content->stat.mtimeNs);
    if (!std::exchange(copy.answered, true))
        if (const auto node = m_unanswered.find(now.node); --node->second == 0) m_unanswered.erase(node);
    return before.value != state.value || before.armed != state.armed || before.problem != state.problem;
}

bool FlagWatch::poll()
{
    bool changed = false;
    bool tookLast = false;
    for (std::size_t i = 0; i < m_copies.size(); ++i) {
        Copy &copy = m_copies[i];
        if (!copy.reply.valid() || copy.reply.wait_for(std::chrono::seconds(0)) != std::future_status::ready) continue;
        changed = take(copy, m_flags[i]) || changed;
        tookLast = true;
    }
    if (waiting()) return changed;
    if (tookLast) ++m_readings;
    const SteadyTime now = std::chrono::steady_clock::now();
    if (now < m_due || m_copies.empty()) return changed || tookLast;
    m_due = now + std::chrono::seconds(2);
    for (Copy &copy : m_copies)
        if (NodeClient *node = m_nodes(copy.place.node); node && node->status().state == NodeState::live)
            copy.reply = node->readFile(copy.place.path, 1u << 20);
    return changed || tookLast;
}

}  // namespace rankdeck
