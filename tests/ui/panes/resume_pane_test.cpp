// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panes/resume_pane.h"

#include "tests/ui/scenes.h"
#include "ui/kit/act_button.h"
#include "ui/style/format.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QtTest/QTest>

#include <gtest/gtest.h>

#include <algorithm>

namespace rankdeck::ui {
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
    bool says(const QString &text) const
    {
        const QList<QLabel *> labels = m_pane->findChildren<QLabel *>();
        return std::any_of(labels.begin(), labels.end(), [&](const QLabel *label) {
            return label->isVisible() && label->text().contains(text.toHtmlEscaped());
        });
    }
    QPushButton *button(const QString &text) const
    {
        for (auto *one : m_pane->findChildren<QPushButton *>())
            if (one->text() == text) return one;
        return nullptr;
    }

    FixedFeed m_feed;
    std::unique_ptr<ResumePane> m_pane;
};

TEST_F(ResumePaneTest, TheReasonOfTheChosenSetStandsThereWhole)
{
    for (const QString &set : {QStringLiteral("2:40800"), QStringLiteral("2:41000"), QStringLiteral("2:40600")}) {
        m_pane->choose(set);
        m_pane->refresh(scenes::now());
        const CheckpointSet *chosen = m_feed.snapshot()->view.checkpoints.find(set.toStdString());
        EXPECT_TRUE(says(whyOf(*chosen))) << set.toStdString() << ": " << whyOf(*chosen).toStdString();
    }
}

TEST_F(ResumePaneTest, APlanOfAMinuteAgoIsMarked)
{
    const auto checked = [this]() -> const QLabel * {
        for (const auto *label : m_pane->findChildren<QLabel *>())
            if (label->text().startsWith(QLatin1String("checked "))) return label;
        return nullptr;
    };
    m_pane->refresh(std::chrono::system_clock::now());
    ASSERT_NE(checked(), nullptr);
    EXPECT_FALSE(checked()->font().bold());
    m_pane->refresh(std::chrono::system_clock::now() + std::chrono::seconds(90));
    EXPECT_TRUE(checked()->font().bold()) << checked()->text().toStdString();
    m_pane->checkAgain();
    m_pane->refresh(std::chrono::system_clock::now());
    EXPECT_FALSE(checked()->font().bold());
}

TEST_F(ResumePaneTest, ALatePlanOfAnotherSetIsDropped)
{
    m_feed.plan = nullptr;
    m_pane->choose(QStringLiteral("2:40400"));
    EXPECT_EQ(m_pane->why(), QStringLiteral("being checked"));
    m_feed.plan = [](const ResumeOptions &options) { return Result<ResumeReport>(scenes::plannedResume(options)); };
    m_pane->choose(QStringLiteral("2:40600"));
    EXPECT_EQ(m_pane->why(), QStringLiteral("1 refusal left"));
    EXPECT_EQ(m_feed.plansAsked.back().set, "2:40600");
}

TEST_F(ResumePaneTest, WithoutAPlanNothingCanBeStarted)
{
    m_feed.plan = [](const ResumeOptions &) {
        return Result<ResumeReport>(fail(ErrorKind::unreachable, "ascend-01 does not answer"));
    };
    m_pane->checkAgain();
    EXPECT_EQ(m_pane->why(), QStringLiteral("no plan"));
    EXPECT_TRUE(says(QStringLiteral("ascend-01 does not answer")));
    m_pane->act();
    EXPECT_TRUE(m_feed.resumes.empty());
    EXPECT_FALSE(button(QStringLiteral("Copy as script"))->isEnabled());
}

TEST_F(ResumePaneTest, ARefusedStartIsSaid)
{
    QTest::mouseClick(button(QStringLiteral("Move aside")), Qt::LeftButton);
    ASSERT_TRUE(m_pane->why().isEmpty());
    m_feed.actStatus = fail(ErrorKind::conflict, "attempt 3 runs since 03:12");
    m_pane->act();
    EXPECT_TRUE(says(QStringLiteral("attempt 3 runs since 03:12")));
}

TEST_F(ResumePaneTest, AFixCanBeTakenBack)
{
    QTest::mouseClick(button(QStringLiteral("Move aside")), Qt::LeftButton);
    EXPECT_EQ(m_feed.plansAsked.back().fixes, std::vector<std::string>{"stale_train_ckpt"});
    QPushButton *undo = button(QStringLiteral("Undo"));
    ASSERT_NE(undo, nullptr);
    QTest::mouseClick(undo, Qt::LeftButton);
    EXPECT_TRUE(m_feed.plansAsked.back().fixes.empty());
    EXPECT_EQ(m_pane->why(), QStringLiteral("1 refusal left"));
}

TEST_F(ResumePaneTest, TheFocusStaysInThePaneWhenThePressedButtonGoes)
{
    m_pane->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(m_pane.get()));
    QPushButton *fix = button(QStringLiteral("Move aside"));
    ASSERT_NE(fix, nullptr);
    fix->setFocus();
    QTest::keyClick(fix, Qt::Key_Space);
    ASSERT_NE(QApplication::focusWidget(), nullptr);
    EXPECT_TRUE(m_pane->isAncestorOf(QApplication::focusWidget()));
    EXPECT_EQ(QApplication::focusWidget()->metaObject()->className(), std::string("rankdeck::ui::Table"));
}

TEST_F(ResumePaneTest, TheScriptIsThePlanThatIsShown)
{
    QGuiApplication::clipboard()->clear();
    QTest::mouseClick(button(QStringLiteral("Copy as script")), Qt::LeftButton);
    EXPECT_FALSE(QGuiApplication::clipboard()->text().isEmpty());
    EXPECT_TRUE(says(QStringLiteral("copied")));
}

}  // namespace
}  // namespace rankdeck::ui
