// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/shown.h"
#include "ui/panels/failure_panel.h"

#include "tests/ui/fault_scenes.h"
#include "tests/ui/settle.h"
#include "ui/kit/glyph_label.h"
#include "ui/state/notice.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTextBlock>
#include <QtTest/QTest>

#include <gtest/gtest.h>

namespace rankdeck::ui::failure_panel_test {
namespace {

TEST(FailurePanelTest, ShowsTheLogLineOfTheLastStepDespiteAnApproximateOffset)
{
    FixedFeed feed;
    feed.run().beginAttempt(scenes::now());
    std::vector<Sample> samples;
    std::string log;
    for (int step = 1; step <= 400; ++step) {
        Sample sample;
        sample.globalStep = step;
        sample.loss = 3.0 - 0.003 * step;
        sample.offset = log.size();
        log += "epoch: 1 step: " + std::to_string(step) + ", loss is " + std::to_string(sample.loss) + "\n";
        samples.push_back(sample);
    }
    feed.run().add(0, 0, samples, scenes::now());
    feed.logs[0] = log;
    Snapshot snapshot = scenes::healthy();
    Event died;
    died.id = 1;
    died.kind = EventKind::rankDied;
    died.rank = 0;
    died.attempt = 0;
    died.position = 250;
    died.time = scenes::now();
    snapshot.view.recentEvents = {died};
    feed.set(std::move(snapshot));
    FailurePanel panel(feed);
    panel.resize(1200, 200);
    panel.show();
    panel.showEvent(died);
    settle();
    const QPlainTextEdit *text = nullptr;
    for (const auto *one : panel.findChildren<QPlainTextEdit *>())
        if (one->isVisible() && text == nullptr) text = one;
    ASSERT_NE(text, nullptr);
    EXPECT_TRUE(text->textCursor().block().text().contains(QLatin1String("step: 250,")))
        << text->textCursor().block().text().toStdString();
}

RankStack stack(int rank, char state, const char *wchan)
{
    RankStack one;
    one.rank = rank;
    one.node = "ascend-01";
    one.pid = 4711 + rank;
    one.state = state;
    one.wchan = wchan;
    one.step = 40'712;
    one.lastLine = "epoch: 22 step: 400";
    return one;
}

TEST(FailurePanelTest, GroupedStackTracesAreShownAndCanBeClosed)
{
    FixedFeed feed;
    feed.set(scenes::healthy());
    feed.stacks = {stack(0, 'S', "futex_wait_queue"), stack(1, 'S', "futex_wait_queue"),
                   stack(2, 'T', "do_signal_stop")};
    FailurePanel panel(feed);
    panel.resize(1200, 300);
    panel.show();
    QPushButton *now = buttonOf(*panel.corner(), QStringLiteral("Show stack traces"));
    ASSERT_NE(now, nullptr);
    EXPECT_EQ(feed.stacksAsked, 0) << "nothing is asked of the nodes before a click";
    now->click();
    EXPECT_EQ(feed.stacksAsked, 1);
    const auto shown = [&] {
        QString text;
        for (const auto *one : panel.findChildren<QPlainTextEdit *>())
            if (one->isVisible()) text += one->toPlainText();
        return text;
    };
    EXPECT_TRUE(shown().startsWith(QLatin1String("rank 2: is stopped"))) << shown().toStdString();
    EXPECT_TRUE(shown().contains(QString::fromUtf8("ranks 0, 1: sleeps"))) << shown().toStdString();
    EXPECT_TRUE(says(panel, QStringLiteral("rank 2 differs from the others")));
    now->click();
    EXPECT_TRUE(shown().isEmpty());
    feed.isOffline = true;
    FailurePanel history(feed);
    history.showNow();
    EXPECT_EQ(feed.stacksAsked, 1) << "a history has no ranks to ask";
}

class FailureViewTest : public testing::Test {
protected:
    FailureViewTest()
    {
        scenes::train(m_feed.run());
        for (int rank = 0; rank < 8; ++rank) m_feed.logs[rank] = scenes::workerLog(rank);
    }
    static Event death(std::uint64_t id, int rank, int secondsAgo)
    {
        Event event;
        event.id = id;
        event.kind = EventKind::rankDied;
        event.rank = rank;
        event.attempt = 2;
        event.time = scenes::now() - std::chrono::seconds(secondsAgo);
        event.text = "rank " + std::to_string(rank) + " is gone";
        return event;
    }
    void tell(std::vector<Event> events)
    {
        Snapshot s = scenes::healthy();
        for (const Event &event : events) {
            RankState &rank = s.view.ranks[static_cast<std::size_t>(event.rank)];
            rank.alive = false;
            rank.process.reset();
            rank.seenAlive = true;
            rank.exitCode = -9;
            rank.progress.heard = event.time;  // a rank logs nothing after its end
            rank.goneSince = event.time;
        }
        s.view.recentEvents = std::move(events);
        m_feed.set(std::move(s));
    }
    void show()
    {
        m_panel = std::make_unique<FailurePanel>(m_feed);
        m_panel->resize(1100, 300);
        m_panel->show();
        m_panel->showNewest();
        settle();
    }
    QString headline() const { return m_panel->findChild<QLabel *>()->text(); }

