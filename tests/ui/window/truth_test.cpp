// SPDX-License-Identifier: GPL-3.0-or-later
// Each fault in each state over three minutes. Every text in the window and in the alarms of core is compared with the
// true state of that world. No text may be false, even if no new data arrives. To let time pass, the test moves the
// scene a number of seconds into the past and lets the ranks that still run continue. RANKDECK_RENDER_DIR keeps a
// screenshot of each.
#include "tests/ui/fault_scenes.h"
#include "tests/ui/scene_clock.h"
#include "tests/ui/settle.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/deck/lanes/lane_view.h"

#include "core/alarm/alarm.h"

#include <QAbstractButton>
#include <QAbstractItemModel>
#include <QDir>
#include <QRegularExpression>
#include <QTableView>

#include <set>

namespace rankdeck::ui::truth_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Ranks = std::set<int>;

constexpr int all = 8;
constexpr int sinceBegin[] = {0, 10, 45, 180};  // seconds after the fault at which the window is read

// The true state of the job after a fault.
struct World {
    const char *name;
    void (*happen)(Snapshot &);
    Ranks runs, died;
    Ranks unknown = {};  // the node does not answer
    Ranks gone = {};     // ended by the stop, as intended
    Ranks hang = {};     // hang on their own; a rank that waits for others does not count
    bool nan = false;
    bool steps = false;  // whether the running ranks make steps
    bool torn = false;   // whether a set is damaged
};

Ranks ranks(int from, int to)
{
    Ranks some;
    for (int rank = from; rank <= to; ++rank) some.insert(rank);
    return some;
}

Ranks without(Ranks some, const Ranks &others)
{
    for (const int rank : others) some.erase(rank);
    return some;
}

const Ranks everybody = ranks(0, all - 1), nobody = {};

std::vector<World> worlds()
{
    return {
        {.name = "nothing", .happen = [](Snapshot &) {}, .runs = everybody, .died = nobody, .steps = true},
        {.name = "kill one", .happen = scenes::killOne, .runs = without(everybody, {5}), .died = {5}},
        {.name = "kill all", .happen = scenes::killAll, .runs = nobody, .died = everybody},
        {.name = "kill two", .happen = scenes::killTwo, .runs = without(everybody, {1, 6}), .died = {1, 6}},
        {.name = "hang", .happen = scenes::hang, .runs = everybody, .died = nobody, .hang = {6}},
        {.name = "nan", .happen = scenes::nan, .runs = everybody, .died = nobody, .nan = true, .steps = true},
        {.name = "nan in one",
         .happen = scenes::nanInOne,
         .runs = everybody,
         .died = nobody,
         .nan = true,
         .steps = true},
        {.name = "nan and nothing left",
         .happen = scenes::nanAndNothingLeft,
         .runs = everybody,
         .died = nobody,
         .nan = true,
         .steps = true},
        {.name = "nan and kept",
         .happen = scenes::nanAndKept,
         .runs = everybody,
         .died = nobody,
         .nan = true,
         .steps = true},
        {.name = "nan stop", .happen = scenes::nanStop, .runs = nobody, .died = everybody, .nan = true},
        {.name = "nan and kill",
         .happen = scenes::nanAndKill,
         .runs = without(everybody, {5}),
         .died = {5},
         .nan = true},
        {.name = "tear", .happen = scenes::tear, .runs = everybody, .died = nobody, .steps = true, .torn = true},
        {.name = "cut",
         .happen = scenes::cut,
         .runs = ranks(0, 3),
         .died = nobody,
         .unknown = ranks(4, 7),
         .steps = true},
        {.name = "cut all", .happen = scenes::cutAll, .runs = nobody, .died = nobody, .unknown = everybody},
        {.name = "kill and cut", .happen = scenes::killAndCut, .runs = {0, 2, 3}, .died = {1}, .unknown = ranks(4, 7)},
        {.name = "hang and cut",
         .happen = scenes::hangAndCut,
         .runs = ranks(0, 3),
         .died = nobody,
         .unknown = ranks(4, 7),
         .hang = {2}},
        {.name = "full disk", .happen = scenes::fullDisk, .runs = nobody, .died = everybody},
        {.name = "reboot", .happen = scenes::reboot, .runs = ranks(0, 3), .died = ranks(4, 7)},
        {.name = "stop then die", .happen = scenes::stopThenDie, .runs = {3, 4, 6, 7}, .died = {5}, .gone = {0, 1, 2}},
        {.name = "left early",
         .happen = scenes::leftEarly,
         .runs = without(everybody, {3}),
         .died = nobody,
         .gone = {3}},
        {.name = "clocks apart", .happen = scenes::clocksApart, .runs = everybody, .died = nobody, .steps = true},
        {.name = "clocks apart and kill",
         .happen = scenes::clocksApartAndKill,
         .runs = without(everybody, {5}),
         .died = {5}},
        {.name = "comes late", .happen = scenes::comesLate, .runs = nobody, .died = nobody, .unknown = everybody},
    };
}

