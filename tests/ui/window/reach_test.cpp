// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that a user can reach and read. Every control is reachable by keyboard, and every panel without content
// says why. Important parts are not cut with Chinese texts, large fonts and a small screen.
#include "tests/ui/settle.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/kit/act_button.h"
#include "ui/kit/panel.h"
#include "ui/kit/table.h"
#include "ui/panels/panels.h"
#include "ui/panes/plan_view.h"
#include "ui/panes/proof_pane.h"
#include "ui/panes/resume_pane.h"
#include "ui/panes/stop_pane.h"
#include "ui/window/banner.h"
#include "ui/window/header_bar.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QTranslator>

namespace rankdeck::ui::reach_test {
namespace {

Snapshot stoppingFive() { return scenes::stopping(5, 2); }

class Reach : public Window {
protected:
    // All controls that Tab visits from a start until it reaches the start again.
    QSet<QWidget *> byTab()
    {
        QSet<QWidget *> visited;
        for (int i = 0; i < 400; ++i) {
            QWidget *now = QApplication::focusWidget();
            if (now != nullptr && visited.contains(now) && i > 150) break;
            visited.insert(now);
            QTest::keyClick(now != nullptr ? now : m_window.get(), Qt::Key_Tab);
        }
        return visited;
    }
    template <class T>
    void expectReached(const QSet<QWidget *> &visited, const std::string &where)
    {
        for (T *one : m_window->findChildren<T *>()) {
            if (!one->isVisible() || !one->isEnabled() || one->focusPolicy() == Qt::NoFocus) continue;
            if (one->visibleRegion().isEmpty()) continue;
            EXPECT_TRUE(visited.contains(one)) << where << ": " << one->metaObject()->className() << " \""
                                               << one->accessibleName().toStdString() << "\"";
        }
    }
};

TEST_F(Reach, TabReachesEveryControlAndIsNeverTrapped)
{
    const std::pair<const char *, std::function<void(JobPage &)>> faces[] = {
        {"stop", [](JobPage &page) { page.openStop(); }},
        {"resume", [](JobPage &page) { page.openResume(); }},
        {"proof", [](JobPage &page) { page.openProof(); }},
        {"inspector", [](JobPage &page) { page.inspect(QStringLiteral("2:40600"), 0); }}};
    for (const auto &[face, show] : faces) {
        open(scenes::resumable(), {1600, 900});
        m_window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(m_window.get(), neverMs));
        show(*m_window->page());
        for (int tab = 0; tab < part<QTabWidget>()->count(); ++tab) {
            part<QTabWidget>()->setCurrentIndex(tab);
            settle();
            const std::string where = std::string(face) + ", tab " + std::to_string(tab);
            const QSet<QWidget *> visited = byTab();
            expectReached<QAbstractButton>(visited, where);
            expectReached<QLineEdit>(visited, where);
            expectReached<QComboBox>(visited, where);
            expectReached<QAbstractItemView>(visited, where);
        }
    }
}

// One Tab for each control visits all of them, including plots, and each shows that it has the focus.
TEST_F(Reach, TabReachesEveryFocusableWidgetAndEachShowsTheFocus)
{
    open(scenes::resumable(), {1600, 900});
    m_window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(m_window.get(), neverMs));
    m_window->page()->openResume();
    for (QAction *action : m_window->findChildren<QAction *>())
        if (action->objectName() == QLatin1String("deck.nextCurve")) action->trigger();
    settle();
    QSet<QWidget *> all;
    for (QWidget *one : m_window->findChildren<QWidget *>())
        if ((one->focusPolicy() & Qt::TabFocus) == Qt::TabFocus && one->isVisible() && one->isEnabled() &&
            one->focusProxy() == nullptr && !one->visibleRegion().isEmpty())
            all << one;
    ASSERT_GT(all.size(), 10);
    const QSet<QWidget *> visited = byTab();
    for (QWidget *one : all) {
        const std::string name = std::string(one->metaObject()->className()) + " \"" +
                                 one->accessibleName().toStdString() + "\" in " +
                                 one->parentWidget()->metaObject()->className();
        EXPECT_TRUE(visited.contains(one)) << name;
        const auto picture = [one] { return one->grab().toImage(); };
        one->clearFocus();
        settle();
        const QImage without = picture();
        one->setFocus(Qt::TabFocusReason);
        settle();
        EXPECT_NE(picture(), without) << name << " does not show that it has the focus";
    }
}

