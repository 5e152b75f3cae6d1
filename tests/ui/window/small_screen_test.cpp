// SPDX-License-Identifier: GPL-3.0-or-later
// A screen of 1366 x 768 at 150 % has room for 911 x 512, including the frame. No part of the window may be outside of
// it.
#include "tests/ui/fault_scenes.h"
#include "tests/ui/settle.h"
#include "tests/ui/window/window_fixture.h"

#include <functional>
#include <vector>

namespace rankdeck::ui::small_screen_test {
namespace {

constexpr QSize room{903, 484};

class SmallScreen : public Window {
protected:
    static bool canScroll(const QWidget *one)
    {
        for (const QWidget *at = one->parentWidget(); at != nullptr; at = at->parentWidget())
            if (at->inherits("QAbstractScrollArea")) return true;
        return false;
    }
    // The names of widgets that need more room than there is; empty: everything fits. Scrollable content may have any
    // size.
    std::string tooLarge()
    {
        std::string found;
        for (const QWidget *one : m_window->findChildren<QWidget *>()) {
            if (!one->isVisible() || one->isWindow() || one->window() != m_window.get() || canScroll(one)) continue;
            const QSize need = one->minimumSizeHint().expandedTo(one->minimumSize());
            if (need.width() > room.width() || need.height() > room.height())
                found += std::string(one->metaObject()->className()) + " needs " + std::to_string(need.width()) +
                         " x " + std::to_string(need.height()) + "; ";
        }
        return found;
    }
    std::string cutButtons()
    {
        std::string found;
        for (const auto *one : m_window->findChildren<QPushButton *>())
            if (one->isVisible() && one->width() + 1 < one->minimumSizeHint().width())
                found += one->text().toStdString() + "; ";
        return found;
    }
    void show(const std::function<void(Snapshot &)> &happen)
    {
        Snapshot s = scenes::healthy();
        happen(s);
        m_feed->set(std::move(s));
        settle();
    }
};

TEST_F(SmallScreen, FitsTheWindowInEveryFailure)
{
    open(scenes::healthy(), room);
    const std::pair<const char *, std::function<void(Snapshot &)>> all[] = {
        {"healthy", [](Snapshot &) {}},
        {"died", [](Snapshot &s) { s = scenes::died(); }},
        {"stopping", [](Snapshot &s) { s = scenes::stopping(3, 2); }},
        {"stopped", [](Snapshot &s) { s = scenes::stopped(); }},
        {"resumable", [](Snapshot &s) { s = scenes::resumable(); }},
        {"not proven", [](Snapshot &s) { s = scenes::notProven(); }},
        {"nan", scenes::nan},
        {"kill and cut", scenes::killAndCut},
        {"full disk", scenes::fullDisk},
        {"cut all", scenes::cutAll},
    };
    for (const auto &[name, happen] : all) {
        show(happen);
        EXPECT_EQ(tooLarge(), "") << name;
        for (QAction *pane : {m_window->actions().stopPane, m_window->actions().resume, m_window->actions().proof}) {
            if (!pane->isEnabled()) continue;
            pane->trigger();
            settle();
            EXPECT_EQ(tooLarge(), "") << name << ", " << pane->text().toStdString();
            EXPECT_EQ(cutButtons(), "") << name << ", " << pane->text().toStdString();
        }
    }
}

}  // namespace
}  // namespace rankdeck::ui::small_screen_test
