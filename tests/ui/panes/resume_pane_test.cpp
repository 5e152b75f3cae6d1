// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/shown.h"
#include "ui/panes/resume_pane.h"

#include "tests/ui/fault_scenes.h"
#include "tests/ui/settle.h"
#include "ui/kit/act_button.h"
#include "ui/panes/sets_model.h"
#include "ui/state/act_state.h"
#include "ui/style/format.h"

#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QTableView>
#include <QtTest/QTest>

#include <gtest/gtest.h>

#include <algorithm>

namespace rankdeck::ui::resume_pane_test {
namespace {

class ResumePaneTest : public testing::Test {
protected:
    ResumePaneTest()
    {
        m_feed.plan = [](const ResumeOptions &options) { return Result<ResumeReport>(scenes::plannedResume(options)); };
        m_feed.set(scenes::resumable());
        m_pane = std::make_unique<ResumePane>(m_feed);
        m_pane->resize(576, 640);
        m_pane->show();
    }
    bool says(const QString &text) const { return ui::says(*m_pane, text); }
    QPushButton *button(const QString &text) const { return buttonOf(*m_pane, text); }

    FixedFeed m_feed;
    std::unique_ptr<ResumePane> m_pane;
};

// Regression: the pane reported that no set is VALID, and no action put a kept set back.
TEST_F(ResumePaneTest, KeptSetIsPutBackByItsOwnPlanBeforeTheResume)
{
    Snapshot s = scenes::healthy();
    scenes::nanAndKept(s);
    const QString kept = QStringLiteral("2:40200");
    m_feed.keepAnswer = scenes::plannedPutBack();
    m_feed.set(s);
    m_pane->choose({});
    m_pane->refresh(scenes::now());
    EXPECT_EQ(m_pane->chosenSet(), kept) << "it is the newest good one";
    EXPECT_TRUE(says(QStringLiteral("40,200 is kept beside the checkpoints.")));
    EXPECT_EQ(m_pane->why().toStdString(), "ranks are running: stop first");
    ASSERT_EQ(m_feed.keeps.size(), 1u);
    EXPECT_TRUE(m_feed.keeps[0].dryRun);
    EXPECT_EQ(m_feed.keeps[0].act, KeepAct::restore);

    for (RankState &rank : s.view.ranks) {
        rank.alive = false;
        rank.process.reset();
        rank.exitCode = 1;
    }
    m_feed.set(s);
    m_pane->refresh(scenes::now());
    EXPECT_EQ(m_pane->why().toStdString(), "");
    ASSERT_NE(button(QStringLiteral("Put 40,200 back")), nullptr);
    m_feed.keepAnswer = scenes::plannedPutBack("restored");
    const std::size_t plans = m_feed.plansAsked.size();
    m_pane->act();
    ASSERT_EQ(m_feed.keeps.size(), 2u);
    EXPECT_FALSE(m_feed.keeps[1].dryRun);
    EXPECT_EQ(m_pane->why().toStdString(), "being judged");
    EXPECT_EQ(m_feed.plansAsked.size(), plans) << "nothing is planned of what is not judged";

    CheckpointSet back = s.view.checkpoints.sets.front();
    back.id = kept.toStdString();
    back.position = 40'200;
    back.verdict = Verdict::valid;
    back.reasons.clear();
    s.view.checkpoints.sets.push_back(back);
    m_feed.set(s);
    m_pane->refresh(scenes::now());
    ASSERT_EQ(m_feed.plansAsked.size(), plans + 1) << "it goes on as for any set";
    EXPECT_EQ(m_feed.plansAsked.back().set, kept.toStdString());
    EXPECT_TRUE(m_feed.resumes.empty()) << "and asks for its own button";
}

TEST_F(ResumePaneTest, IncompleteKeptSetShowsItsReason)
{
    Snapshot s = scenes::healthy();
    scenes::nanAndKept(s);
    KeptSets kept = *s.view.kept;
    kept.sets[0].whole = false;
    kept.sets[0].problem = "rank 5 has no file";
    s.view.kept = std::make_shared<const KeptSets>(kept);
    m_feed.set(s);
    m_pane->choose(QStringLiteral("2:40200"));
    m_pane->refresh(scenes::now());
    EXPECT_TRUE(says(QStringLiteral("Rank 5 has no file")));
    EXPECT_EQ(m_pane->why().toStdString(), "not whole");
    EXPECT_EQ(resumeState(s).set, QString()) << "it is no way back";
}

TEST_F(ResumePaneTest, ReasonOfTheChosenSetIsShownInFull)
{
    for (const QString &set : {QStringLiteral("2:40800"), QStringLiteral("2:41000"), QStringLiteral("2:40600")}) {
        m_pane->choose(set);
        m_pane->refresh(scenes::now());
        const CheckpointSet *chosen = m_feed.snapshot()->view.checkpoints.find(set.toStdString());
        EXPECT_TRUE(says(whyOf(*chosen))) << set.toStdString() << ": " << whyOf(*chosen).toStdString();
        if (chosen->verdict == Verdict::valid) continue;
        EXPECT_TRUE(says(QStringLiteral("not checked: ") + m_pane->why())) << "an empty preflight says why it is";
    }
}

// On a small window or with large letters the pane is narrow (576 px). The differences between sets have priority over
// their ages.
TEST_F(ResumePaneTest, ReasonOfASetFitsANarrowPane)
{
    const QFont before = QApplication::font();
    for (const auto &[width, points] : {std::pair(404, 9), std::pair(576, 9), std::pair(0, 14)}) {
        QFont font = before;
        font.setPointSize(points);
        QApplication::setFont(font);
        m_pane = std::make_unique<ResumePane>(m_feed);
        m_pane->resize(width > 0 ? width : m_pane->preferredWidth(1366), 640);
        m_pane->show();
        m_pane->choose({});
        m_pane->refresh(scenes::now());
        settle();
        const auto *table = m_pane->findChild<QTableView *>();
        const int room = table->horizontalHeader()->sectionSize(SetsModel::why);
        EXPECT_GE(room, table->fontMetrics().horizontalAdvance(QStringLiteral("rank 5 has only"))) << width;
    }
    m_pane.reset();
    QApplication::setFont(before);
}

TEST_F(ResumePaneTest, LongReasonWrapsInsteadOfBeingTruncated)
{
    Snapshot s = scenes::resumable();
    const std::string reason =
        "global_step is a single Int64 in these files; MindSpore refuses to load them into a network "
        "with its optimizer";
    (*s.view.checkpoints.sets.begin()).reasons = {{.code = "global_step_scalar", .text = reason}};
    m_feed.set(s);
    m_pane->choose({});
    m_pane->refresh(scenes::now());
    settle();
    const auto *table = m_pane->findChild<QTableView *>();
    const QModelIndex cell = table->model()->index(0, SetsModel::why);
    ASSERT_EQ(cell.data().toString().toStdString(), reason);
    const int room = table->horizontalHeader()->sectionSize(SetsModel::why) - 6;
    ASSERT_GT(table->fontMetrics().horizontalAdvance(cell.data().toString()), room);
    const QRect needed =
        table->fontMetrics().boundingRect(QRect(0, 0, room, 1000), Qt::TextWordWrap, cell.data().toString());
    EXPECT_GE(table->rowHeight(0), needed.height());
    const auto rows = [&] {
        int height = table->horizontalHeader()->height();
        for (int row = 0; row < std::min(6, table->model()->rowCount()); ++row) height += table->rowHeight(row);
        return height;
    };
    EXPECT_TRUE(becomes([&] { return table->height() >= rows(); }))
        << table->height() << ": the others are pushed out of sight";
}

TEST_F(ResumePaneTest, SetRemovedByRotationHasNoPlanAndIsReported)
{
    m_pane->choose(QStringLiteral("2:40600"));
    m_pane->refresh(scenes::now());
    ASSERT_TRUE(button(QStringLiteral("Copy as script"))->isEnabled());
    Snapshot s = scenes::resumable();
    std::vector<CheckpointSet> sets(s.view.checkpoints.sets.begin(), s.view.checkpoints.sets.end());
    std::erase_if(sets, [](const CheckpointSet &set) { return set.id == "2:40600"; });
    s.view.checkpoints.sets = sets;
    m_feed.set(s);
    m_pane->refresh(scenes::now());
    EXPECT_FALSE(button(QStringLiteral("Copy as script"))->isEnabled());
    EXPECT_TRUE(says(QStringLiteral("The chosen set is gone."))) << "never the plan of what is not there";
    EXPECT_TRUE(says(QStringLiteral("the chosen set is gone")));
    m_pane->choose(QStringLiteral("2:40400"));
    m_pane->refresh(scenes::now());
    EXPECT_FALSE(says(QStringLiteral("The chosen set is gone.")));
}

// The pane was opened while the newest set was still being judged. Its plan comes as soon as it has a verdict, without
// a click.
TEST_F(ResumePaneTest, SetThatBecomesValidWhileShownGetsItsPlan)
{
    const auto judged = [](Verdict verdict) {
        Snapshot s = scenes::resumable();
        std::vector<CheckpointSet> sets(s.view.checkpoints.sets.begin(), s.view.checkpoints.sets.end());
        for (CheckpointSet &set : sets)
            if (set.id == "2:40600") set.verdict = verdict;
        s.view.checkpoints.sets = sets;
        return s;
    };
    m_feed.set(judged(Verdict::unknown));
    m_pane->choose(QStringLiteral("2:40400"));
    m_pane->choose(QStringLiteral("2:40600"));
    const std::size_t asked = m_feed.plansAsked.size();
    m_pane->refresh(scenes::now());
    EXPECT_FALSE(button(QStringLiteral("Copy as script"))->isEnabled());
    EXPECT_EQ(m_feed.plansAsked.size(), asked);
    m_feed.set(judged(Verdict::valid));
    m_pane->refresh(scenes::now());
    m_pane->refresh(scenes::now());
    EXPECT_EQ(m_feed.plansAsked.size(), asked + 1) << "once";
    EXPECT_EQ(m_feed.plansAsked.back().set, "2:40600");
    EXPECT_TRUE(button(QStringLiteral("Copy as script"))->isEnabled());
}

TEST_F(ResumePaneTest, OldPlanIsMarkedAndRenewed)
{
    const auto checked = [this]() -> const QLabel * {
        for (const auto *label : m_pane->findChildren<QLabel *>())
            if (label->text().startsWith(QLatin1String("checked "))) return label;
        return nullptr;
    };
    m_pane->refresh(wallNow());
    ASSERT_NE(checked(), nullptr);
    EXPECT_FALSE(checked()->font().bold());
    const auto later = wallNow() + std::chrono::seconds(90);
    const auto answer = std::exchange(m_feed.plan, nullptr);  // the nodes answer slowly
    const std::size_t asked = m_feed.plansAsked.size();
    m_pane->refresh(later);
    m_pane->refresh(later);
    EXPECT_EQ(m_feed.plansAsked.size(), asked + 1) << "asked once, not with every second";
    EXPECT_TRUE(says(QStringLiteral("being checked on 2 nodes")));
    EXPECT_TRUE(button(QStringLiteral("Copy as script"))->isEnabled())
        << "what is shown stands until the new one is there";
    m_feed.plan = answer;
    m_pane->checkAgain();
    m_pane->refresh(wallNow());
    ASSERT_NE(checked(), nullptr);
    EXPECT_FALSE(checked()->font().bold());
}

// Some risks cannot be removed by the plan, but the operator may accept them. There is no command line here, so a
// button is needed.
TEST_F(ResumePaneTest, AcceptableRiskHasAButtonInsteadOfACommandLineOption)
{
    m_feed.plan = [](const ResumeOptions &options) {
        ResumeReport report = scenes::plannedResume(options);
        const bool taken = options.overriding("ranks_unknown");
        report.preflight = {scenes::finding(taken ? Finding::Result::warn : Finding::Result::refuse, "ranks_unknown",
                                            "cannot tell whether another attempt of this job runs on node b",
                                            message("check there; if you are sure that none is running, %1",
                                                    terminalWords("say --fix %1", "ranks_unknown")))};
        return Result<ResumeReport>(std::move(report));
    };
    m_pane->checkAgain();
    EXPECT_EQ(m_pane->why(), QStringLiteral("1 refusal left"));
    settle();  // until the new rows are shown
    EXPECT_TRUE(says(QStringLiteral("press \"Continue anyway\""))) << "by its own button";
    EXPECT_FALSE(says(QStringLiteral("--fix")));
    QPushButton *take = button(QStringLiteral("Continue anyway"));
    ASSERT_NE(take, nullptr);
    QTest::mouseClick(take, Qt::LeftButton);
    EXPECT_EQ(m_feed.plansAsked.back().fixes, std::vector<std::string>{"ranks_unknown"});
    EXPECT_TRUE(m_pane->why().isEmpty());
    EXPECT_FALSE(says(QStringLiteral("Fixed by the plan"))) << "the plan mends nothing of it";
    ASSERT_NE(button(QStringLiteral("Undo")), nullptr);
}

TEST_F(ResumePaneTest, AsksBeforeALaunchThatMayTrainFromZero)
{
    m_feed.plan = [](const ResumeOptions &options) {
        ResumeReport report = scenes::plannedResume(options);
        const bool allowed = options.overriding("starts_from_zero");
        report.preflight = {scenes::finding(allowed ? Finding::Result::warn : Finding::Result::refuse,
                                            "starts_from_zero", "nothing shows that the ranks would load the set",
                                            "if you know that it loads the set, say --fix checkpoint_not_named")};
        return Result<ResumeReport>(std::move(report));
    };
    m_pane->checkAgain();
    settle();
    const auto ask = [this] {
        QTest::mouseClick(button(QStringLiteral("Continue anyway")), Qt::LeftButton);
        return m_pane->findChild<QMessageBox *>(QStringLiteral("zeroQuestion"));
    };
    QMessageBox *question = ask();
    ASSERT_NE(question, nullptr);
    EXPECT_TRUE(question->text().contains(QStringLiteral("train from zero and overwrite the old checkpoints")));
    EXPECT_EQ(question->defaultButton()->text(), QStringLiteral("Cancel"));
    EXPECT_TRUE(m_feed.plansAsked.back().fixes.empty());
    question->defaultButton()->click();
    settle();
    EXPECT_EQ(m_pane->why(), QStringLiteral("1 refusal left"));
    question = ask();
    ASSERT_NE(question, nullptr);
    for (QAbstractButton *one : question->buttons())
        if (one->text() == QStringLiteral("Continue anyway")) one->click();
    EXPECT_EQ(m_feed.plansAsked.back().fixes, std::vector<std::string>{"starts_from_zero"});
    EXPECT_TRUE(m_pane->why().isEmpty());
}

TEST_F(ResumePaneTest, LatePlanOfAnotherSetIsDropped)
{
    m_feed.plan = nullptr;
    m_pane->choose(QStringLiteral("2:40400"));
    EXPECT_EQ(m_pane->why(), QStringLiteral("being checked"));
    m_feed.plan = [](const ResumeOptions &options) { return Result<ResumeReport>(scenes::plannedResume(options)); };
    m_pane->choose(QStringLiteral("2:40600"));
    EXPECT_EQ(m_pane->why(), QStringLiteral("1 refusal left"));
    EXPECT_EQ(m_feed.plansAsked.back().set, "2:40600");
}

TEST_F(ResumePaneTest, NothingCanBeStartedWithoutAPlan)
{
    m_feed.plan = [](const ResumeOptions &) {
        return Result<ResumeReport>(fail(ErrorKind::unreachable, "ascend-01 does not answer"));
    };
    m_pane->checkAgain();
    EXPECT_EQ(m_pane->why(), QStringLiteral("no plan"));
    EXPECT_TRUE(says(QStringLiteral("ascend-01 does not answer")));
    const std::size_t asked = m_feed.plansAsked.size();
    m_pane->refresh(scenes::now());
    EXPECT_EQ(m_feed.plansAsked.size(), asked) << "not asked again with every second";
    m_pane->act();
    EXPECT_TRUE(m_feed.resumes.empty());
    EXPECT_FALSE(button(QStringLiteral("Copy as script"))->isEnabled());
}

TEST_F(ResumePaneTest, RefusedStartIsReported)
{
    QTest::mouseClick(button(QStringLiteral("Back up")), Qt::LeftButton);
    ASSERT_TRUE(m_pane->why().isEmpty());
    m_feed.actStatus = fail(ErrorKind::conflict, "attempt 3 runs since 03:12");
    m_pane->act();
    EXPECT_TRUE(says(QStringLiteral("attempt 3 runs since 03:12")));
}

TEST_F(ResumePaneTest, FixCanBeUndone)
{
    QTest::mouseClick(button(QStringLiteral("Back up")), Qt::LeftButton);
    EXPECT_EQ(m_feed.plansAsked.back().fixes, std::vector<std::string>{"stale_train_ckpt"});
    QPushButton *undo = button(QStringLiteral("Undo"));
    ASSERT_NE(undo, nullptr);
    QTest::mouseClick(undo, Qt::LeftButton);
    EXPECT_TRUE(m_feed.plansAsked.back().fixes.empty());
    EXPECT_EQ(m_pane->why(), QStringLiteral("1 refusal left"));
}

TEST_F(ResumePaneTest, FocusStaysInThePaneWhenThePressedButtonDisappears)
{
    m_pane->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(m_pane.get(), neverMs));
    QPushButton *fix = button(QStringLiteral("Back up"));
    ASSERT_NE(fix, nullptr);
    fix->setFocus();
    QTest::keyClick(fix, Qt::Key_Space);
    ASSERT_NE(QApplication::focusWidget(), nullptr);
    EXPECT_TRUE(m_pane->isAncestorOf(QApplication::focusWidget()));
    EXPECT_EQ(QApplication::focusWidget()->metaObject()->className(), std::string("rankdeck::ui::Table"));
}

TEST_F(ResumePaneTest, ScriptContainsTheShownPlan)
{
    QGuiApplication::clipboard()->clear();
    QTest::mouseClick(button(QStringLiteral("Copy as script")), Qt::LeftButton);
    EXPECT_FALSE(QGuiApplication::clipboard()->text().isEmpty());
    EXPECT_TRUE(says(QStringLiteral("copied")));
}

}  // namespace
}  // namespace rankdeck::ui::resume_pane_test
