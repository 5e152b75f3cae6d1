// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/scene/lane_data.h"

#include "ui/deck/scene/step_axis.h"
#include "ui/state/run_state.h"
#include "ui/style/format.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

namespace rankdeck::ui {
namespace {

constexpr int sharesBelow = 18;
constexpr int sharesWithCount = 28;  // px; the count needs its own room

bool silent(NodeState state) { return state != NodeState::live; }

std::map<int, WallTime> deathsOf(const Snapshot &snapshot)
{
    std::map<int, WallTime> deaths;
    for (const Event &event : snapshot.view.recentEvents) {
        if (event.kind != EventKind::rankDied || event.attempt != snapshot.view.attempt) continue;
        if (event.rank >= 0) deaths.emplace(event.rank, event.time);
        for (const int rank : event.ranks) deaths.emplace(rank, event.time);
    }
    return deaths;
}

void addBlocks(LaneData &lanes, const Snapshot &s)
{
    std::map<std::string, std::vector<const RankState *>> byNode;
    std::vector<std::string> order;
    for (const NodeStatus &node : s.view.nodes)
        if (byNode.try_emplace(node.name).second) order.push_back(node.name);
    for (const RankState &rank : s.view.ranks) {
        if (byNode.try_emplace(rank.node).second) order.push_back(rank.node);
        byNode[rank.node].push_back(&rank);
    }
    for (const std::string &name : order) {
        auto &ranks = byNode[name];
        if (ranks.empty()) continue;
        std::sort(ranks.begin(), ranks.end(), [](const auto *a, const auto *b) { return a->rank < b->rank; });
        LaneBlock block;
        block.node = fromNode(name);
        block.firstRow = static_cast<int>(lanes.rows.size());
        block.rows = static_cast<int>(ranks.size());
        for (const NodeStatus &node : s.view.nodes) {
            if (node.name != name) continue;
            block.state = node.state;
            block.retryInSeconds = node.retryInSeconds;
            if (knowsTime(node.lastContact)) block.lastContact = node.lastContact;
        }
        block.armed = std::any_of(s.view.flags.begin(), s.view.flags.end(),
                                  [&](const FlagState &flag) { return flag.node == name && flag.armed; });
        for (const RankState *rank : ranks) {
            LaneRow row;
            row.rank = rank->rank;
            row.block = static_cast<int>(lanes.blocks.size());
            lanes.rows.push_back(row);
        }
        lanes.blocks.push_back(block);
    }
}

// skew: seconds that the node's clock is ahead.
RankStatus statusOf(const RankState &rank, const Snapshot &s, const RunState &run, NodeState node, double skew)
{
    if (std::count(run.died.begin(), run.died.end(), rank.rank) > 0) return RankStatus::died;
    if (silent(node) && rank.progress.position) return RankStatus::noNews;
    if (std::count(run.exited.begin(), run.exited.end(), rank.rank) > 0) return RankStatus::exited;
    if (std::count(run.ended.begin(), run.ended.end(), rank.rank) > 0) return RankStatus::ended;
    if (!rank.progress.position || !knowsTime(rank.progress.heard)) return RankStatus::notStarted;
    const double patience = std::max(10.0, 3 * s.view.stepSeconds.value_or(0));
    const bool late = secondsSince(rank.progress.heard, s.at) > patience && !hasJustBegun(rank, skew);
    if (!late) return RankStatus::runs;
    return rank.alive.isYes() ? RankStatus::waits : RankStatus::noNews;  // noNews: it is unknown whether the rank runs
}

void fillRows(LaneData &lanes, const Snapshot &s)
{
    const RunState run = runState(s);
    lanes.lostAlready = run.hasDied() || !run.mayRun() || lossIsBroken(s);
    const auto deaths = deathsOf(s);
    std::map<int, const RankState *> byRank;
    for (const RankState &rank : s.view.ranks) byRank.emplace(rank.rank, &rank);
    std::set<int> suspects;  // ranks named by the banner; marked here, so that lanes and banner agree
    for (const Alarm &alarm : findAlarms(pictureOf(s, s.at)))
        if (alarm.code == AlarmCode::stalled)  // in a job with one rank, no other rank waits for it
            suspects.insert(alarm.ranks.begin(),
                            alarm.of == 1 ? alarm.ranks.end() : alarm.ranks.begin() + alarm.confirmed);
    std::map<QString, double> skews;
    for (const NodeStatus &node : s.view.nodes) skews[fromNode(node.name)] = node.facts.clockSkewSeconds;
    for (LaneRow &row : lanes.rows) {
        const RankState &rank = *byRank.at(row.rank);
        const LaneBlock &block = lanes.blocks[static_cast<std::size_t>(row.block)];
        row.hangs = suspects.count(row.rank) > 0;
        row.status = statusOf(rank, s, run, block.state, skews[block.node]);
        row.position = rank.progress.position;
        if (rank.progress.hasLoss) row.loss = rank.progress.loss;
        if (knowsTime(rank.progress.heard)) row.heard = rank.progress.heard;
        const auto death = deaths.find(row.rank);
        if (row.status == RankStatus::died && death != deaths.end()) row.diedAt = death->second;
        if (rank.progress.attempt == s.view.attempt && row.position)
            lanes.last = std::max(lanes.last.value_or(*row.position), *row.position);
    }
}

bool discarded(const CheckpointSet &set, qint64 position, const std::vector<AttemptInfo> &attempts)
{
    return std::any_of(attempts.begin(), attempts.end(), [&](const AttemptInfo &attempt) {
        return attempt.index == set.attempt && attempt.discardedAfter && position > *attempt.discardedAfter;
    });
}

LaneColumn columnOfSet(const CheckpointSet &set, qint64 position, const LaneData &lanes,
                       const std::map<int, std::size_t> &rowOfRank, const std::string &newest)
{
    LaneColumn column;
    column.id = fromNode(set.id);
    column.position = position;
    column.verdict = set.verdict;
    column.kind = set.kind;
    column.newestValid = set.id == newest;
    column.ghost = !column.newestValid && discarded(set, position, lanes.snapshot->view.attempts);
    column.pruned = !set.reasons.empty() && set.reasons.front().code == "pruned";
    column.cells.assign(lanes.rows.size(), Glyph::none);
    for (const MemberVerdict &member : set.members) {
        const auto row = rowOfRank.find(member.rank);
        if (row != rowOfRank.end())
            column.cells[row->second] = column.pruned ? Glyph::pruned : memberGlyph(member, column.newestValid);
    }
    return column;
}

void addColumns(LaneData &lanes, const Snapshot &s)
{
    std::map<int, std::size_t> rowOfRank;
    for (std::size_t row = 0; row < lanes.rows.size(); ++row) rowOfRank.emplace(lanes.rows[row].rank, row);
    const CheckpointReport &report = s.view.checkpoints;
    const CheckpointSet *newest = report.newestValid();
    const std::string newestId = newest ? newest->id : std::string();
    for (std::size_t i = 0; i < report.sets.size(); ++i) {
        const CheckpointSet &set = report.sets[i];
        const auto position = positionOf(set);
        if (position < 0) continue;
        lanes.columns.push_back(columnOfSet(set, position, lanes, rowOfRank, newestId));
        lanes.columns.back().set = i;
    }
    // The report has the newest set first. The list is reversed before the stable sort, so that the older attempt comes
    // first.
    std::reverse(lanes.columns.begin(), lanes.columns.end());
    std::stable_sort(lanes.columns.begin(), lanes.columns.end(),
                     [](const LaneColumn &a, const LaneColumn &b) { return a.position < b.position; });
    for (std::size_t i = 0; i < lanes.columns.size(); ++i)
        if (lanes.columns[i].newestValid) lanes.newestValid = static_cast<int>(i);
}

}  // namespace

LaneData lanesOf(std::shared_ptr<const Snapshot> snapshot)
{
    LaneData lanes;
    lanes.snapshot = std::move(snapshot);
    const Snapshot &s = *lanes.snapshot;
    addBlocks(lanes, s);
    fillRows(lanes, s);
    addColumns(lanes, s);
    std::optional<qint64> first;
    for (const AttemptInfo &attempt : s.view.attempts) {
        if (attempt.firstStep) first = std::min(first.value_or(*attempt.firstStep), qint64(*attempt.firstStep));
        const auto begins = attempt.resumedFrom ? attempt.resumedFrom : attempt.firstStep;
        if (!begins) continue;
        Seam seam{attempt.index, *begins, {}};
        if (attempt.resumedFrom) seam.resumedFrom = *attempt.resumedFrom;
        lanes.seams.push_back(seam);
    }
    for (const LaneColumn &column : lanes.columns) first = std::min(first.value_or(column.position), column.position);
    // If the job was watched nearly from its start, its axis begins at 0.
    lanes.first = first.value_or(0);
    if (lanes.first <= std::max<qint64>(lanes.last.value_or(0) / 20, 1)) lanes.first = 0;
    return lanes;
}

int LaneData::columnOf(const QString &setId) const
{
    const auto found =
        std::find_if(columns.begin(), columns.end(), [&](const LaneColumn &column) { return column.id == setId; });
    return found == columns.end() ? -1 : static_cast<int>(found - columns.begin());
}

int LaneData::rowOf(int rank) const
{
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const LaneRow &row) { return row.rank == rank; });
    return found == rows.end() ? -1 : static_cast<int>(found - rows.begin());
}

