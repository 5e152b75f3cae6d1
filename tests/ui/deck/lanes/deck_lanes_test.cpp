// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/deck/deck_scenes.h"
#include "ui/deck/lanes/lane_image.h"
#include "ui/deck/lanes/lane_model.h"
#include "ui/deck/scene/lane_data.h"
#include "ui/deck/scene/step_axis.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include <gtest/gtest.h>

#include <numeric>

namespace rankdeck::ui::deck_lanes_test {
namespace {

LaneData lanesOfFeed(const std::unique_ptr<FixedFeed> &feed) { return lanesOf(feed->snapshot()); }

const LaneColumn &column(const LaneData &lanes, const char *id)
{
    return lanes.columns.at(static_cast<std::size_t>(lanes.columnOf(QString::fromLatin1(id))));
}

TEST(Lanes, ShowTheStateOfEachRank)
{
    const LaneData lanes = lanesOfFeed(deckscenes::trouble());
    ASSERT_EQ(lanes.rows.size(), 8u);
    ASSERT_EQ(lanes.blocks.size(), 2u);
    EXPECT_EQ(lanes.blocks[1].firstRow, 4);
    for (std::size_t row = 0; row < 4; ++row) EXPECT_EQ(lanes.rows[row].status, RankStatus::noNews) << row;
    EXPECT_EQ(lanes.rows[5].status, RankStatus::died);
    EXPECT_TRUE(lanes.rows[5].diedAt);
    EXPECT_EQ(lanes.rows[6].status, RankStatus::waits);
    EXPECT_EQ(lanes.last, 41'037);
    EXPECT_EQ(laneNote(lanes.rows[6], lanes), QStringLiteral("waits"));
    EXPECT_TRUE(laneNote(lanes.rows[5], lanes).startsWith(QStringLiteral("died ")));
    const LaneData well = lanesOfFeed(deckscenes::healthy());
    EXPECT_EQ(laneNote(well.rows[6], well), QString::fromUtf8("−1"));
    EXPECT_TRUE(laneNote(well.rows[0], well).isEmpty());
}

TEST(Lanes, RankInAnUnknownStateIsNotShownAsRunning)
{
    Snapshot s = *deckscenes::healthy()->snapshot();
    RankState rank = s.view.ranks[1];
    rank.alive = Known::unknown;
    s.view.ranks[1] = rank;
    EXPECT_EQ(lanesOf(std::make_shared<const Snapshot>(s)).rows[1].status, RankStatus::runs) << "it moves";
    rank.progress.heard -= std::chrono::hours(2);
    s.view.ranks[1] = rank;
    EXPECT_EQ(lanesOf(std::make_shared<const Snapshot>(s)).rows[1].status, RankStatus::noNews);
}

TEST(Lanes, KeepTheNewestValidSetAndDiscardedSets)
{
    const LaneData lanes = lanesOfFeed(deckscenes::resumed());
    EXPECT_TRUE(column(lanes, "2:40600").newestValid);
    EXPECT_TRUE(column(lanes, "2:40800").ghost) << "saved by the branch that attempt 4 discarded";
    EXPECT_FALSE(column(lanes, "2:40400").ghost);
    EXPECT_TRUE(column(lanes, "1:38400").ghost);
    EXPECT_EQ(column(lanes, "2:40600").cells[0], Glyph::okNewest);
    EXPECT_EQ(column(lanes, "2:40400").cells[0], Glyph::ok);
    EXPECT_EQ(column(lanes, "2:40800").cells[2], Glyph::torn);
    EXPECT_EQ(column(lanes, "2:41000").cells[5], Glyph::shortFile) << "a missing member with a path is a dead writer's";
    EXPECT_TRUE(std::is_sorted(lanes.columns.begin(), lanes.columns.end(),
                               [](const auto &a, const auto &b) { return a.position < b.position; }));
}

TEST(Lanes, LeaveOutSetsWithoutAPosition)
{
    Snapshot s = *deckscenes::healthy()->snapshot();
    const std::size_t before = s.view.checkpoints.sets.size();
    CheckpointSet nowhere = deckscenes::setAt(1, Verdict::valid, 8, 2);
    nowhere.id = "?";
    nowhere.position.reset();
    nowhere.globalStep.reset();
    s.view.checkpoints.sets.push_back(nowhere);
    EXPECT_EQ(lanesOf(std::make_shared<const Snapshot>(s)).columns.size(), before);
}

class Groups : public testing::Test {
protected:
    void show(double from, double to)
    {
        axis.place(268, 1000);
        axis.setJob(0, 41'037);
        axis.show(from, to);
        groups = columnGroups(lanes, axis);
    }
    [[nodiscard]] const LaneColumn &worst(const ColumnGroup &group) const
    {
        return lanes.columns[static_cast<std::size_t>(group.worst)];
    }
    LaneData lanes = lanesOfFeed(deckscenes::trouble());
    StepAxis axis;
    std::vector<ColumnGroup> groups;
};

TEST_F(Groups, EverySetIsAtItsStepIfThereIsRoom)
{
    show(39'000, 41'100);
    ASSERT_GE(groups.size(), 11u);
    for (const ColumnGroup &group : groups) {
        EXPECT_EQ(group.count, 1);
        EXPECT_EQ(group.x, axis.column(static_cast<double>(worst(group).position)));
    }
}

TEST_F(Groups, CloseSetsShareTheWorstSignAndACount)
{
    show(0, 41'037);
    const int count = std::accumulate(groups.begin(), groups.end(), 0,
                                      [](int sum, const ColumnGroup &group) { return sum + group.count; });
    EXPECT_EQ(count, static_cast<int>(lanes.columns.size())) << "no set is lost";
    EXPECT_LT(groups.size(), lanes.columns.size());
    const auto bad = std::find_if(groups.begin(), groups.end(),
                                  [&](const ColumnGroup &group) { return worst(group).verdict == Verdict::corrupt; });
    ASSERT_NE(bad, groups.end());
    EXPECT_EQ(bad->count, 2);
}

TEST_F(Groups, NewestValidSetIsNeverMovedOrHidden)
{
    for (const double from : {0.0, 20'000.0, 38'000.0, 40'500.0}) {
        show(from, 41'037);
        const auto valid = std::find_if(groups.begin(), groups.end(),
                                        [&](const ColumnGroup &group) { return worst(group).newestValid; });
        ASSERT_NE(valid, groups.end()) << from;
        EXPECT_EQ(valid->count, 1);
        EXPECT_EQ(valid->x, axis.column(40'600));
        for (const ColumnGroup &group : groups)
            if (!worst(group).newestValid) { EXPECT_GE(std::abs(group.x - valid->x), 17) << from; }
    }
}

TEST_F(Groups, DiscardedSetMovesAwayFromACurrentSet)
{
    show(37'000, 41'000);
    const auto pixels = columnPixels(lanes, axis);
    const int ghost = lanes.columnOf(QStringLiteral("1:38400"));
    EXPECT_EQ(pixels[static_cast<std::size_t>(ghost)], axis.column(38'400) - 10);
}

TEST(LaneImage, CountsGroupsOfExceptionsByNode)
{
    const LaneData lanes = lanesOfFeed(deckscenes::many(512, 80, 1000));
    StepAxis axis;
    axis.place(268, 1600);
    axis.setJob(20'000, 61'312);
    axis.showAll();
    const auto groups = columnGroups(lanes, axis);
    const auto runs = badRuns(lanes, groups);
    ASSERT_EQ(runs.size(), 5u) << "8 without a file, 64 of another step, 3 torn";
    EXPECT_EQ(runs[0].ranks.size(), 8u);
    EXPECT_EQ(badRunWords(runs[0], lanes), QStringLiteral("ascend-13: 8 ranks without a file"));
    EXPECT_EQ(runs[1].ranks.size(), 64u);
    EXPECT_EQ(badRunWords(runs[1], lanes), QStringLiteral("ascend-33 to ascend-40: 64 ranks of another step"));
    EXPECT_EQ(badRunWords(runs[2], lanes), QStringLiteral("87"));
    EXPECT_EQ(blockLines(lanes).size(), 8u);
    EXPECT_EQ(blockLines(lanesOfFeed(deckscenes::many(64, 80, 1000))).size(), 8u);
}

TEST(LaneModelTest, IsAValidTableModelAfterEveryChange)
{
    LaneModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Warning);
    const auto feed = deckscenes::healthy();
    model.setLanes(lanesOfFeed(feed));
    Snapshot grown = *feed->snapshot();
    grown.view.checkpoints.sets.insert(grown.view.checkpoints.sets.begin(),
                                       deckscenes::setAt(40'700, Verdict::inProgress, 8, 2));
    const QSignalSpy inserted(&model, &QAbstractItemModel::columnsInserted);
    const QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    model.setLanes(lanesOf(std::make_shared<const Snapshot>(grown)));
    EXPECT_EQ(inserted.count(), 1);
    EXPECT_EQ(reset.count(), 0);
    const QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.setLanes(lanesOf(std::make_shared<const Snapshot>(grown)));
    EXPECT_EQ(changed.count(), 0) << "the same again is no change";
    model.setLanes(lanesOfFeed(deckscenes::many(64, 80, 1000)));
    EXPECT_EQ(reset.count(), 1);
    EXPECT_EQ(model.rowCount(), 64);
    model.setLanes(lanesOfFeed(deckscenes::empty()));
    EXPECT_EQ(model.columnCount(), 0);
}

TEST(LaneModelTest, ProvidesTextForScreenReaders)
{
    LaneModel model;
    model.setLanes(lanesOfFeed(deckscenes::trouble()));
    const int torn = model.lanes().columnOf(QStringLiteral("2:40800"));
    EXPECT_EQ(model.index(2, torn).data(Qt::AccessibleTextRole).toString(),
              QStringLiteral("rank 2, step 40,800, torn, 12 MB short"));
    const QString rank5 = model.headerData(5, Qt::Vertical, Qt::AccessibleTextRole).toString();
    EXPECT_TRUE(rank5.startsWith(QStringLiteral("Rank 5, ascend-02, died "))) << rank5.toStdString();
    const QString set = model.headerData(torn, Qt::Horizontal, Qt::AccessibleTextRole).toString();
    EXPECT_EQ(set, QStringLiteral("Set 40,800, CORRUPT, rank 2 ends 12,189,696 B early"));
    EXPECT_FALSE(model.headerData(99, Qt::Vertical, Qt::DisplayRole).isValid());
}

}  // namespace
}  // namespace rankdeck::ui::deck_lanes_test