enum class State { running, armed, proving };
const std::pair<State, const char *> states[] = {
    {State::running, "running"}, {State::armed, "armed"}, {State::proving, "proving"}};

// The scene of a resume that has launched its plan and compares the losses.
Snapshot proving()
{
    Snapshot s = scenes::proven();
    s.resume->phase = "proving";
    s.resume->outcome = {};
    s.resume->continues = {};
    s.resume->text = {};
    s.resume->started = s.view.attempts.back().started - seconds(10);
    for (RankProof &rank : s.resume->ranks) rank.proven = false;
    return s;
}

// Nodes that answer had contact just now, and ranks that make steps have made them until now.
void goOn(Snapshot &s, const World &world, int passed)
{
    const WallTime now = wallNow();
    s.at = now;
    s.historySaved = now;
    s.exitPreflightAt = now;
    for (NodeStatus &node : s.view.nodes)
        if (node.state == NodeState::live) node.lastContact = now - milliseconds(300);
    if (!world.steps) return;
    for (RankState &rank : s.view.ranks) {
        if (!world.runs.contains(rank.rank)) continue;
        rank.progress.heard = now - milliseconds(400);
        *rank.progress.position += passed / 4;
    }
}

class Truth : public Window {
protected:
    static Snapshot before(State state)
    {
        return state == State::armed ? scenes::stopping(0, 0) : state == State::proving ? proving() : scenes::healthy();
    }
    // One window shows all faults in a state, one after another: texts that were true only before must disappear.
    void show(const World &world, State state, int passed)
    {
        scenes::tellSecondsAgo(passed);
        Snapshot s = before(state);
        world.happen(s);
        goOn(s, world, passed);
        m_snapshot = s;
        m_feed->set(std::move(s));
        settle();  // the deck draws only a few times a second
    }
    void keepPicture(const World &world, const char *state)
    {
        const QString dir = qEnvironmentVariable("RANKDECK_RENDER_DIR");
        if (dir.isEmpty()) return;
        QDir().mkpath(dir);
        const QString name = QString::fromLatin1(world.name).replace(QLatin1Char(' '), QLatin1Char('-'));
        EXPECT_TRUE(m_window->grab().save(QStringLiteral("%1/truth-%2-%3.png").arg(dir, name, QLatin1String(state))));
    }
    // All texts that a user can read: texts of the window, rows of its tables, the lanes and the title. Also core's
    // alarms as the terminal prints them.
    QStringList words()
    {
        QStringList found{m_window->windowTitle()};
        for (const auto *label : m_window->findChildren<QLabel *>())
            if (label->isVisible()) found << label->text() << label->accessibleName();
        for (const auto *one : m_window->findChildren<QAbstractButton *>())
            if (one->isVisible()) found << one->text();
        for (const auto *table : m_window->findChildren<QTableView *>()) {
            if (!table->isVisible()) continue;
            const QAbstractItemModel *model = table->model();
            for (int row = 0; row < model->rowCount(); ++row) {
                QStringList cells;
                for (int column = 0; column < model->columnCount(); ++column)
                    cells << model->index(row, column).data().toString();
                found << cells.join(QStringLiteral(" | "));
            }
        }
        for (int row = 0; row < all; ++row) found << laneWords(row);
        for (const Alarm &alarm : findAlarms(pictureOf(m_snapshot, wallNow())))
            found << QString::fromStdString(alarm.text() + " " + alarm.fix);
        found.removeAll(QString());
        found.removeDuplicates();
        return found;
    }
    QString laneWords(int row)
    {
        return part<LaneView>()->model()->headerData(row, Qt::Vertical, Qt::AccessibleTextRole).toString();
    }
    Snapshot m_snapshot;
};

