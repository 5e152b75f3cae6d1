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
    const Member *rival = nullptr;      // another file of the same rank and point
    bool attemptUncertain = false;
    // Of the member, kept here because members lie far apart in memory:
    bool plain = false;  // a file that was listed without an error, does not grow and is not empty
    bool rankInName = false;
};

// Statement of a law about a save, or about the file of one rank.
struct Blame {
    Verdict severity = Verdict::valid;  // the best verdict that it leaves; valid: advice
    ReasonCode code;
    int rank = -1;  // -1: the save as a whole
    Message text = {};
    MemberState state = MemberState::ok;  // what the rank's file is then; ok: unchanged
    Message note = {};
    std::size_t law = 0;  // its row
    int about = rank;     // the rank whose file shows it
};

// Advice against doubts of one code, by a law that explains them.
struct Explanation {
    ReasonCode code;
    Message text;
};

// Point that the content shows.
struct SavePoint {
    std::optional<std::int64_t> epoch = {}, step = {}, globalStep = {};
};

// Blame of all laws, and what `conclude` has not applied yet. Laws add to it. They read it only to leave out advice that
// is there already, so their order does not matter.
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
    std::string run = {};  // the directory of its run; empty: the root, or it has no file
    bool weightsOnly = false;
    bool stepIsGuess = false;    // the number in its name is a hint only
    bool sharedByRanks = false;  // one checkpoint of several files that all ranks load from
    // Epochs of earlier attempts, and steps of an incomplete one, that its name leaves out but its content counts.
    std::int64_t epochsBefore = 0, stepsBefore = 0;
    bool epochIsContents = false;  // only its own content shows them: it is the only save of its run
    std::vector<Part> parts;       // by rank
    bool unread = false;           // at least one part was not read yet
    mutable Findings findings = {};

    [[nodiscard]] bool judged(std::size_t rank) const  // whole and without blame so far
    {
        return parts[rank].evidence && set.members[rank].state == MemberState::ok;
    }
    // With the severity of the code, or another one.
    Blame &blame(ReasonCode code, Message text, int rank = -1) const;
    void blame(Verdict severity, ReasonCode code, Message text, int rank = -1) const;
    // Also blames the file of the rank.
    void blame(std::size_t rank, MemberState state, ReasonCode code, Message text, Message note = {}) const;
    void blame(Verdict severity, std::size_t rank, MemberState state, ReasonCode code, Message text,
               Message note = {}) const;
    void explain(ReasonCode code, Message text) const;
};

// Verdict, reasons in order, states of files and point from all that was found so far. Two laws that blame one place with
// one code count once. A doubt about a file that is blamed itself does not count.
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
    std::vector<std::string> &notes;  // of the report
    std::int64_t stepsPerEpoch = 0;   // 0: unknown
    StructureIndex structures = {};
    // Per rank: delays behind most others of its set, in seconds, for all sets.
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
// One checkpoint of several files, for the ranks that load from it: once for all of them.
void judgeComposite(SetAssessment &assessment, const std::vector<std::size_t> &ranks, const JudgeContext &context);
void judgeFiles(SetAssessment &assessment,
                const JudgeContext &context);  // each part for itself: there, whole, readable
// Leaves out a set that is another name of a set beside it, a link or a copy; returns notes.
std::vector<std::string> joinSecondNames(std::vector<SetAssessment> &assessments);
// PyTorch's scripts often save only in rank 0 or in the first rank of each node. If all generations have that order and
// no source names replicas, it is assumed, unproven (savedByFew with a replicaSource).
void guessSavers(const std::vector<SetAssessment> &assessments, const Inventory &inventory, Expectation &expected);
// The directory of each set's run, without folders that count steps or epochs. Those are recognised by their names, or
// by numbers that match the content.
void findRuns(std::vector<SetAssessment> &assessments);
// Group of saves that continue each other: a run, or single files whose names differ only in numbers.
std::string courseOf(const SetAssessment &assessment);
// Runs whose names begin at epoch 1 again while their content counts on: the epochs of their sets are taken from the
// content. Returns notes.
std::vector<std::string> continueNames(std::vector<SetAssessment> &assessments, std::int64_t perEpoch);
// If one parent has several runs, the one that saved last is the present one: its sets come first, the others after
// them.
void preferPresentRun(std::vector<SetAssessment> &assessments);
std::map<std::size_t, std::vector<double>> delaysOf(const std::vector<SetAssessment> &assessments);
void useReplicas(SetAssessment &assessment, const JudgeContext &context);  // a proven replica serves a missing rank

}  // namespace rankdeck
