// SPDX-License-Identifier: GPL-3.0-or-later
// Alarm about a node that cannot be watched: the state of its ranks is unknown, and no other alarm says anything about
// them.
#include "core/alarm/rules.h"

#include "core/base/text.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace rankdeck {
namespace {

constexpr std::string_view saysSo = "Rankdeck tries again.";  // the end of some reasons

double silence(const NodeStatus &node, WallTime now) { return std::max(0.0, secondsBetween(node.lastContact, now)); }

Message lastContact(const NodeStatus &node, WallTime now)
{
    if (node.lastContact == WallTime{}) return {};
    return message("Last contact %1 ago.", durationText(silence(node, now)));
}

constexpr const char *triesAgain = "Rankdeck tries again; the state of its ranks is unknown until then.";

void setTexts(Alarm &alarm, const NodeStatus &node, WallTime now)
{
    const std::string name = printable(node.name);
    const Message reason = alarm::sentence(node.reason);
    switch (node.state) {
    case NodeState::lost:
        alarm.fact = node.retryInSeconds >= 1
                         ? message("Node %1 is lost, retry in %2", name, durationText(node.retryInSeconds))
                         : message("Node %1 is lost", name);
        alarm.rest = joined({lastContact(node, now), reason});
        alarm.fix = reason.ends_with(saysSo) ? "The state of its ranks is unknown until then." : triesAgain;
        return;
    case NodeState::refused:
    case NodeState::unsupported:
        alarm.fact = node.state == NodeState::refused ? message("Node %1 is refused", name)
                                                      : message("Node %1 cannot be watched", name);
        alarm.rest = reason;
        alarm.fix = node.state == NodeState::refused ? "Correct the cause, then try again."
                                                     : "The state of its ranks stays unknown.";
        return;
    case NodeState::needsYou:
        alarm.fact = node.hostKey ? message("Node %1 shows an unknown host key", name)
                                  : message("Node %1 needs you to log in", name);
        alarm.rest = reason;
        alarm.fix = "Answer its question.";
        return;
    case NodeState::stale:
        alarm.fact = node.lastContact == WallTime{}
                         ? message("Node %1 is silent", name)
                         : message("Node %1 has been silent for %2", name, durationText(silence(node, now)));
        alarm.rest = reason;
        alarm.fix = "Wait, or connect again.";
        return;
    case NodeState::queued:
    case NodeState::connecting:
        alarm.fact = message("Node %1 is lost, trying again", name);
        alarm.rest = joined({lastContact(node, now), reason});
        alarm.fix = triesAgain;
        return;
    case NodeState::live: return;
    }
}

std::optional<Alarm> begun(const NodeStatus &node, WallTime now)
{
    const bool tries = node.state == NodeState::queued || node.state == NodeState::connecting;
    if (node.state == NodeState::live || (tries && node.reason.empty())) return std::nullopt;  // the first try
    Alarm alarm{.code = AlarmCode::nodeLost, .nodes = {node.name}};
    if (node.state == NodeState::needsYou) {
        alarm.code = AlarmCode::nodeNeedsYou;
        alarm.severity = Severity::info;
        alarm.acts = {AlarmAct::answerNode};
    } else if (!tries && node.state != NodeState::unsupported) {
        alarm.acts = {AlarmAct::retryNode};
    }
    if (node.state == NodeState::stale) alarm.code = AlarmCode::nodeStale;
    if (node.state == NodeState::refused) alarm.severity = Severity::alarm;
    setTexts(alarm, node, now);
    return alarm;
}

}  // namespace

std::vector<Alarm> nodeAlarms(const Picture &picture)
{
    std::vector<Alarm> all;
    std::map<std::string_view, std::vector<int>> ranksOf;  // made when one is lost
    for (const NodeStatus &node : picture.view.nodes) {
        std::optional<Alarm> alarm = begun(node, picture.now);
        if (!alarm) continue;
        for (const WallTime at : {node.since, node.lastContact})  // `since` alone changes with each try
            if (at != WallTime{}) alarm->since = std::min(alarm->since.value_or(at), at);
        alarm->of = static_cast<int>(picture.view.ranks.size());
        if (ranksOf.empty())
            for (const RankState &rank : picture.view.ranks) ranksOf[rank.node].push_back(rank.rank);
        alarm->ranks = ranksOf[node.name];
        all.push_back(std::move(*alarm));
    }
    return all;
}

}  // namespace rankdeck
