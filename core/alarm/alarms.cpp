// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alarm/alarm.h"
#include "core/alarm/rules.h"

#include "core/base/text.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace rankdeck {
namespace {

using Rule = std::vector<Alarm> (*)(const Picture &);

// A new rule is a file and one line in this list.
constexpr Rule rules[] = {
    diedAlarms,  stopStuckAlarms,  nanAlarms,  stalledAlarms,      notProvenAlarms, beganAnewAlarms,  nodeAlarms,
    armedAlarms, silentLogsAlarms, saveAlarms, nothingValidAlarms, schedulerAlarms, rendezvousAlarms, noteAlarms,
};

}  // namespace

const char *alarmCodeName(AlarmCode code)
{
    switch (code) {
    case AlarmCode::jobDied: return "job_died";
    case AlarmCode::rankDied: return "rank_died";
    case AlarmCode::stopStuck: return "stop_stuck";
    case AlarmCode::nanLoss: return "nan_loss";
    case AlarmCode::stalled: return "stalled";
    case AlarmCode::notProven: return "not_proven";
    case AlarmCode::beganAnew: return "began_anew";
    case AlarmCode::jobWaits: return "job_waits";
    case AlarmCode::nodeLost: return "node_lost";
    case AlarmCode::armedLong: return "armed_long";
    case AlarmCode::timeLimit: return "time_limit";
    case AlarmCode::logsSilent: return "logs_silent";
    case AlarmCode::diskFull: return "disk_full";
    case AlarmCode::saveFailed: return "save_failed";
    case AlarmCode::nothingValid: return "nothing_valid";
    case AlarmCode::deviceUnhealthy: return "device_unhealthy";
    case AlarmCode::saveOverdue: return "save_overdue";
    case AlarmCode::nodeNeedsYou: return "node_needs_you";
    case AlarmCode::nodeStale: return "node_stale";
    case AlarmCode::leftArmed: return "left_armed";
    case AlarmCode::note: return "note";
    }
    return "note";
}

const char *severityName(Severity severity)
{
    switch (severity) {
    case Severity::info: return "info";
    case Severity::warn: return "warn";
    case Severity::alarm: return "alarm";
    }
    return "info";
}

std::vector<Alarm> findAlarms(const Picture &picture)
{
    std::vector<Alarm> all;
    for (const Rule rule : rules) {
        std::vector<Alarm> found = rule(picture);
        std::move(found.begin(), found.end(), std::back_inserter(all));
    }
    std::stable_sort(all.begin(), all.end(), [](const Alarm &a, const Alarm &b) { return a.code < b.code; });
    return all;
}

bool isOfNodes(AlarmCode code) { return code != AlarmCode::diskFull && code != AlarmCode::saveFailed; }

bool sameAlarm(const Alarm &a, const Alarm &b)
{
    return a.code == b.code && (a.nodes == b.nodes || !isOfNodes(a.code)) &&
           (a.code != AlarmCode::note || a.fact == b.fact);
}

Message Alarm::text() const
{
    const bool ended = fact.empty() || std::string_view(".!?").find(fact.back()) != std::string_view::npos;
    return joined({ended || code == AlarmCode::note ? fact : message("%1.", fact), rest});
}

