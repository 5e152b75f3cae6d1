// SPDX-License-Identifier: GPL-3.0-or-later
// Volcano's job, its PodGroup and its queue.
#include "core/scheduler/kubernetes_answers.h"
#include "core/scheduler/objects.h"

#include "core/base/json_at.h"
#include "core/base/text.h"

#include <algorithm>

namespace rankdeck {

namespace {

using nlohmann::ordered_json;

std::optional<int> numberAt(const ordered_json &object, const std::vector<std::string> &path)
{
    const ordered_json &value = at(object, path);
    return value.is_number_integer() ? std::optional(value.get<int>()) : std::nullopt;
}

std::string joined(const std::string &first, const std::string &second)
{
    return first.empty() || second.empty() ? first + second : first + ": " + second;
}

// The condition that was set last; null: none.
const ordered_json &newestCondition(const ordered_json &object)
{
    const ordered_json &all = listAt(object, {"status", "conditions"});
    const auto older = [](const ordered_json &a, const ordered_json &b) {
        return textAt(a, {"lastTransitionTime"}) < textAt(b, {"lastTransitionTime"});
    };
    const auto newest = std::max_element(all.begin(), all.end(), older);
    return newest == all.end() ? at(object, {"status", "none"}) : *newest;
}

}  // namespace

Result<VcjobAnswer> readVcjob(const std::string &text)
{
    const auto objects = objectsIn(text, "a vcjob");
    if (!objects) return objects.error();
    if (objects->empty()) return VcjobAnswer{};
    const ordered_json &job = objects->front();
    VcjobAnswer said{.phase = printable(textAt(job, {"status", "state", "phase"})),
                     .queue = printable(textAt(job, {"spec", "queue"})),
                     .uid = textAt(job, {"metadata", "uid"}),
                     .restarts = numberAt(job, {"status", "retryCount"}).value_or(0),
                     .restartLimit = numberAt(job, {"spec", "maxRetry"})};
    const std::string name = "vcjob " + textAt(job, {"metadata", "name"});
    const std::string why =
        joined(textAt(job, {"status", "state", "reason"}), textAt(job, {"status", "state", "message"}));
    if (said.phase.empty() || said.phase == "Pending")
        said.facts.push_back({.code = SchedulerFactCode::jobWaits,
                              .text = name + " is " + (said.phase.empty() ? "not handled by Volcano yet" : said.phase) +
                                      (why.empty() ? "" : ": " + printable(why)),
                              .time = parseIsoTime(textAt(job, {"metadata", "creationTimestamp"}))});
    else if (said.phase != "Running")
        said.facts.push_back({.code = SchedulerFactCode::jobState,
                              .text = name + " is " + said.phase + (why.empty() ? "" : ": " + printable(why)),
                              .time = parseIsoTime(textAt(job, {"status", "state", "lastTransitionTime"}))});
    return said;
}

Result<std::vector<SchedulerFact>> readPodGroup(const std::string &text)
{
    return factsOf(text, "a PodGroup", [](Facts &facts, const ordered_json &group) {
        const std::string phase = textAt(group, {"status", "phase"});
        if (phase == "Running" || phase == "Completed") return;
        const ordered_json &condition = newestCondition(group);
        const std::string why = textAt(condition, {"type"}) == "Unschedulable"
                                    ? joined(textAt(condition, {"reason"}), textAt(condition, {"message"}))
                                    : std::string();
        std::string words = "PodGroup " + textAt(group, {"metadata", "name"}) + " is " +
                            (phase.empty() ? "not handled by Volcano yet" : phase);
        if (const auto together = numberAt(group, {"spec", "minMember"}))
            words += ", its " + std::to_string(*together) +
                     (*together == 1 ? " pod starts" : " pods start together or not at all");
        facts.push_back({.code = SchedulerFactCode::jobWaits,
                         .text = printable(words + (why.empty() ? "" : ": " + why)),
                         .time = parseIsoTime(textAt(group, {"metadata", "creationTimestamp"}))});
    });
}

Result<std::vector<SchedulerFact>> readQueue(const std::string &text)
{
    return factsOf(text, "a queue", [](Facts &facts, const ordered_json &queue) {
        const std::string state = textAt(queue, {"status", "state"});
        if (state.empty() || state == "Open") return;
        facts.push_back({.code = SchedulerFactCode::jobWaits,
                         .text = printable("queue " + textAt(queue, {"metadata", "name"}) + " is " + state)});
    });
}

}  // namespace rankdeck