QRegularExpression pattern(const char *text)
{
    return QRegularExpression(QString::fromUtf8(text), QRegularExpression::CaseInsensitiveOption);
}

// The duration that follows these words, such as "41 s" or "2 min 3 s"; nullopt if none follows.
std::optional<double> durationAfter(const QString &text, const char *words)
{
    const auto match = pattern((std::string(words) + "((?:\\d+(?:\\.\\d+)? (?:h|min|s)\\b ?)+)").c_str()).match(text);
    if (!match.hasMatch()) return {};
    double sum = 0;
    auto parts = pattern("(\\d+(?:\\.\\d+)?) (h|min|s)").globalMatch(match.captured(1));
    while (parts.hasNext()) {
        const auto part = parts.next();
        const QString unit = part.captured(2);
        sum += part.captured(1).toDouble() * (unit == QLatin1String("h")     ? 3600
                                              : unit == QLatin1String("min") ? 60
                                                                             : 1);
    }
    return sum;
}

struct Claim {
    const char *words;                                // pattern of the text
    bool (*isTrue)(const World &world, State state);  // whether a text that matches is true
};

const Claim claims[] = {
    {"(?<!whatever )(?<!nobody )still run(s|ning)?\\b", [](const World &w, State) { return !w.runs.empty(); }},
    {"ranks (still )?run\\b(?! on)", [](const World &w, State) { return !w.runs.empty(); }},
    {"all (8 )?ranks died", [](const World &w, State) { return w.died.size() == all; }},
    {"if it has died", [](const World &w, State) { return w.runs.empty() || !w.unknown.empty(); }},
    {"(?<!may have )(?<!if it has )\\bdied\\b", [](const World &w, State) { return !w.died.empty(); }},
    {"rank \\d is dead|ranks? .* (is|are) dead", [](const World &w, State) { return !w.died.empty(); }},
    {"nothing is running", [](const World &w, State) { return w.runs.empty() && w.unknown.empty(); }},
    {"no rank is known to be running", [](const World &w, State) { return w.runs.empty(); }},
    {"running \\d", [](const World &w, State) { return !w.runs.empty(); }},
    {" left\\b.*%|%, .* left", [](const World &w, State state) { return w.steps && state != State::armed; }},
    {"(?<!when one )\\bhangs?\\b(?! does not end)", [](const World &w, State) { return !w.hang.empty(); }},
    {"\\bNaN\\b", [](const World &w, State) { return w.nan; }},
    {"loses 0 steps",
     [](const World &w, State state) { return w.steps && !w.nan && state != State::armed && w.unknown.empty(); }},
    {"0 once it is proven", [](const World &w, State) { return w.steps && !w.nan; }},
    {"until a rank reads the flag", [](const World &w, State) { return !w.runs.empty(); }},
    {"within one step", [](const World &w, State) { return w.steps; }},
    {"set back to 0 when all are gone", [](const World &w, State) { return !w.runs.empty() || !w.unknown.empty(); }},
    {"lost if it dies now", [](const World &w, State) { return w.died.size() != all && !w.nan; }},
    {"graceful stop saves", [](const World &w, State) { return !w.nan; }},
    {"INCOMPLETE|no file\\b|\\bmissing\\b", [](const World &, State) { return false; }},
    {"CORRUPT|\\btorn\\b", [](const World &w, State) { return w.torn || w.nan; }},
    {"cannot finish", [](const World &w, State state) { return state == State::armed && !w.steps; }},
    {"have saved", [](const World &, State) { return false; }},  // no save is proven
    {"can be cancelled",
     [](const World &w, State state) { return state == State::armed && (!w.runs.empty() || !w.unknown.empty()); }},
    {"No rank has failed",
     [](const World &w, State) { return w.died.empty() && w.unknown.empty() && !w.nan && w.hang.empty(); }},
};

