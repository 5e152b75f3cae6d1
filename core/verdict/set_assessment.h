// SPDX-License-Identifier: GPL-3.0-or-later
// A set while it is being judged: its parts by rank, and the findings of the rules so far. Private to verdict/.
#pragma once

#include "core/verdict/structure_index.h"
#include "core/verdict/verdict.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

struct Part {
    const Member *member = nullptr;  // nullptr: the rank has no file here
    const Evidence *evidence = nullptr;
    const Member *temporary = nullptr;  // its .tmp, when there is one
    const Member *rival = nullptr;      // another file of the same rank and point
    bool attemptUncertain = false;
    // Of the member, kept here because members lie far apart in memory:
    bool plain = false;  // a file that was listed without an error, does not grow and is not empty
    bool rankInName = false;
};

// Sum of the rules' results; the verdict follows from it alone.
struct SetFaults {
    bool corrupt = false, inconsistent = false, incomplete = false, inProgress = false, unknown = false,
         unproven = false;
};

struct SetAssessment {
    CheckpointSet set;
    std::string prefix;
    std::string run = {};  // the directory of its run; empty: the root, or it has no file
    bool weightsOnly = false;
    bool stepIsGuess = false;    // the number in its name is a hint only
    bool sharedByRanks = false;  // one checkpoint of several files that all ranks load from
    // Epochs of earlier attempts, and steps of an incomplete one, that its name leaves out but its content counts.
    std::int64_t epochsBefore = 0, stepsBefore = 0;
    bool epochIsContents = false;  // only its own content shows them: it is the only save of its run
    std::vector<Part> parts;       // by rank
    SetFaults found;
    bool unread = false;                               // at least one part was not read yet
    [[nodiscard]] bool judged(std::size_t rank) const  // whole and without blame so far
    {
        return parts[rank].evidence && set.members[rank].state == MemberState::ok;
    }
    void addReason(std::size_t rank, MemberState state, ReasonCode code, std::string text, std::string note = {});
    void addReason(ReasonCode code, std::string text, int rank = -1);
};

inline std::string rankText(std::size_t rank) { return "rank " + std::to_string(rank); }
inline bool isUsable(const SetAssessment &assessment)  // by what has been found so far
{
    return assessment.set.verdict == Verdict::valid || assessment.set.verdict == Verdict::validUnproven;
}

struct JudgeContext {
    const Expectation &expected;
    const Inventory &inventory;
    StructureIndex structures;
    std::int64_t stepsPerEpoch = 0;  // 0: unknown
    // Per rank: delays behind most others of its set, in seconds, for all sets.
    std::map<std::size_t, std::vector<double>> delays = {};
    // Oldest periodic file that each rank still has, for a watched job.
    struct Oldest {
        WallTime at;  // by the console's clock
        const SetAssessment *set;
    };
    std::map<std::size_t, Oldest> oldest = {};
};

inline constexpr double savingSeconds = 120;  // a file that was touched since then may still be written
double ageSeconds(const Member &member, const Expectation &expected);

// Adds the advice of a whole checkpoint's reader; if it is a doubt, the set is no longer proven.
void takeAdvice(SetAssessment &assessment, const Evidence &evidence, int rank);
// True if the reader found weights and no optimizer state.
inline bool isExport(const Evidence &evidence)
{
    const auto holds = evidence.meta.find("holds");
    return holds != evidence.meta.end() && holds->second == "weights";
}
inline constexpr const char *exportText =
    "holds weights and nothing of an optimizer: an export, not a state to go on from";
// One checkpoint of several files, for the ranks that load from it: once for all of them.
void judgeComposite(SetAssessment &assessment, const std::vector<std::size_t> &ranks, const JudgeContext &context);
void judgeFiles(SetAssessment &assessment,
                const JudgeContext &context);  // each part for itself: there, whole, readable
void judgeStructure(SetAssessment &assessment,
                    const JudgeContext &context);  // the same tensors as siblings and as before
