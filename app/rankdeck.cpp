// SPDX-License-Identifier: GPL-3.0-or-later
// The window's main: reads the options, makes the window, and gives it engines and the demo cluster.
#include "app/demo/cluster.h"
#include "app/end_signals.h"
#include "app/window_sources.h"
#include "core/base/files.h"
#include "ui/style/theme.h"
#include "ui/style/translations.h"
#include "ui/window/main_window.h"
#include "ui/window/window_state.h"
#include "ui/window/window_style.h"

#include <QApplication>
#include <QCommandLineParser>

namespace {

using namespace rankdeck;

struct Options {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::Options)
};

}  // namespace

int main(int argc, char **argv)
{
    QApplication app(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("rankdeck"));
    QApplication::setApplicationName(QStringLiteral("rankdeck"));
    QApplication::setApplicationVersion(QStringLiteral(RANKDECK_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("io.github.rankdeck.Rankdeck"));
    ui::installTranslations(app);
    QCommandLineParser parser;
    parser.setApplicationDescription(
        Options::tr("Watches distributed training over SSH, stops it gracefully, resumes it from proven checkpoints."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("JOB"), Options::tr("Job file to open (*.rankdeck.json)."),
                                 QStringLiteral("[JOB]"));
    const QCommandLineOption demo(QStringLiteral("demo"),
                                  Options::tr("Start a private training cluster on this machine and open it."));
    const QCommandLineOption sshConfig(QStringLiteral("ssh-config"), Options::tr("OpenSSH config to use, as ssh -F."),
                                       QStringLiteral("FILE"));
    const QCommandLineOption stateDir(QStringLiteral("state-dir"), Options::tr("Where history and journal are kept."),
                                      QStringLiteral("DIR"));
    const QCommandLineOption theme(QStringLiteral("theme"), Options::tr("light or dark; else as chosen in the window."),
                                   QStringLiteral("light|dark"));
    parser.addOptions({demo, sshConfig, stateDir, theme});
    parser.process(app);
    const QString colours = parser.value(theme);
    if ((parser.isSet(theme) && colours != QLatin1String("light") && colours != QLatin1String("dark")) ||
        parser.positionalArguments().size() > 1)
        parser.showHelp(2);
    ui::WindowStyle::install();
    ui::Theme &look = ui::Theme::of(nullptr);
    look.setMode(colours == QLatin1String("light")  ? ui::Theme::Mode::light
                 : colours == QLatin1String("dark") ? ui::Theme::Mode::dark
                                                    : ui::WindowState::themeMode());
    look.followDesktop();

    std::unique_ptr<demo::DemoCluster> cluster;  // ends with the program, after the window
    const QString state =
        parser.isSet(stateDir) ? parser.value(stateDir) : QString::fromStdString(defaultStateDirectory());
    ui::MainWindow window(windowSources(state, parser.value(sshConfig), cluster));
    const EndSignals ended([&window] { window.closeAnyway(); });
    window.show();
    if (parser.isSet(demo)) window.startDemo();
    if (!parser.positionalArguments().isEmpty()) window.openJobFile(parser.positionalArguments().front());
    return QApplication::exec();
}
