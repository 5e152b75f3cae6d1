// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/recover/resume/checks/resume_checks.h"
#include "core/recover/wording.h"

namespace rankdeck {

namespace {

const std::string mended =
    "the plan gives each rank a copy with global_step as the optimizer takes it and those two at 0";

Finding tagsFinding(const ResumeFacts &facts)
{
    const std::string carry = "the checkpoints carry graceful_exit and graceful_init; ";
    if (facts.mendsWanted) {
        Finding finding =
            warning("graceful_tags", carry + "the stop that saved them set them, and the script loads them",
                    "the plan gives each rank a copy with those two at 0");
        finding.fixable = true;
        return finding;
    }
    if (facts.mends.byRank.empty())
        return okFinding("graceful_tags", carry + (facts.mends.problem.empty()
                                                       ? "both are 0, so that a later stop is even"
                                                       : "a script that loads them into its train cell should drop "
                                                         "those two: " +
                                                             facts.mends.problem));
    Finding finding = okFinding("graceful_tags", carry + "a script that loads them into its train cell should drop "
                                                         "those two, or a later stop is uneven");
    finding.fix = "the plan can give each rank a copy with those two at 0 (--fix graceful_tags)" +
                  (facts.mends.problem.empty() ? std::string() : "; not mended: " + facts.mends.problem);
    finding.fixable = true;
    return finding;
}

}  // namespace

void checkGracefulSet(Findings &into, const ResumeFacts &facts)
{
    const CheckpointSet &set = *facts.choice.set;
    if (set.kind == CheckpointKind::graceful) {
        const std::string &problem = facts.mends.problem;
        const bool copies = problem.empty() && (facts.mendsWanted || !facts.exitLoad.files.empty());
        const std::string sibling = facts.choice.sibling
                                        ? "take the periodic set of the same step: " + printable(*facts.choice.sibling)
                                        : "there is no periodic set of the same step; an older one loads";
        Finding finding = warning("graceful_set",
                                  setText(set) +
                                      " is what a graceful exit saved itself; from MindSpore 2.4.10 on its "
                                      "global_step is a scalar that the optimizer may refuse" +
                                      (problem.empty() ? "" : "; it cannot be mended: " + problem),
                                  copies ? mended + (facts.choice.sibling ? "; or " + sibling : "") : sibling);
        finding.fixable = facts.choice.sibling.has_value();
        into.push_back(std::move(finding));
    } else if (facts.gracefulTags == true && facts.exitLoad.files.empty())
        into.push_back(tagsFinding(facts));
}

}  // namespace rankdeck
