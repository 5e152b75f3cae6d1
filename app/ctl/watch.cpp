// SPDX-License-Identifier: GPL-3.0-or-later
// Follows a job. On a terminal: a live view. Otherwise: samples, events, checkpoints, verdicts, nodes and alarms as
// they arrive, one line or JSON object each.
#include "app/ctl/alarm_json.h"
#include "app/ctl/command.h"
#include "app/ctl/output/live_terminal.h"
#include "app/ctl/output/status_words.h"
#include "app/ctl/output/watch_screen.h"

#include "core/base/deadline.h"
#include "core/base/text.h"
#include "core/engine/report_json.h"

#include <algorithm>
#include <functional>
#include <iostream>

namespace rankdeck::ctl {
namespace {

Json stamped(const char *type, WallTime time) { return Json{{"type", type}, {"time", isoTime(time)}}; }

Json sampleJson(int rank, int attempt, const Sample &sample, WallTime now)
{
    Json out = stamped("sample", now);
    out["rank"] = rank;
    out["attempt"] = attempt;
    out["epoch"] = orNull(sample.epoch);
    out["step"] = orNull(sample.step);
    out["global_step"] = orNull(sample.globalStep);
    out["loss"] = sample.hasLoss ? lossJson(sample.loss) : Json(nullptr);
    out["metrics"] = {{"lr", orNull(sample.learningRate)},
                      {"grad_norm", sample.gradNorm ? lossJson(*sample.gradNorm) : Json(nullptr)},
                      {"loss_scale", orNull(sample.lossScale)},
                      {"step_seconds", sample.stepMs ? Json(*sample.stepMs / 1000) : Json(nullptr)},
                      {"throughput", orNull(sample.throughput)}};
    out["total"] = sample.total > 0 ? Json(sample.total) : Json(nullptr);
    return out;
}

Json eventJson(const Event &event)
{
    Json out = stamped("event", event.time);
    out["rank"] = event.rank < 0 ? Json(nullptr) : Json(event.rank);
    if (!event.ranks.empty()) out["ranks"] = event.ranks;
    out["kind"] = eventKindName(event.kind);
    out["text"] = printableLines(event.text);
    out["log"] =
        event.logPath.empty() ? Json(nullptr) : Json{{"path", validUtf8(event.logPath)}, {"offset", event.logOffset}};
    if (!event.node.empty()) out["node"] = event.node;
    return out;
}

void writeAlarm(const AlarmChange &change)
{
    Json out = stamped("alarm", change.time);
    out.update(alarmJson(change.alarm));
    out["ended"] = change.ended;
    if (change.ended) out["seconds"] = change.seconds;
    printLine(out);
}

void writeJson(const Update &update)
{
    const WallTime now = wallNow();
    for (const auto &[rank, sample] : update.samples) printLine(sampleJson(rank, update.attempt, sample, now));
    for (const Event &event : update.events) printLine(eventJson(event));
    for (const NodeStatus &node : update.nodes) {
        Json out = stamped("node", now);
        out.update({{"node", node.name}, {"state", nodeStateName(node.state)}, {"reason", node.reason}});
        printLine(out);
    }
    for (const CheckpointSet &set : update.verdicts) {
        const bool saving = set.verdict == Verdict::inProgress || set.verdict == Verdict::unknown;
        Json out = stamped(saving ? "checkpoint" : "verdict", now);
        out["set"] = set.id;
        out["verdict"] = verdictName(set.verdict);
        out.update(setJson(set));
        printLine(out);
    }
    for (const AlarmChange &change : update.alarms) writeAlarm(change);
}

void writeText(const Update &update)
{
    const std::string now = clockTime(wallNow());
    for (const auto &[rank, sample] : update.samples)
        std::cout << now << "  rank " << rank << "  step " << (sample.globalStep ? grouped(*sample.globalStep) : "?")
                  << (sample.hasLoss ? "  loss " + std::to_string(sample.loss) : std::string()) << "\n";
    for (const Event &event : update.events)
        std::cout << clockTime(event.time) << "  " << eventKindName(event.kind)
                  << (event.rank < 0 ? "" : " rank " + std::to_string(event.rank)) << ": "
                  << printable(event.text.substr(0, event.text.find('\n'))) << "\n";
    for (const NodeStatus &node : update.nodes)
        std::cout << now << "  node " << node.name << " " << nodeStateName(node.state)
                  << (node.reason.empty() ? "" : ": " + printable(node.reason)) << "\n";
    for (const CheckpointSet &set : update.verdicts)
        std::cout << now << "  set " << set.id << " " << verdictName(set.verdict)
                  << (set.reasons.empty() ? "" : ": " + printable(set.reasons.front().text)) << "\n";
    for (const AlarmChange &change : update.alarms)
        std::cout << now << "  " << alarmText(change.alarm)
                  << (change.ended ? " Over after " + durationText(change.seconds) + "." : "") << "\n";
    std::cout << std::flush;
}

std::vector<std::string> pictureNow(const Engine &engine, const Screen &screen)
{
    const int columns = std::clamp(static_cast<int>(screen.size.columns) - 5, 1, 120);  // next to the text "loss "
    return watchScreen(*engine.snapshot(), lossesOf(engine, columns), screen);
}

bool anyLive(const Engine &engine)
{
    const auto snapshot = engine.snapshot();
    return std::any_of(snapshot->view.nodes.begin(), snapshot->view.nodes.end(),
                       [](const NodeStatus &node) { return node.state == NodeState::live; });
}

using GoesOn = std::function<bool()>;

bool watchLive(Engine &engine, const GoesOn &goesOn)
{
    LiveTerminal terminal;
    const bool colour = colourWanted();
    bool sawLive = false;
    engine.start();
    for (int turn = 0; goesOn() && !terminal.endTyped(); ++turn) {
        terminal.holdIfAsked();
        if (turn % 2 == 0) terminal.draw(pictureNow(engine, {.size = terminalSize(), .colour = colour}));
        engine.waitChange(~std::uint64_t{0} - 1, 0.2);
        sawLive = sawLive || anyLive(engine);
    }
    engine.stop();
    return sawLive;
}

// Plain text output: first the current state, once existing data are read or the wait is over; then the updates.
class PlainLines {
public:
    explicit PlainLines(const Engine &engine) : m_engine(engine) {}
    void take(const Update &update)
    {
        if (m_begun) return writeText(update);
        Update connecting;
        connecting.nodes = update.nodes;
        writeText(connecting);
    }
    void begin()
    {
        if (m_begun || (!m_engine.snapshot()->settled && steadyNow() < m_latest)) return;
        m_begun = true;
        for (const std::string &line : pictureNow(m_engine, {.size = {.columns = 160, .rows = 100}, .colour = false}))
            std::cout << line << "\n";
        std::cout << std::flush;
    }

private:
    const Engine &m_engine;
    SteadyTime m_latest = inSeconds(20);
    bool m_begun = false;
};

bool watchLines(Engine &engine, const Globals &globals, const GoesOn &goesOn)
{
    // all updates come on the engine's thread, so lines never mix
    PlainLines plain(engine);
    const int subscription =
        globals.json ? engine.subscribe({}, writeJson)
                     : engine.subscribe([&] { plain.begin(); }, [&](const Update &update) { plain.take(update); });
    bool sawLive = false;
    engine.start();
    while (goesOn()) {
        engine.waitChange(~std::uint64_t{0} - 1, 0.1);
        sawLive = sawLive || anyLive(engine);
    }
    engine.unsubscribe(subscription);
    engine.stop();
    return sawLive;
}

}  // namespace

int watch(const Globals &globals, const WatchOptions &options)
{
    Opened opened = open(globals, Looking::notYet);
    if (!opened.engine) return opened.code;
    const SteadyTime end = steadyNow() + std::chrono::milliseconds(static_cast<long long>(options.seconds * 1000));
    const auto goesOn = [&] {
        // a failed stream means that the reader of the pipe has gone
        return !interruptRequested() && std::cout && (options.seconds <= 0 || steadyNow() < end);
    };
    const bool lives = !globals.json && !options.plain && isLiveTerminal();
    const bool sawLive = lives ? watchLive(*opened.engine, goesOn) : watchLines(*opened.engine, globals, goesOn);
    if (interruptRequested()) return interrupted;
    return sawLive ? done : unreachable;
}

}  // namespace rankdeck::ctl
