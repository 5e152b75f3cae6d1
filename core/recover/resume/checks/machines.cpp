// SPDX-License-Identifier: GPL-3.0-or-later
// Machines and devices that the scheduler may give to the launch or withhold from it. The scheduler decides, so these
// findings never refuse. Missing answers are reported, too.
#include "core/base/text.h"
#include "core/recover/resume/checks/resume_checks.h"

#include <algorithm>
#include <map>

namespace rankdeck {

namespace {

// Number of ranks on the nodes that a fact names: "n0, n1".
std::size_t ranksOn(const Job &job, const std::string &nodes)
{
    const std::vector<std::string> names = split(replaceAll(nodes, ", ", ","), ',');
    std::size_t count = 0;
    for (const NodeSpec &node : job.nodes)
        if (std::find(names.begin(), names.end(), node.name) != names.end()) count += node.ranks.size();
    return count;
}

// Adds one sentence about one machine of the job.
void tell(Findings &into, const Job &job, const SchedulerState &said, SchedulerFactCode code)
{
    std::map<std::string, std::string> ofNodes;  // nodes → facts about their machine
    for (const SchedulerFact &fact : said.facts(code)) {
        std::string &text = ofNodes[fact.node];
        text += (text.empty() ? "" : "; ") + fact.text;
    }
    for (const auto &[nodes, text] : ofNodes) {
        const std::size_t ranks = ranksOn(job, nodes);
        const Message there =
            ranks == 1 ? message("1 rank of the job ran there") : message("%1 ranks of the job ran there", ranks);
        Finding finding =
            code == SchedulerFactCode::deviceUnhealthy
                ? warning("device_unhealthy",
                          ranks == 0 ? Message(text)
                                     : message("%1; %2, and every rank needs a healthy device", text, there),
                          message("a launch that requests all devices on that machine waits or fails: repair the "
                                  "machine, or give the job a different one"))
                : warning("machine_trouble", ranks == 0 ? Message(text) : message("%1; %2", text, there),
                          message("a launch waits until the machine accepts jobs again or a different one is free: "
                                  "open the machine, or give the job a different one"));
        into.push_back(onNode(std::move(finding), nodes.find(',') == std::string::npos ? nodes : std::string()));
    }
}

// Reason why the machines are unknown; empty: they are known, or no pod or job names them.
std::string whyUnknown(const SchedulerState &said)
{
    if (said.answers.empty()) return "it has not answered yet";
    const auto ofMachines = [](const SchedulerAnswer &answer) {
        return answer.question == "machines" || answer.question == "devices";
    };
    const bool asked = std::any_of(said.answers.begin(), said.answers.end(), ofMachines);
    std::string why;
    for (const SchedulerAnswer &answer : said.answers)
        if (!answer.problem.empty() && (ofMachines(answer) || !asked))
            why += (why.empty() ? "" : "; ") + answer.question + ": " + printable(answer.problem);
    return why;
}

}  // namespace

void checkMachines(Findings &into, const ResumeFacts &facts)
{
    const SchedulerState &said = facts.scheduler;
    if (said.kind == SchedulerKind::none) return;
    tell(into, facts.view.job, said, SchedulerFactCode::deviceUnhealthy);
    tell(into, facts.view.job, said, SchedulerFactCode::nodeTrouble);
    const std::string unknown = whyUnknown(said);
    if (unknown.empty()) return;
    into.push_back(warning("machine_trouble",
                           message("cannot get the state of the machines and their devices from %1: %2",
                                   schedulerKindWord(said.kind), unknown),
                           message("a launch on a machine with an unhealthy device waits or fails: check the machines "
                                   "first, or ask for permission to read their state (docs/kubernetes.md)")));
}

}  // namespace rankdeck
