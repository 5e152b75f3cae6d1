// SPDX-License-Identifier: GPL-3.0-or-later
// One rank's files of one save: the listed files (L0), and the evidence from reading them (L1–L4). Plain values; the
// vocabulary of checkpoint/ and verdict/.
#pragma once

#include "core/base/clock.h"
#include "core/base/known.h"
#include "core/base/message.h"
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
    Message text;
    int rank = -1;  // affected rank of a checkpoint of several files; -1: the whole checkpoint
};                  // codes: docs/checkpoints.md

// Tensor → '+' or '-' for some weights, '0' for zero weights.
using WeightSigns = std::map<std::string, std::string>;
// Suffix of the file name for the optimizer's second moments: '+' if above the median of their tensor, otherwise '-'.
inline constexpr const char *secondMoments = "#second moments";

struct Evidence {  // evidence of one file
    std::string path;
    FileStat stat;
    Format format = Format::unknown;
    EvidenceLevel level = EvidenceLevel::L0;
    Known complete = {};      // nullopt: unknown
    TensorList tensors = {};  // in file order; shared, cheap to copy
    // CRC-32 of each tensor's record, parallel to tensors; set only if the format stores such checksums (torch zip).
    std::shared_ptr<const std::vector<std::uint32_t>> checksums = {};
    // Fingerprint of the sampled weights: two saves of a run have different ones. 0: the sample was too small.
    std::uint64_t fingerprint = 0;
    // Fingerprints of the files of a checkpoint with several files, by their paths below it.
    std::shared_ptr<const std::map<std::string, std::uint64_t>> partFingerprints = {};
    // Signs of the sampled weights, by the paths of the files within the checkpoint; "" is a checkpoint of a single
    // file.
    std::shared_ptr<const std::map<std::string, WeightSigns>> signs = {};
    // Numbers from the state files of a checkpoint with several files, by their paths below it. They are counts
    // (schedule_step, optimizer_step, average_step, data_step, samples_seen, epoch), learning rates (schedule_rate,
    // optimizer_rate) and the source of the data order (data_order, data_seed).
    std::shared_ptr<const std::map<std::string, Meta>> states = {};
    // DCP_SHARDING_INFO of a safetensors file, as JSON: offsets of its pieces in the whole tensors.
    std::shared_ptr<const std::string> sharding = {};
    Meta meta = {};         // epoch_num, step_num, global_step, …: the value as text
    bool graceful = false;  // carries graceful_exit/graceful_init
    bool encrypted = false;
    enum class Crc { absent, ok, bad, unchecked } crc = Crc::absent;
    bool nonFiniteSeen = false;  // NaN or Inf in the sampled weights
    std::vector<Problem> problems = {};
    std::uint64_t bytesRead = 0;
    int roundTrips = 0;
    [[nodiscard]] std::optional<std::int64_t> number(const std::string &key) const;
};
std::optional<std::int64_t> wholeValue(const std::string &text);  // value of a meta entry that is a whole number
// True if the file was never requested. An answer without content is a problem, not an unread file.
inline bool isUnread(const Evidence &evidence)
{
    return evidence.level == EvidenceLevel::L0 && evidence.problems.empty();
}
// True if the file was requested without success: its node did not answer, or the file could not be read.
inline bool saysNothing(const Evidence &evidence)
{
    return evidence.level == EvidenceLevel::L0 && !evidence.problems.empty();
}

struct Member {  // one rank's part of a set
    int rank = -1;
    std::string node;
    FileEntry file;
    ParsedName name;
    std::string series = {};  // directory above the rank folders, if no template names it
    bool growing = false;     // its size or time differs from the previous listing
    // All files of a checkpoint that has several; `file` is then its directory or prefix with kind 'd' (layouts.h).
    // Otherwise empty.
    std::vector<FileEntry> parts = {};
    bool sharedByRanks = false;  // all ranks load from it; rank is 0
    bool rankInPath = false;     // its name, or a folder below the listed root, shows its rank
    bool rankIsGuess = false;    // taken from folders that differ only in a number, which may count something else
    double clockAhead = 0;       // its node's clock minus the console's, seconds
    // How its name reads if the number that was taken for its rank counts something else (file_ranks.h). Empty: no such
    // number.
    std::shared_ptr<const ParsedName> otherwise = {};
};

// Time of the save by the console's clock, as far as the node's clock is known.
inline WallTime savedAt(const Member &member)
{
    return secondsAfter(wallFromNs(member.file.stat.mtimeNs), -member.clockAhead);
}

// Evidence about a member; never null. Shared, not copied, because thousands of files are judged again and again. For
// an unread file it is L0 and empty, except for a possible problem.
using EvidencePtr = std::shared_ptr<const Evidence>;
using KnownEvidence = std::function<EvidencePtr(const Member &)>;

// A file in which a framework remembers its newest checkpoint. It is read like a member (rank -1); the evidence has its
// text as meta "tracker".
struct Tracker {
    TrackerKind kind = TrackerKind::megatron;
    Member member = {};
};

// The ranks that hold the same parameters, as MindSpore writes them.
inline constexpr const char *groupInfoName = "group_info.pb";

// All files found by listing, before any read: the members by rank. Contains only checkpoint files.
struct Inventory {
    std::vector<Member> members = {};
    std::vector<Tracker> trackers = {};
    std::vector<Member> groupFiles = {};  // group_info.pb, strategy files: by rank (-1: of a stage); read like members
    std::vector<std::vector<int>> replicaGroups = {};  // from RESTORE_RANKS_MAP of the job's launch environment
    // Files whose names are not those of checkpoints. Empty if there are too many.
    struct Companion {
        std::string node, path;  // the node is empty if all nodes see the file
        std::int64_t mtimeNs = 0;
    };
    std::vector<Companion> companions = {};
    // Notes about unreadable directories, links that leave the root …
    std::vector<std::string> notes = {};
    int worldSizeFromDirectories = 0;
    int worldSizeFromNames = 0;                // from the file names themselves; 0: unknown
    bool stillChanging = false;                // a listing is not complete yet
    std::map<int, std::string> unlisted = {};  // rank → reason why its files could not be listed: unknown, not missing
    // Time of the listing of a rank's directories: files written later are not in it. A rank without an entry was
    // listed just now.
    struct Listed {
        std::string node;
        WallTime asOf;  // by the console's clock
    };
    std::map<int, Listed> listed = {};
};

}  // namespace rankdeck
