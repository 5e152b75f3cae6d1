// SPDX-License-Identifier: GPL-3.0-or-later
// Waiting for a window without waiting for a fixed time. After settle(), every posted event is delivered and every
// layout has run. No named single-shot timer of a window (the next frame of the deck, the end of a click) is pending
// then. The function becomes() waits for a condition. Both have one time limit, after which they fail. Call them on the
// thread of the window.
#pragma once

#include <QApplication>
#include <QDeadlineTimer>
#include <QTimer>
#include <QWidget>
#include <QtTest/QTest>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace rankdeck::ui {

constexpr int neverMs = 60'000;

template <class Done>
bool becomes(Done done)
{
    return QTest::qWaitFor(done, neverMs);
}

inline bool timersRest()
{
    for (const QWidget *window : QApplication::topLevelWidgets())
        for (const QTimer *one : window->findChildren<QTimer *>())
            if (one->isSingleShot() && one->isActive() && !one->objectName().isEmpty()) return false;
    return true;
}

inline std::vector<QRect> places()
{
    std::vector<QRect> all;
    for (const QWidget *window : QApplication::topLevelWidgets())
        if (window->isVisible())
            for (const QWidget *one : window->findChildren<QWidget *>()) all.push_back(one->geometry());
    return all;
}

inline void settle()
{
    constexpr int boxes = 8;  // nested boxes: a layout request climbs one box per turn
    std::vector<QRect> before, now = places();
    bool rest = false;
    const QDeadlineTimer never(neverMs);
    do {
        if (never.hasExpired()) {
            ADD_FAILURE() << "the window does not come to rest";
            return;
        }
        before = std::move(now);
        if (!rest && !timersRest()) QTest::qWait(1);  // wait: poll; a pending timer ends
        for (int turn = 0; turn < boxes; ++turn) {
            QCoreApplication::sendPostedEvents();
            QCoreApplication::processEvents();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
        rest = timersRest();
        now = places();
    } while (!rest || now != before);
}

}  // namespace rankdeck::ui