TEST_F(Reach, EveryButtonTakesTheFocus)
{
    open(scenes::died(), {1600, 900});
    for (const auto *one : m_window->findChildren<QPushButton *>()) {
        if (!one->isVisible()) continue;
        EXPECT_NE(one->focusPolicy() & Qt::TabFocus, 0) << one->text().toStdString();
    }
}

TEST_F(Reach, EmptyPaneShowsAReason)
{
    open(scenes::empty());
    const auto words = [](const QWidget *pane) {
        int longest = 0;
        for (const auto *label : pane->findChildren<QLabel *>())
            if (label->isVisible()) longest = std::max(longest, static_cast<int>(label->text().size()));
        return longest;
    };
    m_window->page()->openStop();
    EXPECT_GE(words(part<StopPane>()), 15);
    m_window->page()->openResume();
    EXPECT_GE(words(part<ResumePane>()), 15);
    EXPECT_FALSE(part<ResumePane>()->why().isEmpty()) << "there is nothing to resume from, and the button says so";
    m_window->page()->openProof();
    EXPECT_GE(words(part<ProofPane>()), 15);
}

TEST_F(Reach, TableWithoutRowsShowsAReason)
{
    open(scenes::empty(), {1600, 900});
    m_feed->journal.clear();
    auto *tabs = part<QTabWidget>();
    for (int tab = 0; tab < tabs->count(); ++tab) {
        tabs->setCurrentIndex(tab);
        settle();
        for (const auto *table : tabs->currentWidget()->findChildren<Table *>())
            EXPECT_TRUE(table->model()->rowCount() > 0 || table->emptyText().size() > 15)
                << tabs->tabText(tab).toStdString();
    }
}

TEST_F(Reach, OneKeyShowsTheWholeResumePlan)
{
    open(scenes::resumable());
    m_window->page()->openResume();
    auto *plan = part<PlanView>();
    ASSERT_NE(plan, nullptr);
    const QString some = plan->text();
    int height = 0;  // the lists above it have their final height
    ASSERT_TRUE(becomes([&] { return std::exchange(height, plan->height()) == plan->height() && height < 300; }));
    m_window->actions().wholePlan->trigger();
    EXPECT_TRUE(plan->whole());
    EXPECT_GE(plan->text().size(), some.size());
    EXPECT_FALSE(plan->text().contains(QLatin1String(" more"))) << "a whole plan leaves nothing out";
    EXPECT_EQ(plan->findChild<QPlainTextEdit *>()->lineWrapMode(), QPlainTextEdit::WidgetWidth)
        << "a path that is cut at the edge cannot be checked";
    EXPECT_TRUE(plan->findChild<QPlainTextEdit *>()->isReadOnly());
    EXPECT_TRUE(becomes([&] { return plan->height() >= 380; })) << "the pane is the plan's: " << plan->height();
    m_window->actions().wholePlan->trigger();
    EXPECT_EQ(plan->text(), some);
    EXPECT_TRUE(becomes([&] { return plan->height() == height; })) << plan->height();
}

// Texts and sizes that differ from those on a developer's machine.
class Decides : public Window {
protected:
    // Expects that lost work, banner and the two buttons are completely inside the window.
    void expectWhole(const std::string &where)
    {
        const QRect inside = m_window->rect();
        for (const QWidget *area :
             {static_cast<QWidget *>(part<HeaderBar>()), static_cast<QWidget *>(part<Banner>())}) {
            for (const auto *one : area->findChildren<QPushButton *>()) {
                if (!one->isVisible()) continue;
                EXPECT_TRUE(inside.contains(QRect(one->mapTo(m_window.get(), QPoint()), one->size())))
                    << where << ": " << one->text().toStdString();
                EXPECT_GE(one->width() + 1, one->minimumSizeHint().width())
                    << where << ": " << one->text().toStdString();
            }
        }
        for (const auto *label : part<HeaderBar>()->findChildren<QLabel *>()) {
            if (!label->isVisible() || label->wordWrap() || label->text().isEmpty()) continue;
            EXPECT_GE(label->width() + 1, label->sizeHint().width()) << where << ": " << label->text().toStdString();
        }
    }
};

