// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/shown.h"
#include "ui/panes/proof_pane.h"

#include "tests/ui/scenes.h"
#include "ui/kit/table.h"
#include "ui/panes/proof_model.h"
#include "ui/state/run_state.h"
#include "ui/style/theme.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest/QTest>

#include <gtest/gtest.h>

namespace rankdeck::ui::proof_pane_test {
namespace {

RankProof proof(int rank, bool proven, std::optional<std::int64_t> firstStep = 40'601)
{
    RankProof one;
    one.rank = rank;
    one.proven = proven;
    one.loadedGlobalStep = 40'600;
    one.firstStep = firstStep;
    one.firstLoss = 2.4;
    one.oldLoss = 2.41;
    one.note = proven ? "joins" : "2 of 9 losses";
    return one;
}

QColor ground(const ProofModel &model, int row)
{
    return model.index(row, ProofModel::joins).data(Qt::BackgroundRole).value<QColor>();
}
QString spoken(const ProofModel &model, int row)
{
    return model.index(row, ProofModel::joins).data(Qt::AccessibleTextRole).toString();
}

TEST(ProofModel, InconclusiveLossRaisesNoAlarm)
{
    ProofModel model;
    model.setRanks({proof(0, true), proof(1, false), proof(2, false, {})});
    EXPECT_FALSE(ground(model, 1).isValid());
    EXPECT_EQ(spoken(model, 0), QStringLiteral("joins"));
    EXPECT_EQ(spoken(model, 1), QStringLiteral("not settled yet"));
    EXPECT_EQ(spoken(model, 2), QStringLiteral("waits"));
    model.setRanks({proof(0, true), proof(1, false), proof(2, false, {})}, false);
    EXPECT_EQ(ground(model, 1), Theme::of(nullptr).color(Theme::Role::tintBad));
    EXPECT_EQ(spoken(model, 1), QStringLiteral("does not continue the curve"));
    EXPECT_FALSE(ground(model, 0).isValid()) << "a rank that joins is no alarm whatever the others do";
    EXPECT_EQ(spoken(model, 2), QStringLiteral("waits"));
}

TEST(TimeToRecover, CountsFromTheFirstDeathOfTheAttemptThatEnded)
{
    const WallTime decision = scenes::now();
    const auto before = [&](int seconds) { return decision - std::chrono::seconds(seconds); };
    const auto death = [](int attempt, WallTime time) {
        Event event;
        event.kind = EventKind::rankDied;
        event.attempt = attempt;
        event.time = time;
        return event;
    };
    Snapshot s;
    s.view.attempts = {{.index = 0, .started = before(900)}, {.index = 1, .started = before(400)}};
    s.view.recentEvents = {death(0, before(500)), death(1, before(60)), death(1, before(58))};
    EXPECT_EQ(failureBefore(s, decision), before(60)) << "not the last of the burst, not the incident before";
    s.view.recentEvents = {death(0, before(500))};
    EXPECT_FALSE(failureBefore(s, decision)) << "a stop that was wanted is no failure";
}

class ProofPaneTest : public testing::Test {
protected:
    void open(Snapshot snapshot)
    {
        if (!m_pane) scenes::train(m_feed.run());
        m_feed.set(std::move(snapshot));
        m_pane = std::make_unique<ProofPane>(m_feed);
        m_pane->resize(420, 640);
        m_pane->refresh(scenes::now());
        m_pane->show();
    }
    QPushButton *button(const QString &text) const { return buttonOf(*m_pane, text); }

    FixedFeed m_feed;
    std::unique_ptr<ProofPane> m_pane;
};

TEST_F(ProofPaneTest, ProofIsShownWithItsPositionAndNoButtons)
{
    open(scenes::proven());
    EXPECT_TRUE(m_pane->titleText().startsWith(QLatin1String("Proven: "))) << m_pane->titleText().toStdString();
    EXPECT_FALSE(button(QStringLiteral("Stop gracefully"))->isVisible());
    EXPECT_FALSE(button(QStringLiteral("Show its log"))->isVisible());
}

// A proof belongs to its time: after a later death it is shown as past.
TEST_F(ProofPaneTest, ProofIsShownAsPastAfterALaterDeath)
{
    for (const AlarmCode code : {AlarmCode::jobDied, AlarmCode::rankDied}) {
        Snapshot s = scenes::proven();
        s.alarms.push_back({.code = code});
        open(s);
        EXPECT_FALSE(m_pane->titleText().contains(QLatin1String("Proven"))) << m_pane->titleText().toStdString();
        EXPECT_TRUE(m_pane->titleText().contains(QLatin1String("died since"))) << m_pane->titleText().toStdString();
    }
}

TEST_F(ProofPaneTest, FailedProofOffersAStopAndTheLogOfTheFirstUnprovenRank)
{
    open(scenes::notProven());
    EXPECT_TRUE(m_pane->titleText().startsWith(QLatin1String("Not proven: "))) << m_pane->titleText().toStdString();
    const QSignalSpy stop(m_pane.get(), &ProofPane::stopWanted), log(m_pane.get(), &ProofPane::logWanted);
    QTest::mouseClick(button(QStringLiteral("Stop gracefully")), Qt::LeftButton);
    EXPECT_EQ(stop.count(), 1);
    QTest::mouseClick(button(QStringLiteral("Show its log")), Qt::LeftButton);
    ASSERT_EQ(log.count(), 1);
    const auto &ranks = m_feed.snapshot()->resume->ranks;
    const auto first = std::find_if(ranks.begin(), ranks.end(), [](const RankProof &one) { return !one.proven; });
    EXPECT_EQ(log[0][0].toInt(), first->rank);
}

TEST_F(ProofPaneTest, ProblemsAreShownInFullAndOnlyMissingStepsAreAwaited)
{
    Snapshot s = scenes::notProven();
    const QString note = QStringLiteral("starts from zero: its first loss 6.900 lies far above the old curve's 2.426");
    s.resume->ranks[6].note = note.toStdString();
    open(std::move(s));
    const auto shown = [&](const QString &text) {
        const QList<QLabel *> labels = m_pane->findChildren<QLabel *>();
        return std::any_of(labels.begin(), labels.end(), [&](const QLabel *label) {
            return label->isVisible() && label->wordWrap() && label->text().contains(text);
        });
    };
    EXPECT_TRUE(shown(QStringLiteral("Rank 6: ") + note));
    EXPECT_FALSE(shown(QStringLiteral("Waiting"))) << "every rank has its first step";
    s = scenes::notProven();
    s.resume->ranks[2].firstStep.reset();
    open(std::move(s));
    EXPECT_TRUE(shown(QStringLiteral("rank 2 showed no step")));
    s = scenes::proven();
    s.resume->outcome = {};
    s.resume->ranks[2].firstStep.reset();
    open(std::move(s));
    EXPECT_TRUE(shown(QStringLiteral("Waiting for the first step of rank 2")));
}

TEST_F(ProofPaneTest, EveryPhaseHasItsOwnTitle)
{
    QSet<QString> titles;
    for (const ResumePhase phase :
         {ResumePhase("planning"), ResumePhase("preparing"), ResumePhase("launching"), ResumePhase("proving")}) {
        Snapshot s = scenes::proven();
        s.resume->phase = phase;
        s.resume->outcome = {};
        open(std::move(s));
        titles.insert(m_pane->titleText());
    }
    EXPECT_EQ(titles.size(), 4);
}

TEST_F(ProofPaneTest, ReportsThatThereIsNoResume)
{
    open(scenes::healthy());
    EXPECT_EQ(m_pane->titleText(), QStringLiteral("No resume yet"));
}

}  // namespace
}  // namespace rankdeck::ui::proof_pane_test
