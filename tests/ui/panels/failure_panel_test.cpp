// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/failure_panel.h"

#include "tests/ui/scenes.h"

#include <QPlainTextEdit>
#include <QTextBlock>
#include <QtTest/QTest>

#include <gtest/gtest.h>

namespace rankdeck::ui {
namespace {

TEST(MomentPanelTest, StandsAtTheLineOfTheLastStepAlthoughItsPlaceIsOnlyNear)
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
    QTest::qWait(10);
    const auto *text = panel.findChild<QPlainTextEdit *>();
    ASSERT_NE(text, nullptr);
    EXPECT_TRUE(text->textCursor().block().text().contains(QLatin1String("step: 250,")))
        << text->textCursor().block().text().toStdString();
}

}  // namespace
}  // namespace rankdeck::ui
