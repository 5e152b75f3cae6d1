// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/recover/resume/checks/resume_checks.h"
#include "core/recover/wording.h"

namespace rankdeck {

namespace {

Message mended()
{
    return message(
        "the plan gives each rank a copy with a global_step that the optimizer accepts, and with both tags at "
        "0");
}

Finding tagsFinding(const ResumeFacts &facts)
{
    if (facts.mendsWanted) {
        Finding finding = warning("graceful_tags",
                                  message("the stop that saved the checkpoints set their tags graceful_exit and "
                                          "graceful_init, and the script loads them"),
                                  message("the plan gives each rank a copy with both tags at 0"));
        finding.fixable = true;
        return finding;
    }
    if (facts.mends.byRank.empty())
        return okFinding(
            "graceful_tags",
            facts.mends.problem.empty()
                ? message(
                      "the tags graceful_exit and graceful_init of the checkpoints are 0, so all ranks will stop at "
                      "the same step in a later stop")
                : message(
                      "a script that loads the tags graceful_exit and graceful_init into its train cell should drop "
                      "them: %1",
                      facts.mends.problem));
    Finding finding =
        okFinding("graceful_tags", message("a script that loads the tags graceful_exit and graceful_init should drop "
                                           "them, or a later stop may end the ranks at different steps"));
    finding.fix = message("the plan can give each rank a copy with both tags at 0%1",
                          terminalWords(" (--fix %1)", "graceful_tags"));
    if (!facts.mends.problem.empty()) finding.fix = message("%1; not corrected: %2", finding.fix, facts.mends.problem);
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
        const Message sibling =
            facts.choice.sibling
                ? message("choose the periodic set of the same step: %1", printable(*facts.choice.sibling))
                : message("there is no periodic set of the same step; an older set can be loaded");
        Finding finding = warning(
            "graceful_set",
            message("%1 was saved by a graceful exit; since MindSpore 2.4.10 its global_step is "
                    "a scalar, which the optimizer may refuse%2",
                    setText(set), problem.empty() ? Message() : message("; it cannot be corrected: %1", problem)),
            !copies                ? sibling
            : facts.choice.sibling ? message("%1; or %2", mended(), sibling)
                                   : mended());
        finding.fixable = facts.choice.sibling.has_value();
        into.push_back(std::move(finding));
    } else if (facts.gracefulTags == true && facts.exitLoad.files.empty())
        into.push_back(tagsFinding(facts));
}

}  // namespace rankdeck
