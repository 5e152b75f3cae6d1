// SPDX-License-Identifier: GPL-3.0-or-later
// The settings: a choice is saved at once; an invalid value is not accepted, and the dialog says why.
#include "tests/ui/dialogs/settings_dialog_test.h"
#include "tests/ui/settle.h"

#include "ui/dialogs/desktop_notice.h"
#include "ui/dialogs/settings_dialog.h"
#include "ui/kit/label.h"
#include "ui/style/format.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDBusConnection>
#include <QLineEdit>
#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>
#include <QtTest/QTest>

#include <gtest/gtest.h>

namespace rankdeck::ui::settings_dialog_test {
namespace {

class Settings : public testing::Test {
protected:
    void SetUp() override { QSettings().clear(); }
    void TearDown() override
    {
        QSettings().clear();
        (void)Preferences::kept().apply();
        Theme::of(nullptr).setMode(Theme::Mode::light);
    }
    static bool says(const QDialog &dialog, const QString &part)
    {
        for (const auto *label : dialog.findChildren<Label *>())
            if (label->text().contains(part)) return true;
        return false;
    }
    static QString plainFile(const QTemporaryDir &directory)
    {
        QFile file(directory.filePath(QStringLiteral("plain")));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        return file.fileName();
    }
    static void type(const QDialog &dialog, const char *field, const QString &text)
    {
        auto *line = dialog.findChild<QLineEdit *>(QLatin1String(field));
        ASSERT_NE(line, nullptr) << field;
        line->selectAll();
        if (text.isEmpty()) QTest::keyClick(line, Qt::Key_Delete);
        QTest::keyClicks(line, text);
    }
};

TEST_F(Settings, EveryChoiceIsSavedAndReportedImmediately)
{
    SettingsDialog dialog(Preferences::kept(), QStringLiteral("/usual"), {});
    int told = 0;
    QObject::connect(&dialog, &SettingsDialog::changed, &dialog, [&](const Preferences &now) {
        ++told;
        EXPECT_EQ(now, Preferences::kept());
    });
    int changes = 0;
    for (auto *choice : dialog.findChildren<QComboBox *>()) {
        const int before = choice->currentIndex();
        choice->setCurrentIndex(before == choice->count() - 1 ? 0 : choice->count() - 1);
        if (choice->currentIndex() != before) ++changes;
    }
    for (auto *box : dialog.findChildren<QCheckBox *>()) {
        box->toggle();
        ++changes;
    }
    EXPECT_GE(changes, 9);
    EXPECT_EQ(told, changes);
    const Preferences now = Preferences::kept(), usual;
    EXPECT_NE(now.theme, usual.theme);
    EXPECT_NE(now.letters, usual.letters);
    EXPECT_NE(now.language, usual.language);
    EXPECT_TRUE(now.utc && now.binary && now.calm && now.sounds);
    EXPECT_FALSE(now.notifies || now.attention);
    // When it is opened again, it shows the chosen values.
    const SettingsDialog again(now, QStringLiteral("/usual"), {});
    EXPECT_EQ(again.findChild<QComboBox *>(QStringLiteral("letters"))->currentData().toInt(), now.letters);
    EXPECT_EQ(again.findChild<QComboBox *>(QStringLiteral("zone"))->currentText(), QStringLiteral("UTC"));
}

TEST_F(Settings, InvalidSavedValuesBecomeTheDefaults)
{
    QSettings settings;
    settings.setValue(QStringLiteral("theme"), QStringLiteral("purple"));
    settings.setValue(QStringLiteral("language"), QStringLiteral("tlh"));
    settings.setValue(QStringLiteral("letters"), -5);
    settings.setValue(QStringLiteral("ssh"), QString());
    EXPECT_EQ(Preferences::kept(), Preferences());
}

TEST_F(Settings, InvalidProgramIsReportedNextToItsFieldAndNotAccepted)
{
    const QTemporaryDir directory;
    const QString plain = plainFile(directory);
    SettingsDialog dialog(Preferences::kept(), QStringLiteral("/usual"), {});
    const std::pair<QString, QString> wrong[] = {
        {QString(), QStringLiteral("found nothing")},
        {QStringLiteral("bin/ssh"), QStringLiteral("begins with /; found bin/ssh")},
        {directory.path(), QStringLiteral("is not a file")},
        {plain, QStringLiteral("You may not run")},
        {QStringLiteral("no-such-ssh"), QStringLiteral("no no-such-ssh in the PATH")}};
    for (const auto &[typed, answer] : wrong) {
        type(dialog, "ssh", typed);
        EXPECT_TRUE(says(dialog, answer)) << typed.toStdString();
        EXPECT_NE(Preferences::kept().sshProgram, typed);
    }
    ASSERT_TRUE(QFile::setPermissions(plain, QFile::ReadOwner | QFile::ExeOwner));
    type(dialog, "ssh", plain);
    EXPECT_EQ(Preferences::kept().sshProgram, plain);
    EXPECT_FALSE(says(dialog, QStringLiteral("found nothing")));
}

TEST_F(Settings, UnusableStateDirectoryIsNotAccepted)
{
    const QTemporaryDir directory;
    const QString plain = plainFile(directory);
    SettingsDialog dialog(Preferences::kept(), QStringLiteral("/usual"), {});
    type(dialog, "state", QStringLiteral("relative/state"));
    EXPECT_TRUE(says(dialog, QStringLiteral("found relative/state")));
    EXPECT_EQ(Preferences::kept().stateDirectory, QStringLiteral(""));
    type(dialog, "state", plain);
    EXPECT_TRUE(says(dialog, QStringLiteral("is a file. Expected a directory")));
    EXPECT_TRUE(
        problemOfStateDirectory(plain + QStringLiteral("/below")).contains(QStringLiteral("You may not write to")));
    type(dialog, "state", directory.filePath(QStringLiteral("new/one")));
    EXPECT_EQ(Preferences::kept().stateDirectory, directory.filePath(QStringLiteral("new/one")));
    type(dialog, "state", {});
    EXPECT_EQ(Preferences::kept().stateDirectory, QStringLiteral(""));
    const SettingsDialog fixed(Preferences::kept(), QStringLiteral("/usual"), QStringLiteral("/given"));
    EXPECT_TRUE(says(fixed, QStringLiteral("This start uses /given, as --state-dir says.")));
}

TEST_F(Settings, TimesAndSizesUseThePreferredUnits)
{
    const WallTime noon = WallTime{} + std::chrono::hours(12);
    Preferences preferences;
    preferences.utc = preferences.binary = true;
    EXPECT_TRUE(preferences.apply());
    EXPECT_FALSE(preferences.apply());  // nothing is new
    EXPECT_EQ(clockWords(noon), QStringLiteral("12:00:00"));
    EXPECT_TRUE(exactTime(noon).contains(QStringLiteral("1970-01-01 12:00:00")));
    EXPECT_EQ(clockTime(noon), "12:00:00");
    EXPECT_EQ(byteWords(12'582'912), QStringLiteral("12.0 MiB"));
    preferences.binary = false;
    EXPECT_TRUE(preferences.apply());
    EXPECT_EQ(byteWords(12'000'000), QStringLiteral("12.0 MB"));
}

TEST_F(Settings, DesktopNotificationsAreSentWithoutMarkup)
{
    QProcess bus;
    bus.start(QStringLiteral("dbus-daemon"), {QStringLiteral("--session"), QStringLiteral("--nofork"),
                                              QStringLiteral("--nopidfile"), QStringLiteral("--print-address")});
    ASSERT_TRUE(bus.waitForStarted(60'000) && bus.waitForReadyRead(60'000)) << bus.errorString().toStdString();
    const QString address = QString::fromLocal8Bit(bus.readLine()).trimmed();
    const auto client = QDBusConnection::connectToBus(address, QStringLiteral("client"));
    auto server = QDBusConnection::connectToBus(address, QStringLiteral("server"));
    Desktop desktop;
    ASSERT_TRUE(server.registerObject(QStringLiteral("/org/freedesktop/Notifications"), &desktop,
                                      QDBusConnection::ExportAllSlots));
    ASSERT_TRUE(server.registerService(QStringLiteral("org.freedesktop.Notifications")));
    showDesktopNotice(client, QStringLiteral("demo <1>"), QStringLiteral("rank <img src=x> died & more"));
    ASSERT_TRUE(becomes([&] { return !desktop.titles.isEmpty(); }));
    EXPECT_EQ(desktop.titles, QStringList(QStringLiteral("demo <1>")));
    EXPECT_EQ(desktop.texts, QStringList(QStringLiteral("rank &lt;img src=x&gt; died &amp; more")));
    EXPECT_EQ(desktop.urgency, 2);
    QDBusConnection::disconnectFromBus(QStringLiteral("client"));
    QDBusConnection::disconnectFromBus(QStringLiteral("server"));
    bus.kill();
    bus.waitForFinished(60'000);
    showDesktopNotice(client, QStringLiteral("nobody"),
                      QStringLiteral("hears"));  // no server any more: the call does nothing
}

}  // namespace
}  // namespace rankdeck::ui::settings_dialog_test
