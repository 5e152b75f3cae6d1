// SPDX-License-Identifier: GPL-3.0-or-later
// Screenshots of the deck in every state and several sizes. Each is drawn without a warning and shows more than a
// background. RANKDECK_RENDER_DIR keeps them, in both themes, for review.
#include "tests/testbed/races.h"
#include "tests/ui/deck/deck_scenes.h"
#include "tests/ui/settle.h"
#include "ui/deck/deck.h"
#include "ui/deck/plot/loss_plot.h"
#include "ui/style/theme.h"

#include <QDir>
#include <QImage>
#include <QSet>
#include <QtTest/QTest>

#include <gtest/gtest.h>

namespace rankdeck::ui::deck_picture_test {
namespace {

struct View {
    const char *name;
    std::unique_ptr<FixedFeed> (*feed)();
    QSize size;
    void (*drive)(Deck &);
};

std::unique_ptr<FixedFeed> ranks64() { return deckscenes::many(64); }
std::unique_ptr<FixedFeed> ranks512() { return deckscenes::many(512); }

const View views[] = {
    {"healthy", deckscenes::healthy, {1366, 491}, [](Deck &deck) { deck.selectRank(3); }},
    {"plain", deckscenes::healthy, {1366, 491}, [](Deck &) {}},
    {"trouble", deckscenes::trouble, {1920, 612}, [](Deck &) {}},
    {"chosen", deckscenes::trouble, {790, 490}, [](Deck &deck) { deck.selectNewestValid(); }},
    {"resumed", deckscenes::resumed, {930, 500}, [](Deck &) {}},
    {"whole", deckscenes::trouble, {1366, 491}, [](Deck &deck) { deck.showWholeJob(); }},
    {"ranks64", ranks64, {1366, 600}, [](Deck &) {}},
    {"ranks512", ranks512, {1920, 780}, [](Deck &deck) { deck.showWholeJob(); }},
    {"empty", deckscenes::empty, {1366, 491}, [](Deck &) {}},
};

void drawEveryState(bool dark)
{
    Theme::of(nullptr).setMode(dark ? Theme::Mode::dark : Theme::Mode::light);
    const QString dir = qEnvironmentVariable("RANKDECK_RENDER_DIR");
    for (const View &view : views) {
        const auto feed = view.feed();
        Deck deck(*feed);
        deck.resize(view.size);
        deck.show();
        settle();
        view.drive(deck);
        settle();
        const QImage image = deck.grab().toImage();
        QSet<QRgb> colours;
        for (int y = 0; y < image.height(); y += 2)
            for (int x = 0; x < image.width(); x += 2) colours.insert(image.pixel(x, y));
        EXPECT_GT(colours.size(), 20) << view.name;
        if (dir.isEmpty()) continue;
        QDir().mkpath(dir);
        EXPECT_TRUE(image.save(
            QStringLiteral("%1/deck-%2-%3.png")
                .arg(dir, QString::fromLatin1(view.name), dark ? QStringLiteral("dark") : QStringLiteral("light"))));
    }
    Theme::of(nullptr).setMode(Theme::Mode::light);
}

TEST(Pictures, AreDrawnForEveryState)
{
    drawEveryState(true);
    if (everyVariant()) drawEveryState(false);
}

}  // namespace
}  // namespace rankdeck::ui::deck_picture_test