void judgeNumbers(SetAssessment &assessment,
                  const JudgeContext &context);  // the same point in all ranks, and as the name says
void judgeRun(SetAssessment &assessment,
              const JudgeContext &context);  // one run wrote it; replicas hold the same values
// Leaves out a set that is another name of a set beside it, a link or a copy; returns notes.
std::vector<std::string> joinSecondNames(std::vector<SetAssessment> &assessments);
// Files that differ in a number only, and directories of nodes side by side: the number may be a rank.
void judgeSiblings(std::vector<SetAssessment> &assessments, const Expectation &expected);
// PyTorch's scripts often save only in rank 0 or in the first rank of each node. If all generations have that order and
// no source names replicas, it is assumed, unproven (savedByFew with a replicaSource).
void guessSavers(const std::vector<SetAssessment> &assessments, const Inventory &inventory, Expectation &expected);
// Two files of different steps with the same values: one of them was not saved at its step.
void judgeCopies(std::vector<SetAssessment> &assessments);
// The directory of each set's run, without folders that count steps or epochs. Those are recognised by their names, or
// by numbers that match the content.
void findRuns(std::vector<SetAssessment> &assessments);
// Group of saves that continue each other: a run, or single files whose names differ only in numbers.
std::string courseOf(const SetAssessment &assessment);
// Files that are unrelated to the same file of the saves beside them: of another run or another rank.
void judgeCourses(std::vector<SetAssessment> &assessments);
// A Trainer's state whose losses are of another run than its weights.
void judgeHistories(std::vector<SetAssessment> &assessments);
// Tensors that all other saves of the run hold.
void judgeLostTensors(std::vector<SetAssessment> &assessments);
// Two ranks that have one file, by a link.
void judgeLinks(SetAssessment &assessment, const JudgeContext &context);
// A state file that all other saves of the run have, and that its loader insists on.
void judgeMissingParts(std::vector<SetAssessment> &assessments);
// Ranks of several files each: one that lacks a file which most have, or has another rank's.
void judgeRankParts(std::vector<SetAssessment> &assessments);
// An object of the script that counts with the steps in all other saves, but here has the count of one of them.
void judgeCounts(std::vector<SetAssessment> &assessments);
// MindFormers' common.json of a save has other samples per step, or other epochs, than the run's.
void judgeCommonInfo(std::vector<SetAssessment> &assessments);
// A scheduler or a data loader whose count or rate fits in all other saves, but here is that of another one.
void judgeStates(std::vector<SetAssessment> &assessments);
// A large file in a checkpoint that is as old as the save before it was moved or copied from there.
void judgeOrder(std::vector<SetAssessment> &assessments);
// Differences in time that are equal in all saves of a run: a node's clock.
void judgeClocks(std::vector<SetAssessment> &assessments);
// Runs whose names begin at epoch 1 again while their content counts on: the epochs of their sets are taken from the
// content. Returns notes.
std::vector<std::string> continueNames(std::vector<SetAssessment> &assessments, std::int64_t perEpoch);
// Files whose name has another epoch, step or count of saves relative to the content than the other files of the run.
void judgeCountedNames(std::vector<SetAssessment> &assessments);
// If one parent has several runs, the one that saved last is the present one: its sets come first, the others after
// them.
void preferPresentRun(std::vector<SetAssessment> &assessments);
// Checks that each rank has one plausible file: not two, not from a folder that may count something else, not far older
// than the others.
void judgeOrigin(SetAssessment &assessment, const JudgeContext &context);
// A file that torch saved under the name of another rank's.
void judgeRenames(SetAssessment &assessment);
std::map<std::size_t, std::vector<double>> delaysOf(const std::vector<SetAssessment> &assessments);
void useReplicas(SetAssessment &assessment, const JudgeContext &context);  // a proven replica serves a missing rank
void conclude(SetAssessment &assessment);                                  // findings → verdict, reasons in order

}  // namespace rankdeck
