// SPDX-License-Identifier: GPL-3.0-or-later
// The bottom tabs: one list, filters that are visible at every size, and a height that stays as the user has set it.
#include "tests/testbed/races.h"
#include "tests/ui/settle.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/deck/deck.h"
#include "ui/dialogs/command_palette.h"
#include "ui/panels/failure_panel.h"
#include "ui/panels/log_panel.h"
#include "ui/panels/panels.h"
#include "ui/panes/resume_pane.h"

#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>

namespace rankdeck::ui::tabs_test {
namespace {

class Tabs : public Window {
protected:
    QTabWidget *tabs() { return part<QTabWidget>(); }
    QWidget *panelAt(int index) { return tabs()->widget(index)->findChild<Panel *>(); }
    static QSplitter *down(const QWidget *in)
    {
        for (auto *one : in->findChildren<QSplitter *>())
            if (one->orientation() == Qt::Vertical) return one;
        return nullptr;
    }
    // True if the whole widget is in the window and nothing covers it.
    bool inSight(const QWidget *widget)
    {
        if (!widget->isVisible() || widget->width() < 20 || widget->height() < 10) return false;
        const QRect box(widget->mapTo(m_window.get(), QPoint()), widget->size());
        return m_window->rect().contains(box);
    }
};

TEST_F(Tabs, EveryPanelHasATabAMenuEntryAndAKey)
{
    open(scenes::healthy());
    const auto &rows = panelRows();
    ASSERT_EQ(tabs()->count(), static_cast<int>(rows.size()));
    ASSERT_EQ(m_window->actions().tabs.size(), static_cast<qsizetype>(rows.size()));
    for (int i = 0; i < tabs()->count(); ++i) {
        EXPECT_EQ(tabs()->tabText(i), rows[static_cast<std::size_t>(i)].title());
        EXPECT_EQ(m_window->actions().tabs[i]->shortcut(), QKeySequence(QStringLiteral("Ctrl+%1").arg(i + 1)));
        m_window->actions().tabs[i]->trigger();
        if (tabs()->currentIndex() != i) m_window->actions().tabs[i]->trigger();
        EXPECT_TRUE(panelAt(i)->isVisible()) << i;
    }
}

TEST_F(Tabs, FiltersAreVisibleAtEverySizeWithAndWithoutAPane)
{
    std::vector<QSize> sizes{{1024, 700}, {1366, 768}};
    if (everyVariant()) sizes.emplace_back(1920, 1080);
    for (const QSize size : sizes) {
        for (const bool pane : {false, true}) {
            open(scenes::resumable(), size);
            if (pane) m_window->page()->openResume();
            for (int i = 0; i < tabs()->count(); ++i) {
                tabs()->setCurrentIndex(i);
                settle();
                auto *panel = static_cast<Panel *>(panelAt(i));
                ASSERT_NE(panel->corner(), nullptr);
                EXPECT_TRUE(inSight(panel->corner())) << "tab " << i << " at " << size.width() << (pane ? " pane" : "");
                const QRect bar(tabs()->tabBar()->mapTo(m_window.get(), QPoint()), tabs()->tabBar()->size());
                const QRect corner(panel->corner()->mapTo(m_window.get(), QPoint()), panel->corner()->size());
                EXPECT_FALSE(bar.intersects(corner)) << "tab " << i << " at " << size.width();
            }
        }
    }
}

TEST_F(Tabs, CtrlFFocusesTheVisibleFindField)
{
    open(scenes::healthy());
    for (const int tab : {0, 2}) {
        tabs()->setCurrentIndex(tab);
        settle();
        m_window->actions().find->trigger();
        auto *field = qobject_cast<QLineEdit *>(m_window->focusWidget());
        ASSERT_NE(field, nullptr) << tab;
        EXPECT_TRUE(inSight(field)) << tab;
    }
}

TEST_F(Tabs, LowWindowShrinksTheTabsOnlyTemporarily)
{
    open(scenes::healthy(), {1366, 768});
    tabs()->setCurrentIndex(0);
    settle();
    const int before = tabs()->height();
    ASSERT_GE(before, 150);
    m_window->resize(1024, 600);
    settle();
    EXPECT_LT(tabs()->height(), 60);
    m_window->resize(1366, 768);
    settle();
    EXPECT_EQ(tabs()->height(), before);
    m_window->resize(1920, 1080);
    settle();
    EXPECT_EQ(tabs()->height(), before);
    // The height is also kept after a restart.
    m_window->resize(1024, 600);
    settle();
    m_window->page()->saveState();
    open(scenes::healthy(), {1366, 768});
    settle();
    EXPECT_EQ(tabs()->height(), before);
}

TEST_F(Tabs, FailureViewTakesHalfOfTheHeightAndReturnsIt)
{
    open(scenes::died(), {1366, 768});
    tabs()->setCurrentIndex(0);
    settle();
    const int before = tabs()->height();
    m_window->page()->showFailure();
    settle();
    const QSplitter *both = down(m_window.get());
    EXPECT_GE(tabs()->height(), both->height() * 45 / 100);
    EXPECT_EQ(part<Deck>()->selectedRank(), 5) << "the lane of the rank that died is in sight";
    tabs()->setCurrentIndex(0);
    settle();
    EXPECT_EQ(tabs()->height(), before);
}

TEST_F(Tabs, RepeatedKeyCollapsesAPanelButItsCommandShowsIt)
{
    open(scenes::died());
    QAction *moment = m_window->actions().tabs[1];
    moment->trigger();
    settle();
    ASSERT_TRUE(part<FailurePanel>()->isVisible());
    ASSERT_GT(tabs()->height(), 100);
    CommandPalette palette({moment}, m_window.get());
    palette.setAttribute(Qt::WA_DeleteOnClose, false);
    palette.popUp();
    QTest::keyClick(palette.findChild<QLineEdit *>(), Qt::Key_Return);
    settle();
    EXPECT_GT(tabs()->height(), 100) << "asked for by name, it stays";
    moment->trigger();
    settle();
    EXPECT_LT(tabs()->height(), 60);
}

TEST_F(Tabs, LogPanelShowsTheSelectedRank)
{
    open(scenes::healthy());
    m_window->actions().tabs[2]->trigger();
    settle();
    m_window->page()->findChild<QWidget *>(QStringLiteral("deck"))->setFocus();
    for (QAction *action : m_window->page()->actions())
        if (action->shortcut() == QKeySequence(Qt::Key_Down))
            for (int i = 0; i < 4; ++i) action->trigger();
    ASSERT_GT(part<Deck>()->selectedRank(), 0);
    EXPECT_EQ(part<LogPanel>()->rank(), part<Deck>()->selectedRank());
}

// With each tab and each pane open: pressing Tab repeatedly returns to the deck.
TEST_F(Tabs, TabKeyReturnsToTheDeck)
{
    open(scenes::died());
    m_window->activateWindow();
    auto *deck = part<Deck>();
    const auto inDeck = [&] {
        const QWidget *focus = QApplication::focusWidget();
        return focus != nullptr && (focus == deck || deck->isAncestorOf(focus));
    };
    for (int tab = 0; tab < 4; ++tab) {
        m_window->page()->showTab(tab, true);
        for (const bool forward : {true, false}) {
            deck->setFocus();
            ASSERT_TRUE(inDeck());
            QStringList stops;
            bool away = false, back = false;
            for (int i = 0; i < 60 && !back; ++i) {
                QTest::keyClick(QApplication::focusWidget(), forward ? Qt::Key_Tab : Qt::Key_Backtab);
                const QWidget *focus = QApplication::focusWidget();
                stops << (focus ? QString::fromLatin1(focus->metaObject()->className()) + QLatin1Char(':') +
                                      focus->accessibleName()
                                : QStringLiteral("none"));
                back = away && inDeck();
                away = away || !inDeck();
            }
            EXPECT_TRUE(back) << "tab " << tab << (forward ? " forward" : " backward") << ": "
                              << stops.join(QStringLiteral(" > ")).toStdString();
        }
    }
}

}  // namespace
}  // namespace rankdeck::ui::tabs_test