const CheckpointSet &LaneData::setOf(int column) const
{
    return snapshot->view.checkpoints.sets.at(columns.at(static_cast<std::size_t>(column)).set);
}

const MemberVerdict *LaneData::memberAt(int column, int row) const
{
    if (column < 0 || row < 0) return nullptr;
    const int rank = rows.at(static_cast<std::size_t>(row)).rank;
    for (const MemberVerdict &member : setOf(column).members)
        if (member.rank == rank) return &member;
    return nullptr;
}

int severity(Verdict verdict)
{
    switch (verdict) {
    case Verdict::valid: return 0;
    case Verdict::validUnproven: return 1;
    case Verdict::inProgress: return 2;
    case Verdict::unknown: return 3;
    case Verdict::incomplete: return 4;
    case Verdict::inconsistent: return 5;
    case Verdict::corrupt: break;
    }
    return 6;
}

int severity(Glyph memberSign)
{
    switch (memberSign) {
    case Glyph::okNewest: return 1;
    case Glyph::replica: return 2;
    case Glyph::unread: return 3;
    case Glyph::saving: return 4;
    case Glyph::unreadable: return 5;
    case Glyph::missing: return 6;
    case Glyph::shortFile: return 7;
    case Glyph::mismatch: return 8;
    case Glyph::torn: return 9;
    default: return 0;
    }
}

