// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/stop/exit_plan.h"

#include "core/recover/flag/flag_write.h"
#include "core/recover/stop_method.h"
#include "core/recover/wording.h"

namespace rankdeck {

namespace {

Message summaryOf(const Plan &plan, const Job &job, StopMethod way)
{
    std::vector<std::string> places;
    for (const NodePlan &node : plan.nodes)
        for (const FileEdit &edit : node.edits) places.push_back(edit.path + " on node " + node.node);
    if (way == StopMethod::signal || way == StopMethod::scancel)
        return message("%1; nothing is written on a node", exitWayText(job));
    if (places.empty())
        return message("nothing to write: the stop request is already set, or the config cannot be written");
    if (way == StopMethod::stopFile)
        return message("the empty file %1 is created; it is removed when all ranks are gone", namesText(places));
    return message("\"GracefulExit\": 1 is written into %1; it is put back to 0 when all ranks are gone",
                   namesText(places));
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
