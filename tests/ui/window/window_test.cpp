// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "tests/testbed/races.h"
#include "tests/ui/settle.h"
#include "tests/ui/shown.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/dialogs/kill_dialog.h"
#include "ui/kit/act_button.h"
#include "ui/kit/side_pane.h"
#include "ui/panes/inspector_pane.h"
#include "ui/panes/resume_pane.h"
#include "ui/panes/stop_pane.h"
#include "ui/style/theme.h"
#include "ui/window/banner.h"
#include "ui/window/hazard_strip.h"
#include "ui/window/header_bar.h"
#include "ui/window/job_page.h"
#include "ui/window/window_actions.h"

#include <QAccessible>
#include <QAction>
#include <QLabel>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTimer>
#include <QtTest/QTest>

#include <gtest/gtest.h>

#include <algorithm>

namespace rankdeck::ui::window_test {
namespace {

TEST_F(Window, ChecksEveryByteOnDemandAndCanCancel)
{
    open(scenes::died());
    m_window->page()->inspect(QStringLiteral("2:40800"), 2);
    auto *pane = part<InspectorPane>();
    QPushButton *check = button(QStringLiteral("Check every byte"), pane);
    ASSERT_NE(check, nullptr);
    check->click();
    EXPECT_EQ(check->text(), QStringLiteral("Cancel the check"));
    EXPECT_TRUE(says(pane, QStringLiteral("being read on the nodes, 25 %")));
    check->click();
    EXPECT_EQ(check->text(), QStringLiteral("Check every byte"));
    EXPECT_TRUE(says(pane, QStringLiteral("cancelled")));
}

TEST_F(Window, OneClickArmsTheStopAndOpensThePane)
{
    open(scenes::healthy());
    QPushButton *stop = button(QStringLiteral("Stop gracefully"), part<HeaderBar>());
    ASSERT_NE(stop, nullptr);
    QTest::mouseClick(stop, Qt::LeftButton);
    ASSERT_EQ(m_feed->exits.size(), 1u);
    EXPECT_TRUE(m_feed->exits.front().escalate.empty());
    EXPECT_FALSE(m_feed->exits.front().dryRun);
    EXPECT_TRUE(part<StopPane>()->isVisible());
}

TEST_F(Window, WarningRequiresASecondClickInThePane)
{
    Snapshot s = scenes::healthy();
    s.exitPreflight.preflight.push_back(scenes::finding(Finding::Result::warn, "disk_full", "Disk is short."));
    open(s);
    m_window->actions().stop->trigger();
    EXPECT_TRUE(m_feed->exits.empty());
    QPushButton *again = button(QStringLiteral("Stop gracefully anyway"), part<StopPane>());
    ASSERT_NE(again, nullptr);
    QTest::mouseClick(again, Qt::LeftButton);
    EXPECT_EQ(m_feed->exits.size(), 1u);
}

TEST_F(Window, RefusedStopIsDisabledAndShowsItsReason)
{
    open(scenes::died());
    QPushButton *stop = button(QStringLiteral("Stop gracefully"), part<HeaderBar>());
    ASSERT_NE(stop, nullptr);
    EXPECT_FALSE(stop->isEnabled());
    EXPECT_FALSE(m_window->actions().stop->isEnabled());
    EXPECT_TRUE(stop->accessibleName().contains(QLatin1String("refused: rank 5 is dead")));
}

TEST_F(Window, ClosingDuringAStopAsksFirst)
{
    open(scenes::stopping(0, 0));
    EXPECT_FALSE(m_window->close());
    EXPECT_TRUE(m_window->isVisible());
    auto *question = m_window->findChild<QMessageBox *>();
    ASSERT_NE(question, nullptr);
    EXPECT_EQ(question->defaultButton()->text(), QStringLiteral("Stay"));
    question->reject();
    EXPECT_TRUE(m_window->isVisible());
    m_window->closeAnyway();  // as a signal does: there is no question
    EXPECT_FALSE(m_window->isVisible());
}

TEST_F(Window, ClosingWithoutAStopAsksNothing)
{
    open(scenes::healthy());
    EXPECT_TRUE(m_window->close());
}

// Three minutes after the request, the force stops are available. The list in the dialog is the list that is passed on.
TEST_F(Window, ConfirmedForceStopUsesExactlyTheShownList)
{
    Snapshot s = scenes::stopping(5, 2);
    s.exit->started = wallNow() - std::chrono::minutes(3);
    open(s);
    part<StopPane>()->refresh(wallNow());
    QString shown;
    QTimer::singleShot(0, m_window.get(), [&] {
        auto *dialog = m_window->findChild<KillDialog *>();
        ASSERT_NE(dialog, nullptr);
        shown = dialog->findChild<QPlainTextEdit *>()->toPlainText();
        dialog->accept();
    });
    QPushButton *kill = buttonOf(*part<StopPane>(), QStringLiteral("SIGKILL…"));
    ASSERT_NE(kill, nullptr);
    ASSERT_TRUE(kill->isEnabled());
    kill->click();
    ASSERT_EQ(m_feed->rungs.size(), 1u);
    EXPECT_EQ(m_feed->rungs.front().signal, Signal::kill);
    EXPECT_EQ(targetLines(m_feed->rungs.front().targets).join(QLatin1Char('\n')), shown);
    EXPECT_TRUE(m_feed->exits.empty()) << "no second act";
    EXPECT_EQ(m_feed->cancels, 0);
}

TEST_F(Window, StopIsCancelledByOneClickOrEsc)
{
    open(scenes::stopping(0, 0));
    QPushButton *cancel = button(QStringLiteral("Cancel the stop"), part<HeaderBar>());
    ASSERT_NE(cancel, nullptr);
    QTest::mouseClick(cancel, Qt::LeftButton);
    EXPECT_EQ(m_feed->cancels, 1);
    EXPECT_TRUE(part<StopPane>()->isVisible());
    m_window->actions().closePane->trigger();
    EXPECT_EQ(m_feed->cancels, 2);
    EXPECT_TRUE(part<StopPane>()->isVisible());
    m_feed->set(scenes::stopping(5, 2));
    m_window->actions().closePane->trigger();  // too late: Esc only closes
    EXPECT_EQ(m_feed->cancels, 2);
    EXPECT_FALSE(part<StopPane>()->isVisible());
}

TEST_F(Window, ArmedIsShownInTitleStripAndHeaderUntilTheFlagIsZero)
{
    open(scenes::stopping(5, 2));
    EXPECT_TRUE(m_window->windowTitle().startsWith(QLatin1String("ARMED")));
    EXPECT_TRUE(part<HazardStrip>()->isVisible());
    m_feed->set(scenes::stopped());
    EXPECT_FALSE(m_window->windowTitle().startsWith(QLatin1String("ARMED")));
    EXPECT_FALSE(part<HazardStrip>()->isVisible());
    Snapshot left = scenes::stopped();
    left.view.flags[0].armed = true;  // one node still reads 1
    m_feed->set(left);
    EXPECT_TRUE(m_window->windowTitle().startsWith(QLatin1String("ARMED")));
    EXPECT_TRUE(part<HazardStrip>()->isVisible());
}

TEST_F(Window, RefusedActionIsReportedInThePane)
{
    open(scenes::healthy());
    m_feed->actStatus = fail(ErrorKind::conflict, "A resume is under way.");
    m_window->actions().stop->trigger();
    EXPECT_TRUE(says(part<StopPane>(), QStringLiteral("A resume is under way.")));
}

TEST_F(Window, OnlyValidSetsCanBeResumed)
{
    open(scenes::resumable());
    m_window->actions().resume->trigger();
    auto *pane = part<ResumePane>();
    ASSERT_TRUE(pane->isVisible());
    EXPECT_EQ(pane->chosenSet(), QStringLiteral("2:40600"));
    EXPECT_EQ(pane->why(), QStringLiteral("1 refusal left"));
    pane->choose(QStringLiteral("2:40800"));
    EXPECT_TRUE(pane->why().contains(QLatin1String("CORRUPT")));
    pane->act();
    EXPECT_TRUE(m_feed->resumes.empty());
}

TEST_F(Window, FixingTheRefusalAllowsTheResume)
{
    open(scenes::resumable());
    m_window->actions().resume->trigger();
    auto *pane = part<ResumePane>();
    EXPECT_EQ(m_feed->plansAsked.size(), 1u) << "the nodes are asked once";
    m_window->actions().paneAct->trigger();
    EXPECT_TRUE(m_feed->resumes.empty());
    settle();  // rows that were made as the pane opened become visible in the next turn
    QPushButton *fix = button(QStringLiteral("Back up"), pane);
    ASSERT_NE(fix, nullptr);
    QTest::mouseClick(fix, Qt::LeftButton);
    EXPECT_EQ(m_feed->plansAsked.back().fixes, std::vector<std::string>{"stale_train_ckpt"});
    EXPECT_TRUE(m_feed->plansAsked.back().dryRun);
    EXPECT_TRUE(pane->why().isEmpty()) << pane->why().toStdString();
    ASSERT_NE(button(QStringLiteral("Resume 8 ranks from 40,600"), pane), nullptr);
    m_window->actions().paneAct->trigger();
    ASSERT_EQ(m_feed->resumes.size(), 1u);
    EXPECT_EQ(m_feed->resumes.front().set, "2:40600");
    EXPECT_FALSE(m_feed->resumes.front().dryRun);
    EXPECT_EQ(m_feed->resumes.front().fixes, std::vector<std::string>{"stale_train_ckpt"});
}

TEST_F(Window, UnprovenSetNeedsASeparateClick)
{
    Snapshot s = scenes::resumable();
    s.view.checkpoints.sets[2].verdict = Verdict::validUnproven;
    open(s);
    m_window->actions().resume->trigger();
    auto *pane = part<ResumePane>();
    pane->choose(QStringLiteral("2:40600"));
    EXPECT_EQ(pane->why(), QStringLiteral("not proven"));
    pane->findChild<QAbstractButton *>(QStringLiteral("unproven"))->click();
    EXPECT_EQ(pane->why(), QStringLiteral("1 refusal left"));
    EXPECT_TRUE(m_feed->plansAsked.back().allowUnproven);
}

TEST_F(Window, NothingRunsBeforeThePlanArrives)
{
    open(scenes::resumable());
    m_feed->plan = nullptr;  // answers nothing until the test does
    m_window->actions().resume->trigger();
    EXPECT_EQ(part<ResumePane>()->why(), QStringLiteral("being checked"));
}

TEST_F(Window, ResumeIsThePrimaryButtonOnlyAfterADeath)
{
    open(scenes::healthy());
    auto *resume = part<HeaderBar>()->findChild<ActButton *>();
    EXPECT_FALSE(resume->isPrimary());
    m_feed->set(scenes::died());
    EXPECT_TRUE(resume->isPrimary());
    EXPECT_TRUE(part<Banner>()->isVisible());
    EXPECT_TRUE(m_window->windowTitle().startsWith(QLatin1String("Rank 5 died")));
}

TEST_F(Window, ActionsAndLostWorkStayInANarrowWindow)
{
    open(scenes::died(), {1024, 600});
    const auto *header = part<HeaderBar>();
    for (const auto *one : header->findChildren<QPushButton *>()) {
        EXPECT_TRUE(one->isVisible());
        EXPECT_LE(one->mapTo(header, QPoint(one->width(), 0)).x(), header->width());
    }
    EXPECT_LE(m_window->width(), 1024);
    EXPECT_LE(m_window->height(), 600);
}

TEST_F(Window, LooksTheSameAfterASwitchToDarkAsWhenStartedDark)
{
    Theme &theme = Theme::of(nullptr);
    theme.setMode(Theme::Mode::dark);
    open(scenes::died());
    settle();  // until the curves are drawn
    const QImage began = m_window->grab().toImage();
    m_window.reset();
    theme.setMode(Theme::Mode::light);
    open(scenes::died());
    theme.setMode(Theme::Mode::dark);
    settle();
    const QImage switched = m_window->grab().toImage();
    m_window.reset();
    theme.setMode(Theme::Mode::light);
    ASSERT_EQ(began.size(), switched.size());
    int differing = 0;
    for (int y = 0; y < began.height(); ++y)
        for (int x = 0; x < began.width(); ++x) differing += began.pixel(x, y) != switched.pixel(x, y);
    EXPECT_LT(differing, 1500) << "only the clock and the ages may differ";
}

TEST_F(Window, EveryFocusableWidgetHasAnAccessibleName)
{
    open(scenes::resumable());
    for (QAction *show : {m_window->actions().stopPane, m_window->actions().resume, m_window->actions().proof}) {
        show->trigger();
        for (const auto *widget : m_window->findChildren<QWidget *>()) {
            if (!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus || widget->inherits("QMenuBar")) continue;
            if (QString::fromLatin1(widget->metaObject()->className()).contains(QLatin1String("TabBar")) &&
                widget->accessibleName().isEmpty())
                continue;
            QAccessibleInterface *face = QAccessible::queryAccessibleInterface(const_cast<QWidget *>(widget));
            ASSERT_NE(face, nullptr);
            EXPECT_FALSE(face->text(QAccessible::Name).isEmpty())
                << widget->metaObject()->className() << " in " << widget->parentWidget()->metaObject()->className();
        }
    }
}

TEST_F(Window, LabelsAndButtonsAreNotCut)
{
    std::vector<QSize> sizes{{1024, 600}, {1366, 768}};
    if (everyVariant()) sizes.emplace_back(1920, 1080);
    for (const QSize size : sizes) {
        for (const Snapshot &s : {scenes::healthy(), scenes::resumable(), scenes::stopping(5, 2)}) {
            open(s, size);
            for (QAction *show : {m_window->actions().stopPane, m_window->actions().resume}) {
                show->trigger();
                const auto cut = [this] {
                    QStringList texts;
                    for (const auto *label : m_window->findChildren<QLabel *>()) {
                        if (!label->isVisible() || label->wordWrap() || label->text().isEmpty()) continue;
                        if (label->parentWidget()->inherits("rankdeck::ui::StatusLine")) continue;
                        if (label->width() + 1 < label->sizeHint().width()) texts << label->text();
                    }
                    return texts.join(QLatin1Char('\n'));
                };
                // A text that grows gets more room in a later turn of the event loop.
                EXPECT_TRUE(becomes([&] { return cut().isEmpty(); })) << cut().toStdString() << " at " << size.width();
                for (const auto *one : m_window->findChildren<QPushButton *>()) {
                    if (one->isVisible()) {
                        EXPECT_GE(one->width() + 1, one->minimumSizeHint().width())
                            << one->text().toStdString() << " at " << size.width();
                    }
                }
            }
        }
    }
}

}  // namespace
}  // namespace rankdeck::ui::window_test
