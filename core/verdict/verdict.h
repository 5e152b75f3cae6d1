// SPDX-License-Identifier: GPL-3.0-or-later
// Sets and their verdicts: pure functions from listings and evidence to the sets that can be resumed, with the reason
// for every refusal. A set is VALID only if all requirements are shown to be met; anything unknown makes it UNKNOWN.
#pragma once

#include "core/base/clock.h"
#include "core/base/message.h"
#include "core/base/shared_vector.h"
#include "core/checkpoint/checkpoint.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct Job;

enum class Verdict { valid, validUnproven, inProgress, incomplete, inconsistent, corrupt, unknown };
const char *verdictName(Verdict verdict);  // "VALID-UNPROVEN" …
Message verdictMessage(Verdict verdict);   // the same, for sentences
Verdict verdictOf(Means means);            // the best verdict that a code leaves

enum class MemberState {
    ok,
    missing,
    inProgress,
    torn,
    mismatch,
    unreadable,
    replica,
    unread
};                                               // unread: whether it is "ok" is unknown
const char *memberStateName(MemberState state);  // as in the JSON; unread is "unknown"

struct Reason {
    ReasonCode code;
    int rank = -1;
    Message text;                               // one sentence: expected, found
    Verdict verdict = verdictOf(code.means());  // the best that this reason leaves
    bool operator==(const Reason &) const = default;
};

struct MemberVerdict {
    int rank = -1;
    std::string node;
    std::string path;
    int member = -1;  // its position in the inventory that was judged; -1: none
    MemberState state = MemberState::missing;
    EvidenceLevel level = EvidenceLevel::L0;
    std::uint64_t bytes = 0;
    std::optional<WallTime> time = {};
    std::optional<int> fromRank = {};  // a replica's file serves this rank
    Message note = {};                 // short, for the cell: "12 MB short"
    bool operator==(const MemberVerdict &) const = default;
};

// The note of a member whose state is unknown, because its node was not listed after the other ranks saved.
inline constexpr const char *notListedNote = "not known";

struct CheckpointSet {
    // "attempt:epoch-step"; kinds other than periodic end in a letter: g graceful, b breakpoint, t TTP, o other
    // ("0:2-4g"). If the epoch or step is not (yet) known, the prefix of the name replaces both ("0:LeNet5g"). A second
    // set with the same id ends in ".2", a third in ".3".
    std::string id;  // "0:3-10"
    int attempt = 0;
    CheckpointKind kind = CheckpointKind::periodic;
    std::optional<std::int64_t> epoch = {}, step = {}, globalStep = {};
    std::optional<std::int64_t> position = {};  // on the job's axis
    std::optional<WallTime> time = {};          // newest member
    Verdict verdict = Verdict::unknown;
    std::vector<Reason> reasons = {};  // the worst first
    // Facts from its files that a resume plan compares: world_size, dp_world_size, zero_stage,
    // tensor_model_parallel_size, reshardable (all | model | none) …
    std::map<std::string, std::string> facts = {};
    std::vector<MemberVerdict> members = {};  // one per rank, ascending
    bool operator==(const CheckpointSet &) const = default;
};

// A file in which a framework records its newest checkpoint, and what is wrong with it. A hint, never authority.
struct TrackerVerdict {
    std::string node;
    std::string path;  // expected directory if it is absent
    TrackerKind kind = TrackerKind::megatron;
    std::string target = {};              // checkpoint that the tracker names; empty: nothing usable
    std::optional<ReasonCode> code = {};  // tracker_behind, tracker_corrupt …; nullopt: nothing is wrong
    Message text = {};
    bool operator==(const TrackerVerdict &) const = default;
};

// One row of the table of saves and places: one path.
struct PlacedPart {
    enum class Certainty { stated, inferred, ambiguous };
    std::string node, path = {};
    std::string save = {};  // the id of its set
    int rank = -1;          // -1: of all ranks
    std::string slot = {};  // its path without the numbers that vary: "actor/step_#.pt"
    Certainty certainty = Certainty::stated;
    std::vector<Message> evidence = {};  // clauses
    bool operator==(const PlacedPart &) const = default;
};

struct CheckpointReport {
    int worldSize = 0;
    std::string worldSizeFrom = "directories";  // "job" | "option" | "metadata" | "directories"
    std::string framework = "mindspore";
    SharedVector<CheckpointSet> sets = {};        // newest first by meaning
    std::optional<std::string> recommended = {};  // id of the newest VALID set
    std::string recommendedText = {};
    std::vector<TrackerVerdict> trackers = {};
    std::vector<std::string> notes = {};  // includes notes about wrong trackers
    bool settled = false;                 // everything that was wanted has been read
    std::vector<PlacedPart> table = {};   // filled only with Expectation::explain
    // Nodes that were not listed since the newest VALID set was saved. Newer sets may also be VALID.
    std::vector<std::string> unlistedNodes = {};
    std::optional<WallTime> unlistedSince = {};
    [[nodiscard]] const CheckpointSet *find(const std::string &id) const;
    [[nodiscard]] const CheckpointSet *newestValid() const;
    bool operator==(const CheckpointReport &) const = default;
};

struct AttemptSpan {
    int index = 0;
    WallTime started = {};
    std::int64_t stepOffset = 0;
};

struct Expectation {
    int worldSize = 0;  // 0: found out
    std::string worldSizeFrom = "job";
    std::vector<AttemptSpan> attempts = {};  // as the run knows them; empty: derived from names and times
    std::int64_t stepsPerEpoch = 0;
    WallTime now = {};
    unsigned lawSeed = 0;  // for tests: another order of the laws, which must change nothing
    bool explain = false;  // the report has the table of what was inferred
    bool running = true;   // a .tmp or a growing file may still become a checkpoint
    // If no rank is running: the last time at which a rank ran. An older listing may lack some saves.
    std::optional<WallTime> ranUntil = {};
    // Ids of sets that were complete before a plan of this console began to move their files.
    std::vector<std::string> moving = {};
    std::string frameworkName = "auto";
    // Ids of sets that were seen complete before. If files of the oldest one disappear, retention deleted them.
    std::vector<std::string> completeBefore = {};
    // Ranks that hold the same parameters (data-parallel groups), if there is evidence. In a breakpoint or TTP set, the
    // file of one can replace the missing file of another. Empty: unknown.
    std::vector<std::vector<int>> replicaGroups = {};
    std::string replicaSource = {};  // source, for the reason; empty: files or variables of the job
    bool savedByFew = false;         // in this job one file normally serves several ranks
    std::map<int, std::vector<int>> loggedReplicas = {};  // rank → group, from lines of its log; the weakest source
};

// Copies the job file's statements about files that serve several ranks.
void takeReplicas(const Job &job, Expectation &into);

// known: evidence of a member, as far as it was read.
CheckpointReport judge(const Inventory &inventory, const KnownEvidence &known, const Expectation &expected);

}  // namespace rankdeck
