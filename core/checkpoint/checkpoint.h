// SPDX-License-Identifier: GPL-3.0-or-later
// What one rank saved at one point, as it is known so far: its files (L0), and what reading them has shown (L1–L4).
// Plain values; the vocabulary of checkpoint/ and verdict/.
#pragma once

#include "core/base/clock.h"
#include "core/base/known.h"
#include "core/checkpoint/meta.h"
#include "core/checkpoint/parsed_name.h"
#include "core/checkpoint/reason_codes.h"
#include "core/checkpoint/tensor_list.h"
#include "core/checkpoint/tracker.h"
#include "core/node/protocol/file_messages.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

enum class Format {
    unknown,
    mindsporeCkpt,
    mindsporeStrategy,
    safetensors,
    torchZip,
    torchLegacy,
    mindio,
    dcp,
    deepspeed,
    megatron,
    tfV1,
    tfV2,
    hfSharded,
    orbax,
    npz,
    flax
};
const char *formatName(Format format);  // as in the JSON: "mindspore-ckpt"

enum class EvidenceLevel { L0, L1, L2, L3, L4 };
const char *evidenceLevelName(EvidenceLevel level);

struct Problem {
    ReasonCode code;
    std::uint64_t offset = 0;
    std::string text;
    int rank = -1;  // whose part of a checkpoint of several files; -1: of the whole
};                  // codes: docs/checkpoints.md

// '+' or '-' of some weights, '0' of those that are zero, by tensor.
using WeightSigns = std::map<std::string, std::string>;
// Behind the name of the file: of its optimizer's second moments '+' of those above the middle of their tensor, else '-'.
inline constexpr const char *secondMoments = "#second moments";

struct Evidence {  // of one file
    std::string path;
    FileStat stat;
    Format format = Format::unknown;
    EvidenceLevel level = EvidenceLevel::L0;
    Known complete = {};      // nullopt: not known
    TensorList tensors = {};  // in file order; shared, cheap to copy
    // CRC-32 of the record of each tensor, parallel to tensors, where the format has them for nothing (torch zip).
    std::shared_ptr<const std::vector<std::uint32_t>> checksums = {};
    // Of the weights that were looked at: two saves of a run do not have the same. 0: too little was seen to tell.
    std::uint64_t fingerprint = 0;
    // The same of the files of a checkpoint of several, by their names below it.
    std::shared_ptr<const std::map<std::string, std::uint64_t>> partFingerprints = {};
    // Of the weights that were looked at, by the names of the files of a checkpoint of several; "" is the file itself.
    std::shared_ptr<const std::map<std::string, WeightSigns>> signs = {};
    // What the state files of a checkpoint of several count (schedule_step, optimizer_step, average_step, data_step,
    // samples_seen, epoch), the learning rates that they tell (schedule_rate, optimizer_rate) and what draws the order of the
    // data (data_order, data_seed), by their names below it.
    std::shared_ptr<const std::map<std::string, Meta>> states = {};
    // DCP_SHARDING_INFO of a file of safetensors, as JSON: where its pieces begin in the whole tensors.
    std::shared_ptr<const std::string> sharding = {};
    Meta meta = {};         // epoch_num, step_num, global_step, … as text of the value
    bool graceful = false;  // carries graceful_exit/graceful_init
    bool encrypted = false;
    enum class Crc { absent, ok, bad, unchecked } crc = Crc::absent;
    bool nonFiniteSeen = false;  // NaN or Inf in the sampled weights
    std::vector<Problem> problems = {};
    std::uint64_t bytesRead = 0;
    int roundTrips = 0;
    [[nodiscard]] std::optional<std::int64_t> number(const std::string &key) const;
};
std::optional<std::int64_t> wholeValue(const std::string &text);  // of a meta value that is a whole number
inline bool isUnread(const Evidence &evidence)  // never asked for; an answer that says nothing is a problem
{
    return evidence.level == EvidenceLevel::L0 && evidence.problems.empty();
}
inline bool saysNothing(const Evidence &evidence)  // asked for in vain: its node did not answer, it could not be read
{
    return evidence.level == EvidenceLevel::L0 && !evidence.problems.empty();
}

struct Member {  // one rank's part of a set
    int rank = -1;
    std::string node;
    FileEntry file;
    ParsedName name;
    std::string series = {};  // directory above the rank folders, where no template says it
    bool growing = false;     // its size or time differs from the listing before
    // All files of a checkpoint of several (file is its directory or prefix, kind 'd'; layouts.h); else empty.
    std::vector<FileEntry> parts = {};
    bool sharedByRanks = false;  // all ranks load from it; rank is 0
    bool rankInPath = false;     // its name, or a folder below what was listed, says whose it is
    bool rankIsGuess = false;    // by folders that differ in a number only, which may count something else
    double clockAhead = 0;       // its node's clock minus the console's, seconds
};

// By the console's clock, as far as the node's is known.
inline WallTime savedAt(const Member &member)
{
    return secondsAfter(wallFromNs(member.file.stat.mtimeNs), -member.clockAhead);
}

// What is known of a member; never null. Shared, not copied: thousands of files are judged again and again. Of a file that
// was not read it is L0 and says nothing else, unless there is a problem to tell.
using EvidencePtr = std::shared_ptr<const Evidence>;
using KnownEvidence = std::function<EvidencePtr(const Member &)>;

// A file by which a framework remembers its newest checkpoint. It is read as a member is (rank -1); the evidence has its
// text as meta "tracker".
struct Tracker {
    TrackerKind kind = TrackerKind::megatron;
    Member member = {};
};

inline constexpr const char *groupInfoName = "group_info.pb";  // which ranks hold the same, as MindSpore says it

// Everything found by listing, before any read: the members by rank. Files that are no checkpoints are not in it.
struct Inventory {
    std::vector<Member> members = {};
    std::vector<Tracker> trackers = {};
    std::vector<Member> groupFiles =
        {};  // group_info.pb, strategy files: by rank (-1: of a stage); read as members are
    std::vector<std::vector<int>> replicaGroups = {};  // by RESTORE_RANKS_MAP of the job's launch environment
    std::vector<std::string> notes = {};               // unreadable directories, links that leave the root …
    int worldSizeFromDirectories = 0;
    int worldSizeFromNames = 0;                // what the names of files say themselves; 0: nothing
    bool stillChanging = false;                // a listing is not complete yet
    std::map<int, std::string> unlisted = {};  // rank → why its files could not be listed: not missing, unknown
    // How old what is known of a rank's directories is: a file that came later is not in it. A rank that is not here was
    // listed just now.
    struct Listed {
        std::string node;
        WallTime asOf;  // by the console's clock
    };
    std::map<int, Listed> listed = {};
};

}  // namespace rankdeck
