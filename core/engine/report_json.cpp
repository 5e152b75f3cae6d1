// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/report_json.h"

#include "core/base/text.h"
#include "core/verdict/table/arrangement.h"

#include <nlohmann/json.hpp>

namespace rankdeck {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json orNull(const std::optional<T> &value)
{
    return value ? Json(*value) : Json(nullptr);
}

Json timeOrNull(const std::optional<WallTime> &time) { return time ? Json(isoTime(*time)) : Json(nullptr); }

template <class Enum>
Enum byName(const std::string &name, const char *(*nameOf)(Enum), int count, Enum otherwise)
{
    for (int i = 0; i < count; ++i)
        if (name == nameOf(static_cast<Enum>(i))) return static_cast<Enum>(i);
    return otherwise;
}

std::optional<std::int64_t> number(const Json &object, const char *key)
{
    const auto at = object.find(key);
    return at != object.end() && at->is_number_integer() ? std::optional(at->get<std::int64_t>()) : std::nullopt;
}

std::optional<WallTime> time(const Json &object, const char *key)
{
    const auto at = object.find(key);
    return at != object.end() && at->is_string() ? parseIsoTime(at->get_ref<const std::string &>()) : std::nullopt;
}

// A missing member has a null path.
std::string text(const Json &object, const char *key)
{
    const auto at = object.find(key);
    return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

MemberVerdict memberFromJson(const Json &json)
{
    MemberVerdict member;
    member.rank = json.value("rank", -1);
    member.path = text(json, "path");
    member.node = text(json, "node");
    member.note = text(json, "note");
    member.state = byName(json.value("state", ""), &memberStateName, 8, MemberState::unread);
    member.level = byName(json.value("level", ""), &evidenceLevelName, 5, EvidenceLevel::L0);
    member.bytes = json.value("bytes", std::uint64_t{0});
    member.time = time(json, "time");
    if (const auto from = number(json, "from_rank")) member.fromRank = static_cast<int>(*from);
    return member;
}

CheckpointSet setFromJson(const Json &json)
{
    CheckpointSet set;
    set.id = json.value("id", "");
    set.attempt = json.value("attempt", 0);
    set.kind = byName(json.value("kind", ""), &checkpointKindName, 5, CheckpointKind::other);
    set.epoch = number(json, "epoch");
    set.step = number(json, "step");
    set.globalStep = number(json, "global_step");
    set.position = number(json, "position");
    set.time = time(json, "time");
    set.verdict = byName(json.value("verdict", ""), &verdictName, 7, Verdict::unknown);
    for (const Json &reason : json.at("reasons")) {
        // A code that only another version knows keeps its text.
        const ReasonCode code = ReasonCode::find(reason.value("code", "")).value_or(ReasonCode("not_read"));
        const Message text = Message::decoded(reason.value("text", ""), reason.value("message", Json()).dump());
        Reason &read =
            set.reasons.emplace_back(Reason{code, static_cast<int>(number(reason, "rank").value_or(-1)), text});
        read.verdict = byName(reason.value("verdict", ""), &verdictName, 7, read.verdict);
    }
    for (const Json &member : json.at("members")) set.members.push_back(memberFromJson(member));
    if (const auto facts = json.find("facts"); facts != json.end()) facts->get_to(set.facts);
    return set;
}

TrackerVerdict trackerFromJson(const Json &json)
{
    TrackerVerdict tracker;
    tracker.node = text(json, "node");
    tracker.path = text(json, "path");
    tracker.kind = byName(json.value("kind", ""), &trackerKindName, trackerKinds, TrackerKind::megatron);
    tracker.target = text(json, "names");
    tracker.code = ReasonCode::find(text(json, "code"));
    tracker.text = text(json, "text");
    return tracker;
}

}  // namespace

Json setJson(const CheckpointSet &set)
{
    Json out{{"id", set.id},
             {"attempt", set.attempt},
             {"kind", checkpointKindName(set.kind)},
             {"epoch", orNull(set.epoch)},
             {"step", orNull(set.step)},
             {"global_step", orNull(set.globalStep)},
             {"position", orNull(set.position)},
             {"time", timeOrNull(set.time)},
             {"verdict", verdictName(set.verdict)},
             {"reasons", Json::array()},
             {"members", Json::array()}};
    for (const Reason &reason : set.reasons) {
        Json entry{{"code", reason.code.word()},
                   {"law", reason.code.law()},
                   {"rank", reason.rank < 0 ? Json(nullptr) : Json(reason.rank)},
                   {"text", reason.text},
                   {"verdict", verdictName(reason.verdict)}};
        if (const std::string message = reason.text.encoded(); !message.empty())
            entry["message"] = Json::parse(message);
        out["reasons"].push_back(std::move(entry));
    }
    for (const MemberVerdict &member : set.members) {
        Json entry{{"rank", member.rank},
                   {"path", member.path.empty() ? Json(nullptr) : Json(validUtf8(member.path))},
                   {"state", memberStateName(member.state)},
                   {"level", evidenceLevelName(member.level)},
                   {"bytes", member.bytes},
                   {"time", timeOrNull(member.time)}};
        if (!member.node.empty()) entry["node"] = member.node;
        if (member.fromRank) entry["from_rank"] = *member.fromRank;
        if (!member.note.empty()) entry["note"] = member.note;
        out["members"].push_back(std::move(entry));
    }
    for (const auto &[name, value] : set.facts) out["facts"][validUtf8(name)] = validUtf8(value);
    return out;
}

Json reportJson(const CheckpointReport &report)
{
    Json out{{"rankdeckctl", 1},
             {"world_size", report.worldSize},
             {"world_size_from", report.worldSizeFrom},
             {"framework", report.framework},
             {"sets", Json::array()},
             {"recommended", orNull(report.recommended)},
             {"recommended_text", report.recommendedText}};
    for (const CheckpointSet &set : report.sets) out["sets"].push_back(setJson(set));
    if (!report.notes.empty()) out["notes"] = report.notes;
    for (const PlacedPart &part : report.table)
        out["table"].push_back({{"node", part.node},
                                {"path", validUtf8(part.path)},
                                {"save", part.save},
                                {"rank", part.rank < 0 ? Json(nullptr) : Json(part.rank)},
                                {"slot", validUtf8(part.slot)},
                                {"certainty", certaintyName(part.certainty)},
                                {"evidence", part.evidence}});
    for (const TrackerVerdict &tracker : report.trackers)
        out["trackers"].push_back({{"node", tracker.node},
                                   {"path", validUtf8(tracker.path)},
                                   {"kind", trackerKindName(tracker.kind)},
                                   {"names", tracker.target.empty() ? Json(nullptr) : Json(validUtf8(tracker.target))},
                                   {"code", tracker.code ? Json(tracker.code->word()) : Json(nullptr)},
                                   {"text", tracker.text}});
    return out;
}

Result<CheckpointReport> reportFromJson(const std::string &text)
{
    try {
        const Json json = Json::parse(text);
        CheckpointReport report;
        report.worldSize = json.value("world_size", 0);
        report.worldSizeFrom = json.value("world_size_from", "directories");
        report.framework = json.value("framework", "");
        for (const Json &set : json.at("sets")) report.sets.push_back(setFromJson(set));
        if (json.at("recommended").is_string()) report.recommended = json["recommended"].get<std::string>();
        report.recommendedText = json.value("recommended_text", "");
        if (const auto notes = json.find("notes"); notes != json.end()) notes->get_to(report.notes);
        if (const auto trackers = json.find("trackers"); trackers != json.end())
            for (const Json &tracker : *trackers) report.trackers.push_back(trackerFromJson(tracker));
        report.settled = true;
        return report;
    } catch (const Json::exception &error) {
        return fail(ErrorKind::invalid,
                    message("The stored checkpoint report cannot be read; it will be rebuilt at the next connection"),
                    error.what());
    }
}

}  // namespace rankdeck
