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

std::optional<Alarm> begun(const NodeStatus &node, WallTime now)
{
    const std::string name = printable(node.name);
    const std::string silence =
        node.lastContact == WallTime{}
            ? ""
            : " Last contact " + durationText(std::max(0.0, secondsBetween(node.lastContact, now))) + " ago.";
    Alarm alarm{.nodes = {node.name}};
    alarm.detail = printable(node.reason);
    alarm.acts = {AlarmAct::retryNode};
    switch (node.state) {
    case NodeState::lost:
        alarm.code = AlarmCode::nodeLost;
        alarm.text = "Node " + name + " is lost." + silence;
        alarm.fix = std::string(alarm.detail.ends_with(saysSo) ? "The" : "Rankdeck tries again; the") +
                    " state of its ranks is unknown until then.";
        return alarm;
    case NodeState::refused:
    case NodeState::unsupported:
        alarm.code = AlarmCode::nodeLost;
        alarm.severity = node.state == NodeState::refused ? Severity::alarm : Severity::warn;
        alarm.text = "Node " + name + (node.state == NodeState::refused ? " is refused." : " cannot be watched.");
        alarm.fix = alarm.detail;
        if (node.state == NodeState::unsupported) alarm.acts.clear();
        return alarm;
    case NodeState::needsYou:
        alarm.code = AlarmCode::nodeNeedsYou;
        alarm.severity = Severity::info;
        alarm.text = "Node " + name + (node.hostKey ? " shows an unknown host key." : " needs you to log in.");
        alarm.fix = "Answer its question.";
        alarm.acts = {AlarmAct::answerNode};
        return alarm;
    case NodeState::stale:
        alarm.code = AlarmCode::nodeStale;
        alarm.text = "Node " + name + " is silent." + silence;
        alarm.fix = "Wait, or connect again.";
        return alarm;
    case NodeState::queued:
    case NodeState::connecting:
        if (node.reason.empty()) return std::nullopt;  // the first try
        alarm.code = AlarmCode::nodeLost;
        alarm.text = "Node " + name + " is lost." + silence;
        alarm.fix = "Rankdeck tries again; the state of its ranks is unknown until then.";
        alarm.acts.clear();
        return alarm;
    case NodeState::live: return std::nullopt;
    }
    return std::nullopt;
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
        if (!alarm->detail.empty() && alarm->fix != alarm->detail) alarm->text += " " + alarm->detail;
        all.push_back(std::move(*alarm));
    }
    return all;
}

}  // namespace rankdeck
