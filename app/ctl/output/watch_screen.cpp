// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/output/watch_screen.h"

#include "app/ctl/output/status_words.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace rankdeck::ctl {
namespace {

constexpr std::size_t mostAlarms = 4, mostAlarmLines = 4, mostSets = 5, mostEvents = 12, fewestEvents = 4;

// Lines of one screen: never wider or more than fit the terminal.
class Lines {
public:
    explicit Lines(const Screen &screen) : m_screen(screen) {}
    void add(const std::string &text, bool loud = false) { addWrapped(text, 1, loud); }
    // Important lines are not cut but wrapped and indented.
    void addWrapped(const std::string &text, std::size_t most, bool loud)
    {
        for (const std::string &line : wrapped(replaceAll(text, "\t", " "), m_screen.size.columns, 4, most))
            if (left() > 0) m_lines.push_back(loud && m_screen.colour ? loudly(line) : line);
    }
    [[nodiscard]] std::size_t left() const { return m_screen.size.rows - m_lines.size(); }
    [[nodiscard]] std::vector<std::string> all() && { return std::move(m_lines); }

private:
    Screen m_screen;
    std::vector<std::string> m_lines = {};
};

void addHead(Lines &lines, const Snapshot &s)
{
    const JobState &view = s.view;
    const auto live = std::count_if(view.nodes.begin(), view.nodes.end(),
                                    [](const NodeStatus &node) { return node.state == NodeState::live; });
    std::string head = printable(view.job.name) + "  " + clockTime(s.at) + "  " + std::to_string(live) + " of " +
                       std::to_string(view.nodes.size()) + " nodes live";
    if (view.attempt >= 0) head += "  attempt " + std::to_string(view.attempt + 1);
    const bool armed =
        std::any_of(view.flags.begin(), view.flags.end(), [](const FlagState &flag) { return flag.armed; });
    lines.add(head + (armed ? "  ARMED" : ""), armed);
    for (std::size_t i = 0; i < std::min(s.alarms.size(), mostAlarms); ++i)
        lines.addWrapped(alarmText(s.alarms[i]), i == 0 ? mostAlarmLines : 2, s.alarms[i].severity == Severity::alarm);
    if (s.alarms.size() > mostAlarms) lines.add("and " + std::to_string(s.alarms.size() - mostAlarms) + " more");
}

// If there is no room for all ranks: those in trouble first.
std::vector<std::size_t> shownRanks(const Fates &fates, std::size_t most)
{
    std::vector<std::size_t> order(fates.of.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    if (order.size() <= most) return order;
    std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return fates.of[i] != Fate::runs; });
    order.resize(most);
    std::sort(order.begin(), order.end());
    return order;
}

// The ranks that are not shown: "and 490 more: 488 run, 2 died".
std::string restText(const Fates &fates, const std::vector<std::size_t> &shown)
{
    std::map<Fate, std::size_t> rest;
    for (const Fate fate : fates.of) ++rest[fate];
    for (const std::size_t i : shown) --rest[fates.of[i]];
    std::string text;
    for (const auto &[fate, count] : rest)
        if (count > 0)
            text += (text.empty() ? ": " : ", ") + grouped(static_cast<int>(count)) + " " +
                    (fate == Fate::runs ? "run" : fateText(fate));
    return "      and " + grouped(static_cast<int>(fates.of.size() - shown.size())) + " more" + text;
}

void addRanks(Lines &lines, const Snapshot &s, std::size_t room)
{
    if (room < 3 || s.view.ranks.empty()) return;
    const Fates fates = pictureOf(s, s.at).fates;
    const bool all = fates.of.size() + 1 <= room;
    const std::vector<std::size_t> shown = shownRanks(fates, all ? room - 1 : room - 2);
    lines.add(right("rank", 5) + right("step", 11) + right("loss", 12) + right("age", 9) + "  state");
    for (const std::size_t i : shown) {
        const RankState &rank = s.view.ranks[i];
        const RankProgress &at = rank.progress;
        lines.add(right(std::to_string(rank.rank), 5) + right(at.position ? grouped(*at.position) : "-", 11) +
                      right(at.hasLoss ? std::to_string(at.loss) : "-", 12) +
                      right(at.seen() ? durationText(secondsBetween(at.heard, s.at)) : "", 9) + "  " +
                      fateText(fates.of[i]),
                  fates.of[i] == Fate::died);
    }
    if (!all) lines.add(restText(fates, shown));
}

