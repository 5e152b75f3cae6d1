// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parallel_for.h"
#include "core/base/text.h"
#include "core/checkpoint/inventory/refuted_ranks.h"
#include "core/job/job.h"
#include "core/verdict/frameworks/framework_of.h"
#include "core/verdict/grouping.h"
#include "core/verdict/judge_trackers.h"
#include "core/verdict/laws.h"
#include "core/verdict/read_plan.h"
#include "core/verdict/replica_groups.h"
#include "core/verdict/verdict.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <tuple>

namespace rankdeck {
namespace {

constexpr int maxWorldSize = 1 << 20;
constexpr int mostBesides = 8192;  // ranks of a save that is not the furthest

std::pair<int, std::string> worldSizeOf(const Inventory &inventory, const std::vector<EvidencePtr> &evidence,
                                        const KnownEvidence &known, const Expectation &expected)
{
    if (expected.worldSize > 0) return {std::min(expected.worldSize, maxWorldSize), expected.worldSizeFrom};
    // The world size can change between attempts. The file with the largest step decides; among equal steps, the newest
    // file.
    std::optional<std::int64_t> world;
    std::pair<std::int64_t, std::int64_t> furthest{-1, 0};
    for (std::size_t i = 0; i < evidence.size(); ++i) {
        const auto said = evidence[i]->meta.empty() ? std::nullopt : evidence[i]->number("world_size");
        if (!said || *said <= 0 || *said > maxWorldSize) continue;
        const Member &member = inventory.members[i];
        const std::pair at{member.name.globalStep.value_or(0), member.file.stat.mtimeNs};
        if (world && at <= furthest) continue;
        world = said;
        furthest = at;
    }
    if (world) return {static_cast<int>(*world), "metadata"};
    if (inventory.worldSizeFromNames > 0)
        return {std::min(std::max(inventory.worldSizeFromNames, inventory.worldSizeFromDirectories), maxWorldSize),
                "metadata"};
    // A strategy or group file of a rank proves that the rank exists, and a strategy counts the ranks of its stage.
    int counted = inventory.worldSizeFromDirectories;
    std::int64_t stated = 0;
    for (const Member &file : inventory.groupFiles) {
        counted = std::max(counted, file.rank + 1);
        stated = std::max(stated, known(file)->number("stage_end").value_or(0));
    }
    // If several ranks save a file each, the stated number of processes is the world size. If there is only one file,
    // it may serve all ranks.
    for (std::size_t i = 0; counted > 1 && i < evidence.size(); ++i)
        if (!evidence[i]->meta.empty()) stated = std::max(stated, evidence[i]->number("gathered_ranks").value_or(0));
    if (stated > 0 && stated >= counted && stated <= maxWorldSize) return {static_cast<int>(stated), "metadata"};
    return {std::min(counted, maxWorldSize), "directories"};
}

// The largest world size that any file states.
int largestWorld(const std::vector<EvidencePtr> &evidence, int atLeast)
{
    std::int64_t largest = atLeast;
    for (const EvidencePtr &one : evidence)
        if (const auto said = one->meta.empty() ? std::nullopt : one->number("world_size");
            said && *said <= mostBesides)
            largest = std::max(largest, *said);
    return static_cast<int>(largest);
}

// World size on which all files of a save agree: from their content or, if the content has none, from their names.
std::int64_t statedWorld(const SetAssessment &assessment)
{
    std::set<std::int64_t> within, named;
    for (const Part &part : assessment.parts) {
        if (!part.member) continue;
        named.insert(part.member->name.worldSize.value_or(0));
        if (part.evidence->level != EvidenceLevel::L0) within.insert(part.evidence->number("world_size").value_or(0));
    }
    const std::set<std::int64_t> &said = within.empty() || *within.rbegin() == 0 ? named : within;
    return said.size() == 1 && !assessment.sharedByRanks ? *said.begin() : 0;
}

// The world size can change between attempts. If all files of a save state the same number of ranks, the save gets that
// many parts, even if other saves differ.
void fitWorlds(std::vector<SetAssessment> &assessments, int worldSize)
{
    for (SetAssessment &assessment : assessments) {
        std::size_t ranks = 0;
        for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank)
            if (assessment.parts[rank].member || assessment.parts[rank].temporary) ranks = rank + 1;
        const std::int64_t own = statedWorld(assessment);
        const bool fits = own > 0 && own <= maxWorldSize && std::size_t(own) >= ranks;
        const std::size_t world = fits ? std::size_t(own) : std::size_t(worldSize);
        const std::size_t had = assessment.parts.size();
        assessment.parts.resize(world);
        assessment.set.members.resize(world);
        for (std::size_t rank = had; rank < world; ++rank) assessment.set.members[rank].rank = static_cast<int>(rank);
    }
    std::erase_if(assessments, [](const SetAssessment &assessment) {  // sets that contain only ranks beyond the world
        return std::none_of(assessment.parts.begin(), assessment.parts.end(),
                            [](const Part &part) { return part.member || part.temporary; });
    });
}

// Learned from files with the same step count in name and content; the most frequent value counts.
std::int64_t learnStepsPerEpoch(const std::vector<Member> &members, const std::vector<EvidencePtr> &evidence,
                                const Expectation &expected)
{
    if (expected.stepsPerEpoch > 0) return expected.stepsPerEpoch;
    std::map<std::int64_t, int> votes;
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (evidence[i]->meta.empty()) continue;
        const ParsedName &name = members[i].name;
        if (const auto batch = evidence[i]->number("batch_num"); batch && *batch > 0) ++votes[*batch];
        if (name.kind != CheckpointKind::periodic || name.rank || !name.epoch || !name.step || *name.epoch < 2)
            continue;
        const auto stepNum = evidence[i]->number("step_num"), epoch = evidence[i]->number("epoch_num");
        if (!stepNum || epoch != name.epoch || name.rerun != 0) continue;
        const std::int64_t steps = *stepNum - *name.step, epochs = *name.epoch - 1;
        if (steps > 0 && steps % epochs == 0 && steps / epochs >= *name.step) ++votes[steps / epochs];
    }
    const auto most =
        std::max_element(votes.begin(), votes.end(), [](const auto &a, const auto &b) { return a.second < b.second; });
    return most == votes.end() ? 0 : most->first;
}

