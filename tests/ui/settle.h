// SPDX-License-Identifier: GPL-3.0-or-later
// Lets a window come to rest without waiting for a time: every posted event is delivered and every layout has run, until
// no size changes any more. Does not wait for timers. Call it on the thread of the window.
#pragma once

#include <QCoreApplication>
#include <QList>
#include <QWidget>

#include <vector>

namespace rankdeck::ui {

inline void settle(const QWidget &window)
{
    const auto sizes = [&window] {
        std::vector<QSize> all;
        for (const QWidget *one : window.findChildren<QWidget *>()) {
            all.push_back(one->size());
            all.push_back(one->minimumSizeHint());
        }
        return all;
    };
    constexpr int enough = 10;  // a request for layout climbs one box per turn
    std::vector<QSize> before;
    for (int turn = 0, same = 0; turn < 1000 && same < enough; ++turn) {
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
        std::vector<QSize> now = sizes();
        same = now == before ? same + 1 : 0;
        before = std::move(now);
    }
}

}  // namespace rankdeck::ui
