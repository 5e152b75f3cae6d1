// SPDX-License-Identifier: GPL-3.0-or-later
// Losses that are NaN or infinite, and the sets that were saved before them.
#include "tests/core/alarm/only_alarm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::nan_test {
namespace {

using states::end;
using states::healthy;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::Not;

TEST(Alarms, FirstNaNRaisesAnAlarmWithTheLostWork)
{
    JobState view = healthy(8, 1409);
    for (RankState &rank : view.ranks) {
        rank.progress.loss = nan;
        rank.firstNonFiniteStep = rank.rank == 3 ? 1406 : 1407;
        rank.firstNonFinite = states::now() - seconds(1);
    }
    view.checkpoints.settled = true;
    view.checkpoints.sets = {states::validSet(1408, 8), states::validSet(1400, 8)};
    view.checkpoints.recommended = "0:1408";
    const Alarm alarm = only(states::picture(view));
    EXPECT_EQ(alarm.code, AlarmCode::nanLoss);
    EXPECT_EQ(alarm.ranks.front(), 3);
    EXPECT_EQ(alarm.text(),
              "Loss has been NaN on 8 of 8 ranks since step 1,406, rank 3 first. Newest good set: 1,400. A "
              "stop would save NaN.");
    JobState dead = view;
    for (int rank = 0; rank < 8; ++rank) end(dead, rank, "ValueError: boom");
    const Alarm after = findAlarms(states::picture(dead)).back();
    EXPECT_THAT(after.text(), testing::EndsWith("rank 3 first. Newest good set: 1,400.")) << "nobody saves any more";
    EXPECT_EQ(after.fix, "Resume from 1,400.");
    EXPECT_THAT(after.acts, Not(testing::Contains(AlarmAct::keepSet)));
    view.ranks[3].progress.loss = 1;
    for (RankState &rank : view.ranks) rank.progress.loss = 1;
    EXPECT_TRUE(codes(states::picture(view)).empty()) << "it went on";
}

// The logs arrive node by node: a rank whose log is not read up to that step may have been the first.
TEST(Alarms, NamesNoFirstNaNRankWhileAnotherRankIsBehind)
{
    const auto text = [](auto change) {
        JobState view = healthy(8, 1407);
        for (int rank = 4; rank < 8; ++rank) {
            RankState &state = view.ranks[static_cast<std::size_t>(rank)];
            state.progress.loss = nan;
            state.firstNonFiniteStep = rank == 4 ? 1406 : 1407;
        }
        change(view);
        return findAlarms(states::picture(view)).front().text();
    };
    EXPECT_THAT(text([](JobState &) {}), HasSubstr("on 4 of 8 ranks since step 1,406, rank 4 first."));
    EXPECT_THAT(text([](JobState &view) { view.ranks[0].progress.position = 1405; }),
                testing::EndsWith("since step 1,406."));
    EXPECT_THAT(text([](JobState &view) { view.ranks[0].progress.position.reset(); }), Not(HasSubstr("first")));
    EXPECT_THAT(text([](JobState &view) { view.ranks[5].firstNonFiniteStep = 1406; }), Not(HasSubstr("first")));
    EXPECT_THAT(text([](JobState &view) {
                    view.ranks.resize(1);
                    view.ranks[0].progress.loss = nan;
                    view.ranks[0].firstNonFiniteStep = 1407;
                }),
                testing::EndsWith("Loss has been NaN since step 1,407."));
}

TEST(Alarms, NaNAlarmCountsTheSavesUntilTheGoodSetIsRotated)
{
    JobState view = healthy(4, 1405);
    view.attempts = {{.index = 0}};
    for (RankState &rank : view.ranks) {
        rank.progress.loss = nan;
        rank.firstNonFiniteStep = 1390;
    }
    for (std::int64_t step : {1400, 1380, 1360, 1340, 1320}) {
        view.checkpoints.sets.push_back(states::validSet(step, 4, step > 1390 ? Verdict::corrupt : Verdict::valid));
        view.checkpoints.sets.back().time = states::now() - seconds((1400 - step) / 4);
    }
    view.checkpoints.settled = true;
    const Alarm alarm = only(states::picture(view));
    EXPECT_EQ(alarm.setStep, 1380);
    EXPECT_THAT(alarm.text(), HasSubstr("Newest good set: 1,380. A stop would save NaN. It will be overwritten in 4 "
                                        "saves, in about 20 s."))
        << "1340 and 1320 go first";
    EXPECT_EQ(alarm.fix, "Keep 1,380, then stop and resume from it.");
    EXPECT_THAT(alarm.acts, testing::Contains(AlarmAct::keepSet));
    view.attempts[0].resumedFrom = 1300;
    EXPECT_THAT(only(states::picture(view)).text(), Not(HasSubstr("overwritten"))) << "nothing was rotated yet";
}

// Regression: the alarm asked the operator to keep a set that was already kept, and counted down to its removal.
TEST(Alarms, NaNAlarmDoesNotAskToKeepAnAlreadyKeptSet)
{
    JobState view = healthy(4, 1405);
    view.attempts = {{.index = 0}};
    for (RankState &rank : view.ranks) {
        rank.progress.loss = nan;
        rank.firstNonFiniteStep = 1390;
    }
    for (std::int64_t step : {1400, 1380, 1360, 1340}) {
        view.checkpoints.sets.push_back(states::validSet(step, 4, step > 1390 ? Verdict::corrupt : Verdict::valid));
        view.checkpoints.sets.back().time = states::now() - seconds((1400 - step) / 4);
    }
    view.checkpoints.settled = true;
    states::keep(view, 1380);
    Alarm alarm = only(states::picture(view));
    EXPECT_THAT(alarm.text(), testing::EndsWith("Newest good set: 1,380, which is kept. A stop would save NaN."));
    EXPECT_EQ(alarm.fix, "Stop and resume from 1,380.");
    EXPECT_THAT(alarm.acts, Not(testing::Contains(AlarmAct::keepSet)));
    EXPECT_THAT(alarm.text(), Not(HasSubstr("overwritten")));
    EXPECT_FALSE(alarm.putBack);

    view.checkpoints.sets = {states::validSet(1400, 4, Verdict::corrupt)};  // as after rotation removed it
    const std::vector<Alarm> all = findAlarms(states::picture(view));
    ASSERT_EQ(all.size(), 2u);
    alarm = all.front();
    EXPECT_THAT(alarm.text(),
                testing::EndsWith("1,380 is kept: put it back, then resume from it. A stop would save NaN."));
    EXPECT_EQ(alarm.fix, "Stop, put 1,380 back and resume from it.");
    EXPECT_EQ(alarm.set, "0:1380");
    EXPECT_EQ(alarm.setStep, 1380);
    EXPECT_TRUE(alarm.putBack);
    EXPECT_EQ(all.back().code, AlarmCode::nothingValid);
    EXPECT_EQ(all.back().text(),
              "No checkpoint set can be resumed by all ranks. 1,380 is kept: put it back, then resume from it.");
    EXPECT_EQ(all.back().acts, std::vector<AlarmAct>{AlarmAct::resume});
}

TEST(Alarms, UnlistedKeptSetsAreReportedAsUnknown)
{
    JobState view = healthy(2);
    view.checkpoints.settled = true;
    view.checkpoints.sets = {states::validSet(600, 2, Verdict::incomplete)};
    view.kept = std::make_shared<const KeptSets>(
        KeptSets{.sets = {}, .listing = KeptListing::failed, .problem = "n1: Permission denied"});
    EXPECT_THAT(only(states::picture(view)).text(),
                testing::EndsWith("Nearest: 600. The kept sets could not be listed (n1: Permission denied)."));
    states::keep(view, 560, Known::unknown);
    EXPECT_THAT(only(states::picture(view)).fix, "Check the sets.") << "whether it is whole is not known";
}

// The alarm says whether an older set is VALID only if all sets of all nodes were read.
TEST(Alarms, NaNAlarmDoesNotJudgeUnreadSets)
{
    JobState view = healthy(2, 40);
    for (RankState &rank : view.ranks) {
        rank.progress.loss = nan;
        rank.firstNonFiniteStep = 40;
    }
    const auto rest = [&] { return findAlarms(states::picture(view)).front().rest; };
    EXPECT_EQ(rest(), "");
    view.checkpoints.settled = true;
    EXPECT_EQ(rest(), "No older set is VALID.");
    view.kept = std::make_shared<const KeptSets>();
    EXPECT_EQ(rest(), "No older set is VALID. The kept sets are not listed yet.");
    view.kept = std::make_shared<const KeptSets>(KeptSets{.sets = {}, .listing = KeptListing::failed});
    EXPECT_EQ(rest(), "No older set is VALID. The kept sets could not be listed.");
    view.lostWork.atMost = true;
    EXPECT_EQ(rest(), "No older set is known to be VALID. The kept sets could not be listed.");
}

}  // namespace
}  // namespace rankdeck::nan_test
