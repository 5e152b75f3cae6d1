// SPDX-License-Identifier: GPL-3.0-or-later
// Changes of the settings, checked in the whole window: they apply at once, and the job stays open over the same
// connections.
#include "tests/ui/settle.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/deck/deck.h"
#include "ui/dialogs/settings_dialog.h"
#include "ui/window/header_bar.h"

#include <QComboBox>
#include <QLineEdit>
#include <QMenuBar>
#include <QSettings>

namespace rankdeck::ui::settings_test {
namespace {

class WindowSettings : public Window {
protected:
    void SetUp() override { QSettings().clear(); }
    void TearDown() override
    {
        m_window.reset();
        QSettings().clear();
        (void)Preferences::kept().apply();
        Theme::of(nullptr).setMode(Theme::Mode::light);
    }
    SettingsDialog *openSettings()
    {
        QTest::keyClick(m_window.get(), Qt::Key_Comma, Qt::ControlModifier);
        return part<SettingsDialog>();
    }
    void choose(const char *name, const QVariant &value)
    {
        auto *choice = part<SettingsDialog>()->findChild<QComboBox *>(QLatin1String(name));
        choice->setFocus();
        choice->setCurrentIndex(choice->findData(value));
        settle();  // process queued events
    }
};

TEST_F(WindowSettings, FontSizeChangesImmediatelyAndTheJobStaysOpen)
{
    open(scenes::healthy());
    ASSERT_NE(openSettings(), nullptr);
    const int before = part<HeaderBar>()->sizeHint().height();
    choose("letters", 150);
    ASSERT_NE(part<HeaderBar>(), nullptr);
    EXPECT_GT(part<HeaderBar>()->sizeHint().height(), before);
    EXPECT_EQ(&m_window->page()->feed(), m_feed);
    EXPECT_TRUE(part<Deck>()->isVisible());
    // The dialog was rebuilt with the focus on the same field, and Ctrl+, opens no second dialog.
    ASSERT_NE(part<SettingsDialog>(), nullptr);
    EXPECT_EQ(part<SettingsDialog>()->focusWidget()->objectName(), QStringLiteral("letters"));
    openSettings();
    EXPECT_EQ(m_window->findChildren<SettingsDialog *>().size(), 1);
    choose("letters", 100);
    EXPECT_EQ(part<HeaderBar>()->sizeHint().height(), before);
}

TEST_F(WindowSettings, LanguageChangesImmediatelyAndTheWayBackIsReadable)
{
    open(scenes::healthy());
    ASSERT_NE(openSettings(), nullptr);
    auto *language = part<SettingsDialog>()->findChild<QComboBox *>(QStringLiteral("language"));
    ASSERT_GE(language->findData(QStringLiteral("zh_CN")), 0) << "no font of this machine has Chinese letters";
    const int menus = static_cast<int>(m_window->menuBar()->actions().size());
    choose("language", QStringLiteral("zh_CN"));
    EXPECT_EQ(static_cast<int>(m_window->menuBar()->actions().size()), menus);
    int inHan = 0;
    for (const QAction *menu : m_window->menuBar()->actions()) {
        const QString words = menu->text();  // rank and checkpoint stay Latin
        inHan +=
            std::any_of(words.begin(), words.end(), [](QChar letter) { return letter.script() == QChar::Script_Han; });
    }
    EXPECT_GE(inHan, menus - 2);
    language = part<SettingsDialog>()->findChild<QComboBox *>(QStringLiteral("language"));
    EXPECT_GE(language->findText(QStringLiteral("English")), 0);
    choose("language", QStringLiteral("en"));
    EXPECT_EQ(m_window->menuBar()->actions().front()->text(), QStringLiteral("&Job"));
    // Every action exists once, and works.
    EXPECT_EQ(m_window->findChildren<WindowActions *>().size(), 1);
    m_window->actions().stopPane->trigger();
    m_window->actions().closeJob->trigger();
    EXPECT_EQ(m_window->page(), nullptr);
}

TEST_F(WindowSettings, SettingsWorkWithoutAnOpenJob)
{
    JobSources sources;
    sources.open = [](Job, bool) {
        return Result<std::unique_ptr<JobFeed>>(fail(ErrorKind::unsupported, "not in this test"));
    };
    QString state;
    sources.stateDirectory = QStringLiteral("/before");
    sources.setStateDirectory = [&state](const QString &directory) { state = directory; };
    m_window = std::make_unique<MainWindow>(sources);
    m_window->show();
    m_window->actions().settings->trigger();
    ASSERT_NE(part<SettingsDialog>(), nullptr);
    choose("letters", 125);
    choose("theme", static_cast<int>(Theme::Mode::dark));
    EXPECT_TRUE(Theme::of(nullptr).dark());
    EXPECT_TRUE(m_window->actions().dark->isChecked());
    auto *field = part<SettingsDialog>()->findChild<QLineEdit *>(QStringLiteral("state"));
    QTest::keyClicks(field, QStringLiteral("/tmp"));
    EXPECT_EQ(state, QStringLiteral("/tmp"));
}

TEST_F(WindowSettings, EveryWindowOfTheProgramAppliesTheSettings)
{
    JobSources sources;
    sources.open = [](Job, bool) {
        return Result<std::unique_ptr<JobFeed>>(fail(ErrorKind::unsupported, "not in this test"));
    };
    QString state;
    sources.stateDirectory = QStringLiteral("/before");
    sources.setStateDirectory = [&state](const QString &directory) { state = directory; };
    MainWindow other(sources);
    other.show();
    open(scenes::healthy());
    ASSERT_NE(openSettings(), nullptr);
    const int letters = part<HeaderBar>()->fontMetrics().height();
    choose("theme", static_cast<int>(Theme::Mode::dark));
    EXPECT_TRUE(other.actions().dark->isChecked());
    choose("letters", 150);
    EXPECT_GT(other.menuBar()->fontMetrics().height(), letters);
    choose("language", QStringLiteral("zh_CN"));
    EXPECT_NE(other.menuBar()->actions().front()->text(), QStringLiteral("&Job"));
    choose("language", QStringLiteral("en"));
    EXPECT_EQ(other.menuBar()->actions().front()->text(), QStringLiteral("&Job"));
    QTest::keyClicks(part<SettingsDialog>()->findChild<QLineEdit *>(QStringLiteral("state")), QStringLiteral("/tmp"));
    EXPECT_EQ(state, QStringLiteral("/tmp")) << "jobs that the other opens from now on";
    other.actions().calm->trigger();
    EXPECT_TRUE(m_window->actions().calm->isChecked());
    settle();
    EXPECT_TRUE(part<SettingsDialog>()->preferences().calm) << "else its next change takes the other's back";
}

// The bell, the taskbar and the desktop notification are for an operator who is not looking at the window.
TEST_F(WindowSettings, NewAlarmIsReportedEvenWhileTheWindowIsMinimised)
{
    Snapshot notSeenWhole = scenes::healthy();
    notSeenWhole.settled = false;
    open(notSeenWhole);
    QStringList told;
    QObject::connect(m_window->page(), &JobPage::alarmBegan, m_window.get(),
                     [&](const QString &fact) { told << fact; });
    const Snapshot died = scenes::died();
    const std::vector<Alarm> alarms = findAlarms(pictureOf(died, died.at));
    const auto tell = [&](WallTime when, bool ended) {
        Update update;
        for (const Alarm &alarm : alarms) update.alarms.push_back({.alarm = alarm, .ended = ended, .time = when});
        Q_EMIT m_feed->updated(update);
    };
    tell(died.at, false);
    m_feed->set(died);
    tell(died.at, false);
    EXPECT_TRUE(told.isEmpty()) << "it held when the job was first seen whole";
    m_window->showMinimized();
    tell(died.at + std::chrono::seconds(1), true);
    EXPECT_TRUE(told.isEmpty()) << "an end is no alarm";
    tell(died.at + std::chrono::seconds(2), false);
    ASSERT_EQ(told.size(), 1) << "one of them has to be acted on";
    EXPECT_TRUE(told.front().contains(QStringLiteral("ank 5"))) << told.front().toStdString();
}

}  // namespace
}  // namespace rankdeck::ui::settings_test
