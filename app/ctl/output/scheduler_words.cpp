// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/output/scheduler_words.h"

#include "core/base/text.h"

#include <nlohmann/json.hpp>

namespace rankdeck::ctl {

namespace {

using Json = nlohmann::ordered_json;

Json textOrNull(const std::string &text) { return text.empty() ? Json(nullptr) : Json(validUtf8(text)); }

Json timeOrNull(const std::optional<WallTime> &time) { return time ? Json(isoTime(*time)) : Json(nullptr); }

std::string head(const SchedulerState &state)
{
    std::string line = std::string("scheduler: ") + schedulerKindWord(state.kind);
    if (!state.job.empty()) line += ", job " + printable(state.job);
    if (!state.state.empty()) line += ", " + printable(state.state);
    if (!state.queue.empty()) line += ", queue " + printable(state.queue);
    if (state.restarts.value_or(0) > 0)
        line += ", restarted " + std::to_string(*state.restarts) +
                (state.restartLimit ? " of " + std::to_string(*state.restartLimit) : std::string()) + " times";
    if (state.answers.empty()) line += ", has not answered yet";
    if (state.ends) line += ", ends at " + isoTime(*state.ends);
    return line;
}

// "pod w-1: Evicted: The node was low on memory. (2026-…)". Messages of a cluster may or may not end with a full stop
// or blanks.
std::string factLine(const SchedulerFact &fact, const SchedulerAnswer &answer)
{
    std::string text = printable(fact.text);
    text.erase(text.find_last_not_of(' ') + 1);
    std::string when = fact.time ? isoTime(*fact.time) : std::string();
    if (!answer.problem.empty() && answer.asOf)
        when += (when.empty() ? "" : ", ") + std::string("as reported at ") + isoTime(*answer.asOf);
    return "scheduler: " + text + (when.empty() ? "" : " (" + when + ")");
}

}  // namespace

Json schedulerJson(const SchedulerState *state)
{
    if (!state) return nullptr;
    Json out{{"kind", schedulerKindName(state->kind)},
             {"job", textOrNull(state->job)},
             {"state", textOrNull(state->state)},
             {"queue", textOrNull(state->queue)},
             {"restarts", state->restarts ? Json(*state->restarts) : Json(nullptr)},
             {"restart_limit", state->restartLimit ? Json(*state->restartLimit) : Json(nullptr)},
             {"ends", timeOrNull(state->ends)},
             {"facts", Json::array()},
             {"answers", Json::array()}};
    for (const SchedulerFact &fact : state->facts())
        out["facts"].push_back({{"code", schedulerFactName(fact.code)},
                                {"time", timeOrNull(fact.time)},
                                {"node", textOrNull(fact.node)},
                                {"text", validUtf8(fact.text)}});
    for (const SchedulerAnswer &answer : state->answers)
        out["answers"].push_back({{"question", answer.question},
                                  {"as_of", timeOrNull(answer.asOf)},
                                  {"problem", textOrNull(answer.problem)}});
    return out;
}

std::vector<std::string> schedulerLines(const SchedulerState &state)
{
    std::vector<std::string> lines{head(state)};
    for (const SchedulerAnswer &answer : state.answers)
        for (const SchedulerFact &fact : answer.facts) lines.push_back(factLine(fact, answer));
    for (const SchedulerAnswer &answer : state.answers)
        if (!answer.problem.empty())
            lines.push_back("scheduler: unknown" + (answer.asOf ? " since " + isoTime(*answer.asOf) : std::string()) +
                            ": " + answer.question + ". " + printable(answer.problem));
    return lines;
}

}  // namespace rankdeck::ctl
