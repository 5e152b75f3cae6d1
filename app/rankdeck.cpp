// SPDX-License-Identifier: GPL-3.0-or-later
// The main program of the window: reads the options, creates the window, and gives it engines and the demo cluster.
#include "app/crash_report.h"
#include "app/demo/cluster.h"
#include "app/end_signals.h"
#include "app/handover.h"
#include "app/window_sources.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "ui/style/preferences.h"
#include "ui/style/theme.h"
#include "ui/style/translations.h"
#include "ui/window/main_window.h"
#include "ui/window/window_style.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>

namespace {

using namespace rankdeck;

struct Options {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::Options)
};

struct Arguments {
    QCommandLineOption demo{QStringLiteral("demo"),
                            Options::tr("Start a private training cluster on this machine and open it.")};
    QCommandLineOption job{QStringLiteral("job"), Options::tr("The same as JOB, as in rankdeckctl."),
                           QStringLiteral("JOB")};
    QCommandLineOption sshConfig{QStringLiteral("ssh-config"), Options::tr("OpenSSH config to use, as for ssh -F."),
                                 QStringLiteral("FILE")};
    QCommandLineOption stateDir{QStringLiteral("state-dir"), Options::tr("Directory for the history and the journal."),
                                QStringLiteral("DIR")};
    QCommandLineOption theme{QStringLiteral("theme"), Options::tr("light or dark; default: as chosen in the window."),
                             QStringLiteral("light|dark")};
    QCommandLineOption help{{QStringLiteral("h"), QStringLiteral("help")}, Options::tr("Show this help.")};
    QCommandLineOption version{{QStringLiteral("v"), QStringLiteral("version")}, Options::tr("Show the version.")};

    void addTo(QCommandLineParser &parser) const
    {
        parser.setApplicationDescription(Options::tr(
            "Watches distributed training over SSH, stops it gracefully, resumes it from proven checkpoints."));
        parser.addOptions({help, version, demo, job, sshConfig, stateDir, theme});
        parser.addPositionalArgument(QStringLiteral("JOB"),
                                     Options::tr("Job file to open (*.rankdeck.json), or a directory of checkpoints."),
                                     QStringLiteral("[JOB]"));
    }
};

void setNames()
{
    QCoreApplication::setOrganizationName(QStringLiteral("rankdeck"));
    QCoreApplication::setApplicationName(QStringLiteral("rankdeck"));
    QCoreApplication::setApplicationVersion(QStringLiteral(RANKDECK_VERSION));
}

void print(std::FILE *into, const QString &text)
{
    std::fputs(text.toLocal8Bit().constData(), into);
    std::fputc('\n', into);
}

// Answers --help and --version, which need no display. True if one of them was given.
bool answered(int argc, char **argv)
{
    const QCoreApplication core(argc, argv);
    setNames();
    QCommandLineParser parser;
    const Arguments known;
    known.addTo(parser);
    parser.parse(QCoreApplication::arguments());  // Qt's own options are unknown here and are read later
    if (parser.isSet(known.help)) print(stdout, parser.helpText());
    if (parser.isSet(known.version) && !parser.isSet(known.help))
        print(stdout, QStringLiteral("rankdeck %1").arg(QCoreApplication::applicationVersion()));
    return parser.isSet(known.help) || parser.isSet(known.version);
}

// If no window can be shown, Qt names the display that it tried, and would then abort the program.
void sayNoWindow(QtMsgType type, const QMessageLogContext &, const QString &text)
{
    if (type != QtFatalMsg) return print(stderr, text);
    print(stderr, QStringLiteral("No window can be shown here: expected a display in DISPLAY or WAYLAND_DISPLAY (ssh "
                                 "-X provides one). In a terminal, rankdeckctl does everything that the window does."));
    std::_Exit(1);
}

// The error in the arguments; empty if there is none.
QString problemOf(const QCommandLineParser &parser, const Arguments &known)
{
    const QString colours = parser.value(known.theme);
    if (parser.isSet(known.theme) && colours != QLatin1String("light") && colours != QLatin1String("dark"))
        return Options::tr("--theme: expected light or dark, found \"%1\".").arg(colours);
    if (parser.positionalArguments().size() > 1)
        return Options::tr("Expected one job file, found %1.").arg(parser.positionalArguments().size());
    if (parser.isSet(known.job) && !parser.positionalArguments().isEmpty())
        return Options::tr("Expected one job file, found %1.").arg(1 + parser.positionalArguments().size());
    return {};
}

// The parse error with a suggestion: "Unknown option 'jbo'. Did you mean --job?"
QString parseProblemOf(const QCommandLineParser &parser, const Arguments &known)
{
    QString problem = parser.errorText();
    std::vector<std::string> names;
    for (const QCommandLineOption *option :
         {&known.demo, &known.job, &known.sshConfig, &known.stateDir, &known.theme, &known.help, &known.version})
        names.push_back(option->names().back().toStdString());
    for (const QString &word : parser.unknownOptionNames()) {
        const std::string near = nearest(word.toStdString(), names);
        if (!near.empty()) problem += Options::tr(" Did you mean --%1?").arg(QString::fromStdString(near));
    }
    return problem;
}

