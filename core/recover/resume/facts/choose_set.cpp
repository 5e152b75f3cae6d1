// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/facts/choose_set.h"

#include "core/base/text.h"
#include "core/recover/wording.h"

#include <algorithm>
#include <map>

namespace rankdeck {

namespace {

Message reasonsOf(const CheckpointSet &set)
{
    std::vector<Message> texts;
    for (const Reason &reason : set.reasons)
        texts.push_back(reason.text == printable(reason.text) ? reason.text : Message(printable(reason.text)));
    return texts.empty() ? message("unknown reason") : listed(texts);
}

// Suggests a proof by loading, with an estimate of its time. Each node loads its files one after the other. The
// estimate is the start of Python plus the reading at the speed of a slow disk.
Message proveFirst(const CheckpointSet &set)
{
    constexpr std::uint64_t bytesPerSecond = 200'000'000;
    constexpr std::int64_t toBegin = 10, longest = 600;
    std::map<std::string, std::map<std::string, std::uint64_t>>
        files;  // by node and path: a file of all ranks is loaded once
    for (const MemberVerdict &member : set.members)
        if (!member.path.empty()) files[member.node][member.path] = member.bytes;
    std::uint64_t most = 0;
    for (const auto &[node, own] : files) {
        std::uint64_t bytes = 0;
        for (const auto &[path, size] : own) bytes += std::min<std::uint64_t>(size, UINT64_MAX / 2 - bytes);
        most = std::max(most, bytes);
    }
    const auto seconds = std::min<std::uint64_t>(most / bytesPerSecond, longest);
    return message("prove it first by loading it%1 (takes about %2 s)",
                   terminalWords(": rankdeckctl checkpoints --prove %1", set.id),
                   std::min<std::int64_t>(std::int64_t(seconds) + toBegin, longest));
}

Message nearestId(const JobState &view, const std::string &id)
{
    std::vector<std::string> ids;
    for (const CheckpointSet &set : view.checkpoints.sets) ids.push_back(set.id);
    const std::string near = nearest(id, ids);
    return near.empty() ? message("choose one of the listed sets") : message("did you mean %1?", near);
}

const CheckpointSet *wanted(const JobState &view, const ResumeOptions &options, std::vector<Finding> &findings)
{
    if (const CheckpointSet *unread = options.set ? nullptr : unreadBeforeRecommended(view.checkpoints)) {
        const auto &older = view.checkpoints.recommended;
        findings.push_back(
            refusal("set_not_valid",
                    message("the newest set must be known before a resume, but %1 is %2: %3", setText(*unread),
                            verdictMessage(unread->verdict), reasonsOf(*unread)),
                    older ? message("try again when it has been read, or choose the older set %1", printable(*older))
                          : message("try again when it has been read")));
        return nullptr;
    }
    if (options.set) {
        const CheckpointSet *set = view.checkpoints.find(*options.set);
        if (!set && !keptToPutBack(view, options))
            findings.push_back(refusal(
                "set_unknown", message("expected the id of a checkpoint set, found \"%1\"", printable(*options.set)),
                nearestId(view, *options.set)));
        return set;
    }
    if (const CheckpointSet *set =
            view.checkpoints.recommended ? view.checkpoints.find(*view.checkpoints.recommended) : nullptr)
        return set;
    Message found = message("expected at least one VALID checkpoint set, found none");
    if (!view.checkpoints.sets.empty()) {
        const CheckpointSet &set = view.checkpoints.sets.front();
        found =
            message("%1; the newest, %2, is %3: %4", found, setText(set), verdictMessage(set.verdict), reasonsOf(set));
    }
    findings.push_back(
        refusal("no_valid_set", found,
                message("repair or copy the missing files, or choose a VALID-UNPROVEN set and allow it")));
    return nullptr;
}

// The VALID periodic set at the same step as the set of a graceful exit.
std::optional<std::string> siblingOf(const JobState &view, const std::optional<CheckpointSet> &set)
{
    if (!set || set->kind != CheckpointKind::graceful || !set->position) return {};
    for (const CheckpointSet &other : view.checkpoints.sets)
        if (other.kind == CheckpointKind::periodic && other.verdict == Verdict::valid &&
            other.position == set->position)
            return other.id;
    return {};
}

void checkJob(ResumeChoice &choice)
{
    const Job &job = choice.script.job;
    if (!choice.recipe)
        choice.findings.push_back(refusal(
            "job_file",
            message("expected a launch recipe (%1), found %2", namesText(recipeNames()),
                    job.launch.recipe.empty() ? message("none") : Message("\"" + printable(job.launch.recipe) + "\"")),
            message("set launch.recipe in the job file")));
    if (job.launch.command.empty())
        choice.findings.push_back(
            refusal("job_file", message("the job has no launch.command, so Rankdeck cannot start it"),
                    message("add launch.command to the job file, with {checkpoint} in place of the file to load")));
    if (job.logs.path.empty())
        choice.findings.push_back(refusal("job_file",
                                          message("the job has no logs.path, so a resume could not be proven"),
                                          message("add logs.path to the job file")));
}

}  // namespace

const CheckpointSet *unreadBeforeRecommended(const CheckpointReport &report)
{
    if (report.settled) return nullptr;
    for (const CheckpointSet &set : report.sets) {
        if (report.recommended && set.id == *report.recommended) return nullptr;
        const bool unread = std::any_of(set.reasons.begin(), set.reasons.end(), [](const Reason &reason) {
            return reason.code == "not_read" || reason.code == "not_listed";
        });
        if (set.verdict == Verdict::unknown && unread) return &set;
    }
    return nullptr;
}

const KeptSet *keptToPutBack(const JobState &view, const ResumeOptions &options)
{
    if (!options.set) return keptBefore(view);
    const KeptSet *kept = view.kept->find(*options.set);
    const CheckpointSet *there = view.checkpoints.find(*options.set);
    const bool usable = there && (there->verdict == Verdict::valid || there->verdict == Verdict::validUnproven);
    return kept && kept->whole.mayBe() && !usable ? kept : nullptr;
}

std::optional<CheckpointSet> chooseSet(const JobState &view, const ResumeOptions &options,
                                       std::vector<Finding> &findings)
{
    if (const KeptSet *kept = keptToPutBack(view, options)) {
        const Message text = message(
            "%1 is kept beside the checkpoints, but the checkpoint directory has no VALID copy of it", keptText(*kept));
        const Message fix =
            message("put it back first: Rankdeck then judges it, and the resume uses it if it is VALID");
        // Without a requested set an older VALID set is taken.
        findings.push_back(options.set ? refusal("kept_set", text, fix) : warning("kept_set", text, fix));
        findings.back().fixable = true;
    }
    const CheckpointSet *set = wanted(view, options, findings);
    if (!set) return {};
    const Message found = message("%1 is %2: %3", setText(*set), verdictMessage(set->verdict), reasonsOf(*set));
    if (set->verdict == Verdict::validUnproven && options.allowUnproven) {
        findings.push_back(
            warning("set_unproven", found,
                    message("you have allowed this set: %1, or watch the first losses", proveFirst(*set))));
        return *set;
    }
    if (set->verdict == Verdict::validUnproven) {
        findings.push_back(refusal("set_unproven", found,
                                   message("%1; then allow this set %2, or choose a VALID set", proveFirst(*set),
                                           terminalWords("(--allow-unproven)"))));
        return {};
    }
    if (set->verdict != Verdict::valid) {
        findings.push_back(refusal("set_not_valid", message("expected a VALID set, but %1", found),
                                   message("choose a different set; a resume needs a VALID one")));
        return {};
    }
    if (view.job.ranks() > 0 && static_cast<int>(set->members.size()) != view.job.ranks()) {
        findings.push_back(refusal("world_size",
                                   message("expected one checkpoint for each of %1 ranks, found %2 in %3",
                                           view.job.ranks(), set->members.size(), setText(*set)),
                                   message("correct world_size and ranks in the job file, or convert the checkpoints "
                                           "first")));
        return {};
    }
    findings.push_back(okFinding("set", message("%1 is VALID: one readable checkpoint for each of %2 ranks",
                                                setText(*set), set->members.size())));
    return *set;
}

ResumeChoice chooseResume(const JobState &view, const ResumeOptions &options)
{
    ResumeChoice choice;
    choice.set = chooseSet(view, options, choice.findings);
    choice.sibling = siblingOf(view, choice.set);
    if (choice.sibling && options.fixing("graceful_set")) {
        choice.findings.push_back(
            okFinding("graceful_set", message("set %1, the periodic set of the same step, is used instead of %2",
                                              printable(*choice.sibling), setText(*choice.set))));
        choice.set = *view.checkpoints.find(*choice.sibling);
        choice.sibling.reset();
    }
    choice.script = choice.set ? adaptScript(view.job, *choice.set) : AdaptedScript{.job = view.job};
    choice.recipe = findRecipe(choice.script.job.launch.recipe);
    checkJob(choice);
    return choice;
}

}  // namespace rankdeck
