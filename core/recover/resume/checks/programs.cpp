// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/recover/host/job_places.h"
#include "core/recover/resume/checks/resume_checks.h"
#include "core/recover/wording.h"

namespace rankdeck {

// Programs that a launch needs in addition to the one that it starts.
void checkLaunchPrograms(Findings &into, const ResumeFacts &facts)
{
    for (const MissingProgram &missing : facts.programs.missing)
        into.push_back(
            onNode(refusal("program_missing",
                           message("expected the program %1 on node %2, found none in %3", printable(missing.program),
                                   printable(missing.node), namesText(missing.searched)),
                           message("set launch.submit_on to a node that has it, or set its PATH in launch.env")),
                   missing.node));
}

void checkPrograms(Findings &into, const ResumeFacts &facts)
{
    const ProgramFacts &programs = facts.programs;
    for (const NodePlan &node : facts.layout.launch.nodes) {
        const int index = facts.view.job.nodeIndex(node.node);
        if (index < 0) continue;
        const std::string workdir = workdirOn(facts.view.job, facts.view.job.nodes[static_cast<std::size_t>(index)]);
        if (!workdir.empty() && facts.book.exists(node.node, workdir).isNo())
            into.push_back(onNode(refusal("program_missing",
                                          message("expected the working directory %1 on node %2, found nothing there",
                                                  printable(workdir), printable(node.node)),
                                          message("correct launch.workdir, or put the job's files there")),
                                  node.node));
        if (programs.nodesWithoutProgram.contains(node.node) && !node.launches.empty()) {
            const auto looked = programs.searched.find(node.node);
            into.push_back(
                onNode(refusal("program_missing",
                               message("expected the program %1 on node %2, found none in %3",
                                       printable(node.launches.front().argv.front()), printable(node.node),
                                       looked == programs.searched.end() ? message("the given path")
                                                                         : Message(namesText(looked->second))),
                               message("give its full path (launch.msrun, launch.command) or a PATH in launch.env")),
                       node.node));
        }
    }
    for (const auto &[node, program] : programs.workerMissing)
        into.push_back(onNode(
            refusal("program_missing",
                    message("expected %1, which runs every rank, on node %2, found none in the PATH of the launch",
                            printable(program), printable(node)),
                    message("give its full path in launch.command, or a PATH in launch.env")),
            node));
    for (const auto &[node, script] : programs.scriptMissing)
        into.push_back(onNode(refusal("program_missing",
                                      message("expected the script %1 on node %2, found nothing there",
                                              printable(script), printable(node)),
                                      message("correct launch.command or launch.workdir, or put the script there")),
                              node));
}

}  // namespace rankdeck
