// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/recover/resume/checks/resume_checks.h"

namespace rankdeck {

namespace {

std::string named(const UnknownPlace &place)
{
    return printable(place.path) + " on node " + printable(place.node) + " (" + printable(place.problem) + ")";
}

}  // namespace

void checkOutputs(Findings &into, const ResumeFacts &facts)
{
    const auto refuse = [&](const UnknownPlace &place, const Message &what, const Message &effect) {
        Finding finding =
            refusal("outputs_unknown", message("cannot tell whether there is %1 in %2: %3", what, named(place), effect),
                    message("let this login list that directory; if it is empty, %1", overrideHint("outputs_unknown")));
        if (facts.options.overriding("outputs_unknown")) finding.result = Finding::Result::warn;
        into.push_back(onNode(std::move(finding), place.node));
    };
    for (const UnknownPlace &place : unknownLogs(facts.book, facts.view, facts.choice.recipe->ownsLogDirectory))
        refuse(place, message("an old log"), message("the new attempt would write over it"));
    for (const UnknownPlace &place : unknownSaves(facts.book, facts.view))
        refuse(place, message("a save of a graceful exit"),
               message("OnRequestExit would load it instead of the chosen set"));
    for (const auto *places : {&facts.unsearched, &facts.places.unsearched})
        for (const UnknownPlace &place : *places)
            into.push_back(onNode(
                warning(
                    "outputs_unknown",
                    message(
                        "cannot read %1: it may contain a file that a framework would load instead of the chosen set",
                        named(place)),
                    message("check there for *_train.ckpt, hpc_ckpt_*.ckpt and non_persistent/ before you resume")),
                place.node));
}

}  // namespace rankdeck
