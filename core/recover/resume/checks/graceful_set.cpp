// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/recover/resume/checks/resume_checks.h"
#include "core/recover/wording.h"

namespace rankdeck {

void checkGracefulSet(Findings &into, const ResumeFacts &facts)
{
    const CheckpointSet &set = *facts.choice.set;
    if (set.kind == CheckpointKind::graceful) {
        Finding finding =
            warning("graceful_set",
                    setText(set) + " is what a graceful exit saved itself; from MindSpore 2.4.10 on its "
                                   "global_step is a scalar that the optimizer may refuse",
                    facts.choice.sibling ? "take the periodic set of the same step: " + printable(*facts.choice.sibling)
                                         : "there is no periodic set of the same step; an older one loads");
        finding.fixable = facts.choice.sibling.has_value();
        into.push_back(std::move(finding));
    } else if (facts.gracefulTags == true)
        into.push_back(okFinding("graceful_tags",
                                 "the checkpoints carry graceful_exit and graceful_init; a script that loads "
                                 "them into its train cell should drop those two, or a later stop is uneven"));
}

}  // namespace rankdeck
