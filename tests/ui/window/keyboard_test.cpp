// SPDX-License-Identifier: GPL-3.0-or-later
// Tab alone goes through every view: each control that can be used gets the focus, shows it, and lets it go again.
#include "tests/ui/fixed_search.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/dialogs/settings_dialog.h"
#include "ui/start/hosts_box.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTabBar>

#include <set>

namespace rankdeck::ui {
namespace {

bool isControl(const QWidget &widget)
{
    if (widget.inherits("QCustomPlot")) return true;
    if (qobject_cast<const QHeaderView *>(&widget) != nullptr) return false;  // of its table
    return qobject_cast<const QAbstractButton *>(&widget) != nullptr ||
           qobject_cast<const QAbstractItemView *>(&widget) != nullptr ||
           qobject_cast<const QLineEdit *>(&widget) != nullptr || qobject_cast<const QComboBox *>(&widget) != nullptr ||
           qobject_cast<const QPlainTextEdit *>(&widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox *>(&widget) != nullptr ||
           qobject_cast<const QTabBar *>(&widget) != nullptr;
}

std::string nameOf(const QWidget &widget)
{
    const auto *button = qobject_cast<const QAbstractButton *>(&widget);
    return std::string(widget.metaObject()->className()) + " \"" +
           (button != nullptr ? button->text() : widget.accessibleName()).toStdString() + "\" " +
           widget.objectName().toStdString() + " in " +
           (widget.parentWidget() != nullptr ? widget.parentWidget()->metaObject()->className() : "nothing");
}

// A part of a control is no control of its own: the arrow of a scroll area, the list of a combo box.
bool stands(const QWidget &widget)
{
    for (const QWidget *above = widget.parentWidget(); above != nullptr; above = above->parentWidget())
        if (qobject_cast<const QComboBox *>(above) != nullptr || qobject_cast<const QTabBar *>(above) != nullptr ||
            qobject_cast<const QAbstractItemView *>(above) != nullptr ||
            qobject_cast<const QLineEdit *>(above) != nullptr)
            return false;
    return true;
}

class Keyboard : public Window {
protected:
    void walk(QWidget &window)
    {
        window.activateWindow();
        ASSERT_TRUE(QTest::qWaitFor(
            [&] { return QApplication::activeWindow() == &window && QApplication::focusWidget() != nullptr; }, 60'000));
        std::set<const QWidget *> wanted;
        for (const QWidget *widget : window.findChildren<QWidget *>())
            if (widget->window() == &window && widget->isVisible() && widget->isEnabled() && isControl(*widget) &&
                stands(*widget) && !widget->visibleRegion().isEmpty())
                wanted.insert(widget);
        ASSERT_GT(wanted.size(), 3u);
        std::set<const QWidget *> reached;
        std::set<std::pair<QWidget *, QWidget *>> ways;
        QImage before = window.grab().toImage();
        for (std::size_t turn = 0; turn < 3 * wanted.size() + 30; ++turn) {
            QWidget *from = QApplication::focusWidget();
            QTest::keyClick(from != nullptr ? from : &window, Qt::Key_Tab);
            QWidget *now = QApplication::focusWidget();
            ASSERT_TRUE(now != nullptr && window.isAncestorOf(now)) << "Tab leaves the window";
            ASSERT_NE(now, from) << "Tab does not leave " << nameOf(*now);
            if (!ways.insert({from, now}).second) break;  // once around
            if (reached.insert(now).second && isControl(*now)) expectShown(window, *now, before);
            before = window.grab().toImage();
        }
        for (const QWidget *widget : wanted) {
            if (!widget->isVisible() || !widget->isEnabled()) continue;
            EXPECT_TRUE(reached.count(widget) > 0 || isReachedThrough(*widget, reached))
                << "Tab never comes to " << nameOf(*widget);
        }
    }

private:
    // A group of choices is one stop; the arrows go on within it.
    static bool isReachedThrough(const QWidget &widget, const std::set<const QWidget *> &reached)
    {
        const auto *button = qobject_cast<const QAbstractButton *>(&widget);
        if (button == nullptr || !button->autoExclusive()) return false;
        return std::any_of(reached.begin(), reached.end(), [&widget](const QWidget *other) {
            return other->parentWidget() == widget.parentWidget() && other->inherits("QRadioButton");
        });
    }
    static void expectShown(QWidget &window, const QWidget &control, const QImage &before)
    {
        const QRect box = QRect(control.mapTo(&window, QPoint(0, 0)), control.size()).adjusted(-4, -4, 4, 4);
        const QRect within = box.intersected(before.rect());
        const auto differing = [&] {
            const QImage after = window.grab().toImage();
            int pixels = 0;
            for (int y = within.top(); y <= within.bottom(); ++y)
                for (int x = within.left(); x <= within.right(); ++x) pixels += before.pixel(x, y) != after.pixel(x, y);
            return pixels;
        };
        EXPECT_TRUE(QTest::qWaitFor([&] { return differing() >= 8; }, 10'000))
            << nameOf(control) << " does not show that it has the focus";
    }
};

TEST_F(Keyboard, ThroughAJobAndEachPane)
{
    open(scenes::resumable());
    walk(*m_window);
    for (QAction *show : {m_window->actions().stopPane, m_window->actions().resume, m_window->actions().proof}) {
        SCOPED_TRACE(show->text().toStdString());
        show->trigger();
        QTest::qWait(20);
        walk(*m_window);
    }
}

TEST_F(Keyboard, ThroughATroubledJobAndEachTab)
{
    open(scenes::died());
    for (QAction *tab : m_window->actions().tabs) {
        SCOPED_TRACE(tab->text().toStdString());
        tab->trigger();
        QTest::qWait(20);
        walk(*m_window);
    }
    m_window->page()->inspect(QStringLiteral("2:40800"), 2);
    QTest::qWait(20);
    walk(*m_window);
}

TEST_F(Keyboard, ThroughTheFirstPageWithItsJobsAndTheSettings)
{
    JobSources sources;
    sources.open = [](Job, bool) {
        return Result<std::unique_ptr<JobFeed>>(fail(ErrorKind::unsupported, "not in this test"));
    };
    sources.startDemo = [](const std::function<void(Result<StartedDemo>)> &) {};
    sources.sshConfig = QStringLiteral("/nonexistent/config");
    FixedSearch *search = nullptr;
    sources.search = [&search] {
        auto owned = std::make_unique<FixedSearch>();
        search = owned.get();
        return owned;
    };
    m_window = std::make_unique<MainWindow>(sources);
    m_window->resize(1366, 768);
    m_window->show();
    DiscoveryPicture picture = scenes::eightHosts();
    for (const HostLook &host : picture.hosts) part<HostsBox>()->addHosts({QString::fromStdString(host.host)});
    search->set(std::move(picture));
    QTest::qWait(50);
    walk(*m_window);
    m_window->actions().settings->trigger();
    ASSERT_NE(part<SettingsDialog>(), nullptr);
    walk(*part<SettingsDialog>());
}

}  // namespace
}  // namespace rankdeck::ui