std::int64_t offsetOf(const Expectation &expected, int attempt)
{
    for (const AttemptSpan &span : expected.attempts)
        if (span.index == attempt) return span.stepOffset;
    return 0;
}

void fillPosition(SetAssessment &assessment, const JudgeContext &context)
{
    CheckpointSet &set = assessment.set;
    bool countsSinks = false;
    for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank) {
        const Part &part = assessment.parts[rank];
        const Member *file = part.member ? part.member : part.temporary;
        if (const std::optional<WallTime> time = file ? savedAt(*file) : set.members[rank].time)
            set.time = set.time ? std::max(*set.time, *time) : time;
        countsSinks = countsSinks || (assessment.parts[rank].rankInName && set.kind == CheckpointKind::periodic);
    }
    if (set.epoch && set.step && context.stepsPerEpoch > 0 && !countsSinks)
        set.position = (*set.epoch - 1) * context.stepsPerEpoch + *set.step +
                       (assessment.epochsBefore > 0 ? 0 : offsetOf(context.expected, set.attempt));
    else
        set.position = set.globalStep;
}

// TensorFlow 2 can save twice at one step; it counts its saves.
std::int64_t savesBefore(const CheckpointSet &set)
{
    const auto found = set.facts.find("save_counter");
    return found == set.facts.end() ? 0 : decimal(found->second).value_or(0);
}

// The number in Accelerate's names is the count of saves or the step. It orders the saves if their content has no step.
std::int64_t numberInName(const SetAssessment &assessment)
{
    const std::string_view name = assessment.prefix;
    return decimal(name.substr(name.find_last_not_of("0123456789") + 1)).value_or(0);
}

// Newest first: by attempt, then by step. At the same point, the file from which a resume is easiest comes first.
void sortSets(std::vector<SetAssessment> &assessments, std::int64_t perEpoch)
{
    std::int64_t pace = perEpoch;
    if (pace <= 0)
        for (const SetAssessment &assessment : assessments) pace = std::max(pace, assessment.set.step.value_or(0));
    const auto key = [pace](const SetAssessment &assessment) {
        const CheckpointSet &set = assessment.set;
        std::optional<double> at;
        if (set.epoch && set.step)
            at = double(*set.epoch - 1) * double(pace) + double(*set.step);
        else if (set.globalStep)
            at = double(*set.globalStep);
        else if (set.epoch)
            at = double(*set.epoch) * double(std::max<std::int64_t>(pace, 1));
        const bool notYet = !at && assessment.unread;  // may be the newest: to be read first
        const std::int64_t named = at ? 0 : numberInName(assessment);
        return std::tuple(-set.attempt, !notYet, at ? -*at : 1.0, set.kind, assessment.weightsOnly, -savesBefore(set),
                          -named);
    };
    std::stable_sort(assessments.begin(), assessments.end(),
                     [&](const SetAssessment &a, const SetAssessment &b) { return key(a) < key(b); });
}

