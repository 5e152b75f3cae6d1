// SPDX-License-Identifier: GPL-3.0-or-later
// The visible range while the deck follows the newest step. Also checks that no item of the verdict row covers another
// one.
#include "tests/testbed/test_clock.h"
#include "tests/ui/deck/deck_fixture.h"
#include "tests/ui/settle.h"
#include "ui/deck/scene/lane_data.h"

#include <QMouseEvent>
#include <QSignalSpy>

#include <cmath>

namespace rankdeck::ui::deck_follow_test {
namespace {

// A job of many steps that keeps only a few sets, all of them at its end.
std::unique_ptr<FixedFeed> longJobWithFewSets(int sets, std::int64_t last = 65'000)
{
    auto feed = std::make_unique<FixedFeed>();
    feed->run().beginAttempt(wallNow() - std::chrono::hours(40));
    Snapshot s = *deckscenes::healthy()->snapshot();
    s.view.attempts.resize(1);
    s.view.attempts[0].index = 0;
    s.view.attempts[0].firstStep = 1;
    s.view.attempts[0].resumedFrom.reset();
    s.view.attempts[0].discardedAfter.reset();
    s.view.attempt = 0;
    s.view.checkpoints.sets.clear();
    for (int i = 0; i < sets; ++i)
        s.view.checkpoints.sets.push_back(deckscenes::setAt(last - 50 - i * 100L, Verdict::valid, 8, 0));
    s.view.checkpoints.recommended = s.view.checkpoints.sets.front().id;
    for (RankState &rank : s.view.ranks) {
        rank.progress.position = last;
        rank.progress.attempt = 0;
        std::vector<Sample> samples;
        for (std::int64_t step = 1; step <= last; step += 50) {
            Sample sample;
            sample.globalStep = step;
            sample.loss = 2.0;
            samples.push_back(sample);
        }
        feed->run().add(rank.rank, 0, samples, wallNow());
    }
    feed->set(std::move(s));
    return feed;
}

TEST_F(DeckTest, FollowModeShowsTheLastSetsOfALongJob)
{
    open(longJobWithFewSets(5));
    const auto signs = verdicts->signBoxes();
    ASSERT_EQ(signs.size(), 5u) << "no two sets merge";
    const double pixels = signs[4].center().x() - signs[0].center().x();  // pixels of 400 steps
    const double span = 400 / pixels * plot->axisBox().width();
    EXPECT_LT(span, 2'000) << "ten intervals of 100 steps and a little";
    EXPECT_GT(span, 800);
}

TEST_F(DeckTest, CountsAndLettersDoNotOverlapSigns)
{
    for (const double factor : {1.0, 1.0 / 3, 1.0 / 9}) {
        auto scene = deckscenes::trouble();
        Snapshot s = *scene->snapshot();
        for (std::size_t i = 0; i < s.view.checkpoints.sets.size(); i += 3)
            s.view.checkpoints.sets[i].kind = CheckpointKind::graceful;
        scene->set(std::move(s));
        open(std::move(scene));
        deck->zoom(factor);
        settle();
        const auto labels = verdicts->labels();
        EXPECT_FALSE(labels.empty());
        for (const auto &label : labels)
            for (const QRect &sign : verdicts->signBoxes())
                EXPECT_FALSE(label.box.intersects(sign)) << label.words.toStdString() << " at " << factor;
        for (std::size_t i = 0; i < labels.size(); ++i)
            for (std::size_t j = i + 1; j < labels.size(); ++j) EXPECT_FALSE(labels[i].box.intersects(labels[j].box));
    }
}

TEST_F(DeckTest, CrosshairStaysUnderARestingMouseWhileTheAxisMoves)
{
    open(deckscenes::healthy());
    const auto rest = [this](int x) {
        const QPointF at(x, 60);
        QMouseEvent move(QEvent::MouseMove, at, plot->canvas()->mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
        QCoreApplication::sendEvent(plot->canvas(), &move);
    };
    rest(700);
    const QString before = readout->text();
    ASSERT_TRUE(before.startsWith(QLatin1String("At "))) << before.toStdString();
    deck->zoom(4);
    deck->showWholeJob();
    settle();
    const QString after = readout->text();
    EXPECT_NE(after.section(QStringLiteral(" · "), 0, 0), before.section(QStringLiteral(" · "), 0, 0));
    rest(701);
    rest(700);
    EXPECT_EQ(readout->text(), after) << "the same as if the mouse had just come there";
}

TEST_F(DeckTest, EnterWithoutASelectionInspectsTheNewestValidSet)
{
    open(deckscenes::healthy());
    const QSignalSpy activated(deck.get(), &Deck::cellActivated);
    key(Qt::Key_Return);
    ASSERT_EQ(activated.count(), 1);
    EXPECT_EQ(activated[0][0].toString(), QStringLiteral("2:40600"));
}

TEST_F(DeckTest, NoteShowsPixelsPerStepWhenStepsAreWide)
{
    open(deckscenes::healthy());
    for (int i = 0; i < 12; ++i) deck->zoom(2);
    settle();
    EXPECT_TRUE(deck->decimationNote().startsWith(QLatin1String("1 step = "))) << deck->decimationNote().toStdString();
    EXPECT_FALSE(deck->decimationNote().contains(QLatin1String("0.0")));
}

TEST_F(DeckTest, ViewChangesCanBeUndoneAndRedone)
{
    open(deckscenes::healthy());
    const auto sight = [this] { return std::pair(std::round(from() / 10), std::round(to() / 10)); };
    const auto first = sight();
    key(Qt::Key_0);
    settle();
    const auto whole = sight();
    ASSERT_NE(whole, first);
    key(Qt::Key_Plus);
    settle();
    const auto closer = sight();
    ASSERT_NE(closer, whole);
    key(Qt::Key_Z, Qt::ControlModifier);
    settle();
    EXPECT_EQ(sight(), whole);
    key(Qt::Key_Z, Qt::ControlModifier);
    settle();
    EXPECT_EQ(sight(), first);
    key(Qt::Key_Z, Qt::ControlModifier);  // there is no earlier move
    settle();
    EXPECT_EQ(sight(), first);
    key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    settle();
    EXPECT_EQ(sight(), whole);
}

// One drag is one move, however many events it has.
TEST_F(DeckTest, DragIsUndoneInOneStep)
{
    TestClock clock;
    open(deckscenes::healthy());
    key(Qt::Key_Plus);
    settle();
    clock.advance(std::chrono::seconds(1));  // the zoom and the drag are two moves
    const auto sight = [this] { return std::pair(std::round(from()), std::round(to())); };
    const auto before = sight();
    QWidget *canvas = plot->canvas();
    QTest::mousePress(canvas, Qt::LeftButton, {}, {600, 60});
    for (const int x : {620, 660, 720, 800}) QTest::mouseMove(canvas, {x, 60});
    QTest::mouseRelease(canvas, Qt::LeftButton, {}, {800, 60});
    settle();
    ASSERT_NE(sight(), before);
    key(Qt::Key_Z, Qt::ControlModifier);
    settle();
    EXPECT_EQ(sight(), before);
}

}  // namespace
}  // namespace rankdeck::ui::deck_follow_test
