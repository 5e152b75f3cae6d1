// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testbed/kept.h"
#include "tests/ui/scene_clock.h"
#include "ui/style/theme.h"
#include "ui/style/translations.h"
#include "ui/window/window_style.h"

#include <QApplication>
#include <QDir>
#include <QLocale>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QThread>
#include <QWidget>

#include <cstdio>
#include <gtest/gtest.h>

namespace {

bool grabbing = false;  // a screenshot, on the thread of the window

// A warning of Qt means a mistake in Rankdeck, except for these remarks of the offscreen platform.
void failOnWarning(QtMsgType type, const QMessageLogContext &, const QString &message)
{
    if (type == QtDebugMsg || type == QtInfoMsg || grabbing) return;
    for (const char *noise : {"This plugin does not support", "XDG_RUNTIME_DIR", "QStandardPaths: runtime directory"}) {
        if (message.contains(QLatin1String(noise))) return;
    }
    ADD_FAILURE() << "Qt says: " << message.toStdString();
}

// A failed test of a window keeps a screenshot of each window as it was at the first failure.
class Screenshots : public testing::EmptyTestEventListener {
    void OnTestStart(const testing::TestInfo &) override { m_directory = rankdeck::keptDirectory(); }
    // GoogleTest holds its mutex here, so the code must not ask about the running test or report another failure.
    void OnTestPartResult(const testing::TestPartResult &result) override
    {
        if (!result.failed() || m_directory.empty() || QThread::currentThread() != qApp->thread() ||
            QDir(QString::fromStdString(m_directory)).exists())
            return;
        grabbing = true;
        QDir().mkpath(QString::fromStdString(m_directory));
        int number = 0;
        for (QWidget *window : QApplication::topLevelWidgets())
            if (window->isVisible())
                window->grab().save(
                    QStringLiteral("%1/window-%2.png").arg(QString::fromStdString(m_directory)).arg(++number));
        if (number > 0) std::fprintf(stderr, "kept: %s\n", m_directory.c_str());
        grabbing = false;
    }
    std::string m_directory;
};

// The ages in a scene are those of its own test, whatever ran before it in this process.
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
    auto &listeners = testing::UnitTest::GetInstance()->listeners();  // owns them
    listeners.Append(new ScenesOfTheTest);
    listeners.Append(new Screenshots);
    return RUN_ALL_TESTS();
}
