// SPDX-License-Identifier: GPL-3.0-or-later
// A stored checkpoint report is unchanged when the history is opened without any node.
#include "core/engine/report_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace rankdeck::report_json_test {
namespace {

CheckpointSet aSet(const std::string &id, Verdict verdict, CheckpointKind kind = CheckpointKind::periodic)
{
    CheckpointSet set;
    set.id = id;
    set.attempt = 3;
    set.kind = kind;
    set.epoch = 2;
    set.step = 7;
    set.globalStep = 17;
    set.position = 17;
    set.time = WallTime(std::chrono::seconds(1'700'000'000));
    set.verdict = verdict;
    return set;
}

CheckpointReport thereAndBack(const CheckpointReport &report)
{
    const Result<CheckpointReport> back = reportFromJson(reportJson(report).dump());
    EXPECT_TRUE(back.has_value()) << (back.has_value() ? "" : back.error().message);
    return back.has_value() ? *back : CheckpointReport{};
}

TEST(ReportJson, EveryVerdictAndKindRoundTrips)
{
    CheckpointReport report;
    for (int i = 0; i < 7; ++i) report.sets.push_back(aSet("v" + std::to_string(i), static_cast<Verdict>(i)));
    for (int i = 0; i < 5; ++i)
        report.sets.push_back(aSet("k" + std::to_string(i), Verdict::valid, static_cast<CheckpointKind>(i)));
    const CheckpointReport back = thereAndBack(report);
    ASSERT_EQ(back.sets.size(), 12u);
    for (std::size_t i = 0; i < report.sets.size(); ++i) EXPECT_EQ(back.sets[i], report.sets[i]) << report.sets[i].id;
}

TEST(ReportJson, RestoresTheMessagesOfReasons)
{
    CheckpointReport report;
    report.sets.push_back(aSet("0:2-7", Verdict::incomplete));
    report.sets.front().reasons = {{"rank_missing", 3, message("rank %1 has no file", 3)},
                                   {"torn", 1, "as the reader found it"}};
    const CheckpointReport back = thereAndBack(report);
    ASSERT_EQ(back.sets.size(), 1u);
    ASSERT_EQ(back.sets.front().reasons.size(), 2u);
    EXPECT_EQ(back.sets.front().reasons[0].text, "rank 3 has no file");
    EXPECT_EQ(back.sets.front().reasons[0].text.format(), "rank %1 has no file");
    EXPECT_TRUE(back.sets.front().reasons[1].text.format().empty());
}

TEST(ReportJson, EveryMemberRoundTripsWithItsEvidence)
{
    CheckpointSet set = aSet("0:2-7", Verdict::corrupt);
    for (int i = 0; i < 8; ++i) {
        MemberVerdict member;
        member.rank = i;
        member.state = static_cast<MemberState>(i);
        member.level = static_cast<EvidenceLevel>(i % 5);
        if (member.state != MemberState::missing) member.path = "/c/rank_" + std::to_string(i) + "/a b\"c.ckpt";
        member.node = i % 2 == 0 ? "n0" : "";
        member.bytes = std::uint64_t(1) << (33 + i);
        if (i % 2 == 1) member.time = WallTime(std::chrono::seconds(1'700'000'000 + i));
        if (member.state == MemberState::replica) member.fromRank = 0;
        member.note = i == 3 ? "12 MB short" : "";
        set.members.push_back(member);
    }
    set.reasons = {{"torn", 3, "rank 3 ends early"}, {"rank_missing", -1, "rank 1 has no file"}};
    CheckpointReport report;
    report.sets.push_back(set);
    const CheckpointReport back = thereAndBack(report);
    ASSERT_EQ(back.sets.size(), 1u);
    for (std::size_t i = 0; i < set.members.size(); ++i) {
        MemberVerdict wanted = set.members[i];
        wanted.member = back.sets[0].members[i].member;  // index into an inventory, which is not kept
        EXPECT_EQ(back.sets[0].members[i], wanted) << i;
    }
    EXPECT_EQ(back.sets[0].reasons, set.reasons);
}

TEST(ReportJson, NotesAndRecommendationRoundTrip)
{
    CheckpointReport report;
    report.worldSize = 64;
    report.worldSizeFrom = "metadata";
    report.framework = "pytorch";
    report.sets.push_back(aSet("0:2-7", Verdict::valid));
    report.recommended = "0:2-7";
    report.recommendedText = "newest VALID set";
    report.notes = {"rank_3: Permission denied"};
    const CheckpointReport back = thereAndBack(report);
    EXPECT_EQ(back.worldSize, 64);
    EXPECT_EQ(back.worldSizeFrom, "metadata");
    EXPECT_EQ(back.framework, "pytorch");
    EXPECT_EQ(back.recommended, "0:2-7");
    EXPECT_EQ(back.recommendedText, "newest VALID set");
    EXPECT_EQ(back.notes, report.notes) << "what was in the way of the verdicts belongs to them";
    EXPECT_FALSE(thereAndBack(CheckpointReport{}).recommended);
}

TEST(ReportJson, TrackersAndFactsOfSetsRoundTrip)
{
    CheckpointReport report;
    report.sets.push_back(aSet("0:2-7", Verdict::valid));
    report.sets[0].facts = {{"zero_stage", "2"}, {"reshardable", "model"}};
    for (int kind = 0; kind < 3; ++kind)
        report.trackers.push_back({.node = "n0",
                                   .path = "/c/latest",
                                   .kind = static_cast<TrackerKind>(kind),
                                   .target = kind == 1 ? "" : "iter_0000007",
                                   .code = kind == 2 ? std::optional(ReasonCode("tracker_behind")) : std::nullopt,
                                   .text = "it names step 7"});
    const CheckpointReport back = thereAndBack(report);
    EXPECT_EQ(back.sets[0].facts, report.sets[0].facts);
    EXPECT_EQ(back.trackers, report.trackers);
}

TEST(ReportJson, UnknownValuesAreNullAndNotZero)
{
    CheckpointSet set;
    set.id = "0:?";
    set.members.push_back(MemberVerdict{});
    set.reasons = {{"not_read", -1, "was read"}};
    const nlohmann::ordered_json json = setJson(set);
    for (const char *key : {"epoch", "step", "global_step", "position", "time"})
        EXPECT_TRUE(json.at(key).is_null()) << key;
    EXPECT_TRUE(json.at("members")[0].at("path").is_null());
    EXPECT_TRUE(json.at("members")[0].at("time").is_null());
    EXPECT_TRUE(json.at("reasons")[0].at("rank").is_null()) << "a reason of all ranks is not one of rank 0";
    CheckpointReport report;
    report.sets.push_back(set);
    EXPECT_FALSE(thereAndBack(report).sets[0].globalStep);
    EXPECT_EQ(thereAndBack(report).sets[0].reasons[0].rank, -1);
}

TEST(ReportJson, PathThatIsNotUtf8StillGivesAValidDocument)
{
    CheckpointSet set = aSet("0:2-7", Verdict::valid);
    MemberVerdict member;
    member.path = "/c/\xff\xfe.ckpt";
    set.members.push_back(member);
    CheckpointReport report;
    report.sets.push_back(set);
    report.trackers.push_back({.node = "n0", .path = "/c/\xff/latest", .target = "\xfe"});
    std::string text;
    EXPECT_NO_THROW(text = reportJson(report).dump());
    EXPECT_TRUE(reportFromJson(text).has_value());
}

TEST(ReportJson, UnknownCodeOfALaterVersionKeepsItsText)
{
    CheckpointReport report;
    report.sets.push_back(aSet("0:2-7", Verdict::corrupt));
    nlohmann::ordered_json json = reportJson(report);
    json["sets"][0]["reasons"] = {{{"code", "word_of_tomorrow"}, {"rank", 2}, {"text", "a new fault"}}};
    json["sets"][0]["verdict"] = "BETTER-THAN-VALID";
    const Result<CheckpointReport> back = reportFromJson(json.dump());
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(back->sets[0].reasons[0].text, "a new fault");
    EXPECT_EQ(back->sets[0].reasons[0].rank, 2);
    EXPECT_EQ(back->sets[0].verdict, Verdict::unknown) << "what is not understood is never VALID";
}

TEST(ReportJson, RefusesTextThatIsNotAReport)
{
    for (const char *text : {"", "{", "[]", "{}", "{\"sets\":3,\"recommended\":null}",
                             "{\"sets\":[{\"id\":7,\"reasons\":[],\"members\":[]}],\"recommended\":null}"}) {
        const Result<CheckpointReport> back = reportFromJson(text);
        ASSERT_FALSE(back.has_value()) << text;
        EXPECT_EQ(back.error().kind, ErrorKind::invalid);
        EXPECT_THAT(back.error().message, testing::HasSubstr("rebuilt"));
    }
}

}  // namespace
}  // namespace rankdeck::report_json_test
