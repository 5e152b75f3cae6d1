// SPDX-License-Identifier: GPL-3.0-or-later
// The small files by which frameworks remember their newest checkpoint: latest_checkpointed_iteration.txt (Megatron and
// its kin), latest (DeepSpeed), checkpoint (TensorFlow); and what MindFormers keeps of single saves: meta.json of a rank,
// health_ckpts.json of a run (verdict/frameworks/mindformers_marks.h reads these two). A hint, never authority: parsed strictly, and what it says is
// only compared with what is there. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

enum class TrackerKind { megatron, deepspeed, tensorflow, rankMark, healthRecord };
inline constexpr int trackerKinds = 5;
// What it says is of single checkpoints; it names none as the newest.
inline bool isOfSingleSaves(TrackerKind kind)
{
    return kind == TrackerKind::rankMark || kind == TrackerKind::healthRecord;
}
inline constexpr const char *rankMarkName = "meta.json", *healthRecordName = "health_ckpts.json";
const char *trackerKindName(TrackerKind kind);

// By the name of the file; nullopt: no tracker.
std::optional<TrackerKind> trackerKind(std::string_view baseName);

inline constexpr std::uint32_t maxTrackerBytes = 65536;  // TensorFlow lists all kept checkpoints; the others need 20

struct TrackerSaying {
    // What it names, below its own directory: "iter_0000200", "global_step6", "model.ckpt-66". Empty: defect says why.
    std::string target = {};
    std::optional<std::int64_t> step = {};  // as the format itself says it
    enum class Defect { none, empty, malformed, leaves } defect = Defect::none;
    std::string found = {};  // what is wrong, or what was tolerated (a line end of Windows, a byte order mark)
    bool tolerated = false;  // found is a remark only
};

// directory: of the tracker; TensorFlow writes absolute paths.
TrackerSaying parseTracker(TrackerKind kind, std::string_view bytes, std::string_view directory);

}  // namespace rankdeck
