// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/stop/exit_plan.h"

#include "core/recover/flag/flag_write.h"
#include "core/recover/stop_method.h"
#include "core/recover/wording.h"

namespace rankdeck {

namespace {

std::string summaryOf(const Plan &plan, const Job &job, StopMethod way)
{
    std::vector<std::string> places;
    for (const NodePlan &node : plan.nodes)
        for (const FileEdit &edit : node.edits) places.push_back(edit.path + " on node " + node.node);
    if (way == StopMethod::signal || way == StopMethod::scancel)
        return exitWayText(job) + "; nothing is written on a node";
    if (places.empty()) return "nothing to write: the flag is already set, or the config cannot be written";
    if (way == StopMethod::stopFile)
        return "the empty file " + namesText(places) + " is created; it is removed when all ranks are gone";
    return "\"GracefulExit\": 1 is written into " + namesText(places) + "; it is put back to 0 when all ranks are gone";
}

}  // namespace

Plan exitPlan(const Job &job, const ExitFacts &facts)
{
    Plan plan;
    if (auto nodes = planFlag(facts.copies, true)) plan.nodes = std::move(nodes.value());
    plan.summary = summaryOf(plan, job, facts.way);
    return plan;
}

}  // namespace rankdeck