int count(const QString &text, const char *words)
{
    const auto match = pattern(words).match(text);
    return match.hasMatch() ? match.captured(1).toInt() : -1;
}

// The reason why a text is false in that world; empty: it is true.
QString falseBecause(const QString &text, const World &world, State state, const Snapshot &s)
{
    for (const Claim &claim : claims)
        if (pattern(claim.words).match(text).hasMatch() && !claim.isTrue(world, state))
            return QString::fromUtf8(claim.words);
    const std::pair<int, std::size_t> counts[] = {
        {count(text, "(\\d+) other ranks? (?:is|are) still running"), world.runs.size()},
        {count(text, "(\\d+) of 8 ranks died"), world.died.size()},
        {count(text, "of (\\d+) ranks? (?:nothing|it) is not? ?known"), world.unknown.size()},
    };
    for (const auto &[said, truth] : counts)
        if (said >= 0 && said != static_cast<int>(truth)) return QStringLiteral("it is %1").arg(truth);
    // Seconds without contact to a rank or a node, according to the job state.
    const WallTime now = wallNow();
    std::vector<double> silences;
    for (const RankState &rank : s.view.ranks) silences.push_back(secondsBetween(rank.progress.heard, now));
    for (const NodeStatus &node : s.view.nodes) silences.push_back(secondsBetween(node.lastContact, now));
    for (const char *words : {"no step for ", "is silent for ", "no contact for ", "last heard ", "ended "}) {
        const std::optional<double> said = durationAfter(text, words);
        const bool fits = !said || std::any_of(silences.begin(), silences.end(), [&](double silence) {
            return std::abs(silence - *said) <= 2 + (silence > 99 ? 30 : 0);  // minutes are rounded
        });
        if (!fits) return QStringLiteral("stale: %1").arg(QLatin1String(words));
    }
    return {};
}

// One window for each state. The faults come one after another, each for three minutes; in between, the job is healthy
// again.
class TruthOf : public Truth, public testing::WithParamInterface<std::size_t> {};

TEST_P(TruthOf, NoTextIsFalseDuringThreeMinutes)
{
    const auto &[state, name] = states[GetParam()];
    open(before(state));
    if (state == State::armed) m_window->page()->openStop();
    for (const World &world : worlds()) {
        std::set<QString> seen;
        scenes::tellSecondsAgo(0);
        m_feed->set(before(state));
        for (const int passed : sinceBegin) {
            show(world, state, passed);
            for (const QString &text : words()) {
                const QString why = falseBecause(text, world, state, m_snapshot);
                if (why.isEmpty() || !seen.insert(why + text.left(30)).second) continue;
                ADD_FAILURE() << world.name << ", " << name << ", after " << passed << " s: \"" << text.toStdString()
                              << "\" is not true (" << why.toStdString() << ")";
            }
            for (int rank = 0; rank < all; ++rank) {
                const QString lane = laneWords(rank);
                const std::string at = std::string(world.name) + ", " + name + ": " + lane.toStdString();
                EXPECT_EQ(lane.contains(QLatin1String("died")), world.died.contains(rank)) << at;
                EXPECT_EQ(lane.contains(QLatin1String("exited")), world.gone.contains(rank)) << at;
                EXPECT_TRUE(world.hang.contains(rank) || !lane.contains(QLatin1String("hangs"))) << at;
            }
        }
        keepPicture(world, name);
    }
}

INSTANTIATE_TEST_SUITE_P(EveryFaultInEveryState, TruthOf, testing::Range<std::size_t>(0, std::size(states)));

}  // namespace
}  // namespace rankdeck::ui::truth_test
