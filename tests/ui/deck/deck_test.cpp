// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/deck/deck_fixture.h"
#include "tests/ui/settle.h"
#include "ui/deck/deck.h"
#include "ui/deck/deck_strips.h"
#include "ui/deck/history_bar.h"
#include "ui/deck/lanes/lane_view.h"
#include "ui/deck/lanes/verdict_header.h"
#include "ui/deck/plot/loss_plot.h"
#include "ui/style/theme.h"

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QSignalSpy>
#include <QVBoxLayout>
#include <QtTest/QTest>

#include <gtest/gtest.h>

namespace rankdeck::ui::deck_test {
namespace {

class PaintCounter : public QObject {
public:
    explicit PaintCounter(std::initializer_list<QWidget *> widgets)
    {
        for (QWidget *widget : widgets) widget->installEventFilter(this);
    }
    int paints = 0;

protected:
    bool eventFilter(QObject *, QEvent *event) override
    {
        paints += event->type() == QEvent::Paint;
        return false;
    }
};

TEST_F(DeckTest, LineOfTheNewestValidSetCrossesEveryPart)
{
    for (const QSize size : {QSize(1366, 491), QSize(1111, 520), QSize(1920, 640)}) {
        open(deckscenes::healthy(), size);
        const QImage image = picture();
        const int inPlot = lineAt(image, plot->y() + plot->height() - 12);
        ASSERT_GT(inPlot, 0);
        const int inVerdicts = lineAt(image, lanes->y() + 2);
        const int betweenLanes = lineAt(image, lanes->y() + verdicts->height() + lanes->rowHeight() - 1);
        EXPECT_EQ(inVerdicts, inPlot);
        EXPECT_EQ(betweenLanes, inPlot);
        EXPECT_NEAR(inPlot, pixelOfStep(deckscenes::newestValid), 1);
        // In the history bar, the line is at the same step on the bar's own scale.
        const int inHistory = lineAt(image, history->y() + history->height() / 2 - 8);
        EXPECT_EQ(inHistory, history->column(deckscenes::newestValid));
    }
}

TEST_F(DeckTest, AllPartsShareTheSameAxisArea)
{
    open(deckscenes::healthy());
    EXPECT_EQ(plot->axisBox().left(), gutterWidth());
    EXPECT_EQ(lanes->viewport()->x(), gutterWidth());
    EXPECT_EQ(lanes->verticalHeader()->width(), gutterWidth());
    const int right = plot->axisBox().right() + 1;
    EXPECT_GE(deck->width() - right, 62);
    EXPECT_LE(deck->width() - right, 116);
    EXPECT_EQ(verdicts->length(), right - gutterWidth()) << "the columns tile the axis, no more";
}

TEST_F(DeckTest, KeysMoveThroughSetsAndRanks)
{
    open(deckscenes::healthy());
    const QSignalSpy sets(deck.get(), &Deck::setSelected);
    const QSignalSpy ranks(deck.get(), &Deck::rankSelected);
    key(Qt::Key_V);
    EXPECT_EQ(deck->selectedSet(), QStringLiteral("2:40600"));
    key(Qt::Key_Left);
    EXPECT_EQ(deck->selectedSet(), QStringLiteral("2:40400"));
    key(Qt::Key_Right);
    EXPECT_EQ(deck->selectedSet(), QStringLiteral("2:40600"));
    key(Qt::Key_Right);
    EXPECT_EQ(deck->selectedSet(), QStringLiteral("2:40600")) << "the end is no wheel";
    key(Qt::Key_Down);
    EXPECT_EQ(deck->selectedRank(), 0);
    key(Qt::Key_Down);
    key(Qt::Key_Up);
    EXPECT_EQ(deck->selectedRank(), 0);
    EXPECT_EQ(sets.count(), 3);
    EXPECT_EQ(ranks.count(), 3);
    const QSignalSpy activated(deck.get(), &Deck::cellActivated);
    key(Qt::Key_Return);
    ASSERT_EQ(activated.count(), 1);
    EXPECT_EQ(activated[0][0].toString(), QStringLiteral("2:40600"));
    EXPECT_EQ(activated[0][1].toInt(), 0);
}

TEST_F(DeckTest, KeyNMovesThroughProblemsInBothDirections)
{
    open(deckscenes::trouble());
    key(Qt::Key_N);
    EXPECT_EQ(deck->selectedSet(), QStringLiteral("2:40800"));
    EXPECT_EQ(deck->selectedRank(), 2) << "the rank that spoils it";
    key(Qt::Key_N);
    EXPECT_EQ(deck->selectedSet(), QStringLiteral("2:41000"));
    EXPECT_EQ(deck->selectedRank(), 5);
    key(Qt::Key_N);
    EXPECT_TRUE(deck->selectedSet().isEmpty()) << "the dead rank itself";
    EXPECT_EQ(deck->selectedRank(), 5);
    key(Qt::Key_N, Qt::ShiftModifier);
    EXPECT_EQ(deck->selectedSet(), QStringLiteral("2:41000"));
}

TEST_F(DeckTest, ClickSelectsTheSetAndTheRankUnderIt)
{
    open(deckscenes::trouble());
    const int x = pixelOfStep(40'800) - gutterWidth();
    QTest::mouseClick(lanes->viewport(), Qt::LeftButton, {}, QPoint(x, lanes->lanePixel(2)));
    EXPECT_EQ(deck->selectedSet(), QStringLiteral("2:40800"));
    EXPECT_EQ(deck->selectedRank(), 2);
    EXPECT_TRUE(readout->text().contains(QStringLiteral("CORRUPT"))) << readout->text().toStdString();
    QTest::mouseClick(verdicts->viewport(), Qt::LeftButton, {}, QPoint(pixelOfStep(40'400) - gutterWidth(), 14));
    EXPECT_EQ(deck->selectedSet(), QStringLiteral("2:40400"));
    const QSignalSpy activated(deck.get(), &Deck::cellActivated);
    QTest::mouseDClick(lanes->viewport(), Qt::LeftButton, {}, QPoint(x, lanes->lanePixel(4)));
    ASSERT_EQ(activated.count(), 1);
    EXPECT_EQ(activated[0][0].toString(), QStringLiteral("2:40800"));
    EXPECT_EQ(activated[0][1].toInt(), 4);
}

TEST_F(DeckTest, ClickOnALaneHeaderPinsItsCurve)
{
    open(deckscenes::healthy());
    EXPECT_TRUE(plot->plotData().ranks.empty());
    QTest::mouseClick(lanes->verticalHeader()->viewport(), Qt::LeftButton, {}, QPoint(100, lanes->lanePixel(6)));
    EXPECT_EQ(deck->selectedRank(), 6);
    deck->selectRank(-1);
    ASSERT_EQ(plot->plotData().ranks.size(), 1u) << "pinned, so it stays";
    EXPECT_EQ(plot->plotData().ranks[0].rank, 6);
    deck->selectRank(6);
    key(Qt::Key_Space);
    deck->selectRank(-1);
    EXPECT_TRUE(plot->plotData().ranks.empty());
}

TEST_F(DeckTest, ClickInThePlotRequestsTheLogLine)
{
    open(deckscenes::healthy());
    std::vector<LogPlace> asked;
    QObject::connect(deck.get(), &Deck::sampleLogRequested, deck.get(),
                     [&](const LogPlace &place) { asked.push_back(place); });
    const auto sample = feed->run().series(4, 2)->at(40'000);
    ASSERT_TRUE(sample);
    deck->selectRank(4);
    settle();
    const QPoint at(pixelOfStep(40'000), qRound(plot->pixelOfLoss(sample->loss)));
    QTest::mouseClick(plot->canvas(), Qt::LeftButton, {}, at);
    ASSERT_TRUE(becomes([&] { return !asked.empty(); }));
    ASSERT_EQ(asked.size(), 1u);
    EXPECT_EQ(asked[0].rank, 4);
    ASSERT_FALSE(asked[0].numbers.steps.empty());
    EXPECT_NEAR(static_cast<double>(asked[0].numbers.steps[0]), 40'000, 8) << "within two pixels";
    QTest::mouseClick(plot->canvas(), Qt::LeftButton, {}, QPoint(20, 60));
    settle();
    EXPECT_EQ(asked.size(), 1u) << "the gutter is no curve";
}

TEST_F(DeckTest, DoubleClickInThePlotZoomsAndOpensNoLog)
{
    open(deckscenes::healthy());
    int asked = 0;
    QObject::connect(deck.get(), &Deck::sampleLogRequested, deck.get(), [&] { ++asked; });
    const auto sample = feed->run().series(4, 2)->at(40'000);
    ASSERT_TRUE(sample);
    deck->selectRank(4);
    settle();
    const QPoint at(pixelOfStep(40'000), qRound(plot->pixelOfLoss(sample->loss)));
    QTest::mouseClick(plot->canvas(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(plot->canvas(), Qt::LeftButton, {}, at);
    EXPECT_NE(pixelOfStep(40'000), at.x()) << "in on what is there";
    settle();
    EXPECT_EQ(asked, 0);
}

TEST_F(DeckTest, NaNIsMarkedAtTheTopEdge)
{
    open(deckscenes::healthy());
    deck->showWholeJob();
    settle();
    const auto boxes = plot->nonFiniteBoxes();
    ASSERT_FALSE(boxes.empty());
    EXPECT_NEAR(boxes[0].center().x(), pixelOfStep(38'462), 3);
    EXPECT_EQ(boxes[0].top(), plot->axisBox().top() + 2);
    const QImage image = picture();
    const QRgb loud = Theme::color(Theme::Role::corrupt, false).rgb();
    int seen = 0;
    for (int y = boxes[0].top(); y <= boxes[0].bottom(); ++y)
        for (int x = boxes[0].left(); x <= boxes[0].right(); ++x) seen += image.pixel(x, y + plot->y()) == loud;
    EXPECT_GT(seen, 10);
}

TEST_F(DeckTest, OnlyExceptionsAndTheNewestValidSetAreInFullColour)
{
    open(deckscenes::trouble());
    const QImage image = picture();
    const auto count = [&](double step, int row, Theme::Role role) {
        const QRgb wanted = Theme::color(role, false).rgb();
        const QPoint at(pixelOfStep(step), lanes->y() + verdicts->height() + lanes->lanePixel(row));
        int seen = 0;
        for (int y = -9; y <= 9; ++y)
            for (int x = -9; x <= 9; ++x) seen += image.pixel(at.x() + x, at.y() + y) == wanted;
        return seen;
    };
    EXPECT_GT(count(40'800, 2, Theme::Role::corrupt), 60) << "torn";
    EXPECT_GT(count(41'000, 5, Theme::Role::partial), 40) << "a dead writer's file";
    EXPECT_GT(count(40'800, 1, Theme::Role::okQuiet), 25);
    EXPECT_EQ(count(40'800, 1, Theme::Role::complete), 0) << "only the newest VALID set is in full colour";
    EXPECT_GT(count(40'600, 1, Theme::Role::complete), 25);
}

TEST_F(DeckTest, LaneHeightDependsOnTheNumberOfLanes)
{
    open(deckscenes::healthy());
    EXPECT_EQ(lanes->rowHeight(), 20);
    open(deckscenes::many(32), {1366, 900});
    EXPECT_EQ(lanes->rowHeight(), 16);
    open(deckscenes::many(64), {1366, 600});
    EXPECT_GE(lanes->rowHeight(), 4);
    EXPECT_LE(lanes->rowHeight(), 12);
    open(deckscenes::many(256), {1366, 700});
    EXPECT_EQ(lanes->rowHeight(), 0) << "an image";
    EXPECT_GE(plot->height(), 140);
}

TEST_F(DeckTest, NothingIsPaintedWithoutAChange)
{
    open(deckscenes::healthy());
    settle();
    // The ages at the left and in the readout change automatically.
    PaintCounter counter({lanes->viewport(), verdicts->viewport(), plot->canvas(), history,
                          deck->findChild<AttemptsStrip *>(), deck->findChild<AxisRow *>()});
    const int replots = plot->replots();
    Q_EMIT feed->changed();
    settle();
    EXPECT_EQ(counter.paints, 0);
    EXPECT_EQ(plot->replots(), replots);
    // The same values in a new snapshot change nothing visible, except for the age of the sample.
    feed->set(*feed->snapshot());
    settle();
    EXPECT_EQ(plot->replots(), replots);
}

TEST_F(DeckTest, NothingIsPaintedWhileHidden)
{
    open(deckscenes::healthy());
    deck->hide();
    settle();
    const int replots = plot->replots();
    feed->set(deckscenes::advanced(*feed->snapshot(), 40));
    settle();
    EXPECT_EQ(plot->replots(), replots);
    deck->show();
    EXPECT_TRUE(becomes([&] { return plot->replots() > replots; }));
    EXPECT_TRUE(becomes([&] { return readout->text().contains(QStringLiteral("40,752")); }));
}

TEST_F(DeckTest, RefreshKeepsTheViewThatTheUserChose)
{
    open(deckscenes::healthy());
    QTest::keyClick(lanes, Qt::Key_Plus);
    QTest::mousePress(plot->canvas(), Qt::LeftButton, {}, QPoint(700, 80));
    QTest::mouseMove(plot->canvas(), QPoint(800, 80));
    QTest::mouseMove(plot->canvas(), QPoint(900, 80));
    QTest::mouseRelease(plot->canvas(), Qt::LeftButton, {}, QPoint(900, 80));
    settle();
    const QRect before = history->bracket();
    const double start = from();
    feed->set(deckscenes::advanced(*feed->snapshot(), 37));
    settle();
    EXPECT_DOUBLE_EQ(from(), start);
    EXPECT_EQ(history->bracket(), before);
    key(Qt::Key_F);
    settle();
    EXPECT_GT(from(), start);
}

TEST_F(DeckTest, ZoomSplitsMergedSetsAndTheWholeJobCanBeShownAgain)
{
    open(deckscenes::trouble());
    const QSignalSpy noted(deck.get(), &Deck::noteChanged);
    EXPECT_TRUE(deck->decimationNote().startsWith(QStringLiteral("1 px = "))) << deck->decimationNote().toStdString();
    const double span = to() - from();
    key(Qt::Key_Plus);
    settle();
    EXPECT_LT(to() - from(), span);
    EXPECT_GE(noted.count(), 1);
    key(Qt::Key_0);
    settle();
    EXPECT_NEAR(history->bracket().left(), plot->axisBox().left(), 3);
    EXPECT_TRUE(deck->decimationNote().contains(QStringLiteral("nothing hidden")));
}

TEST_F(DeckTest, KeysTypedOutsideTheDeckDoNotControlIt)
{
    feed = deckscenes::healthy();
    QWidget window;
    auto *column = new QVBoxLayout(&window);
    auto *field = new QLineEdit;
    auto *inside = new Deck(*feed);
    column->addWidget(field);
    column->addWidget(inside);
    inside->addActionsTo(window);
    window.resize(1200, 600);
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window, neverMs));
    EXPECT_GE(window.actions().size(), 14);
    settle();
    field->setFocus();
    QTest::keyClicks(field, QStringLiteral("vn0"));
    EXPECT_EQ(field->text(), QStringLiteral("vn0"));
    EXPECT_TRUE(inside->selectedSet().isEmpty());
    inside->setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_V);
    EXPECT_EQ(inside->selectedSet(), QStringLiteral("2:40600"));
    inside->selectSet({});
    for (QAction *action : window.actions())
        if (action->objectName() == QStringLiteral("deck.newestValid")) action->trigger();
    EXPECT_EQ(inside->selectedSet(), QStringLiteral("2:40600")) << "from a menu it works with any focus";
}

TEST_F(DeckTest, EmptyDeckAcceptsKeysAndSelectsNothing)
{
    open(deckscenes::empty());
    EXPECT_FALSE(plot->axisBox().isEmpty());
    key(Qt::Key_V);
    key(Qt::Key_N);
    key(Qt::Key_Right);
    key(Qt::Key_Return);
    key(Qt::Key_0);
    EXPECT_TRUE(deck->selectedSet().isEmpty());
    EXPECT_EQ(readout->text(), QString());
    EXPECT_TRUE(deck->findChild<AttemptsStrip *>()->flagWords().isEmpty());
}

TEST_F(DeckTest, RemovedSetIsDeselected)
{
    open(deckscenes::healthy());
    key(Qt::Key_V);
    key(Qt::Key_Left);
    const QSignalSpy sets(deck.get(), &Deck::setSelected);
    Snapshot s = *feed->snapshot();
    auto &all = s.view.checkpoints.sets;
    all.erase(std::find_if(all.begin(), all.end(), [](const CheckpointSet &set) { return set.id == "2:40400"; }));
    feed->set(s);
    EXPECT_TRUE(becomes([&] { return deck->selectedSet().isEmpty(); }));
    EXPECT_EQ(sets.count(), 1);
    deck->selectSet(QStringLiteral("no such set"));
    deck->selectRank(99);
    EXPECT_TRUE(deck->selectedSet().isEmpty());
    EXPECT_EQ(deck->selectedRank(), -1);
}

TEST_F(DeckTest, EveryFocusableWidgetHasAName)
{
    open(deckscenes::trouble());
    for (const QWidget *widget : deck->findChildren<QWidget *>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible()) continue;
        QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(const_cast<QWidget *>(widget));
        ASSERT_TRUE(interface);
        EXPECT_FALSE(interface->text(QAccessible::Name).isEmpty())
            << widget->metaObject()->className() << " " << widget->objectName().toStdString();
    }
    const auto told = [&] { return plot->canvas()->accessibleDescription(); };
    EXPECT_TRUE(becomes([&] {
        return told().contains(QStringLiteral("newest VALID 40,600")) &&
               told().contains(QStringLiteral("rank 5 above"));
    })) << told().toStdString();
}

TEST_F(DeckTest, HoveringShowsTheStepUnderTheMouse)
{
    open(deckscenes::healthy());
    QTest::mouseMove(plot->canvas(), QPoint(700, 80));
    EXPECT_TRUE(becomes([&] { return readout->text().startsWith(QStringLiteral("At ")); }))
        << readout->text().toStdString();
    EXPECT_TRUE(readout->text().contains(QStringLiteral("median ")));
    const int replots = plot->replots();
    QTest::mouseMove(plot->canvas(), QPoint(720, 80));
    settle();
    EXPECT_EQ(plot->replots(), replots) << "the cursor is on its own layer";
}

TEST_F(DeckTest, ThousandRanksAreShownAndCanBeSelected)
{
    open(deckscenes::many(1024, 200, 160), {1600, 800});
    EXPECT_EQ(lanes->model()->rowCount(), 1024);
    EXPECT_EQ(lanes->model()->columnCount(), 200);
    key(Qt::Key_N);
    EXPECT_FALSE(deck->selectedSet().isEmpty());
    EXPECT_TRUE(deck->decimationNote().contains(QStringLiteral("1,024 ranks as an envelope")));
    EXPECT_FALSE(plot->plotData().innerLow.empty()) << "the middle 80 % of so many";
}

}  // namespace
}  // namespace rankdeck::ui::deck_test
