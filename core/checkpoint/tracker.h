// SPDX-License-Identifier: GPL-3.0-or-later
// Small files in which frameworks record their newest checkpoint: latest_checkpointed_iteration.txt (Megatron and
// related), latest (DeepSpeed) and checkpoint (TensorFlow). Also MindFormers' records of single saves: meta.json of a
// rank, health_ckpts.json of a run (read by verdict/frameworks/mindformers_marks.h). All are hints: they are parsed
// strictly, and only compared with the existing files. Pure.
#pragma once

#include "core/base/message.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

enum class TrackerKind { megatron, deepspeed, tensorflow, rankMark, healthRecord };
inline constexpr int trackerKinds = 5;
// True for kinds that describe single checkpoints and name none as the newest.
inline bool isOfSingleSaves(TrackerKind kind)
{
    return kind == TrackerKind::rankMark || kind == TrackerKind::healthRecord;
}
inline constexpr const char *rankMarkName = "meta.json", *healthRecordName = "health_ckpts.json";
const char *trackerKindName(TrackerKind kind);

// By the name of the file; nullopt: not a tracker.
std::optional<TrackerKind> trackerKind(std::string_view baseName);

inline constexpr std::uint32_t maxTrackerBytes = 65536;  // TensorFlow lists all kept checkpoints; the others need 20

struct TrackerContent {
    // Named checkpoint, below its own directory: "iter_0000200", "global_step6", "model.ckpt-66". Empty: see defect.
    std::string target = {};
    std::optional<std::int64_t> step = {};  // as the format itself states it
    enum class Defect { none, empty, malformed, leaves } defect = Defect::none;
    Message found = {};      // the fault, or what was tolerated (a Windows line ending, a byte order mark)
    bool tolerated = false;  // true: found is only a remark
};

// directory: that of the tracker; needed because TensorFlow writes absolute paths.
TrackerContent parseTracker(TrackerKind kind, std::string_view bytes, std::string_view directory);

}  // namespace rankdeck
