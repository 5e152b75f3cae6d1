// SPDX-License-Identifier: GPL-3.0-or-later
// A set while it is being judged: its parts by rank, and the findings of the rules so far. Private to verdict/.
#pragma once

#include "core/base/message.h"
#include "core/checkpoint/thresholds.h"
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
    const Member *rival = nullptr;      // another file of the same rank at the same point
    bool attemptUncertain = false;
    // Facts of the member, copied here because the members are far apart in memory:
    bool plain = false;  // a file that was listed without an error, does not grow and is not empty
    bool rankInName = false;
};

// Statement of a law about a save, or about the file of one rank.
struct Blame {
    Verdict severity = Verdict::valid;  // the best verdict that it leaves; valid: advice
    ReasonCode code;
    int rank = -1;  // -1: the save as a whole
    Message text = {};
    MemberState state = MemberState::ok;  // new state of the rank's file; ok: unchanged
    Message note = {};
    std::size_t law = 0;  // row of the law
    int about = rank;     // the rank whose file shows the problem
};

// Advice from a law that explains the doubts with this code.
struct Explanation {
    ReasonCode code;
    Message text;
};

// The point of the save, as its content shows it.
struct SavePoint {
    std::optional<std::int64_t> epoch = {}, step = {}, globalStep = {};
};

// Blame from all laws, and how much of it `conclude` has applied. Laws add to it; they read it only to avoid duplicate
// advice, so their order does not matter.
struct Findings {
    std::vector<Blame> blames = {};
    std::vector<Explanation> explanations = {};
    std::optional<SavePoint> point = {};
    std::size_t concluded = 0;  // number of blames
    std::size_t law = 0;        // row of the law that adds now
};

struct SetAssessment {
    CheckpointSet set;
    std::string prefix;
    std::string run = {};  // directory of the set's run; empty if it is the root or the set has no file
    bool weightsOnly = false;
    bool stepIsGuess = false;    // the number in its name is a hint only
    bool sharedByRanks = false;  // one checkpoint of several files that all ranks load from
    // Epochs of earlier attempts, and steps of an incomplete epoch, that the content counts but the name does not.
    std::int64_t epochsBefore = 0, stepsBefore = 0;
    bool epochIsContents = false;  // only its own content shows these epochs: its run has no other save
    std::vector<Part> parts;       // by rank
    bool unread = false;           // at least one part was not read yet
    mutable Findings findings = {};

    [[nodiscard]] bool judged(std::size_t rank) const  // whole and without blame so far
    {
        return parts[rank].evidence && set.members[rank].state == MemberState::ok;
    }
    // Adds blame with the default severity of the code, or with the given one.
    Blame &blame(ReasonCode code, Message text, int rank = -1) const;
    void blame(Verdict severity, ReasonCode code, Message text, int rank = -1) const;
    // Also blames the file of the rank.
    void blame(std::size_t rank, MemberState state, ReasonCode code, Message text, Message note = {}) const;
    void blame(Verdict severity, std::size_t rank, MemberState state, ReasonCode code, Message text,
               Message note = {}) const;
    void explain(ReasonCode code, Message text) const;
};

// Computes the verdict, the ordered reasons, the states of the files and the point from all findings so far. Two laws
// that blame one place with one code count once. A doubt about a file that is already blamed does not count.
void conclude(SetAssessment &assessment);
inline Message rankText(std::size_t rank) { return message("rank %1", rank); }
inline bool isUsable(const SetAssessment &assessment)  // by what has been found so far
{
    return assessment.set.verdict == Verdict::valid || assessment.set.verdict == Verdict::validUnproven;
}

struct JudgeContext {
    const Expectation &expected;
    const Inventory &inventory;
    const KnownEvidence &known;
    std::vector<std::string> &notes;  // notes of the report
    std::int64_t stepsPerEpoch = 0;   // 0: unknown
    StructureIndex structures = {};
    // For each rank: how many seconds it saved after most others, for all sets.
    std::map<std::size_t, std::vector<double>> delays = {};
    // Oldest periodic file that each rank still has, for a watched job.
    struct Oldest {
        WallTime at;  // by the console's clock
        const SetAssessment *set;
    };
    std::map<std::size_t, Oldest> oldest = {};
};

inline constexpr double savingSeconds = threshold::seconds(threshold::stillSaving);
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
// Judges one checkpoint of several files, once for all ranks that load from it.
void judgeComposite(SetAssessment &assessment, const std::vector<std::size_t> &ranks, const JudgeContext &context);
void judgeFiles(SetAssessment &assessment,
                const JudgeContext &context);  // each part for itself: there, whole, readable
// Leaves out a set that is another name of a set beside it, a link or a copy; returns notes.
std::vector<std::string> joinSecondNames(std::vector<SetAssessment> &assessments);
// PyTorch scripts often save only in rank 0, or only in the first rank of each node. If all saves have that pattern and
// no source names replicas, the pattern is assumed, but unproven (savedByFew with a replicaSource).
void guessSavers(const std::vector<SetAssessment> &assessments, const Inventory &inventory, Expectation &expected);
// Finds the directory of each set's run, without the folders that count steps or epochs. Such folders are recognised by
// their names, or because their numbers match the content.
void findRuns(std::vector<SetAssessment> &assessments);
// Name of the series of saves to which this one belongs. It is the run, or the form of the name if single files differ
// only in numbers.
std::string courseOf(const SetAssessment &assessment);
// Finds runs whose names begin at epoch 1 again while their content counts on, and takes the epochs of their sets from
// the content. Returns notes.
std::vector<std::string> continueNames(std::vector<SetAssessment> &assessments, std::int64_t perEpoch);
// If one parent directory has several runs, the run that saved last is the present one. Its sets come first.
void preferPresentRun(std::vector<SetAssessment> &assessments);
std::map<std::size_t, std::vector<double>> delaysOf(const std::vector<SetAssessment> &assessments);
void useReplicas(SetAssessment &assessment, const JudgeContext &context);  // a proven replica serves a missing rank

}  // namespace rankdeck
