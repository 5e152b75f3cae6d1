// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/choose_set.h"

#include "core/base/text.h"
#include "core/recover/wording.h"

namespace rankdeck {

namespace {

std::string reasonsOf(const CheckpointSet &set)
{
    std::string text;
    for (const Reason &reason : set.reasons) text += (text.empty() ? "" : "; ") + printable(reason.text);
    return text.empty() ? "no reason is known" : text;
}

std::string nearestId(const JobState &view, const std::string &id)
{
    std::vector<std::string> ids;
    for (const CheckpointSet &set : view.checkpoints.sets) ids.push_back(set.id);
    const std::string near = nearest(id, ids);
    return near.empty() ? "take one of those that the checkpoints command lists" : "did you mean " + near + "?";
}

const CheckpointSet *wanted(const JobState &view, const ResumeOptions &options, std::vector<Finding> &findings)
{
    if (options.set) {
        const CheckpointSet *set = view.checkpoints.find(*options.set);
        if (!set)
            findings.push_back(refusal("set_unknown",
                                       "expected the id of a checkpoint set, found \"" + printable(*options.set) + "\"",
                                       nearestId(view, *options.set)));
        return set;
    }
    if (const CheckpointSet *set =
            view.checkpoints.recommended ? view.checkpoints.find(*view.checkpoints.recommended) : nullptr)
        return set;
    std::string newest;
    if (!view.checkpoints.sets.empty()) {
        const CheckpointSet &set = view.checkpoints.sets.front();
        newest = "; the newest, " + setText(set) + ", is " + verdictName(set.verdict) + ": " + reasonsOf(set);
    }
    findings.push_back(refusal("no_valid_set", "expected at least one VALID checkpoint set, found none" + newest,
                               "repair or copy what is missing, or name a VALID-UNPROVEN set and allow it"));
    return nullptr;
}

}  // namespace

std::optional<CheckpointSet> chooseSet(const JobState &view, const ResumeOptions &options,
                                       std::vector<Finding> &findings)
{
    const CheckpointSet *set = wanted(view, options, findings);
    if (!set) return {};
    const std::string found = setText(*set) + " is " + verdictName(set->verdict) + ": " + reasonsOf(*set);
    if (set->verdict == Verdict::validUnproven && options.allowUnproven) {
        findings.push_back(warning("set_unproven", found, "it was allowed; watch the first losses"));
        return *set;
    }
    if (set->verdict == Verdict::validUnproven) {
        findings.push_back(
            refusal("set_unproven", found, "allow it explicitly (--allow-unproven), or take a VALID set"));
        return {};
    }
    if (set->verdict != Verdict::valid) {
        findings.push_back(refusal("set_not_valid", "expected a VALID set, found that " + found,
                                   "take another set; only VALID ones are resumed from"));
        return {};
    }
    if (view.job.ranks() > 0 && static_cast<int>(set->members.size()) != view.job.ranks()) {
        findings.push_back(refusal("world_size",
                                   "expected one checkpoint for each of " + std::to_string(view.job.ranks()) +
                                       " ranks, found " + std::to_string(set->members.size()) + " in " + setText(*set),
                                   "correct world_size and ranks of the job file, or convert the checkpoints first"));
        return {};
    }
    findings.push_back(okFinding("set", setText(*set) + " is VALID: one readable checkpoint for each of " +
                                            std::to_string(set->members.size()) + " ranks"));
    return *set;
}

}  // namespace rankdeck