bool isException(Glyph memberSign) { return severity(memberSign) >= 5; }
bool isTrouble(Verdict verdict) { return severity(verdict) >= 3; }

int attemptAt(const std::vector<AttemptInfo> &attempts, double position)
{
    int found = -1;
    for (const AttemptInfo &attempt : attempts) {
        const auto begins = attempt.resumedFrom ? attempt.resumedFrom : attempt.firstStep;
        const bool covers = begins && position >= static_cast<double>(*begins) && attempt.firstStep;
        if (covers || (found < 0 && attempt.firstStep)) found = attempt.index;
    }
    return found;
}

std::vector<int> columnPixels(const LaneData &lanes, const StepAxis &axis)
{
    std::vector<int> pixels;
    pixels.reserve(lanes.columns.size());
    std::vector<int> living;
    for (const LaneColumn &column : lanes.columns) {
        pixels.push_back(axis.column(static_cast<double>(column.position)));
        if (!column.ghost) living.push_back(pixels.back());
    }
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        if (!lanes.columns[i].ghost) continue;
        const auto near = std::lower_bound(living.begin(), living.end(), pixels[i] - 9);
        if (near != living.end() && *near <= pixels[i] + 14) pixels[i] -= 10;
    }
    return pixels;
}

std::vector<ColumnGroup> columnGroups(const LaneData &lanes, const StepAxis &axis)
{
    const std::vector<int> pixels = columnPixels(lanes, axis);
    std::vector<ColumnGroup> groups;
    std::vector<int> starts;  // first pixel of each group
    const auto &columns = lanes.columns;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const int x = pixels[i];
        if (x < axis.left() - 8 || x > axis.right() + 8) continue;
        const int index = static_cast<int>(i);
        ColumnGroup *open = groups.empty() ? nullptr : &groups.back();
        const bool joins = open && x - starts.back() < (open->count > 1 ? sharesWithCount : sharesBelow) &&
                           !columns[i].newestValid && open->last != lanes.newestValid &&
                           columns[i].ghost == columns[std::size_t(open->last)].ghost &&
                           columns[i].pruned == columns[std::size_t(open->last)].pruned;
        if (!joins) {
            groups.push_back({index, index, index, x, 1});
            starts.push_back(x);
            continue;
        }
        open->last = index;
        ++open->count;
        if (severity(columns[i].verdict) >= severity(columns[std::size_t(open->worst)].verdict)) {
            open->worst = index;
            open->x = x;
        }
    }
    // A bad set close to the newest VALID one is moved sideways, so that neither hides the other.
    if (lanes.newestValid < 0) return groups;
    const int valid = pixels[static_cast<std::size_t>(lanes.newestValid)];
    for (ColumnGroup &group : groups) {
        if (group.first == lanes.newestValid || std::abs(group.x - valid) >= 17) continue;
        if (columns[std::size_t(group.worst)].pruned) continue;
        group.x = group.first < lanes.newestValid ? valid - 17 : valid + 17;
    }
    return groups;
}

Glyph signIn(const LaneData &lanes, const ColumnGroup &group, std::size_t row)
{
    Glyph worst = lanes.columns[static_cast<std::size_t>(group.first)].cells[row];
    for (int i = group.first + 1; i <= group.last; ++i) {
        const Glyph sign = lanes.columns[static_cast<std::size_t>(i)].cells[row];
        if (worst == Glyph::none || severity(sign) > severity(worst)) worst = sign;
    }
    return worst;
}

}  // namespace rankdeck::ui
