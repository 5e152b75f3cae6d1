// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/shown.h"
#include "ui/panes/inspector_pane.h"

#include "tests/ui/scenes.h"
#include "ui/kit/table.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest/QTest>

#include <gtest/gtest.h>

#include <algorithm>

namespace rankdeck::ui::inspector_pane_test {
namespace {

class InspectorPaneTest : public testing::Test {
protected:
    InspectorPaneTest()
    {
        m_feed.set(scenes::died());
        m_feed.evidence[{QStringLiteral("2:40800"), 2}] = scenes::tornEvidence();
        m_pane = std::make_unique<InspectorPane>(m_feed);
        m_pane->resize(576, 640);
        m_pane->show();
    }
    bool says(const QString &text) const { return ui::says(*m_pane, text); }
    QPushButton *button(const QString &text) const { return buttonOf(*m_pane, text); }

    FixedFeed m_feed;
    std::unique_ptr<InspectorPane> m_pane;
};

TEST_F(InspectorPaneTest, ExplainsABadSetAndShowsTheEndOfTheFile)
{
    m_pane->inspect(QStringLiteral("2:40800"), 2);
    EXPECT_TRUE(m_pane->titleText().contains(QLatin1String("torn"))) << m_pane->titleText().toStdString();
    EXPECT_TRUE(says(QStringLiteral("is CORRUPT because of this file.")));
    EXPECT_TRUE(says(QStringLiteral("rank 2 ends 12,189,696 B early")));
    EXPECT_TRUE(says(QStringLiteral("record 16 needs 33,554,432 B, has 18,685,312")));
    EXPECT_TRUE(says(QStringLiteral("494,000,128 B in the largest complete one")));
    EXPECT_TRUE(says(QStringLiteral("16 records")));
}

TEST_F(InspectorPaneTest, ShowsWhyTheFileBelongsToItsSetAndRankAndWhichLawIsBroken)
{
    m_feed.places = scenes::tornPlaces();
    m_pane->inspect(QStringLiteral("2:40800"), 2);
    EXPECT_TRUE(says(QStringLiteral("inferred")));
    EXPECT_TRUE(says(QStringLiteral("Set 40,800, rank 2, rank_#/pangu-#_#.ckpt: rank 2 in its path; the number 40,800 "
                                    "in its path grows from save to save.")));
    EXPECT_TRUE(says(QStringLiteral("Broken law: Whole (torn).")));
    m_feed.places.push_back(m_feed.places.front());
    m_pane->inspect(QStringLiteral("2:40800"), 2);
    EXPECT_TRUE(says(QStringLiteral("2 files"))) << "one checkpoint of several files";
}

struct OutcomeOfAReason {
    const char *code;
    Verdict verdict;
    const char *line;
    bool decides;  // the verdict of a set that has no other reason
};

class ReasonInTheInspector : public testing::TestWithParam<OutcomeOfAReason> {};

TEST_P(ReasonInTheInspector, IsCalledABrokenLawOnlyIfALawIsKnownToBeBroken)
{
    const OutcomeOfAReason &c = GetParam();
    const auto code = ReasonCode::find(c.code);
    ASSERT_TRUE(code);
    FixedFeed feed;
    Snapshot snapshot = scenes::died();
    for (CheckpointSet &set : snapshot.view.checkpoints.sets)
        if (set.id == "2:40800") {
            set.verdict = c.verdict;
            set.reasons = {{*code, 2, "the reason", c.verdict}};
        }
    feed.set(std::move(snapshot));
    InspectorPane pane(feed);
    pane.show();
    pane.inspect(QStringLiteral("2:40800"), 2);
    EXPECT_TRUE(says(pane, QString::fromUtf8(c.line)));
    EXPECT_EQ(says(pane, QStringLiteral("Broken law")), QByteArray(c.line).startsWith("Broken law"));
    EXPECT_EQ(says(pane, QStringLiteral("because of this file")), c.decides);
}

INSTANTIATE_TEST_SUITE_P(
    Outcomes, ReasonInTheInspector,
    testing::Values(OutcomeOfAReason{"torn", Verdict::corrupt, "Broken law: Whole (torn).", true},
                    OutcomeOfAReason{"step_mismatch", Verdict::inconsistent, "Broken law: Equal (step_mismatch).",
                                     true},
                    OutcomeOfAReason{"rank_missing", Verdict::incomplete, "Broken law: Whole (rank_missing).", true},
                    OutcomeOfAReason{"part_missing", Verdict::incomplete, "Broken law: Whole (part_missing).", true},
                    OutcomeOfAReason{"temp_file", Verdict::inProgress, "Not complete yet: Whole (temp_file).", true},
                    OutcomeOfAReason{"not_read", Verdict::unknown, "Could not be checked: Stated (not_read).", true},
                    OutcomeOfAReason{"times_apart", Verdict::validUnproven, "Not proven: Lawful (times_apart).", true},
                    OutcomeOfAReason{"no_rng", Verdict::valid, "Good to know: Whole (no_rng).", false}),
    [](const auto &c) { return std::string(c.param.code); });

TEST_F(InspectorPaneTest, MissingFileIsReportedAndNotRead)
{
    Snapshot s = scenes::died();
    for (CheckpointSet &set : s.view.checkpoints.sets)
        if (set.globalStep == 41'000) set.members[5].path.clear();
    m_feed.set(std::move(s));
    m_pane->inspect(QStringLiteral("2:41000"), 5);
    EXPECT_TRUE(says(QStringLiteral("no file is listed")));
    EXPECT_FALSE(button(QStringLiteral("Check every byte"))->isEnabled());
    EXPECT_FALSE(button(QStringLiteral("Copy path"))->isEnabled());
}

TEST_F(InspectorPaneTest, UnreadFileIsNeitherGoodNorTorn)
{
    m_pane->inspect(QStringLiteral("2:40600"), 0);  // the feed knows nothing of it
    EXPECT_TRUE(says(QStringLiteral("nothing is known of this file")));
    EXPECT_TRUE(says(QStringLiteral("not reached")));
    EXPECT_FALSE(says(QStringLiteral("whole")));
}

TEST_F(InspectorPaneTest, ReportsASetThatIsNoLongerListed)
{
    m_pane->inspect(QStringLiteral("2:40800"), 2);
    Snapshot s = scenes::died();
    SharedVector<CheckpointSet> others;
    for (const CheckpointSet &set : s.view.checkpoints.sets)
        if (set.globalStep != 40'800) others.push_back(set);
    s.view.checkpoints.sets = others;
    m_feed.set(std::move(s));
    m_pane->refresh(scenes::now());
    EXPECT_TRUE(says(QStringLiteral("This set is not listed any more.")));
}

TEST_F(InspectorPaneTest, PathAndLogAreOneClickAway)
{
    const QSignalSpy wanted(m_pane.get(), &InspectorPane::logWanted);
    m_pane->inspect(QStringLiteral("2:40800"), 2);
    QTest::mouseClick(button(QStringLiteral("Copy path")), Qt::LeftButton);
    EXPECT_EQ(QGuiApplication::clipboard()->text(), QStringLiteral("ascend-01:/job/ckpt/rank_2/pangu-1_40800.ckpt"));
    QTest::mouseClick(button(QStringLiteral("Show its log")), Qt::LeftButton);
    ASSERT_EQ(wanted.count(), 1);
    EXPECT_EQ(wanted[0][0].toInt(), 2);
}

TEST_F(InspectorPaneTest, FindsRecordsByName)
{
    m_pane->inspect(QStringLiteral("2:40800"), 2);
    auto *table = m_pane->findChild<Table *>();
    const auto shown = [&] {
        int rows = 0;
        for (int row = 0; row < table->model()->rowCount(); ++row) rows += !table->isRowHidden(row);
        return rows;
    };
    ASSERT_EQ(shown(), 16);
    m_pane->find();
    auto *find = m_pane->findChild<QLineEdit *>();
    find->setText(QStringLiteral("LAYERS.3."));
    EXPECT_EQ(shown(), 1);
    find->clear();
    EXPECT_EQ(shown(), 16);
}

}  // namespace
}  // namespace rankdeck::ui::inspector_pane_test