// Sets that are newer than the newest VALID one and may also be VALID.
void tellUnlisted(CheckpointReport &report, const Inventory &inventory)
{
    std::set<std::string> nodes;
    std::int64_t sets = 0;
    for (const CheckpointSet &set : report.sets) {
        if (set.verdict == Verdict::valid) break;
        bool unlisted = false;
        for (const Reason &reason : set.reasons) {
            const auto listed = inventory.listed.find(reason.rank);
            if (reason.code != "not_listed" || listed == inventory.listed.end()) continue;
            unlisted = true;
            nodes.insert(listed->second.node);
            const WallTime asOf = listed->second.asOf;
            report.unlistedSince = report.unlistedSince ? std::min(*report.unlistedSince, asOf) : asOf;
        }
        sets += unlisted ? 1 : 0;
    }
    report.unlistedNodes.assign(nodes.begin(), nodes.end());
    if (nodes.empty()) return;
    std::string names;
    for (const std::string &node : nodes) names += (names.empty() ? "" : ", ") + printable(node);
    report.recommendedText += std::string(report.recommendedText.empty() ? "" : "; ") + grouped(sets) +
                              (sets == 1 ? " newer set is" : " newer sets are") + " unknown: " + names +
                              " not listed since " + clockTime(*report.unlistedSince);
}

void recommend(CheckpointReport &report)
{
    const CheckpointSet *best = report.newestValid();
    if (!best) return;
    report.recommended = best->id;
    report.recommendedText = "newest VALID set";
    for (const CheckpointSet &set : report.sets) {
        if (set.verdict != Verdict::valid || set.attempt >= best->attempt || !set.position || !best->position) continue;
        if (*set.position <= *best->position) continue;
        report.recommendedText +=
            ", of the newest attempt; attempt " + std::to_string(set.attempt) + " had reached further: " + set.id;
        return;
    }
}

std::map<std::size_t, JudgeContext::Oldest> oldestFiles(const std::vector<SetAssessment> &assessments)
{
    std::map<std::size_t, JudgeContext::Oldest> oldest;
    for (const SetAssessment &assessment : assessments)
        for (std::size_t rank = 0; rank < assessment.parts.size() && !assessment.sharedByRanks; ++rank) {
            const Member *member = assessment.parts[rank].member;
            if (!member || member->name.kind != CheckpointKind::periodic) continue;
            const JudgeContext::Oldest own{savedAt(*member), &assessment};
            const auto [at, first] = oldest.emplace(rank, own);
            if (!first && own.at < at->second.at) at->second = own;
        }
    return oldest;
}

std::vector<std::size_t> lawOrder(unsigned seed)
{
    std::vector<std::size_t> order(laws().size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    if (seed != 0) std::shuffle(order.begin(), order.end(), std::mt19937(seed));
    return order;
}

void eachSave(std::vector<SetAssessment> &assessments, const auto &act)
{
    std::size_t cells = 0;
    for (const SetAssessment &assessment : assessments) cells += assessment.parts.size();
    inTwoThreads(assessments.size(), cells, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) act(assessments[i]);
    });
}

// Judges one save at a time, after the contents of the ranks' files in all saves are known.
void judgeEach(std::vector<SetAssessment> &assessments, JudgeContext &context)
{
    if (!context.inventory.listed.empty()) context.oldest = oldestFiles(assessments);
    eachSave(assessments, [&](SetAssessment &save) {
        judgeFiles(save, context);
        conclude(save);
    });
    context.structures = StructureIndex(assessments);
    context.delays = delaysOf(assessments);
    const std::vector<std::size_t> order = lawOrder(context.expected.lawSeed);
    eachSave(assessments, [&](SetAssessment &save) {
        for (const std::size_t row : order)
            if (laws()[row].ofSave) {
                save.findings.law = row + 1;  // after judgeFiles
                laws()[row].ofSave(save, context);
            }
        conclude(save);
        save.findings.law = laws().size() + 1;
        useReplicas(save, context);
        conclude(save);
        fillPosition(save, context);
    });
}

// Judges the saves of each run together.
void judgeRuns(std::vector<SetAssessment> &assessments, const JudgeContext &context)
{
    for (const std::size_t row : lawOrder(context.expected.lawSeed)) {
        if (!laws()[row].ofRun) continue;
        for (const SetAssessment &assessment : assessments) assessment.findings.law = row + 1;
        laws()[row].ofRun(assessments, context);
    }
    for (SetAssessment &assessment : assessments) {
        conclude(assessment);
        assessment.findings.law = laws().size() + 1;
    }
}

