// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/scene_clock.h"
#include "ui/style/theme.h"
#include "ui/style/translations.h"
#include "ui/window/window_style.h"

#include <QApplication>
#include <QLocale>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <gtest/gtest.h>

namespace {

// A warning of Qt is a mistake of ours, but for these remarks of the offscreen platform.
void failOnWarning(QtMsgType type, const QMessageLogContext &, const QString &message)
{
    if (type == QtDebugMsg || type == QtInfoMsg) return;
    for (const char *noise : {"This plugin does not support", "XDG_RUNTIME_DIR", "QStandardPaths: runtime directory"}) {
        if (message.contains(QLatin1String(noise))) return;
    }
    ADD_FAILURE() << "Qt says: " << message.toStdString();
}

// A scene's ages are of its own test, whatever ran before it in this process.
class ScenesOfTheTest : public testing::EmptyTestEventListener {
    void OnTestStart(const testing::TestInfo &) override { rankdeck::ui::scenes::tellNow(); }
};

}  // namespace

int main(int argc, char **argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    testing::InitGoogleTest(&argc, argv);
    const QTemporaryDir home;
    qputenv("XDG_CONFIG_HOME", home.path().toLocal8Bit());
    qputenv("XDG_STATE_HOME", home.path().toLocal8Bit());
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    QApplication app(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("rankdeck-test"));
    QApplication::setApplicationName(QStringLiteral("rankdeck"));
    QApplication::setCursorFlashTime(0);
    rankdeck::ui::WindowStyle::install();
    rankdeck::ui::installTranslations();
    rankdeck::ui::Theme::of(nullptr).setMode(rankdeck::ui::Theme::Mode::light);
    qInstallMessageHandler(failOnWarning);
    testing::UnitTest::GetInstance()->listeners().Append(new ScenesOfTheTest);  // theirs now
    return RUN_ALL_TESTS();
}