TEST_F(Decides, IsNotCutInChinese)
{
    QTranslator texts;
    ASSERT_TRUE(texts.load(QStringLiteral(":/i18n/rankdeck_zh_CN.qm")));
    QApplication::installTranslator(&texts);
    for (const QSize size : {QSize(1024, 600), QSize(1366, 768)}) {
        for (Snapshot (*scene)() : {scenes::healthy, scenes::died, stoppingFive, scenes::stopped, scenes::notProven}) {
            open(scene(), size);
            settle();
            expectWhole("Chinese at " + std::to_string(size.width()));
            EXPECT_LE(m_window->width(), size.width());
            EXPECT_LE(m_window->height(), size.height());
        }
    }
    m_window.reset();
    QApplication::removeTranslator(&texts);
}

// A desktop font of one and a half times the usual size, on a laptop screen.
TEST_F(Decides, FitsALaptopWithLargeFonts)
{
    const QFont usual = QApplication::font();
    QFont large = usual;
    large.setPixelSize(18);
    QApplication::setFont(large);
    int picture = 0;
    for (Snapshot (*scene)() : {scenes::healthy, scenes::died, stoppingFive, scenes::stopped, scenes::notProven}) {
        open(scene());
        settle();
        EXPECT_EQ(m_window->size(), QSize(1366, 768)) << "the window needs no more than the screen has";
        expectWhole("letters of 18 px");
        for (const auto *label : part<HeaderBar>()->findChildren<QLabel *>()) {
            if (!label->isVisible() || label->text().isEmpty()) continue;
            EXPECT_GE(label->height() + 1, QFontMetrics(label->font()).height()) << label->text().toStdString();
        }
        const QString dir = qEnvironmentVariable("RANKDECK_RENDER_DIR");
        const auto keep = [&](const char *face) {
            settle();
            m_window->grab().save(QStringLiteral("%1/large-%2-%3.png").arg(dir, QLatin1String(face)).arg(picture));
        };
        if (!dir.isEmpty()) keep("deck");
        m_window->page()->openResume();
        settle();
        EXPECT_EQ(m_window->size(), QSize(1366, 768));
        if (!dir.isEmpty()) keep("resume");
        ++picture;
        m_window.reset();
    }
    QApplication::setFont(usual);
}

TEST_F(Decides, UsesOneLanguage)
{
    QTranslator texts;
    ASSERT_TRUE(texts.load(QStringLiteral(":/i18n/rankdeck_zh_CN.qm")));
    QApplication::installTranslator(&texts);
    const auto han = [](const QString &text) {
        return std::any_of(text.begin(), text.end(), [](QChar letter) { return letter.script() == QChar::Script_Han; });
    };
    open(scenes::died());
    for (const auto *one : m_window->findChildren<QPushButton *>()) {
        const bool isName = one->text() == QLatin1String("pangu-2.6b");
        EXPECT_TRUE(!one->isVisible() || isName || one->text().size() <= 3 || han(one->text()))
            << one->text().toStdString();
    }
    const auto *tabs = part<QTabWidget>();
    for (int tab = 0; tab < tabs->count(); ++tab)
        EXPECT_TRUE(han(tabs->tabText(tab))) << tabs->tabText(tab).toStdString();
    EXPECT_TRUE(han(m_window->windowTitle())) << m_window->windowTitle().toStdString();
    m_window.reset();
    QApplication::removeTranslator(&texts);
}

}  // namespace
}  // namespace rankdeck::ui::reach_test