// There may be more ranks than were counted: nothing shows that there are none.
void tellCounted(std::vector<SetAssessment> &assessments)
{
    for (SetAssessment &assessment : assessments)
        if (assessment.set.verdict == Verdict::valid && !assessment.sharedByRanks && assessment.parts.size() > 1)
            assessment.blame("world_counted",
                             message("%1 ranks were counted from the existing files: there may be more",
                                     grouped(std::int64_t(assessment.parts.size()))));
}

std::vector<EvidencePtr> collectEvidence(const Inventory &inventory, const KnownEvidence &known)
{
    std::vector<EvidencePtr> evidence;
    evidence.reserve(inventory.members.size());
    for (const Member &member : inventory.members) evidence.push_back(known(member));
    return evidence;
}

// Records which ranks held the same parameters at the save, so that a resume plan can compare them with the ranks that
// it starts. A file that serves several ranks does not show this.
void tellReplicas(std::vector<SetAssessment> &assessments, const Expectation &expected)
{
    if (expected.savedByFew) return;
    std::string text;
    for (const std::vector<int> &group : expected.replicaGroups) {
        text += text.empty() ? "" : ";";
        for (std::size_t i = 0; i < group.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(group[i]);
    }
    if (text.empty()) return;
    for (SetAssessment &assessment : assessments)
        if (!assessment.sharedByRanks) assessment.set.facts["replica_groups"] = text;
}

}  // namespace

void takeReplicas(const Job &job, Expectation &into)
{
    into.replicaGroups = job.replicaGroups();
    const bool told = job.checkpoints.replicasAreAll || !job.checkpoints.replicaGroups.empty();
    into.savedByFew = !told && !into.replicaGroups.empty();
    if (told) into.replicaSource = "checkpoints.replica_groups says";
}

CheckpointReport judge(const Inventory &listed, const KnownEvidence &known, const Expectation &told)
{
    Expectation expected = told;
    const std::vector<EvidencePtr> evidence = collectEvidence(listed, known);
    const std::optional<Inventory> corrected = withoutRefutedRanks(listed, evidence);
    const Inventory &inventory = corrected ? *corrected : listed;
    CheckpointReport report;
    report.notes = inventory.notes;
    std::tie(report.worldSize, report.worldSizeFrom) = worldSizeOf(inventory, evidence, known, expected);
    report.framework =
        expected.frameworkName != "auto" ? expected.frameworkName : frameworkOf(inventory.members, evidence);
    if (expected.replicaGroups.empty()) expected.replicaGroups = inventory.replicaGroups;
    if (expected.replicaGroups.empty()) {
        ReplicaGroups groups = groupsFromFiles(inventory, known, report.worldSize);
        expected.replicaGroups = std::move(groups.groups);
        report.notes.insert(report.notes.end(), groups.notes.begin(), groups.notes.end());
    }
    if (expected.replicaGroups.empty() && !expected.loggedReplicas.empty()) {
        expected.replicaGroups = agreeOnGroups(expected.loggedReplicas, report.worldSize).groups;
        expected.replicaSource = "the logs of the ranks say";
    }
    const int most = expected.worldSize > 0 ? report.worldSize : largestWorld(evidence, report.worldSize);
    std::vector<SetAssessment> assessments = groupIntoSets(inventory.members, evidence, expected, most, report.notes);
    if (expected.worldSize == 0) fitWorlds(assessments, report.worldSize);
    for (std::string &text : joinSecondNames(assessments)) report.notes.push_back(std::move(text));
    nameSets(assessments);
    guessSavers(assessments, inventory, expected);
    JudgeContext context{expected, inventory, known, report.notes,
                         learnStepsPerEpoch(inventory.members, evidence, expected)};
    for (std::string &text : continueNames(assessments, context.stepsPerEpoch)) report.notes.push_back(std::move(text));
    judgeEach(assessments, context);
    findRuns(assessments);
    judgeRuns(assessments, context);
    tellReplicas(assessments, expected);
    sortSets(assessments, context.stepsPerEpoch);
    nameSets(assessments);
    preferPresentRun(assessments);
    if (report.worldSizeFrom == "directories") tellCounted(assessments);
    for (SetAssessment &assessment : assessments) conclude(assessment);
    report.trackers = judgeTrackers(assessments, inventory, known);
    for (const TrackerVerdict &tracker : report.trackers)
        if (tracker.code && std::find(report.notes.begin(), report.notes.end(), tracker.text) == report.notes.end())
            report.notes.push_back(tracker.text);
    report.sets.reserve(assessments.size());
    for (SetAssessment &assessment : assessments) report.sets.push_back(std::move(assessment.set));
    recommend(report);
    tellUnlisted(report, inventory);
    report.settled = !inventory.stillChanging && wantedEvidence(inventory, report, known).empty();
    return report;
}

}  // namespace rankdeck