    FixedFeed m_feed;
    std::unique_ptr<FailurePanel> m_panel;
};

TEST_F(FailureViewTest, HeadlineShowsTheFirstEventOfABurst)
{
    tell({death(1, 7, 10), death(2, 3, 12), death(3, 0, 9)});
    show();
    EXPECT_TRUE(headline().contains(QLatin1String("rank 3 is gone"))) << headline().toStdString();
}

TEST_F(FailureViewTest, EarlierEventReplacesTheHeadlineUnlessTheUserChoseOne)
{
    tell({death(1, 7, 10)});
    show();
    ASSERT_TRUE(headline().contains(QLatin1String("rank 7 is gone")));
    tell({death(1, 7, 10), death(2, 3, 12)});
    EXPECT_TRUE(headline().contains(QLatin1String("rank 3 is gone"))) << headline().toStdString();
    buttonOf(*m_panel->corner(), QStringLiteral("Later failure"))->click();
    ASSERT_TRUE(headline().contains(QLatin1String("rank 7 is gone"))) << headline().toStdString();
    tell({death(1, 7, 10), death(2, 3, 12), death(4, 1, 14)});
    EXPECT_TRUE(headline().contains(QLatin1String("rank 7 is gone"))) << "what someone looks at stays";
}

TEST_F(FailureViewTest, TrainingNeighbourHasNoWaitingSignAndLinesAreWrapped)
{
    tell({death(1, 5, 10)});
    show();
    int waiting = 0, died = 0;
    for (const auto *sign : m_panel->findChildren<GlyphLabel *>()) {
        waiting += sign->isVisible() && sign->shownGlyph() == Glyph::waits;
        died += sign->isVisible() && sign->shownGlyph() == Glyph::died;
    }
    EXPECT_EQ(waiting, 0);
    EXPECT_EQ(died, 1);
    for (const auto *text : m_panel->findChildren<QPlainTextEdit *>()) {
        if (!text->isVisible()) continue;
        EXPECT_FALSE(text->horizontalScrollBar()->isVisible());
        EXPECT_EQ(text->lineWrapMode(), QPlainTextEdit::WidgetWidth);
    }
}

TEST_F(FailureViewTest, FailureLinesUseTheColoursOfTheTheme)
{
    m_feed.logs[5] = "epoch: 1 step: 1, loss is 2.5\n[ERROR] it broke\n";
    Event died = death(1, 5, 10);
    died.logOffset = m_feed.logs[5].find("[ERROR]");
    tell({died});
    Theme &look = Theme::of(nullptr);
    look.setMode(Theme::Mode::light);
    show();
    const auto tints = [this] {
        QList<QColor> all;
        for (const auto *text : m_panel->findChildren<QPlainTextEdit *>())
            for (QTextBlock block = text->document()->begin(); block.isValid(); block = block.next())
                if (block.text().startsWith(QLatin1String("[ERROR]"))) all << block.blockFormat().background().color();
        return all;
    };
    EXPECT_TRUE(tints().contains(look.color(Theme::Role::tintBad)));
    look.setMode(Theme::Mode::dark);
    const QColor dark = look.color(Theme::Role::tintBad);
    for (const QColor &tint : tints()) EXPECT_EQ(tint, dark) << "light letters on a light ground cannot be read";
    look.setMode(Theme::Mode::light);
}

TEST_F(FailureViewTest, ReportsThatNoRankHasFailed)
{
    tell({});
    show();
    EXPECT_TRUE(headline().contains(QLatin1String("No rank has failed so far.")));
}

TEST_F(FailureViewTest, RanksInAnUnknownStateMayHaveFailed)
{
    Snapshot s = scenes::healthy();
    for (RankState &rank : s.view.ranks) {
        rank.alive = Known::unknown;
        rank.process.reset();
    }
    s.view.recentEvents = {};
    m_feed.set(std::move(s));
    show();
    EXPECT_TRUE(headline().contains(QLatin1String("No known failure.")));
    EXPECT_TRUE(headline().contains(QLatin1String("Cannot tell whether 8 ranks run"))) << headline().toStdString();
}

// The failure view shows each text of the banner, even if the history has no event about it.
TEST_F(FailureViewTest, RepeatsTheBannerEvenWithoutAnEvent)
{
    const std::pair<void (*)(Snapshot &), int> faults[] = {
        {scenes::nan, 3},     {scenes::hang, 6},    {scenes::cut, 4},      {scenes::cutAll, 0},
        {scenes::killAll, 7}, {scenes::killOne, 5}, {scenes::fullDisk, 7}, {scenes::killAndCut, 1}};
    for (const auto &[happen, rank] : faults) {
        for (const bool told : {false, true}) {
            Snapshot s = scenes::healthy();
            happen(s);
            if (!told) s.view.recentEvents = {};
            const auto banner = mostUrgent(s, scenes::now());
            ASSERT_TRUE(banner);
            m_feed.set(std::move(s));
            show();
            EXPECT_TRUE(
                m_panel->findChild<QLabel *>()->accessibleName().contains(banner->fact.section(QLatin1Char(' '), 0, 2)))
                << headline().toStdString() << " | " << banner->fact.toStdString();
            EXPECT_FALSE(headline().contains(QLatin1String("No rank has failed")));
            EXPECT_EQ(m_panel->failedRank(), rank) << headline().toStdString();
        }
    }
}

TEST_F(FailureViewTest, NewProblemIsShownUntilItEnds)
{
    tell({});
    show();
    Snapshot s = scenes::healthy();
    s.view.recentEvents = {};
    scenes::nan(s);
    m_feed.set(s);
    EXPECT_TRUE(headline().contains(QLatin1String("Loss has been NaN on 8 of 8 ranks"))) << headline().toStdString();
    EXPECT_FALSE(m_panel->wantedShare() < 0.5);
    tell({});
    EXPECT_TRUE(headline().contains(QLatin1String("No rank has failed so far."))) << headline().toStdString();
}

}  // namespace
}  // namespace rankdeck::ui::failure_panel_test