// The windows, one per job. They share only the user's settings. Each may have its own demo cluster, which ends with
// the program, after the windows.
class Windows {
public:
    Windows(QString state, bool fixed, QString sshConfig)
        : m_state(std::move(state)), m_fixed(fixed), m_sshConfig(std::move(sshConfig))
    {}
    ~Windows()
    {
        for (ui::MainWindow *window : all()) delete window;
    }
    Windows(const Windows &) = delete;
    Windows &operator=(const Windows &) = delete;

    ui::MainWindow &add()
    {
        m_demos.emplace_back();
        // It may have been changed in another window.
        const QString chosen = m_fixed ? m_state : ui::Preferences::kept().stateDirectory;
        const QString state = chosen.isEmpty() ? QString::fromStdString(defaultStateDirectory()) : chosen;
        auto *window = new ui::MainWindow(windowSources(state, m_fixed, m_sshConfig, m_demos.back()));
        window->show();
        return *window;
    }
    // Opens the path in a visible window without a job, or in a new one. Without a path, brings a visible window to the
    // front.
    void open(const QString &path)
    {
        ui::MainWindow *taker = nullptr;
        for (ui::MainWindow *window : all())
            if (window->isVisible() && (path.isEmpty() || window->page() == nullptr)) taker = window;
        if (taker == nullptr) taker = &add();
        if (!path.isEmpty()) taker->openPath(path);
        taker->setWindowState(taker->windowState() & ~Qt::WindowMinimized);
        taker->raise();
        taker->activateWindow();
    }
    void closeAnyway()
    {
        for (ui::MainWindow *window : all()) window->closeAnyway();
    }

private:
    [[nodiscard]] static QList<ui::MainWindow *> all()
    {
        QList<ui::MainWindow *> found;
        for (QWidget *widget : QApplication::topLevelWidgets())
            if (auto *window = qobject_cast<ui::MainWindow *>(widget)) found << window;
        return found;
    }

    QString m_state;
    bool m_fixed;
    QString m_sshConfig;
    std::deque<std::unique_ptr<demo::DemoCluster>> m_demos;
};

}  // namespace

int main(int argc, char **argv)
{
    if (answered(argc, argv)) return 0;
    const QtMessageHandler others = qInstallMessageHandler(sayNoWindow);
    QApplication app(argc, argv);
    qInstallMessageHandler(others);
    setNames();
    QGuiApplication::setDesktopFileName(QStringLiteral("io.github.rankdeck.Rankdeck"));
    ui::installTranslations();
    QCommandLineParser parser;
    const Arguments known;
    known.addTo(parser);
    const QString problem =
        parser.parse(QCoreApplication::arguments()) ? problemOf(parser, known) : parseProblemOf(parser, known);
    if (!problem.isEmpty()) {
        print(stderr, QStringLiteral("%1\n\n%2").arg(problem, parser.helpText()));
        return 2;
    }
    const QStringList named = parser.positionalArguments() + parser.values(known.job).mid(0, 1);
    const QString path = named.isEmpty() ? QString() : QFileInfo(named.front()).absoluteFilePath();
    // A start with options of its own stays independent of other instances.
    const QStringList set = parser.optionNames();
    const bool shares =
        std::all_of(set.begin(), set.end(), [](const QString &name) { return name == QLatin1String("job"); });
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (shares && Handover::isTakenOver(bus, path)) return 0;
    const QString colours = parser.value(known.theme);
    ui::WindowStyle::install();
    ui::Theme &look = ui::Theme::of(nullptr);
    const ui::Preferences preferences = ui::Preferences::kept();
    (void)preferences.apply();
    if (!colours.isEmpty())
        look.setMode(colours == QLatin1String("light") ? ui::Theme::Mode::light : ui::Theme::Mode::dark);
    look.followDesktop();

    const bool fixed = parser.isSet(known.stateDir);
    const QString state = fixed                                   ? parser.value(known.stateDir)
                          : !preferences.stateDirectory.isEmpty() ? preferences.stateDirectory
                                                                  : QString::fromStdString(defaultStateDirectory());
    const std::string crashes = state.toStdString() + "/crashes";
    reportCrashesIn(crashes, "rankdeck " RANKDECK_VERSION);
    Windows windows(state, fixed, parser.value(known.sshConfig));
    const EndSignals ended([&windows] { windows.closeAnyway(); });
    std::unique_ptr<Handover> handover;
    if (shares) handover = std::make_unique<Handover>(bus, [&windows](const QString &wanted) { windows.open(wanted); });
    ui::MainWindow &window = windows.add();
    if (const auto reports = takeCrashReports(crashes); !reports.empty())
        window.tellCrash(QString::fromStdString(reports.back()));
    if (parser.isSet(known.demo)) window.startDemo();
    if (!path.isEmpty()) window.openPath(path);
    return QApplication::exec();
}
