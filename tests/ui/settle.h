// SPDX-License-Identifier: GPL-3.0-or-later
// Waiting for a window without waiting for a time. settle(): every posted event is delivered, every layout has run, and no
// named single-shot timer of a window (the next frame of the deck, the end of a click) is pending. becomes(): a condition
// holds, with one limit for "never". Call them on the thread of the window.
#pragma once

#include <QApplication>
#include <QTimer>
#include <QWidget>
#include <QtTest/QTest>

#include <algorithm>
#include <vector>

namespace rankdeck::ui {

constexpr int neverMs = 60'000;

template <class Done>
bool becomes(Done done)
{
    return QTest::qWaitFor(done, neverMs);
}

inline bool timersRest(const QWidget &window)
{
    const QList<QTimer *> all = window.findChildren<QTimer *>();
    return std::none_of(all.begin(), all.end(), [](const QTimer *one) {
        return one->isSingleShot() && one->isActive() && !one->objectName().isEmpty();
    });
}

inline void settle()
{
    constexpr int enough = 10;  // a request for layout climbs one box per turn
    std::vector<QRect> before;
    for (int same = 0; same < enough;) {
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
        std::vector<QRect> now;
        bool rest = true;
        for (const QWidget *window : QApplication::topLevelWidgets()) {
            if (!window->isVisible()) continue;
            rest = rest && timersRest(*window);
            for (const QWidget *one : window->findChildren<QWidget *>()) now.push_back(one->geometry());
        }
        if (!rest) QTest::qWait(1);  // wait: poll; a timer is pending, so this ends
        same = rest && now == before ? same + 1 : 0;
        before = std::move(now);
    }
}

}  // namespace rankdeck::ui
