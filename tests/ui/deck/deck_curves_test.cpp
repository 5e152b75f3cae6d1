// SPDX-License-Identifier: GPL-3.0-or-later
// The curve below the loss: its choices and values. It has the same steps as the loss, to the pixel.
#include "tests/ui/deck/deck_fixture.h"
#include "ui/style/format.h"

#include <QAction>
#include <QMenu>

#include <cmath>

namespace rankdeck::ui::deck_curves_test {
namespace {

class DeckCurves : public DeckTest {
protected:
    // The log lines of the ranks have a falling learning rate and a throughput, but no gradient norm.
    void openMeasured()
    {
        open(deckscenes::healthy());
        const QList<LossPlot *> plots = deck->findChildren<LossPlot *>();
        ASSERT_EQ(plots.size(), 2);
        second = plots.back();
    }
    [[nodiscard]] QMenu *menu() const
    {
        QWidget page;
        deck->addActionsTo(page);
        for (QAction *one : page.actions())
            if (one->objectName() == QLatin1String("deck.curves")) return one->menu();
        return nullptr;
    }
    [[nodiscard]] QAction *choice(Metric metric) const
    {
        for (QAction *action : menu()->actions())
            if (action->text() == metricWord(metric)) return action;
        return nullptr;
    }

    LossPlot *second = nullptr;
};

TEST_F(DeckCurves, SecondCurveIsHiddenUntilChosenAndOffersOnlyLoggedMetrics)
{
    openMeasured();
    EXPECT_FALSE(second->isVisible());
    EXPECT_TRUE(deck->secondCurve().isEmpty());
    EXPECT_TRUE(choice(Metric::learningRate)->isEnabled());
    EXPECT_TRUE(choice(Metric::throughput)->isEnabled());
    EXPECT_FALSE(choice(Metric::gradNorm)->isEnabled());
    EXPECT_FALSE(choice(Metric::lossScale)->isEnabled());
    EXPECT_TRUE(menu()->actions().front()->isChecked());
}

TEST_F(DeckCurves, SecondCurveIsBelowTheLossOnTheSameSteps)
{
    openMeasured();
    const QRect before = plot->geometry();
    choice(Metric::learningRate)->trigger();
    settle();
    ASSERT_TRUE(second->isVisible());
    EXPECT_EQ(deck->secondCurve(), QStringLiteral("learning_rate"));
    EXPECT_EQ(second->geometry().top(), plot->geometry().bottom() + 1);
    EXPECT_EQ(plot->height() + second->height(), before.height());
    EXPECT_EQ(second->axisBox().left(), plot->axisBox().left());
    EXPECT_EQ(second->axisBox().right(), plot->axisBox().right());
    const PlotData &data = second->plotData();
    ASSERT_FALSE(data.median.empty());
    for (std::size_t i = 0; i < data.median.x.size(); ++i) {
        if (std::isnan(data.median.y[i])) continue;
        EXPECT_NEAR(data.median.y[i], 1e-4 * (50'000 - data.median.x[i]), 1e-3) << data.median.x[i];
    }
    // The line of the newest VALID set goes through it, as through the whole deck.
    deck->selectSet({});
    deck->followNewest();
    settle();
    const QImage image = picture();
    EXPECT_EQ(lineAt(image, second->geometry().center().y()), lineAt(image, plot->geometry().top() + 20));
    EXPECT_GE(lineAt(image, second->geometry().center().y()), 0);
}

TEST_F(DeckCurves, KeyCyclesThroughTheAvailableCurves)
{
    openMeasured();
    QStringList seen;
    for (int i = 0; i < 3; ++i) {
        key(Qt::Key_C);
        seen << deck->secondCurve();
    }
    EXPECT_EQ(seen, (QStringList{QStringLiteral("learning_rate"), QStringLiteral("throughput"), QString()}));
    EXPECT_FALSE(second->isVisible());
}

TEST_F(DeckCurves, ReportsAChosenCurveWithoutLogLines)
{
    openMeasured();
    deck->setSecondCurve(QStringLiteral("grad_norm"));  // as another day left it
    settle();
    ASSERT_TRUE(second->isVisible());
    EXPECT_EQ(second->emptyText(), QStringLiteral("No log line shows it: Gradient norm."));
    EXPECT_FALSE(plot->plotData().median.empty());
    EXPECT_TRUE(plot->emptyText().isEmpty());
    deck->setSecondCurve(QStringLiteral("no such thing"));
    EXPECT_TRUE(deck->secondCurve().isEmpty());
}

TEST_F(DeckCurves, ScreenReadersGetItsNameAndItsNewestValue)
{
    openMeasured();
    deck->setSecondCurve(QStringLiteral("throughput"));
    settle();
    EXPECT_EQ(second->canvas()->accessibleName(), QStringLiteral("Throughput over steps"));
    EXPECT_TRUE(second->canvas()->accessibleDescription().startsWith(QStringLiteral("newest 3,90")))
        << second->canvas()->accessibleDescription().toStdString();
    EXPECT_EQ(plot->canvas()->accessibleName(), QStringLiteral("Loss over steps"));
}

TEST_F(DeckCurves, SmallDeckKeepsTheLossCurve)
{
    openMeasured();
    deck->resize(700, 290);
    deck->setSecondCurve(QStringLiteral("throughput"));
    settle();
    EXPECT_GE(plot->height(), 40);
    EXPECT_LE(second->geometry().bottom(), deck->height());
}

TEST(MetricWords, AreShortAndExact)
{
    EXPECT_EQ(metricText(Metric::learningRate, 1.5e-5), QStringLiteral("1.5e-05"));
    EXPECT_EQ(metricText(Metric::lossScale, 65536), QStringLiteral("65,536"));
    EXPECT_EQ(metricText(Metric::stepTime, 0.0421), QStringLiteral("42.1 ms"));
    EXPECT_EQ(metricText(Metric::stepTime, 4.21), QStringLiteral("4.2 s"));
    EXPECT_EQ(metricText(Metric::throughput, 3891.2), QStringLiteral("3,891"));
    EXPECT_EQ(metricText(Metric::throughput, 171.25), QStringLiteral("171.3"));
}

}  // namespace
}  // namespace rankdeck::ui::deck_curves_test