void addSets(Lines &lines, const Snapshot &s)
{
    const SharedVector<CheckpointSet> &sets = s.view.checkpoints.sets;
    const CheckpointSet *valid = s.view.checkpoints.newestValid();
    for (std::size_t i = 0; i < std::min<std::size_t>(sets.size(), mostSets); ++i) {
        const CheckpointSet &set = sets[i];
        lines.add("set " + left(printable(set.id), 14) +
                  left(set.position ? "step " + grouped(*set.position) : "", 14) + left(verdictName(set.verdict), 15) +
                  (set.reasons.empty() ? "" : printable(set.reasons.front().text)) +
                  (valid == &set ? "  <- newest VALID" : ""));
    }
    lines.add(std::string(lostCaption(pictureOf(s, s.at))) + ": " + lostText(s.view.lostWork) +
              unlistedText(s.view.checkpoints));
    for (const std::string &line : keptLines(*s.view.kept)) lines.add(line);
}

// The newest events, as many as fit.
void addEvents(Lines &lines, const Snapshot &s)
{
    const SharedVector<Event> &events = s.view.recentEvents;
    const std::size_t room =
        std::min({events.size(), mostEvents, lines.left() - std::min<std::size_t>(lines.left(), 1)});
    for (std::size_t i = events.size() - room; i < events.size(); ++i)
        lines.add(clockTime(events[i].time) + "  " + eventKindName(events[i].kind) +
                  (events[i].rank < 0 ? "" : " rank " + std::to_string(events[i].rank)) + ": " +
                  printable(events[i].text.substr(0, events[i].text.find('\n'))));
}

}  // namespace

std::vector<float> lossesOf(const Engine &engine, int columns)
{
    std::vector<float> losses;
    engine.withRun([&](const Run &run) {
        const std::optional<std::int64_t> last = run.lastPosition();
        if (!last || columns < 1) return;
        const std::int64_t steps = *last + 1;
        const int parts = static_cast<int>(std::min<std::int64_t>(columns, steps));
        for (const EnvelopeColumn &column : run.envelope(ColumnGrid::between(0, static_cast<double>(steps), parts)))
            losses.push_back(column.ranks > 0 ? column.median : std::numeric_limits<float>::quiet_NaN());
    });
    return losses;
}

std::string sparkline(const std::vector<float> &losses)
{
    static constexpr std::array<const char *, 8> bars = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    float low = std::numeric_limits<float>::max(), high = std::numeric_limits<float>::lowest();
    for (const float loss : losses) {
        if (!std::isfinite(loss)) continue;
        low = std::min(low, loss);
        high = std::max(high, loss);
    }
    std::string line;
    for (const float loss : losses) {
        const float share = std::isfinite(loss) && high > low ? (loss - low) / (high - low) : 0;
        line += std::isfinite(loss) ? bars[static_cast<std::size_t>(std::lround(share * 7))] : " ";
    }
    return line;
}

std::vector<std::string> watchScreen(const Snapshot &snapshot, const std::vector<float> &losses, const Screen &screen)
{
    Lines lines(screen);
    addHead(lines, snapshot);
    if (!losses.empty()) lines.add("loss " + sparkline(losses));
    const std::size_t below = std::min<std::size_t>(snapshot.view.checkpoints.sets.size(), mostSets) + 1 +
                              std::min<std::size_t>(snapshot.view.recentEvents.size(), fewestEvents) + 1;
    addRanks(lines, snapshot, lines.left() - std::min(lines.left(), below));
    addSets(lines, snapshot);
    addEvents(lines, snapshot);
    lines.add("q or Ctrl-C ends this view; the job is not affected.");
    return std::move(lines).all();
}

}  // namespace rankdeck::ctl