namespace alarm {

const RankState *stateOf(const Picture &picture, int rank)
{
    const SharedVector<RankState> &ranks = picture.view.ranks;
    const auto at = std::lower_bound(ranks.begin(), ranks.end(), rank,
                                     [](const RankState &state, int wanted) { return state.rank < wanted; });
    return at == ranks.end() || at->rank != rank ? nullptr : &*at;
}

const NodeStatus *NodeFinder::find(const std::string &name)
{
    for (const std::size_t near : {m_at, m_at + 1})
        if (near < m_nodes.size() && m_nodes[near].name == name) return &m_nodes[m_at = near];
    if (m_index.empty())
        for (std::size_t i = 0; i < m_nodes.size(); ++i) m_index.emplace(m_nodes[i].name, i);
    const auto at = m_index.find(name);
    return at == m_index.end() ? nullptr : &m_nodes[m_at = at->second];
}

bool NodeFinder::answers(const std::string &name)
{
    const NodeStatus *node = find(name);
    return node == nullptr || node->state == NodeState::live;
}

WallTime NodeFinder::heard(const std::string &name, WallTime otherwise)
{
    const NodeStatus *node = find(name);
    return node == nullptr || node->lastContact == WallTime{} ? otherwise : std::min(node->lastContact, otherwise);
}

Message unknownRanks(const Contacts &heard)
{
    if (heard.unheard.empty()) return {};
    const std::size_t count = heard.unheard.size();
    const Message what =
        count == 1 ? message("Status of 1 rank unknown") : message("Status of %1 ranks unknown", count);
    std::string nodes;
    for (const std::string &node : heard.silentNodes) nodes += (nodes.empty() ? "" : ", ") + printable(node);
    if (nodes.empty()) return message("%1.", what);
    return heard.silentSeconds ? message("%1 (%2: no contact for %3).", what, nodes, durationText(*heard.silentSeconds))
                               : message("%1 (%2: no contact).", what, nodes);
}

void takeUnknown(Alarm &alarm, Contacts &&heard)
{
    alarm.unheard = std::move(heard.unheard);
    alarm.silentNodes = std::move(heard.silentNodes);
}

Contacts heardOf(const Picture &picture)
{
    Contacts heard;
    heard.unheard = picture.fates.unknown;
    NodeFinder nodes(picture.view.nodes);
    const auto nodeOf = [&](int rank) -> const NodeStatus * {
        const RankState *state = stateOf(picture, rank);
        return state ? nodes.find(state->node) : nullptr;
    };
    for (int rank : picture.fates.running) {
        const NodeStatus *node = nodeOf(rank);
        const bool silent = node && node->state != NodeState::live;
        (silent ? heard.unheard : heard.running).push_back(rank);
    }
    std::sort(heard.unheard.begin(), heard.unheard.end());
    std::set<const NodeStatus *> told;
    for (int rank : heard.unheard) {
        const NodeStatus *node = nodeOf(rank);
        if (!node || node->state == NodeState::live) continue;
        if (!told.insert(node).second) continue;
        heard.silentNodes.push_back(node->name);
        if (node->lastContact == WallTime{}) continue;
        const double silence = std::max(0.0, secondsBetween(node->lastContact, picture.now));
        heard.silentSeconds = std::max(heard.silentSeconds.value_or(silence), silence);
    }
    return heard;
}

namespace {

std::string listOf(std::vector<int> ranks)
{
    std::sort(ranks.begin(), ranks.end());
    return rankList(ranks);
}

}  // namespace

Message ranksText(const std::vector<int> &ranks, int all)
{
    if (static_cast<int>(ranks.size()) == all && all > 1) return message("all %1 ranks", all);
    return ranks.size() == 1 ? message("rank %1", ranks.front()) : message("ranks %1", listOf(ranks));
}

Message ranksStart(const std::vector<int> &ranks, int all)
{
    if (static_cast<int>(ranks.size()) == all && all > 1) return message("All %1 ranks", all);
    return ranks.size() == 1 ? message("Rank %1", ranks.front()) : message("Ranks %1", listOf(ranks));
}

Message firstLine(const Message &text)
{
    const std::string &plain = text;
    const std::size_t end = plain.find('\n');
    return withoutStop(printable(end == std::string::npos ? text : Message(plain.substr(0, end))));
}

Message sentence(const Message &text)
{
    const Message line = firstLine(text);
    return line.empty() ? Message() : message("%1.", line);
}

std::string setText(const CheckpointSet &set) { return set.position ? grouped(*set.position) : set.id; }

std::string resumeFix(const Picture &picture)
{
    if (const KeptSet *kept = keptBefore(picture.view)) return "Put " + keptText(*kept) + " back and resume from it.";
    const CheckpointSet *best = picture.view.checkpoints.newestValid();
    if (best) return "Resume from " + setText(*best) + ".";
    if (!picture.view.checkpoints.settled) return "The checkpoints are being read.";
    return picture.view.lostWork.atMost ? "No set is known to be VALID: check the sets."
                                        : "No set is VALID: check the sets.";
}

Message keptWay(const KeptSet &set) { return message("%1 is kept: put it back, then resume from it.", keptText(set)); }

Message keptUnknown(const JobState &view)
{
    if (view.kept->listing == KeptListing::listed) return {};
    if (view.kept->listing == KeptListing::notYet) return message("The kept sets are not listed yet.");
    if (view.kept->problem.empty()) return message("The kept sets could not be listed.");
    return message("The kept sets could not be listed (%1).", withoutStop(printable(view.kept->problem)));
}

void tellKept(Alarm &alarm, const KeptSet &set)
{
    alarm.set = set.id;
    alarm.setStep = set.position;
    alarm.setKept = alarm.putBack = true;
}

std::optional<std::int64_t> lastStep(const Picture &picture)
{
    std::optional<std::int64_t> last;
    for (const RankState &rank : picture.view.ranks)
        if (rank.progress.attempt == picture.view.attempt && rank.progress.position)
            last = std::max(last.value_or(*rank.progress.position), *rank.progress.position);
    return last;
}

}  // namespace alarm
}  // namespace rankdeck
